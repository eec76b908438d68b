// The library for the examples that run in the pages: one module a chapter, what they share in modules of its own.
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const source = fileURLToPath(new URL('../../src/', import.meta.url));
/** Not in the pages: what needs a canvas, a terminal or a queue. */
const LEFT_OUT = ['cli', 'cluster', 'react', 'three'];
const chapters = readdirSync(source, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !LEFT_OUT.includes(entry.name))
  .map(({ name }) => name);

export default defineConfig({
  root: source,
  publicDir: false,
  build: {
    outDir: fileURLToPath(new URL('dist/live', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    lib: {
      entry: Object.fromEntries(chapters.map((name) => [name, `${source}${name}/index.ts`])),
      formats: ['es'],
    },
    rolldownOptions: { external: [/^node:/, 'webgpu'], output: { chunkFileNames: 'shared/[name].js' } },
  },
});
