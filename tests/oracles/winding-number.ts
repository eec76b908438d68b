/** The winding number as a plain sum: one arctangent a triangle, no hierarchy. */
export function windingNumberBySum(
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
  point: ArrayLike<number>,
): number {
  let sum = 0;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => [0, 1, 2].map((axis) => positions[3 * indices[i + k] + axis] - point[axis]));
    const [la, lb, lc] = [a, b, c].map((v) => Math.hypot(...v));
    const determinant =
      a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
    const denominator = la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb;
    sum += 2 * Math.atan2(determinant, denominator);
  }
  return sum / (4 * Math.PI);
}

function dot(a: number[], b: number[]): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
