// The layout of nearest-sites.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const NEAREST_SITES_LAYOUT = {
  structs: {
    Frame: {
      size: 96,
      offsets: {
        size: 0,
        elementCount: 12,
        cell: 16,
        firstList: 28,
        parent: 32,
        firstParent: 44,
        first: 48,
        maxDistance: 60,
        spacing: 64,
        beyond: 76,
        unit: 80,
        poolSize: 84,
      },
    },
    Element: {
      size: 64,
      offsets: {
        a: 0,
        kind: 12,
        b: 16,
        scale: 28,
        c: 32,
        offset: 44,
        middle: 48,
        cosine: 56,
        site: 60,
      },
    },
    List: {
      size: 8,
      offsets: {
        first: 0,
        count: 4,
      },
    },
  },
  bindings: {
    frame: {
      group: 0,
      binding: 0,
    },
    elements: {
      group: 0,
      binding: 1,
    },
    lists: {
      group: 0,
      binding: 2,
    },
    pool: {
      group: 0,
      binding: 3,
    },
    ids: {
      group: 0,
      binding: 4,
    },
    distances: {
      group: 0,
      binding: 5,
    },
  },
  workgroups: {
    gatherCells: [256, 1, 1],
    measureTiles: [256, 1, 1],
  },
} as const satisfies ShaderLayout;
