// npm run soak: the randomized tests with new seeds, the fuzz with twenty times the work of npm test; meshes of others.
import { defineConfig } from 'vitest/config';
import { packageByName } from './vitest.config.js';

export default defineConfig({
  resolve: { alias: packageByName },
  test: {
    include: [
      'tests/{core,spatial,mesh,models,io,convex,decomposition,proximity,raster,field,penetration,soak}/**/*.test.ts',
    ],
    globalSetup: ['tests/browser/lab-folder.ts'],
    setupFiles: ['tests/setup.ts'],
    env: { NEARFIELD_SOAK: '20', NEARFIELD_SEED: 'random', NEARFIELD_CERTIFICATES: '100000' },
    testTimeout: 36_000_000,
    hookTimeout: 3_600_000,
  },
});
