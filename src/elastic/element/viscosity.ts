// Damping by stiffness: the stiffness of the rest shape, acting on the rate of strain in the deformed shape, as viscosity does.
// It is positive semi-definite for any state, leaves rigid motions alone, and needs no singular values: the block of nodes a and b is
//   w (μ (ha·hb) I + μ hb haᵀ + λ ha hbᵀ), with h = F⁻ᵀ g the gradients in the deformed shape and w its volume.
import type { BlockPattern } from '../sparse/block-matrix.js';
import type { ElasticElements } from './elastic-elements.js';
import { SignedSvd } from './signed-svd.js';

/**
 * Chosen: elements below this share of their rest volume count as turned but not deformed: F is replaced by its
 * rotation.
 */
export const MIN_VOLUME = 0.1;

/** Chosen: so do elements whose inverse deformation gradient has a norm above this; at rest it is √3. */
export const MAX_GRADIENT = 5;

export class Viscosity {
  readonly mu: number;
  readonly lambda: number;
  readonly #isBlind: boolean;
  readonly #f = new Float64Array(9);
  /** F⁻ᵀ, row by row. */
  readonly #inverse = new Float64Array(9);
  readonly #svd = new SignedSvd();
  #h = new Float64Array(0);

  /**
   * @param mu and lambda those of Lamé.
   * @param isBlind to rotations; otherwise rates are taken in the rest shape, as linear strain has it.
   */
  constructor(mu: number, lambda: number, isBlind: boolean) {
    this.mu = mu;
    this.lambda = lambda;
    this.#isBlind = isBlind;
  }

  /** Adds the matrix at x, 9 values a block. Runs for every element: all its values are locals of one function. */
  add(elements: ElasticElements, x: Float64Array, pattern: BlockPattern, out: Float64Array): void {
    const { gradients: g, volumes, shapes } = elements;
    const { nodesPerElement: nodes, pointsPerElement: points } = shapes;
    const { places } = pattern;
    if (this.#h.length !== 3 * nodes) this.#h = new Float64Array(3 * nodes);
    const h = this.#h;
    const m = this.#inverse;
    for (let q = 0; q < volumes.length; q++) {
      elements.writeGradient(x, q, this.#f);
      const weight = volumes[q] * this.writeInverse(this.#f, m);
      const mu = weight * this.mu;
      const lambda = weight * this.lambda;
      for (let i = 0; i < nodes; i++) {
        const at = 3 * (nodes * q + i);
        const gx = g[at];
        const gy = g[at + 1];
        const gz = g[at + 2];
        h[3 * i] = m[0] * gx + m[1] * gy + m[2] * gz;
        h[3 * i + 1] = m[3] * gx + m[4] * gy + m[5] * gz;
        h[3 * i + 2] = m[6] * gx + m[7] * gy + m[8] * gz;
      }
      const first = nodes * nodes * Math.floor(q / points);
      for (let a = 0; a < nodes; a++) {
        const ax = h[3 * a];
        const ay = h[3 * a + 1];
        const az = h[3 * a + 2];
        for (let b = a; b < nodes; b++) {
          const bx = h[3 * b];
          const by = h[3 * b + 1];
          const bz = h[3 * b + 2];
          const own = mu * (ax * bx + ay * by + az * bz);
          const both = mu + lambda;
          const xy = mu * bx * ay + lambda * ax * by;
          const xz = mu * bx * az + lambda * ax * bz;
          const yx = mu * by * ax + lambda * ay * bx;
          const yz = mu * by * az + lambda * ay * bz;
          const zx = mu * bz * ax + lambda * az * bx;
          const zy = mu * bz * ay + lambda * az * by;
          const xx = own + both * ax * bx;
          const yy = own + both * ay * by;
          const zz = own + both * az * bz;
          const at = 9 * places[first + nodes * a + b];
          out[at] += xx;
          out[at + 1] += xy;
          out[at + 2] += xz;
          out[at + 3] += yx;
          out[at + 4] += yy;
          out[at + 5] += yz;
          out[at + 6] += zx;
          out[at + 7] += zy;
          out[at + 8] += zz;
          if (a === b) continue;
          const back = 9 * places[first + nodes * b + a];
          out[back] += xx;
          out[back + 1] += yx;
          out[back + 2] += zx;
          out[back + 3] += xy;
          out[back + 4] += yy;
          out[back + 5] += zy;
          out[back + 6] += xz;
          out[back + 7] += yz;
          out[back + 8] += zz;
        }
      }
    }
  }

  /** Writes the inverse transpose of a gradient, or what stands for it; returns the ratio of volumes. */
  writeInverse(f: Float64Array, m: Float64Array): number {
    if (!this.#isBlind) {
      m.fill(0);
      m[0] = m[4] = m[8] = 1;
      return 1;
    }
    const [f0, f1, f2, f3, f4, f5, f6, f7, f8] = f;
    m[0] = f4 * f8 - f5 * f7;
    m[1] = f5 * f6 - f3 * f8;
    m[2] = f3 * f7 - f4 * f6;
    m[3] = f2 * f7 - f1 * f8;
    m[4] = f0 * f8 - f2 * f6;
    m[5] = f1 * f6 - f0 * f7;
    m[6] = f1 * f5 - f2 * f4;
    m[7] = f2 * f3 - f0 * f5;
    m[8] = f0 * f4 - f1 * f3;
    const ratio = f0 * m[0] + f1 * m[1] + f2 * m[2];
    let square = 0;
    for (let k = 0; k < 9; k++) square += m[k] * m[k];
    if (ratio >= MIN_VOLUME && square <= (MAX_GRADIENT * ratio) ** 2) {
      for (let k = 0; k < 9; k++) m[k] /= ratio;
      return ratio;
    }
    this.#svd.decompose(f);
    const { u, v } = this.#svd;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        m[3 * i + j] = u[3 * i] * v[3 * j] + u[3 * i + 1] * v[3 * j + 1] + u[3 * i + 2] * v[3 * j + 2];
      }
    }
    return 1;
  }
}
