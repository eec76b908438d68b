// Corners of a triangle in an order that depends only on their positions, so that triangles that share a side compute
// with the same numbers in the same order, and get the same bits.

/**
 * Chosen: the squared sine of the angle below which a triangle is a needle, whose weights have lost digits; as in
 * `nearestOnTriangle`.
 */
export const NEEDLE_SINE_SQUARED = 1e-4;

/** Copies the triangle of nine numbers at `from[i]` with its corners sorted by x, then y, then z. */
export function sortCorners(from: Float64Array, i: number, t: Float64Array): void {
  for (let n = 0; n < 9; n++) t[n] = from[i + n];
  if (isAfter(t, 0, 3)) swap(t, 0, 3);
  if (isAfter(t, 3, 6)) swap(t, 3, 6);
  if (isAfter(t, 0, 3)) swap(t, 0, 3);
}

/** Writes the normal of the triangle `t` to `t[9]` to `t[11]`, and its square, or 0 for a needle, to `t[12]`. */
export function setNormal(t: Float64Array): void {
  const ux = t[3] - t[0];
  const uy = t[4] - t[1];
  const uz = t[5] - t[2];
  const vx = t[6] - t[0];
  const vy = t[7] - t[1];
  const vz = t[8] - t[2];
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  t[9] = nx;
  t[10] = ny;
  t[11] = nz;
  t[12] = nn > NEEDLE_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz) ? nn : 0;
}

function isAfter(t: Float64Array, p: number, q: number): boolean {
  if (t[p] !== t[q]) return t[p] > t[q];
  if (t[p + 1] !== t[q + 1]) return t[p + 1] > t[q + 1];
  return t[p + 2] > t[q + 2];
}

function swap(t: Float64Array, p: number, q: number): void {
  for (let axis = 0; axis < 3; axis++) {
    const held = t[p + axis];
    t[p + axis] = t[q + axis];
    t[q + axis] = held;
  }
}
