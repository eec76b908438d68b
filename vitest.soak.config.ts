// npm run soak: randomised tests with twenty times the work of npm test, for a night and not for every change.
import { defineConfig } from 'vitest/config';
import { packageByName } from './vitest.config.js';

export default defineConfig({
  resolve: { alias: packageByName },
  test: {
    include: ['tests/io/fuzz.test.ts'],
    env: { NEARFIELD_SOAK: '20' },
    testTimeout: 3_600_000,
  },
});
