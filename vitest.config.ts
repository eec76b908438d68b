import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** The package by its own name, as the lab and the benchmarks import it, read from the sources. */
export const packageByName = [
  { find: /^nearfield$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  { find: /^nearfield\/(\w+)$/, replacement: fileURLToPath(new URL('src/$1/index.ts', import.meta.url)) },
];

/** Vitest begins with the longest files. These are slow and often short: one of them alone at the end idles a core. */
class SlowFoldersFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification): boolean => /\/tests\/(browser|package|docs)\//.test(moduleId);
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
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
          name: 'library',
          include: ['tests/**/*.test.ts'],
          exclude: ['tests/soak/**', 'tests/browser/**'],
        },
      },
    ],
    setupFiles: ['tests/setup.ts'],
    // Against hangs only: a machine that is ten times slower, or busy, passes too.
    testTimeout: 1_800_000,
    hookTimeout: 1_800_000,
    teardownTimeout: 600_000,
    expect: { poll: { timeout: 600_000 } },
    // By default Vitest leaves one core idle, which on two cores is half of the machine.
    maxWorkers: '100%',
    sequence: { sequencer: SlowFoldersFirst },
    reporters: ['default'],
  },
});
