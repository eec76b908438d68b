// The layout of draw-triangles.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const WEBGPU_RASTERIZER_LAYOUT = {
  structs: {},
  bindings: {
    view: {
      group: 0,
      binding: 0,
    },
    positions: {
      group: 1,
      binding: 0,
    },
    indices: {
      group: 1,
      binding: 1,
    },
    colors: {
      group: 1,
      binding: 2,
    },
  },
  workgroups: {},
} as const satisfies ShaderLayout;
