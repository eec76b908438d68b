// The layout of ice-plane.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const ICE_PLANE_LAYOUT = {
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
    stepPlane: [32, 4, 1],
  },
} as const satisfies ShaderLayout;
