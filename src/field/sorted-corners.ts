// Corners of a triangle in an order that depends on their places alone, so that triangles that share a side compute with
// the same numbers in the same order, and get the same bits.

/** Square of the sine of an angle below which a triangle is a needle, whose weights have lost digits; as in `nearestOnTriangle`. */
export const NEEDLE_SINE_SQUARED = 1e-4;

/** Copies the triangle of nine numbers at `from[i]` with its corners sorted by x, then y, then z. */
export function sortCorners(from: Float64Array, i: number, t: Float64Array): void {
  for (let n = 0; n < 9; n++) t[n] = from[i + n];
  if (isAfter(t, 0, 3)) swap(t, 0, 3);
  if (isAfter(t, 3, 6)) swap(t, 3, 6);
  if (isAfter(t, 0, 3)) swap(t, 0, 3);
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
