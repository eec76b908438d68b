// The singular value decomposition F = U Σ Vᵀ of a 3 × 3 matrix with rotations U and V: the smallest singular value has the
// sign of det F (Irving, Teran and Fedkiw 2004). V by Jacobi rotations of FᵀF, U from the columns of F V.
import { diagonalize } from '../../core/symmetric-eigen.js';

/** Rounding: the relative accuracy of the rotations that diagonalize FᵀF. */
const ROTATION_ACCURACY = 1e-16;

/** Matrices are row-major. One object per caller: the results are overwritten by the next call. */
export class SignedSvd {
  readonly u = new Float64Array(9);
  readonly v = new Float64Array(9);
  /** Largest magnitude first; only the last may be negative. */
  readonly sigma = new Float64Array(3);
  readonly #a = new Float64Array(9);
  readonly #w = new Float64Array(9);
  readonly #order = new Uint8Array(3);

  decompose(f: ArrayLike<number>): void {
    const a = this.#a;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) a[3 * i + j] = f[i] * f[j] + f[3 + i] * f[3 + j] + f[6 + i] * f[6 + j];
    }
    const w = this.#w;
    diagonalize(a, w, ROTATION_ACCURACY);
    this.#sort();
    const { u, v, sigma } = this;
    const order = this.#order;
    for (let c = 0; c < 3; c++) for (let r = 0; r < 3; r++) v[3 * r + c] = w[3 * r + order[c]];
    const det =
      v[0] * (v[4] * v[8] - v[5] * v[7]) - v[1] * (v[3] * v[8] - v[5] * v[6]) + v[2] * (v[3] * v[7] - v[4] * v[6]);
    if (det < 0) for (let r = 0; r < 3; r++) v[3 * r + 2] = -v[3 * r + 2];
    // Columns of F V.
    const b = a;
    for (let r = 0; r < 3; r++) {
      for (let c = 0; c < 3; c++) b[3 * r + c] = f[3 * r] * v[c] + f[3 * r + 1] * v[3 + c] + f[3 * r + 2] * v[6 + c];
    }
    const first = Math.sqrt(b[0] * b[0] + b[3] * b[3] + b[6] * b[6]);
    sigma[0] = first;
    if (first > 0) setColumn(u, 0, b[0] / first, b[3] / first, b[6] / first);
    else setColumn(u, 0, 1, 0, 0);
    const along = u[0] * b[1] + u[3] * b[4] + u[6] * b[7];
    let [x, y, z] = [b[1] - along * u[0], b[4] - along * u[3], b[7] - along * u[6]];
    let second = Math.sqrt(x * x + y * y + z * z);
    sigma[1] = second;
    if (!(second > 1e-14 * first)) {
      // Any direction across the first: the matrix has rank one or zero.
      const axis =
        Math.abs(u[0]) <= Math.abs(u[3]) && Math.abs(u[0]) <= Math.abs(u[6])
          ? 0
          : Math.abs(u[3]) <= Math.abs(u[6])
            ? 1
            : 2;
      const part = u[3 * axis];
      x = (axis === 0 ? 1 : 0) - part * u[0];
      y = (axis === 1 ? 1 : 0) - part * u[3];
      z = (axis === 2 ? 1 : 0) - part * u[6];
      second = Math.sqrt(x * x + y * y + z * z);
    }
    setColumn(u, 1, x / second, y / second, z / second);
    setColumn(u, 2, u[3] * u[7] - u[6] * u[4], u[6] * u[1] - u[0] * u[7], u[0] * u[4] - u[3] * u[1]);
    sigma[2] = u[2] * b[2] + u[5] * b[5] + u[8] * b[8];
  }

  /** Eigenvalues in falling order. */
  #sort(): void {
    const a = this.#a;
    const order = this.#order;
    order[0] = 0;
    order[1] = 1;
    order[2] = 2;
    if (a[4 * order[0]] < a[4 * order[1]]) swap(order, 0, 1);
    if (a[4 * order[1]] < a[4 * order[2]]) swap(order, 1, 2);
    if (a[4 * order[0]] < a[4 * order[1]]) swap(order, 0, 1);
  }
}

function setColumn(m: Float64Array, c: number, x: number, y: number, z: number): void {
  m[c] = x;
  m[3 + c] = y;
  m[6 + c] = z;
}

function swap(order: Uint8Array, i: number, j: number): void {
  const held = order[i];
  order[i] = order[j];
  order[j] = held;
}
