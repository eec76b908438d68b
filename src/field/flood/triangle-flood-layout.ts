// The layout of triangle-flood.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const TRIANGLE_FLOOD_LAYOUT = {
  structs: {
    Frame: {
      size: 32,
      offsets: {
        size: 0,
        triangleCount: 12,
        spacing: 16,
        maxDistance: 20,
      },
    },
    Triangle: {
      size: 48,
      offsets: {
        a: 0,
        number: 12,
        b: 16,
        sidesOnly: 28,
        c: 32,
        padding: 44,
      },
    },
    Node: {
      size: 32,
      offsets: {
        minimum: 0,
        left: 12,
        maximum: 16,
        triangles: 28,
      },
    },
  },
  bindings: {
    frame: {
      group: 0,
      binding: 0,
    },
    triangles: {
      group: 0,
      binding: 1,
    },
    nodes: {
      group: 0,
      binding: 2,
    },
    seeds: {
      group: 0,
      binding: 3,
    },
    sites: {
      group: 0,
      binding: 4,
    },
    distances: {
      group: 0,
      binding: 5,
    },
    nearest: {
      group: 0,
      binding: 6,
    },
  },
  workgroups: {
    scatterSeeds: [64, 1, 1],
    placeSites: [64, 1, 1],
    measure: [64, 1, 1],
  },
} as const satisfies ShaderLayout;
