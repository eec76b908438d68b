// Affine matrices as three.js has them: 16 numbers, column by column, translation at 12, 13 and 14, last row 0 0 0 1.
// Many of them in one flat array, so that hundreds of bones or instances need no objects.

/** Writes a · b, which applies `b` first, to `out` from `o` on; `out` must not be an input. */
export function multiplyColumns(
  a: ArrayLike<number>,
  i: number,
  b: ArrayLike<number>,
  j: number,
  out: Float64Array,
  o: number,
): void {
  for (let column = 0; column < 16; column += 4) {
    const x = b[j + column];
    const y = b[j + column + 1];
    const z = b[j + column + 2];
    const w = column === 12 ? 1 : 0;
    out[o + column] = a[i] * x + a[i + 4] * y + a[i + 8] * z + a[i + 12] * w;
    out[o + column + 1] = a[i + 1] * x + a[i + 5] * y + a[i + 9] * z + a[i + 13] * w;
    out[o + column + 2] = a[i + 2] * x + a[i + 6] * y + a[i + 10] * z + a[i + 14] * w;
    out[o + column + 3] = w;
  }
}

/** The determinant of the linear part of the matrix at `i`; negative where it mirrors. */
export function columnsDeterminant(m: ArrayLike<number>, i: number): number {
  return (
    m[i] * (m[i + 5] * m[i + 10] - m[i + 6] * m[i + 9]) -
    m[i + 4] * (m[i + 1] * m[i + 10] - m[i + 2] * m[i + 9]) +
    m[i + 8] * (m[i + 1] * m[i + 6] - m[i + 2] * m[i + 5])
  );
}

/** Whether the linear part of the matrix at `i` maps everything to one point. */
export function collapses(m: ArrayLike<number>, i: number): boolean {
  for (let column = 0; column < 12; column += 4) {
    if (m[i + column] !== 0 || m[i + column + 1] !== 0 || m[i + column + 2] !== 0) return false;
  }
  return true;
}

/** Whether the linear part of the matrix at `i` is a rotation up to the tolerance. */
export function isRotation(m: ArrayLike<number>, i: number, tolerance: number): boolean {
  for (let p = 0; p < 12; p += 4) {
    for (let q = p; q < 12; q += 4) {
      const dot = m[i + p] * m[i + q] + m[i + p + 1] * m[i + q + 1] + m[i + p + 2] * m[i + q + 2];
      if (!(Math.abs(dot - (p === q ? 1 : 0)) <= tolerance)) return false;
    }
  }
  return columnsDeterminant(m, i) > 0;
}
