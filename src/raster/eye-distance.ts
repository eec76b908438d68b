// Distances from the eye of a perspective view to the points in its depth image. The line of sight through a point (x,
// y) of the screen is linear in x and y, so three vectors of four numbers describe a view.
import { NearfieldError } from '../core/errors.js';

/** Layout: numbers per view: constant, x and y part of (line of sight, offset). */
export const EYE_FRAME_SIZE = 12;

/**
 * Writes the frame of a view, column-major matrix at `16 * view` of `views`, to `out` at `offset`, so that with (g, q)
 * = out₀ + x·out₁ + y·out₂ the distance at (x, y, depth) is |g| / |q + (1 − depth)|. The part 1 − depth is exact in
 * single precision where it matters: far away, where depth is close to 1.
 * @throws NearfieldError `bad-argument` for a view without an eye.
 */
export function writeEyeFrame(out: Float64Array, offset: number, views: ArrayLike<number>, view: number): void {
  const m = (row: number, column: number) => views[16 * view + 4 * column + row];
  const row = (r: number) => [m(r, 0), m(r, 1), m(r, 2)] as const;
  const x = row(0);
  const y = row(1);
  const z = row(2);
  const w = row(3);
  const xy = cross(x, y);
  const yw = cross(y, w);
  const wx = cross(w, x);
  // The eye is where clip x, y and w vanish.
  const volume = dot(w, xy);
  if (volume === 0) {
    throw new NearfieldError(
      'bad-argument',
      `View ${view} has no eye (its clip w does not depend on the depth), so there is no distance from it: reduce 'depth' instead.`,
    );
  }
  let zAtEye = m(2, 3);
  for (let i = 0; i < 3; i++) {
    zAtEye -= (z[i] * (m(0, 3) * yw[i] + m(1, 3) * wx[i] + m(3, 3) * xy[i])) / volume;
  }
  const beyond = [z[0] - w[0], z[1] - w[1], z[2] - w[2]] as const;
  const parts = [xy, yw, wx];
  for (let part = 0; part < 3; part++) {
    const g = parts[part];
    for (let i = 0; i < 3; i++) out[offset + 4 * part + i] = (g[i] * zAtEye) / volume;
    out[offset + 4 * part + 3] = dot(beyond, g) / volume;
  }
}

/** The distance from the eye at (x, y) of the screen, −1 to 1, and a depth. */
export function eyeDistance(frame: Float64Array, offset: number, x: number, y: number, depth: number): number {
  const at = (i: number) => frame[offset + i] + x * frame[offset + 4 + i] + y * frame[offset + 8 + i];
  return Math.hypot(at(0), at(1), at(2)) / Math.abs(at(3) + (1 - depth));
}

type Vector = readonly [number, number, number];

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
