// Generalized winding numbers (Jacobson et al. 2013) over a hierarchy (Barill et al. 2018): nodes farther away than
// β times their radius are replaced by their moments, near triangles are summed exactly. O(log n) per point. Beyond the
// paper, each sum carries a proven bound on its truncation error, and is refined until the bound suffices.
import type { ProgressOptions } from '../../core/progress.js';
import type { Bvh } from '../../spatial/bvh.js';
import { SolidAngleSum } from '../triangle/solid-angle.js';
import type { TriangleTable } from '../triangle/triangle-table.js';
import { computeWindingMoments, MOMENTS } from './winding-moments.js';

/** Definition: a point is inside from this winding number on, half of the sphere. */
const THRESHOLD = 0.5;

/**
 * Measured on 20,000 points about a bumpy sphere: at this first β of an inside test, a ratio of distances, the bound
 * decided all of them; the cost grows as β².
 */
const DECIDING_BETA = 2.3;

/** Rounding: the error of a sum over the far field, in windings. The exact sum over near triangles is more accurate. */
const SUM_ROUNDING = 1e-12;

export class WindingNumbers {
  /** The error of the last value is at most this; 0 where only the exact sum was taken. */
  errorBound = 0;
  /** Whether the last point lies exactly on a triangle. */
  touches = false;
  /** Nodes visited since this object was made. */
  nodesVisited = 0;

  readonly #bvh: Bvh;
  readonly #table: TriangleTable;
  readonly #moments: Float64Array;
  readonly #near = new SolidAngleSum();
  readonly #waiting: Uint32Array;

  constructor(bvh: Bvh, table: TriangleTable, progress: ProgressOptions = {}) {
    this.#bvh = bvh;
    this.#table = table;
    this.#moments = computeWindingMoments(bvh, table, progress);
    this.#waiting = new Uint32Array(bvh.depth + 1);
  }

  get bytes(): number {
    return this.#moments.byteLength + this.#waiting.byteLength;
  }

  /** The winding number within `accuracy`; 0 asks for the exact sum over all triangles. */
  evaluate(px: number, py: number, pz: number, accuracy: number): number {
    // On closed meshes the bound is mostly below (1.2 / β)³. Of 0.9 to 1.35, the factor 1.2 visits the fewest nodes.
    let beta = Math.max(DECIDING_BETA, 1.2 / Math.cbrt(accuracy));
    for (;;) {
      const value = this.#sum(px, py, pz, beta);
      if (this.errorBound <= accuracy || beta === Infinity) return value;
      beta = refine(beta, this.errorBound, accuracy);
    }
  }

  /** Whether the winding number is at least one half, or the point lies on a triangle. Same answer as the exact sum. */
  isInside(px: number, py: number, pz: number): boolean {
    let beta = DECIDING_BETA;
    for (;;) {
      const margin = this.#sum(px, py, pz, beta) - THRESHOLD;
      if (this.touches) return true;
      if (Math.abs(margin) > this.errorBound + SUM_ROUNDING || beta === Infinity) return margin >= 0;
      beta = refine(beta, this.errorBound, Math.abs(margin));
    }
  }

  #sum(px: number, py: number, pz: number, beta: number): number {
    const { nodeLeft, nodeFirst, nodeItems } = this.#bvh;
    const { corners, turns } = this.#table;
    const m = this.#moments;
    const near = this.#near;
    const waiting = this.#waiting;
    const betaSquared = beta * beta;
    let far = 0;
    let remainder = 0;
    let visited = 0;
    let top = 0;
    near.reset();
    waiting[top++] = 0;
    while (top > 0) {
      const node = waiting[--top];
      const o = MOMENTS * node;
      const x = m[o] - px;
      const y = m[o + 1] - py;
      const z = m[o + 2] - pz;
      const xx = x * x;
      const yy = y * y;
      const zz = z * z;
      const rr = xx + yy + zz;
      visited++;
      if (rr > betaSquared * m[o + 3]) {
        const inverse2 = 1 / rr;
        const inverse3 = inverse2 * Math.sqrt(inverse2);
        const dipole = m[o + 4] * x + m[o + 5] * y + m[o + 6] * z;
        const quadrupole =
          m[o + 7] * (xx - zz) + m[o + 8] * (yy - zz) + m[o + 9] * x * y + m[o + 10] * x * z + m[o + 11] * y * z;
        const octupole =
          x * (m[o + 12] * (3 * yy - xx) + m[o + 13] * (3 * zz - xx)) +
          y * (m[o + 14] * (3 * xx - yy) + m[o + 15] * (3 * zz - yy)) +
          z * (m[o + 16] * (3 * xx - zz) + m[o + 17] * (3 * yy - zz)) +
          m[o + 18] * x * y * z;
        far += inverse3 * (dipole + inverse2 * (7.5 * inverse2 * octupole - 3 * quadrupole));
        remainder += m[o + 19] * inverse3 * inverse2;
        continue;
      }
      const left = nodeLeft[node];
      if (left !== 0) {
        waiting[top++] = left + 1;
        waiting[top++] = left;
        continue;
      }
      const end = nodeFirst[node] + nodeItems[node];
      for (let slot = nodeFirst[node]; slot < end; slot++) near.add(corners, 9 * slot, turns[slot], px, py, pz);
    }
    this.nodesVisited += visited;
    this.touches = near.touches;
    this.errorBound = remainder === 0 ? 0 : remainder * remainderFactor(beta);
    return near.windings() + far / (4 * Math.PI);
  }
}

/**
 * Factor of ∫|d|³/R⁵ in the bound on the truncation error. The term of degree l in the expansion of 1/|R − d|
 * has a gradient of at most l·|d|^(l−1)/R^(l+1) (Bernstein's inequality in Szegő's form for Legendre polynomials); the
 * moments take degrees 1 to 3, and the rest is a geometric series in |d|/R < 1/β, over 4π for the full sphere.
 */
function remainderFactor(beta: number): number {
  const x = 1 / beta;
  return (4 / (1 - x) + x / (1 - x) ** 2) / (4 * Math.PI);
}

/** A β at which the bound, which falls with β³, should suffice; infinity, the exact sum, when β is large or NaN. */
function refine(beta: number, bound: number, wanted: number): number {
  const next = beta * Math.max(1.5, 1.1 * Math.cbrt(bound / wanted));
  return next < 50 ? next : Infinity;
}
