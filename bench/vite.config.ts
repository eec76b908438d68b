// Builds the benchmarks into dist/bench, where `nearfield bench` finds them. They import the package by name, as its users do.
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  build: {
    outDir: fileURLToPath(new URL('../dist/bench', import.meta.url)),
    emptyOutDir: true,
    target: 'es2022',
    minify: false,
    lib: { entry: fileURLToPath(new URL('main.ts', import.meta.url)), formats: ['es'], fileName: 'main' },
    rolldownOptions: { external: [/^node:/, /^nearfield/, /^three/, 'quickhull3d', 'd3-delaunay', 'ioredis'] },
  },
});
