// The layout of copy-images.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const IMAGE_COPY_LAYOUT = {
  structs: {},
  bindings: {
    color: {
      group: 0,
      binding: 0,
    },
    depth: {
      group: 0,
      binding: 1,
    },
    stencil: {
      group: 0,
      binding: 2,
    },
    pixels: {
      group: 0,
      binding: 3,
    },
  },
  workgroups: {
    copyColor: [8, 8, 1],
    copyDepth: [8, 8, 1],
    copyStencil: [8, 8, 1],
  },
} as const satisfies ShaderLayout;
