// Affine placements: 16 numbers, row-major, x_world = M·x, translation at 3, 7 and 11, last row 0 0 0 1.
import { toMatrix3 } from './quat.js';

export function identityMatrix(): Float64Array {
  return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);
}

export function isIdentity(m: Float64Array): boolean {
  return m.every((value, i) => value === (i % 5 === 0 ? 1 : 0));
}

/** The matrix that applies `b` first, then `a`. */
export function multiplyMatrices(a: Float64Array, b: Float64Array): Float64Array {
  const product = new Float64Array(16);
  for (let row = 0; row < 4; row++) {
    for (let column = 0; column < 4; column++) {
      let sum = 0;
      for (let k = 0; k < 4; k++) sum += a[4 * row + k] * b[4 * k + column];
      product[4 * row + column] = sum;
    }
  }
  return product;
}

/** Scale first, then the rotation (a unit quaternion xyzw), then the translation. */
export function composeMatrix(
  translation: ArrayLike<number>,
  rotation: ArrayLike<number>,
  scale: ArrayLike<number>,
): Float64Array {
  const turn = toMatrix3([rotation[0], rotation[1], rotation[2], rotation[3]]);
  const m = identityMatrix();
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) m[4 * row + column] = turn[3 * row + column] * scale[column];
    m[4 * row + 3] = translation[row];
  }
  return m;
}

export function transposeMatrix(m: ArrayLike<number>): Float64Array {
  return Float64Array.from({ length: 16 }, (_, i) => m[4 * (i % 4) + (i >> 2)]);
}

/** The determinant of the linear part; negative for a placement that mirrors. */
export function linearDeterminant(m: Float64Array): number {
  return m[0] * (m[5] * m[10] - m[6] * m[9]) - m[1] * (m[4] * m[10] - m[6] * m[8]) + m[2] * (m[4] * m[9] - m[5] * m[8]);
}

/** The inverse of an affine map. Its linear part must not be singular. */
export function invertAffine(m: Float64Array): Float64Array {
  const [a, b, c, d, e, f, g, h, i] = [m[0], m[1], m[2], m[4], m[5], m[6], m[8], m[9], m[10]];
  const determinant = linearDeterminant(m);
  const rows = [
    [e * i - f * h, c * h - b * i, b * f - c * e],
    [f * g - d * i, a * i - c * g, c * d - a * f],
    [d * h - e * g, b * g - a * h, a * e - b * d],
  ].map((row) => row.map((value) => value / determinant));
  return Float64Array.of(
    ...rows.flatMap(([x, y, z]) => [x, y, z, 0 - (x * m[3] + y * m[7] + z * m[11])]),
    ...[0, 0, 0, 1],
  );
}

/** The placed positions, written to `out` from `outOffset` on. */
export function transformPositions(
  m: Float64Array,
  positions: Float64Array,
  out: Float64Array = new Float64Array(positions.length),
  outOffset = 0,
): Float64Array {
  for (let i = 0; i < positions.length; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    out[outOffset + i] = m[0] * x + m[1] * y + m[2] * z + m[3];
    out[outOffset + i + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    out[outOffset + i + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  }
  return out;
}
