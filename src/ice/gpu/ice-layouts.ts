// The layouts of the shaders of ice growth.
import type { ShaderLayout } from '../../gpu/shader-layout.js';

/** The cells before and after a step, which plane and space see differently. */
const CELL_BINDINGS = { before: { group: 0, binding: 2 }, after: { group: 0, binding: 3 } } as const;

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
    Step: { size: 8, offsets: { noiseKey: 0, secondKey: 4 } },
  },
  bindings: {
    ice: { group: 0, binding: 0 },
    step: { group: 0, binding: 1 },
    awake: { group: 0, binding: 4 },
    waking: { group: 0, binding: 5 },
    resting: { group: 0, binding: 6 },
    work: { group: 0, binding: 7 },
    room: { group: 0, binding: 8 },
  },
  workgroups: {},
} as const satisfies ShaderLayout;

export const ICE_PLANE_LAYOUT = {
  structs: {},
  bindings: CELL_BINDINGS,
  workgroups: { stepPlane: [32, 4, 1] },
} as const satisfies ShaderLayout;

export const ICE_TWICE_LAYOUT = {
  structs: {},
  bindings: {},
  workgroups: { stepPlaneTwice: [32, 8, 1] },
} as const satisfies ShaderLayout;

export const ICE_SPACE_LAYOUT = {
  structs: {},
  bindings: CELL_BINDINGS,
  workgroups: { stepSpace: [16, 8, 1] },
} as const satisfies ShaderLayout;

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
    stroke: { group: 0, binding: 0 },
    cells: { group: 0, binding: 1 },
    room: { group: 0, binding: 2 },
    values: { group: 0, binding: 3 },
  },
  workgroups: { paint: [8, 8, 1], scatter: [256, 1, 1] },
} as const satisfies ShaderLayout;
