// The layout of ice-plane-twice.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const ICE_TWICE_LAYOUT = {
  structs: {},
  bindings: {},
  workgroups: {
    stepPlaneTwice: [32, 8, 1],
  },
} as const satisfies ShaderLayout;
