// Where B is in A's frame as the searches take it: a row-major 3 × 4 matrix, rotation at 0, 1, 2, 4, 5, 6, 8, 9, 10,
// translation at 3, 7, 11.
import type { ReadonlyPose } from '../core/pose.js';

/** Writes the placement of a pose whose quaternion is unit. */
export function writePlacement(p: ReadonlyPose, out: Float64Array): void {
  const [, , , x, y, z, w] = p;
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = p[0];
  out[4] = 2 * (x * y + z * w);
  out[5] = 1 - 2 * (x * x + z * z);
  out[6] = 2 * (y * z - x * w);
  out[7] = p[1];
  out[8] = 2 * (x * z - y * w);
  out[9] = 2 * (y * z + x * w);
  out[10] = 1 - 2 * (x * x + y * y);
  out[11] = p[2];
}

/** Writes the placement that undoes one. */
export function invertPlacement(m: Float64Array, out: Float64Array = new Float64Array(12)): Float64Array {
  for (let row = 0; row < 3; row++) {
    for (let k = 0; k < 3; k++) out[4 * row + k] = m[4 * k + row];
    out[4 * row + 3] = -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
  }
  return out;
}
