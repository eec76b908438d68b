// A local search for the least value of a function subject to a test. It draws one candidate after another from a
// normal distribution, which adapts to the steps that improve the value and flattens along the steps that the test
// rejects (Arnold and Hansen 2012, "A (1+1)-CMA-ES for constrained optimization"). It needs no derivatives, and the
// minimum may lie in a corner of the allowed region. O(n³) per candidate in n variables.
import type { Random } from '../../core/random.js';

/** The function to minimize. */
export interface Landscape {
  /** The value; above `limit` it need not be exact. */
  measure(x: Float64Array, limit: number): number;
  /** Whether x is allowed. Called only where the value is better. */
  allows(x: Float64Array): boolean;
}

/**
 * Published (Arnold and Hansen 2012): a candidate that is worse than this many ancestors counts against its direction.
 */
const ANCESTORS = 5;

/** A search from one start. */
export class Evolution {
  /** The best allowed point, and its value. */
  readonly best: Float64Array;
  value: number;
  /** The size of steps. */
  step: number;
  readonly #n: number;
  /** A of the distribution N(0, A·Aᵀ), row by row. */
  readonly #factor: Float64Array;
  /** The fading mean of the accepted steps, and that of the rejected ones. */
  readonly #path: Float64Array;
  readonly #refused: Float64Array;
  readonly #draw: Float64Array;
  readonly #offset: Float64Array;
  readonly #candidate: Float64Array;
  readonly #solved: Float64Array;
  readonly #rows: Float64Array;
  readonly #ancestors: number[] = [];
  #success = 2 / 11;

  constructor(start: Float64Array, value: number, step: number) {
    const n = start.length;
    this.#n = n;
    this.best = start.slice();
    this.value = value;
    this.step = step;
    this.#factor = new Float64Array(n * n);
    for (let i = 0; i < n; i++) this.#factor[i * n + i] = 1;
    this.#path = new Float64Array(n);
    this.#refused = new Float64Array(n);
    this.#draw = new Float64Array(n);
    this.#offset = new Float64Array(n);
    this.#candidate = new Float64Array(n);
    this.#solved = new Float64Array(n);
    this.#rows = new Float64Array(n * (n + 1));
  }

  /** Tries one candidate. Returns whether the test was called. */
  advance(landscape: Landscape, random: Random): boolean {
    const n = this.#n;
    const offset = this.#offset;
    const candidate = this.#candidate;
    for (let i = 0; i < n; i++) this.#draw[i] = random.normal();
    for (let i = 0; i < n; i++) {
      offset[i] = 0;
      for (let k = 0; k < n; k++) offset[i] += this.#factor[i * n + k] * this.#draw[k];
      candidate[i] = this.best[i] + this.step * offset[i];
    }
    const worst = this.#ancestors.length < ANCESTORS ? Infinity : this.#ancestors[0];
    const value = landscape.measure(candidate, Math.max(worst, this.value));
    if (!(value < this.value)) {
      this.#adaptStep(0);
      if (value > worst) this.#forgetDirection();
      return false;
    }
    if (!landscape.allows(candidate)) {
      this.#flatten();
      return true;
    }
    this.#ancestors.push(this.value);
    if (this.#ancestors.length > ANCESTORS) this.#ancestors.shift();
    this.best.set(candidate);
    this.value = value;
    this.#adaptStep(1);
    this.#learnDirection();
    return true;
  }

  #adaptStep(success: number): void {
    this.#success += (success - this.#success) / 12;
    const target = 2 / 11;
    this.step *= Math.exp((this.#success - target) / (1 - target) / (1 + this.#n / 2));
  }

  #learnDirection(): void {
    const n = this.#n;
    const c = 2 / (n + 2);
    const rate = 2 / (n * n + 6);
    for (let i = 0; i < n; i++) {
      this.#path[i] = (1 - c) * this.#path[i] + Math.sqrt(c * (2 - c)) * this.#offset[i];
    }
    const w = this.#solve(this.#path);
    const squared = dot(w, w);
    if (!(squared > 0)) return;
    const shrink = Math.sqrt(1 - rate);
    const gain = (shrink / squared) * (Math.sqrt(1 + (rate * squared) / (1 - rate)) - 1);
    this.#update(shrink, gain, this.#path, w);
  }

  #forgetDirection(): void {
    const n = this.#n;
    const squared = dot(this.#draw, this.#draw);
    const rate = Math.min(0.4 / (n * n + 6), 1 / Math.max(1e-3, 2 * squared - 1));
    const grow = Math.sqrt(1 + rate);
    const gain = (grow / squared) * (Math.sqrt(Math.max(0, 1 - (rate * squared) / (1 + rate))) - 1);
    this.#update(grow, gain, this.#offset, this.#draw);
  }

  /** Shortens the distribution along the direction in which candidates are rejected. */
  #flatten(): void {
    const n = this.#n;
    const c = 1 / (n + 2);
    for (let i = 0; i < n; i++) this.#refused[i] = (1 - c) * this.#refused[i] + c * this.#offset[i];
    const w = this.#solve(this.#refused);
    const squared = dot(w, w);
    if (squared > 0) this.#update(1, -0.1 / (n + 2) / squared, this.#refused, w);
  }

  /** A ← scale·A + gain·v·wᵀ. */
  #update(scale: number, gain: number, v: Float64Array, w: Float64Array): void {
    const n = this.#n;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) this.#factor[i * n + k] = scale * this.#factor[i * n + k] + gain * v[i] * w[k];
    }
  }

  /** A⁻¹·v by elimination; zeros if A is singular. */
  #solve(v: Float64Array): Float64Array {
    const n = this.#n;
    const m = n + 1;
    const rows = this.#rows;
    const x = this.#solved;
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < n; k++) rows[i * m + k] = this.#factor[i * n + k];
      rows[i * m + n] = v[i];
    }
    for (let k = 0; k < n; k++) {
      let pivot = k;
      for (let i = k + 1; i < n; i++) if (Math.abs(rows[i * m + k]) > Math.abs(rows[pivot * m + k])) pivot = i;
      if (!(Math.abs(rows[pivot * m + k]) > 0)) return x.fill(0);
      for (let j = k; j <= n; j++) {
        const held = rows[k * m + j];
        rows[k * m + j] = rows[pivot * m + j];
        rows[pivot * m + j] = held;
      }
      for (let i = k + 1; i < n; i++) {
        const factor = rows[i * m + k] / rows[k * m + k];
        for (let j = k; j <= n; j++) rows[i * m + j] -= factor * rows[k * m + j];
      }
    }
    for (let k = n - 1; k >= 0; k--) {
      x[k] = rows[k * m + n];
      for (let j = k + 1; j < n; j++) x[k] -= rows[k * m + j] * x[j];
      x[k] /= rows[k * m + k];
    }
    return x;
  }
}

function dot(a: Float64Array, b: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i];
  return sum;
}
