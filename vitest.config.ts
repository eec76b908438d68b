import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

/** The package by its own name, as the lab and the benchmarks import it, read from the sources. */
export const packageByName = [
  { find: /^nearfield$/, replacement: fileURLToPath(new URL('src/index.ts', import.meta.url)) },
  { find: /^nearfield\/(\w+)$/, replacement: fileURLToPath(new URL('src/$1/index.ts', import.meta.url)) },
];

export default defineConfig({
  resolve: { alias: packageByName },
  test: {
    include: ['tests/**/*.test.ts'],
    setupFiles: ['tests/setup.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    reporters: ['default'],
  },
});
