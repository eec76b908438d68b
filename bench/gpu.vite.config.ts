// Builds dist/bench/gpu-penetration.js, or with GPU_BENCH=gpu-field, gpu-voronoi, gpu-culling or gpu-ice that one: one file with the library in it, to be
// carried to a machine with a GPU.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';
import { measuredCommit } from '../scripts/stale-records.mjs';
import { packageByName } from '../vitest.config.js';

const name = process.env.GPU_BENCH ?? 'gpu-penetration';

export default defineConfig({
  define: {
    MEASURED_COMMIT: JSON.stringify(measuredCommit(fileURLToPath(new URL('..', import.meta.url)))) ?? 'undefined',
  },
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: { alias: packageByName },
  build: {
    outDir: fileURLToPath(new URL('../dist/bench', import.meta.url)),
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: {
      entry: fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
      formats: ['es'],
      fileName: name,
    },
    rolldownOptions: { external: [/^node:/, 'webgpu'] },
  },
});
