// Preconditioned conjugate gradients (Hestenes and Stiefel 1952) for a positive semi-definite operator.

/** Writes the operator, or the preconditioner, applied to `x` into `out`. */
export type Operator = (x: Float64Array, out: Float64Array) => void;

export class ConjugateGradients {
  readonly #residual: Float64Array;
  readonly #direction: Float64Array;
  readonly #image: Float64Array;
  readonly #scaled: Float64Array;
  /** Whether the last solve ended at a direction without positive curvature. */
  metNegative = false;
  /** Whether the last solve reached its tolerance. */
  isDone = false;

  constructor(size: number) {
    this.#residual = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#image = new Float64Array(size);
    this.#scaled = new Float64Array(size);
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
    const r = this.#residual;
    const d = this.#direction;
    const q = this.#image;
    const z = this.#scaled;
    this.metNegative = false;
    this.isDone = false;
    x.fill(0);
    r.set(b);
    precondition(r, z);
    d.set(z);
    let product = dot(r, z);
    const wanted = tolerance * tolerance * product;
    for (let iteration = 0; iteration < maxIterations; iteration++) {
      if (!(product > wanted)) {
        this.isDone = true;
        return iteration;
      }
      apply(d, q);
      const curvature = dot(d, q);
      if (!(curvature > 0)) {
        this.metNegative = true;
        return iteration;
      }
      const step = product / curvature;
      for (let i = 0; i < x.length; i++) {
        x[i] += step * d[i];
        r[i] -= step * q[i];
      }
      precondition(r, z);
      const next = dot(r, z);
      const share = next / product;
      product = next;
      for (let i = 0; i < x.length; i++) d[i] = z[i] + share * d[i];
    }
    this.isDone = !(product > wanted);
    return maxIterations;
  }
}

/** The sum of products, in four sums, which a processor adds side by side. */
export function dot(a: Float64Array, b: Float64Array): number {
  let [p, q, r, s] = [0, 0, 0, 0];
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    p += a[i] * b[i];
    q += a[i + 1] * b[i + 1];
    r += a[i + 2] * b[i + 2];
    s += a[i + 3] * b[i + 3];
  }
  for (let i = whole; i < a.length; i++) p += a[i] * b[i];
  return p + q + (r + s);
}
