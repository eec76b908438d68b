// The layout of reduce-images.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const IMAGE_REDUCTION_LAYOUT = {
  structs: {
    Reduction: {
      size: 28,
      offsets: {
        width: 0,
        height: 4,
        greatest: 8,
        distance: 12,
        excepting: 16,
        except: 20,
        groups: 24,
      },
    },
    EyeFrame: {
      size: 48,
      offsets: {
        center: 0,
        x: 16,
        y: 32,
      },
    },
    Candidate: {
      size: 8,
      offsets: {
        key: 0,
        pixel: 4,
      },
    },
    Extreme: {
      size: 8,
      offsets: {
        pixel: 0,
        depth: 4,
      },
    },
  },
  bindings: {
    reduction: {
      group: 0,
      binding: 0,
    },
    frames: {
      group: 0,
      binding: 1,
    },
    colors: {
      group: 0,
      binding: 2,
    },
    depths: {
      group: 0,
      binding: 3,
    },
    candidates: {
      group: 0,
      binding: 4,
    },
    extremes: {
      group: 0,
      binding: 5,
    },
  },
  workgroups: {
    gather: [64, 1, 1],
    finish: [64, 1, 1],
  },
} as const satisfies ShaderLayout;
