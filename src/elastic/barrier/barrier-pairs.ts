// Pairs within reach of a barrier, as they were when the energy was linearized: what its second derivatives are made of.
import { growTo } from '../../core/grow-array.js';
import type { BarrierFunction, ParallelFactor } from './barrier-function.js';
import type { ClosestPoints } from './closest-points.js';

/** Layout: the count of numbers stored for a pair. */
export const PAIR_NUMBERS = 19;

export class BarrierPairs {
  count = 0;
  /** Four points of each pair. */
  ids = new Int32Array(64 * 4);
  /** Numbers of each pair: see {@link add}. */
  values = new Float64Array(64 * PAIR_NUMBERS);
  /** Whether products are with all of the second derivatives, or with their positive part along the normal. */
  isExact = false;
  /** Of each pair: how many slides it has, and the points that each goes to and comes from. */
  #slides = new Int32Array(64 * 5);
  readonly #points: Float64Array;

  /** @param points where all points are; written by the caller. */
  constructor(points: Float64Array) {
    this.#points = points;
  }

  /**
   * Stores a pair for products: weights (4), unit vector (3), distance of the points, second derivative and first by the
   * distance, the inverse of the matrix of its slides (3); then energy, factor's derivatives (2) and edges (6) of near-parallel
   * edges.
   */
  add(
    ids: Int32Array,
    from: number,
    closest: ClosestPoints,
    barrier: BarrierFunction,
    parallel: ParallelFactor,
    scale: number,
  ): void {
    const n = this.count++;
    this.ids = growTo(this.ids, 4 * n + 4);
    this.#slides = growTo(this.#slides, 5 * n + 5);
    this.values = growTo(this.values, PAIR_NUMBERS * n + PAIR_NUMBERS);
    const { weights, vector, squared, freedom, plus, minus } = closest;
    const { values } = this;
    const at = PAIR_NUMBERS * n;
    for (let k = 0; k < 4; k++) {
      this.ids[4 * n + k] = ids[from + k];
      values[at + k] = weights[k];
    }
    const length = Math.sqrt(squared);
    for (let k = 0; k < 3; k++) values[at + 4 + k] = vector[k] / length;
    const { factor, first, second } = parallel;
    values[at + 7] = length;
    values[at + 8] = scale * factor * barrier.second;
    values[at + 9] = scale * factor * barrier.first;
    this.#slides[5 * n] = freedom;
    for (let j = 0; j < 2; j++) {
      this.#slides[5 * n + 1 + j] = plus[j];
      this.#slides[5 * n + 3 + j] = minus[j];
    }
    this.#storeSlides(n, at);
    values[at + 13] = factor < 1 ? scale * barrier.value : 0;
    values[at + 14] = first;
    values[at + 15] = second;
    values[at + 16] = factor < 1 ? scale * barrier.first : 0;
  }

