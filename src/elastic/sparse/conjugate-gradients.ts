// Preconditioned conjugate gradients (Hestenes and Stiefel 1952) for a positive semi-definite operator.

import { Vectors } from '../kernel/vectors.js';

/** Writes the operator, or the preconditioner, applied to `x` into `out`. */
export type Operator = (x: Float64Array, out: Float64Array) => void;

export class ConjugateGradients {
  readonly #vectors: Vectors;
  readonly #solution: Float64Array;
  readonly #residual: Float64Array;
  readonly #direction: Float64Array;
  readonly #image: Float64Array;
  readonly #scaled: Float64Array;
  /** Whether the last solve ended at a direction without positive curvature. */
  metNegative = false;
  /** Whether the last solve reached its tolerance. */
  isDone = false;

  constructor(size: number) {
    this.#vectors = new Vectors(size, 5);
    this.#solution = this.#vectors.take();
    this.#residual = this.#vectors.take();
    this.#direction = this.#vectors.take();
    this.#image = this.#vectors.take();
    this.#scaled = this.#vectors.take();
  }

  /**
   * Solves A x = b from x = 0, until the residual is `tolerance` times that of b in the norm of the preconditioner, or a
   * direction has no curvature.
   * @returns the iterations taken.
   */
  solve(
    apply: Operator,
    precondition: Operator,
    b: Float64Array,
    x: Float64Array,
    tolerance: number,
    maxIterations: number,
  ): number {
    const found = this.#solution;
    found.fill(0);
    const taken = this.#iterate(apply, precondition, b, found, tolerance, maxIterations);
    x.set(found);
    return taken;
  }

  #iterate(
    apply: Operator,
    precondition: Operator,
    b: Float64Array,
    x: Float64Array,
    tolerance: number,
    maxIterations: number,
  ): number {
    const vectors = this.#vectors;
    const r = this.#residual;
    const d = this.#direction;
    const q = this.#image;
    const z = this.#scaled;
    this.metNegative = false;
    this.isDone = false;
    r.set(b);
    precondition(r, z);
    d.set(z);
    let product = vectors.dot(r, z);
    const wanted = tolerance * tolerance * product;
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      if (!(product > wanted)) {
        this.isDone = true;
        return iteration;
      }
      apply(d, q);
      const curvature = vectors.dot(d, q);
      if (!(curvature > 0)) {
        this.metNegative = true;
        return iteration;
      }
      const step = product / curvature;
      vectors.combine(x, x, d, step);
      vectors.combine(r, r, q, -step);
      precondition(r, z);
      const next = vectors.dot(r, z);
      const share = next / product;
      product = next;
      vectors.combine(d, z, d, share);
    }
    this.isDone = !(product > wanted);
    return maxIterations;
  }
}
