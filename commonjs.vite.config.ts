// Builds the CommonJS copy into dist/cjs, for Node before 20.19 and for tools that know no ES modules. Tools that shake
// code off never read it, so it has few files, without comments; dependencies that are ES modules only are inside.
import { defineConfig } from 'vite';
import { library } from './vite.config.js';

const { 'cli/main': _command, ...entry } = library.entry;

export default defineConfig({
  build: {
    outDir: 'dist/cjs',
    emptyOutDir: false,
    target: 'es2022',
    minify: false,
    lib: { entry, formats: ['cjs'] },
    rolldownOptions: {
      external: library.external.filter((name) => name !== 'robust-predicates'),
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'shared/[name].js',
        comments: { jsdoc: false, annotation: false, legal: true },
      },
    },
  },
});
