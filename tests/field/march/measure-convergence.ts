// How fast the error of a march falls with the spacing, from the band of a shape whose distance has a formula. The band
// has the same length at every resolution: with one that shrinks with the spacing, the marched part would grow with each
// refinement, and the measured order would include that.

import { type GridFrame, gridNodeCount, gridOverBox } from '../../../src/field/grid.js';
import { type MarchedTimes, marchFromBand } from '../../../src/field/march/march-from-band.js';
import type { SignedDistance } from '../../oracles/closed-form-fields.js';

export interface ConvergenceRow {
  readonly resolution: number;
  readonly spacing: number;
  /** Mean and largest error over the nodes that were marched to. */
  readonly mean: number;
  readonly max: number;
  /** From the row before; NaN in the first. */
  readonly meanOrder: number;
  readonly maxOrder: number;
}

export interface ConvergenceOptions {
  readonly order: 1 | 2;
  readonly resolutions: readonly number[];
  /** Half the side of the box around the origin. */
  readonly half: number;
  /** Half width of the band, a length. */
  readonly bandLength: number;
  /** A grid in the plane z = 0. */
  readonly plane?: boolean;
}

/** The formula at the nodes at most `width` from the surface, ±Infinity elsewhere. */
export function closedFormBand(frame: GridFrame, distance: SignedDistance, width: number): Float64Array {
  const band = sampleDistance(frame, distance);
  for (let node = 0; node < band.length; node++) {
    if (Math.abs(band[node]) > width) band[node] = band[node] < 0 ? -Infinity : Infinity;
  }
  return band;
}

export function sampleDistance(frame: GridFrame, distance: SignedDistance): Float64Array {
  const { origin, spacing, size } = frame;
  const values = new Float64Array(gridNodeCount(frame));
  for (let node = 0; node < values.length; node++) {
    const i = node % size[0];
    const j = Math.floor(node / size[0]) % size[1];
    const k = Math.floor(node / (size[0] * size[1]));
    values[node] = distance(origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k);
  }
  return values;
}

export function centeredFrame(half: number, resolution: number, plane = false): GridFrame {
  const z = plane ? 0 : half;
  return gridOverBox({ min: [-half, -half, -z], max: [half, half, z] }, resolution);
}

/** Mean and largest difference over the nodes beyond the band, and how many they are. */
export function marchingError(
  field: MarchedTimes,
  band: Float64Array,
  distance: SignedDistance,
): { mean: number; max: number; nodes: number } {
  const exact = sampleDistance(field, distance);
  let sum = 0;
  let max = 0;
  let nodes = 0;
  for (let node = 0; node < exact.length; node++) {
    if (Number.isFinite(band[node])) continue;
    const error = Math.abs(field.values[node] - exact[node]);
    sum += error;
    max = Math.max(max, error);
    nodes++;
  }
  return { mean: sum / nodes, max, nodes };
}

export function measureConvergence(distance: SignedDistance, options: ConvergenceOptions): ConvergenceRow[] {
  const rows: ConvergenceRow[] = [];
  for (const resolution of options.resolutions) {
    const frame = centeredFrame(options.half, resolution, options.plane);
    const band = closedFormBand(frame, distance, options.bandLength);
    const field = marchFromBand(frame, band, { order: options.order });
    const { mean, max } = marchingError(field, band, distance);
    const before = rows.at(-1);
    const refinement = before ? Math.log(before.spacing / frame.spacing) : NaN;
    rows.push({
      resolution,
      spacing: frame.spacing,
      mean,
      max,
      meanOrder: before ? Math.log(before.mean / mean) / refinement : NaN,
      maxOrder: before ? Math.log(before.max / max) / refinement : NaN,
    });
  }
  return rows;
}

/** The slope of the logarithm of the mean error over that of the spacing, by least squares over all rows. */
export function fittedOrder(rows: readonly ConvergenceRow[], of: 'mean' | 'max' = 'mean'): number {
  const x = rows.map((row) => Math.log(row.spacing));
  const y = rows.map((row) => Math.log(row[of]));
  const mx = x.reduce((a, b) => a + b) / x.length;
  const my = y.reduce((a, b) => a + b) / y.length;
  const slope = x.reduce((sum, value, i) => sum + (value - mx) * (y[i] - my), 0);
  return slope / x.reduce((sum, value) => sum + (value - mx) ** 2, 0);
}
