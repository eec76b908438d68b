import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { softwareVulkanEnvironment } from './scripts/requirements.mjs';

/** The package by its own name, as the lab and the benchmarks import it, read from the sources. */
export const packageByName = [
  { find: /^nearfield$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  { find: /^nearfield\/(\w+)$/, replacement: fileURLToPath(new URL('src/$1/index.ts', import.meta.url)) },
];

/** The tests that replace modules or globals, or look at what a process has loaded: each file has a process of its own. */
const APART = ['bench', 'cluster', 'docs', 'examples', 'lab', 'package', 'pool', 'react'];

/**
 * Vitest begins with the longest files. Those of the browser and those apart are slow: one of them alone at the end idles a
 * core. A project's files follow one another, so that its workers are kept.
 */
class SlowProjectsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return ['browser', 'apart', 'library'].flatMap((name) => sorted.filter(({ project }) => project.name === name));
  }
}

export default defineConfig({
  resolve: { alias: packageByName },
  test: {
    projects: [
      {
        extends: true,
        test: {
          name: 'browser',
          include: ['tests/browser/**/*.test.ts'],
          globalSetup: ['tests/browser/lab-folder.ts'],
          // Files of one worker share its browser and its page.
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'apart',
          include: APART.map((folder) => `tests/${folder}/**/*.test.ts`),
        },
      },
      {
        extends: true,
        test: {
          name: 'library',
          include: ['tests/**/*.test.ts'],
          exclude: ['browser', 'soak', ...APART].map((folder) => `tests/${folder}/**`),
          // Files of one worker share the modules they import: loading them anew costs a quarter of a second a file.
          isolate: false,
        },
      },
    ],
    setupFiles: ['tests/setup.ts'],
    // WebGPU keeps the drivers that it finds when it is first used in a process, whichever test that is.
    env: softwareVulkanEnvironment(),
    // Against hangs only: a machine that is ten times slower, or busy, passes too.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    // By default Vitest leaves one core idle, which on two cores is half of the machine.
    maxWorkers: '100%',
    sequence: { sequencer: SlowProjectsFirst },
    reporters: ['default'],
  },
});
