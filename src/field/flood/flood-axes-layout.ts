// The layout of flood-axes.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const FLOOD_AXES_LAYOUT = {
  structs: {
    Flood: {
      size: 32,
      offsets: {
        size: 0,
        step: 12,
        adjacent: 16,
        answered: 20,
        halo: 24,
      },
    },
  },
  bindings: {
    flood: {
      group: 0,
      binding: 0,
    },
    before: {
      group: 0,
      binding: 1,
    },
    after: {
      group: 0,
      binding: 2,
    },
  },
  workgroups: {
    floodAxes: [128, 1, 1],
  },
} as const satisfies ShaderLayout;
