// An explicit step of a tile of the plane in double precision, after Kobayashi (1993), in conservative form: fluxes belong
// to faces and corners that cells share. The reference of assembly/ice-kernel.ts and of ice-plane.wgsl. O(cells), one row
// of corners at a time.
import { type IceCoefficients, noiseAt } from '../coefficients.js';
import type { CellLayout } from './cell-layout.js';
import { LIQUID, MOVED, SOLID } from './kernel-layout.js';

/** The fields of a step, with borders filled, and what the step needs besides. */
export interface StepFields {
  readonly layout: CellLayout;
  readonly phase: Float64Array;
  readonly phaseAfter: Float64Array;
  readonly heat: Float64Array;
  readonly heatAfter: Float64Array;
  /** 1 where ice can grow, 0 in obstacles; null without any. */
  readonly room: Float64Array | null;
  /** Six runs of one more than a tile is wide in the plane; in space eight, and as often as a tile is high and one more. */
  readonly corners: Float64Array;
  readonly noiseKey: number;
  readonly still: number;
  /** Leaves the diffusion of heat to the implicit solver. */
  readonly isImplicit: boolean;
}

/** Writes the compact weight and the flux of the corners left of each cell, between the rows at `south` and `north`. */
function cornerRow(fields: StepFields, c: IceCoefficients, south: number, to: number, count: number): void {
  const { phase: p, room, corners, layout } = fields;
  const north = south + layout.row;
  for (let i = 0; i < count; i++) {
    const p00 = p[south + i - 1];
    const p10 = p[south + i];
    const p01 = p[north + i - 1];
    const p11 = p[north + i];
    const gx = p10 - p00 + (p11 - p01);
    const gy = p01 - p00 + (p11 - p10);
    const square = gx * gx + gy * gy;
    let a = c.compact;
    let b = 0;
    if (square > 0 && c.fold > 0) {
      const inverse = -1 / Math.sqrt(square);
      const x = gx * inverse;
      const y = gy * inverse;
      let re = x;
      let im = y;
      for (let bit = 30 - Math.clz32(c.fold); bit >= 0; bit--) {
        const next = re * re - im * im;
        im = 2 * re * im;
        re = next;
        if (((c.fold >> bit) & 1) === 1) {
          const product = re * x - im * y;
          im = re * y + im * x;
          re = product;
        }
      }
      const e = 1 + c.delta * (re * c.turnRe + im * c.turnIm);
      a = c.compact * e * e;
      b = c.cross * e * c.deltaFold * (im * c.turnRe - re * c.turnIm);
    }
    let u = c.share * a * gx + b * gy;
    let v = c.share * a * gy - b * gx;
    if (room !== null && room[south + i - 1] * room[south + i] * room[north + i - 1] * room[north + i] === 0) {
      a = 0;
      u = 0;
      v = 0;
    }
    corners[to + i] = a;
    corners[to + count + i] = u;
    corners[to + 2 * count + i] = v;
  }
}

/**
 * Steps a tile and returns what it did. Without `withPhase` all phases in and around it are 0, or all are 1. The loop
 * over cells keeps the values of its neighbors in locals.
 */
export function stepPlane(
  fields: StepFields,
  c: IceCoefficients,
  x0: number,
  y0: number,
  width: number,
  height: number,
  withPhase: boolean,
): number {
  const { layout, phase, phaseAfter, heat, heatAfter, room, corners, still, isImplicit } = fields;
  const { row } = layout;
  const first = layout.first + y0 * row + x0;
  const span = width + 1;
  const report = new TileReport();
  let low = 0;
  let high = 3 * span;
  if (withPhase) cornerRow(fields, c, first - row, low, span);
  for (let y = 0; y < height; y++) {
    const line = first + y * row;
    if (withPhase) cornerRow(fields, c, line, high, span);
    for (let x = 0; x < width; x++) {
      const cell = line + x;
      const p = phase[cell];
      const t = heat[cell];
      let next = p;
      if (withPhase) {
        const l = low + x;
        const h = high + x;
        const aL0 = corners[l];
        const aR0 = corners[l + 1];
        const aL1 = corners[h];
        const aR1 = corners[h + 1];
        const sides =
          (aR0 + aR1) * (phase[cell + 1] - p) +
          (aL0 + aL1) * (phase[cell - 1] - p) +
          ((aL1 + aR1) * (phase[cell + row] - p) + (aL0 + aR0) * (phase[cell - row] - p));
        const u = span + l;
        const v = 2 * span + l;
        const shift = high - low;
        const alongX = corners[u + 1] + corners[u + 1 + shift] - (corners[u] + corners[u + shift]);
        const alongY = corners[v + shift] + corners[v + shift + 1] - (corners[v] + corners[v + 1]);
        let change =
          sides + (alongX + alongY) + c.reaction * pushOf(p, t, c, (y0 + y) * layout.size[0] + x0 + x, fields.noiseKey);
        if (c.coupling !== 0) {
          const mean = aL0 + aR1 + (aR0 + aL1);
          change = mean > 0 ? (change * 4 * c.compact) / mean : 0;
        }
        if (room !== null) change *= room[cell];
        next = settled(p + change, still);
      }
      let warmer = c.latentHeat * (next - p);
      if (!isImplicit) {
        warmer +=
          c.diffusion *
          (dropped(heat[cell + 1] - t, still) +
            dropped(heat[cell - 1] - t, still) +
            (dropped(heat[cell + row] - t, still) + dropped(heat[cell - row] - t, still)));
      }
      const warm = t + warmer;
      phaseAfter[cell] = next;
      heatAfter[cell] = warm;
      if (next !== p || warm !== t) report.moved = true;
      if (next !== 0) report.liquid = false;
      if (next !== 1) report.solid = false;
    }
    const swap = low;
    low = high;
    high = swap;
  }
  return report.state(c.noise !== 0);
}

/** What a step did to a tile, as the kernel reports it. */
export class TileReport {
  moved = false;
  liquid = true;
  solid = true;

  state(hasNoise: boolean): number {
    // Noise can move a mixed tile in a later step.
    const isMixed = !this.liquid && !this.solid && hasNoise;
    return (this.moved || isMixed ? MOVED : 0) | (this.liquid ? LIQUID : 0) | (this.solid ? SOLID : 0);
  }
}

/** p (1 − p) (p − 1/2 + m), with noise. */
export function pushOf(p: number, heat: number, c: IceCoefficients, cell: number, key: number): number {
  const well = p * (1 - p);
  if (well === 0) return 0;
  const m = c.coupling === 0 ? c.alpha * Math.atan(c.gamma * (c.equilibrium - heat)) : c.coupling * heat * well;
  const noise = c.noise === 0 ? 0 : c.noise * noiseAt(cell, key);
  return well * (p - 0.5 + m + noise);
}

/** A phase within `still` of 0 or 1 becomes 0 or 1. */
export function settled(p: number, still: number): number {
  if (Math.abs(p) < still) return 0;
  return Math.abs(1 - p) < still ? 1 : p;
}

/** A difference, or 0 if it is no larger than `still`: both cells see the same, so nothing is lost between them. */
export function dropped(difference: number, still: number): number {
  return Math.abs(difference) > still ? difference : 0;
}
