// The layout of ice-paint.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const ICE_PAINT_LAYOUT = {
  structs: {
    Stroke: {
      size: 80,
      offsets: {
        start: 0,
        radius: 12,
        way: 16,
        phase: 28,
        low: 32,
        temperature: 44,
        count: 48,
        kind: 60,
        size: 64,
        stride: 76,
      },
    },
  },
  bindings: {
    stroke: {
      group: 0,
      binding: 0,
    },
    cells: {
      group: 0,
      binding: 1,
    },
    room: {
      group: 0,
      binding: 2,
    },
    values: {
      group: 0,
      binding: 3,
    },
  },
  workgroups: {
    paint: [8, 8, 1],
    scatter: [256, 1, 1],
  },
} as const satisfies ShaderLayout;