  #storeSlides(n: number, at: number): void {
    const { values } = this;
    const freedom = this.#slides[5 * n];
    let [aa, ab, bb] = [0, 0, 0];
    for (let k = 0; k < 3; k++) {
      const a = freedom > 0 ? this.#slide(n, 0, k) : 0;
      const b = freedom > 1 ? this.#slide(n, 1, k) : 0;
      aa += a * a;
      ab += a * b;
      bb += b * b;
    }
    const det = aa * bb - ab * ab;
    if (freedom === 2 && !(det > 0)) this.#slides[5 * n] = 1;
    if (this.#slides[5 * n] === 2) {
      values[at + 10] = bb / det;
      values[at + 11] = -ab / det;
      values[at + 12] = aa / det;
    } else {
      values[at + 10] = aa > 0 ? 1 / aa : 0;
      values[at + 11] = values[at + 12] = 0;
    }
  }

  /** A component of the edge along which slide j of a stored pair goes. */
  #slide(n: number, j: number, axis: number): number {
    const [plus, minus] = [this.#slides[5 * n + 1 + j], this.#slides[5 * n + 3 + j]];
    return this.#points[3 * this.ids[4 * n + plus] + axis] - this.#points[3 * this.ids[4 * n + minus] + axis];
  }

  /**
   * Second derivatives of a stored pair times a vector. With d = |w|, w = Σ cₖ xₖ at its least over the slides βⱼ:
   * ∇²d = (Σ cₖ cₗ (I − n nᵀ) − Bᵀ M⁻¹ B) / d, where B = ∂²(w²/2)/∂β∂x and M = ∂²(w²/2)/∂β². The positive part that is
   * kept of it where asked is that of the barrier along n.
   */
  multiply(i: number, v: Float64Array, out: Float64Array): void {
    const c = this.values;
    const at = PAIR_NUMBERS * i;
    const [nx, ny, nz] = [c[at + 4], c[at + 5], c[at + 6]];
    let [ax, ay, az] = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      ax += c[at + k] * v[3 * k];
      ay += c[at + k] * v[3 * k + 1];
      az += c[at + k] * v[3 * k + 2];
    }
    const along = nx * ax + ny * ay + nz * az;
    const s = c[at + 8] * along;
    let [fx, fy, fz] = [s * nx, s * ny, s * nz];
    if (this.isExact) {
      const length = c[at + 7];
      const f = c[at + 9] / length;
      fx += f * (ax - along * nx);
      fy += f * (ay - along * ny);
      fz += f * (az - along * nz);
      const freedom = this.#slides[5 * i];
      let [q0, q1] = [0, 0];
      for (let j = 0; j < freedom; j++) {
        const [p, m] = [3 * this.#slides[5 * i + 1 + j], 3 * this.#slides[5 * i + 3 + j]];
        const turned = nx * (v[p] - v[m]) + ny * (v[p + 1] - v[m + 1]) + nz * (v[p + 2] - v[m + 2]);
        const slid = this.#slide(i, j, 0) * ax + this.#slide(i, j, 1) * ay + this.#slide(i, j, 2) * az;
        if (j === 0) q0 = length * turned + slid;
        else q1 = length * turned + slid;
      }
      const z0 = f * (c[at + 10] * q0 + c[at + 11] * q1);
      const z1 = f * (c[at + 11] * q0 + c[at + 12] * q1);
      for (let j = 0; j < freedom; j++) {
        const z = j === 0 ? z0 : z1;
        const [p, m] = [3 * this.#slides[5 * i + 1 + j], 3 * this.#slides[5 * i + 3 + j]];
        const t = z * length;
        out[p] -= t * nx;
        out[p + 1] -= t * ny;
        out[p + 2] -= t * nz;
        out[m] += t * nx;
        out[m + 1] += t * ny;
        out[m + 2] += t * nz;
        fx -= z * this.#slide(i, j, 0);
        fy -= z * this.#slide(i, j, 1);
        fz -= z * this.#slide(i, j, 2);
      }
      if (c[at + 13] > 0) this.#multiplyParallel(i, along, v, out);
    }
    for (let k = 0; k < 4; k++) {
      out[3 * k] += c[at + k] * fx;
      out[3 * k + 1] += c[at + k] * fy;
      out[3 * k + 2] += c[at + k] * fz;
    }
  }

  /** Adds what second derivatives have of those of the factor of near-parallel edges. */
  #multiplyParallel(i: number, along: number, v: Float64Array, out: Float64Array): void {
    const [c, p, ids] = [this.values, this.#points, this.ids];
    const at = PAIR_NUMBERS * i;
    const [a, b, k, d] = [3 * ids[4 * i], 3 * ids[4 * i + 1], 3 * ids[4 * i + 2], 3 * ids[4 * i + 3]];
    const u = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const w = [p[d] - p[k], p[d + 1] - p[k + 1], p[d + 2] - p[k + 2]];
    const du = [v[3] - v[0], v[4] - v[1], v[5] - v[2]];
    const dw = [v[9] - v[6], v[10] - v[7], v[11] - v[8]];
    const uu = dot3(u, u);
    const ww = dot3(w, w);
    const uw = dot3(u, w);
    const change = dot3(du, w) + dot3(u, dw);
    const byU = u.map((_, j) => 2 * (ww * u[j] - uw * w[j]));
    const byW = w.map((_, j) => 2 * (uu * w[j] - uw * u[j]));
    const crossed = dot3(byU, du) + dot3(byW, dw);
    const [energy, first, second, slope] = [c[at + 13], c[at + 14], c[at + 15], c[at + 16]];
    // Of the product of the factor m and the barrier: b' m' (along ∇c + crossed n) + b (m'' crossed ∇c + m' ∇²c v).
    const s = slope * first * along + energy * second * crossed;
    for (let j = 0; j < 3; j++) {
      const twiceU = 2 * (2 * dot3(w, dw) * u[j] + ww * du[j] - change * w[j] - uw * dw[j]);
      const twiceW = 2 * (2 * dot3(u, du) * w[j] + uu * dw[j] - change * u[j] - uw * du[j]);
      const onU = s * byU[j] + energy * first * twiceU;
      const onW = s * byW[j] + energy * first * twiceW;
      out[3 + j] += onU;
      out[j] -= onU;
      out[9 + j] += onW;
      out[6 + j] -= onW;
      for (let q = 0; q < 4; q++) out[3 * q + j] += slope * first * crossed * c[at + q] * c[at + 4 + j];
    }
  }
}

function dot3(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
