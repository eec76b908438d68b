// The layout of ice-space.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const ICE_SPACE_LAYOUT = {
  structs: {},
  bindings: {
    before: {
      group: 0,
      binding: 2,
    },
    after: {
      group: 0,
      binding: 3,
    },
  },
  workgroups: {
    stepSpace: [16, 8, 1],
  },
} as const satisfies ShaderLayout;
