// The layout of ice-step.wgsl, written by `npx vitest run tests/gpu/shader-layout.test.ts -u`: do not edit.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

export const ICE_STEP_LAYOUT = {
  structs: {
    Ice: {
      size: 96,
      offsets: {
        size: 0,
        compact: 12,
        tiles: 16,
        cross: 28,
        delta: 32,
        deltaFold: 36,
        turnRe: 40,
        turnIm: 44,
        reaction: 48,
        alpha: 52,
        gamma: 56,
        equilibrium: 60,
        latentHeat: 64,
        diffusion: 68,
        noise: 72,
        coupling: 76,
        still: 80,
        axial: 84,
        wall: 88,
        groupsX: 92,
      },
    },
    Step: {
      size: 8,
      offsets: {
        noiseKey: 0,
        secondKey: 4,
      },
    },
  },
  bindings: {
    ice: {
      group: 0,
      binding: 0,
    },
    step: {
      group: 0,
      binding: 1,
    },
    awake: {
      group: 0,
      binding: 4,
    },
    waking: {
      group: 0,
      binding: 5,
    },
    resting: {
      group: 0,
      binding: 6,
    },
    work: {
      group: 0,
      binding: 7,
    },
    room: {
      group: 0,
      binding: 8,
    },
  },
  workgroups: {},
} as const satisfies ShaderLayout;
