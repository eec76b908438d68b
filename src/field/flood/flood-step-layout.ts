// The layout of flood-step.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const FLOOD_STEP_LAYOUT = {
  structs: {
    Flood: {
      size: 16,
      offsets: {
        size: 0,
        step: 12,
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
    floodPlane: [128, 1, 1],
    floodLargePlane: [128, 1, 1],
    floodSpace: [64, 1, 1],
  },
} as const satisfies ShaderLayout;
