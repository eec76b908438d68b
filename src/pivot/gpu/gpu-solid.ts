// What a solid must be for single precision, and its triangles in spacings from a grid.
import { NearfieldError } from '../../core/errors.js';
import type { GridFrame } from '../../field/grid.js';
import type { FrameSolid } from '../space/frame-solid.js';

/**
 * Rounding: the largest distance of coordinates from the grid, in spacings. Their rounding is then below 2⁻¹² spacings.
 */
export const MAX_SPACINGS = 2048;
/** Rounding: a squared sine above that of the shader, below which triangles are measured by their sides only. */
const THIN_SINE_SQUARED = 1.05e-3;

/** The largest height of a triangle that the shader measures by its sides: distances to it are off by half of that. */
export function thinHeightOf({ triangles: t, count }: FrameSolid): number {
  let most = 0;
  for (let o = 0; o < 9 * count; o += 9) {
    const ux = t[o + 3] - t[o];
    const uy = t[o + 4] - t[o + 1];
    const uz = t[o + 5] - t[o + 2];
    const vx = t[o + 6] - t[o];
    const vy = t[o + 7] - t[o + 1];
    const vz = t[o + 8] - t[o + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const nn = nx * nx + ny * ny + nz * nz;
    const uu = ux * ux + uy * uy + uz * uz;
    const vv = vx * vx + vy * vy + vz * vz;
    if (nn > THIN_SINE_SQUARED * uu * vv) continue;
    const longest = Math.max(uu, vv, (ux - vx) ** 2 + (uy - vy) ** 2 + (uz - vz) ** 2);
    if (longest > 0) most = Math.max(most, Math.sqrt(nn / longest));
  }
  return most;
}

/** The largest coordinate of a solid or of the grid, in spacings from the grid. */
export function largestSpacing({ min, max }: FrameSolid, { origin, spacing, size }: GridFrame): number {
  let largest = Math.max(...size);
  for (let axis = 0; axis < 3; axis++) {
    largest = Math.max(largest, (origin[axis] - min[axis]) / spacing, (max[axis] - origin[axis]) / spacing + 1);
  }
  return largest;
}

/**
 * Writes the corners in spacings, so that the cell of node (i, j, k) begins at (i, j, k).
 * @throws NearfieldError `unsupported` for a solid too large for the grid.
 */
export function packCorners(solid: FrameSolid, frame: GridFrame, out: Float32Array): void {
  const { triangles: t, count } = solid;
  const { origin, spacing } = frame;
  const largest = largestSpacing(solid, frame);
  if (largest > MAX_SPACINGS) {
    throw new NearfieldError(
      'unsupported',
      `A solid reaches ${Math.ceil(largest)} spacings from the overlap, and single precision ${MAX_SPACINGS}; use backend 'cpu' or a larger error.`,
    );
  }
  const inverse = 1 / spacing;
  const x = 0.5 - origin[0] * inverse;
  const y = 0.5 - origin[1] * inverse;
  const z = 0.5 - origin[2] * inverse;
  for (let o = 0; o < 9 * count; o += 3) {
    out[o] = t[o] * inverse + x;
    out[o + 1] = t[o + 1] * inverse + y;
    out[o + 2] = t[o + 2] * inverse + z;
  }
}
