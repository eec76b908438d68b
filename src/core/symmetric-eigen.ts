// Eigenvalues and eigenvectors of a symmetric 3 × 3 matrix by cyclic Jacobi rotations (Golub and Van Loan 2013, section
// 8.5). A handful of sweeps; small eigenvalues are as accurate as the matrix allows, and vectors are orthonormal.
import type { Vec3 } from './vec3.js';

/** The eigenvalues, largest first, and the unit eigenvector of each. */
export interface SymmetricEigen {
  readonly values: Vec3;
  readonly vectors: readonly [Vec3, Vec3, Vec3];
}

/** Chosen: a guard only. Jacobi's method converges quadratically; real matrices take four to six sweeps. */
const MAX_SWEEPS = 30;

/**
 * The eigenvalues and eigenvectors of the symmetric matrix with the given upper triangle. The largest component of each
 * vector is positive (of equal ones the first), so that the same matrix always gives the same vectors.
 */
export function symmetricEigen(xx: number, xy: number, xz: number, yy: number, yz: number, zz: number): SymmetricEigen {
  const largest = Math.max(Math.abs(xx), Math.abs(xy), Math.abs(xz), Math.abs(yy), Math.abs(yz), Math.abs(zz));
  // In units of the largest entry: squares neither overflow nor vanish.
  const scale = largest > 0 ? largest : 1;
  const a = Float64Array.of(xx, xy, xz, xy, yy, yz, xz, yz, zz);
  for (let k = 0; k < 9; k++) a[k] /= scale;
  const v = new Float64Array(9);
  diagonalize(a, v, 0);
  const diagonal = [a[0], a[4], a[8]];
  const order = [0, 1, 2].sort((i, j) => diagonal[j] - diagonal[i] || i - j);
  const [p, q, r] = order;
  return {
    values: [diagonal[p] * scale, diagonal[q] * scale, diagonal[r] * scale],
    vectors: [columnOf(v, p), columnOf(v, q), columnOf(v, r)],
  };
}

/**
 * Makes a symmetric 3 × 3 matrix diagonal by rotations, whose product it writes to `v`: the columns are eigenvectors.
 * @param tolerance entries off the diagonal stay if they are below this share of the largest entry.
 */
export function diagonalize(a: Float64Array, v: Float64Array, tolerance: number): void {
  v.fill(0);
  v[0] = v[4] = v[8] = 1;
  let limit = 0;
  if (tolerance > 0) for (let k = 0; k < 9; k++) limit = Math.max(limit, tolerance * Math.abs(a[k]));
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep++) {
    if (Math.abs(a[1]) <= limit && Math.abs(a[2]) <= limit && Math.abs(a[5]) <= limit) break;
    rotate(a, v, 0, 1, 2);
    rotate(a, v, 0, 2, 1);
    rotate(a, v, 1, 2, 0);
  }
}

/** Makes a[p][q] zero by a rotation in the plane of the axes p and q, and applies it to the vectors. */
function rotate(a: Float64Array, v: Float64Array, p: number, q: number, r: number): void {
  const apq = a[3 * p + q];
  if (apq === 0) return;
  const app = a[3 * p + p];
  const aqq = a[3 * q + q];
  // Below rounding of both diagonal entries the rotation would change nothing but this entry.
  if (Math.abs(app) + Math.abs(apq) === Math.abs(app) && Math.abs(aqq) + Math.abs(apq) === Math.abs(aqq)) {
    a[3 * p + q] = a[3 * q + p] = 0;
    return;
  }
  const theta = (aqq - app) / (2 * apq);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  a[3 * p + p] = app - t * apq;
  a[3 * q + q] = aqq + t * apq;
  a[3 * p + q] = a[3 * q + p] = 0;
  const arp = a[3 * r + p];
  const arq = a[3 * r + q];
  a[3 * r + p] = a[3 * p + r] = c * arp - s * arq;
  a[3 * r + q] = a[3 * q + r] = s * arp + c * arq;
  for (let row = 0; row < 3; row++) {
    const vp = v[3 * row + p];
    const vq = v[3 * row + q];
    v[3 * row + p] = c * vp - s * vq;
    v[3 * row + q] = s * vp + c * vq;
  }
}

function columnOf(v: Float64Array, column: number): Vec3 {
  const [x, y, z] = [v[column], v[3 + column], v[6 + column]];
  const length = Math.hypot(x, y, z);
  const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
  const lead = Math.abs(x) === largest ? x : Math.abs(y) === largest ? y : z;
  const factor = (lead < 0 ? -1 : 1) / length;
  return [x * factor, y * factor, z * factor];
}
