// A bounded number of quasi-Newton steps for a system of parts and terms: the first matrix is one for all states, with the
// second derivatives of terms, and the last few steps correct it (L-BFGS; Liu, Bouaziz and Kavan 2017).
import { dot } from '../sparse/conjugate-gradients.js';
import { assertFinite, type SolveReport } from './newton.js';
import type { PotentialSystem } from './potential-system.js';

/** Steps remembered. */
const HISTORY = 5;

/** Sufficient decrease, and halvings at most: the cost of a step is bounded. */
const DECREASE = 1e-4;
const MAX_HALVINGS = 8;

/** With terms the first matrix is solved by conjugate gradients: iterations at most, and the residual that is enough. */
const TERM_ITERATIONS = 6;
const TERM_TOLERANCE = 0.05;

export class QuasiNewton {
  readonly #system: PotentialSystem;
  readonly #gradient: Float64Array;
  readonly #nextGradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #trial: Float64Array;
  readonly #residual: Float64Array;
  /** Of conjugate gradients; empty without terms. */
  readonly #scaled: Float64Array;
  readonly #conjugate: Float64Array;
  readonly #image: Float64Array;
  readonly #product: Float64Array;
  readonly #steps: Float64Array[] = [];
  readonly #changes: Float64Array[] = [];
  readonly #products = new Float64Array(HISTORY);
  readonly #weights = new Float64Array(HISTORY);
  #linearIterations = 0;

  constructor(system: PotentialSystem) {
    this.#system = system;
    const { size } = system;
    this.#gradient = new Float64Array(size);
    this.#nextGradient = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#trial = new Float64Array(size);
    this.#residual = new Float64Array(size);
    const extra = system.terms.length > 0 ? size : 0;
    this.#scaled = new Float64Array(extra);
    this.#conjugate = new Float64Array(extra);
    this.#image = new Float64Array(extra);
    this.#product = new Float64Array(extra);
    for (let i = 0; i < HISTORY; i++) {
      this.#steps.push(new Float64Array(size));
      this.#changes.push(new Float64Array(size));
    }
  }

  /** Lowers the potential by so many steps. */
  minimize(x: Float64Array, iterations: number): SolveReport {
    const system = this.#system;
    this.#linearIterations = 0;
    system.update(x);
    const g = this.#gradient;
    let energy = system.evaluate(x, g);
    let residual = system.clearHeld(g);
    assertFinite(residual);
    let remembered = 0;
    for (let iteration = 0; iteration < iterations && residual > 0; iteration++) {
      system.linearize('fixed', x, true);
      system.factor('fixed', 'missing', false);
      this.#findDirection(remembered);
      let slope = dot(g, this.#direction);
      if (!(slope < 0)) {
        remembered = 0;
        this.#findDirection(0);
        slope = dot(g, this.#direction);
      }
      const next = this.#search(x, energy, slope);
      if (Number.isNaN(next)) break;
      energy = next;
      residual = system.clearHeld(this.#nextGradient);
      remembered = this.#remember(x, remembered);
      g.set(this.#nextGradient);
    }
    return { status: 'iterations', iterations, linearIterations: this.#linearIterations, residual };
  }

  #search(x: Float64Array, energy: number, slope: number): number {
    const trial = this.#trial;
    const first = this.#system.limitStep(x, this.#direction);
    for (let i = 0, step = first; i < MAX_HALVINGS; i++, step /= 2) {
      for (let k = 0; k < x.length; k++) trial[k] = x[k] + step * this.#direction[k];
      const next = this.#system.evaluate(trial, this.#nextGradient);
      if (!(next <= energy + DECREASE * step * slope)) continue;
      // The trial keeps where x came from, for the memory of steps.
      for (let k = 0; k < x.length; k++) {
        const from = x[k];
        x[k] = trial[k];
        trial[k] = from;
      }
      return next;
    }
    return Number.NaN;
  }

  /** Stores the last step and what it changed in the gradient; returns the number stored. */
  #remember(x: Float64Array, remembered: number): number {
    let at = remembered;
    if (remembered === HISTORY) {
      this.#steps.push(this.#steps.shift() as Float64Array);
      this.#changes.push(this.#changes.shift() as Float64Array);
      this.#products.copyWithin(0, 1);
      at = HISTORY - 1;
    }
    const [step, change] = [this.#steps[at], this.#changes[at]];
    for (let k = 0; k < x.length; k++) {
      step[k] = x[k] - this.#trial[k];
      change[k] = this.#nextGradient[k] - this.#gradient[k];
    }
    this.#products[at] = dot(step, change);
    // Where the energy curves down, the step says nothing about the minimum.
    return this.#products[at] > 0 ? at + 1 : at;
  }

  /** The two loops of Nocedal 1980 around the factored matrix. */
  #findDirection(remembered: number): void {
    const d = this.#direction;
    const g = this.#gradient;
    for (let i = 0; i < d.length; i++) d[i] = -g[i];
    for (let i = remembered - 1; i >= 0; i--) {
      const weight = dot(this.#steps[i], d) / this.#products[i];
      this.#weights[i] = weight;
      addScaled(d, this.#changes[i], -weight);
    }
    this.#applyFirst(d);
    for (let i = 0; i < remembered; i++) {
      const weight = this.#weights[i] - dot(this.#changes[i], d) / this.#products[i];
      addScaled(d, this.#steps[i], weight);
    }
  }

  /** Replaces a vector by its product with the inverse of the first matrix. */
  #applyFirst(d: Float64Array): void {
    this.#residual.set(d);
    if (this.#system.terms.length === 0) this.#system.precondition('fixed', this.#residual, d);
    else this.#solveWithTerms(d);
  }

  /**
   * Conjugate gradients for the fixed matrix A with terms T, preconditioned by A. Since A z = r for the preconditioned
   * residual z, A is never multiplied with: its products follow the directions by the same recurrence.
   */
  #solveWithTerms(x: Float64Array): void {
    const system = this.#system;
    const [r, z, p, ap, q] = [this.#residual, this.#scaled, this.#conjugate, this.#image, this.#product];
    system.precondition('fixed', r, z);
    p.set(z);
    ap.set(r);
    x.fill(0);
    let product = dot(r, z);
    const enough = TERM_TOLERANCE * TERM_TOLERANCE * product;
    for (let iteration = 1; product > 0; iteration++) {
      this.#linearIterations++;
      q.set(ap);
      system.addTerms(p, q);
      const curvature = dot(p, q);
      if (!(curvature > 0)) return;
      const step = product / curvature;
      addScaled(x, p, step);
      if (iteration === TERM_ITERATIONS) return;
      addScaled(r, q, -step);
      system.precondition('fixed', r, z);
      const next = dot(r, z);
      if (!(next > enough)) return;
      const share = next / product;
      product = next;
      for (let i = 0; i < p.length; i++) {
        p[i] = z[i] + share * p[i];
        ap[i] = r[i] + share * ap[i];
      }
    }
  }
}

function addScaled(out: Float64Array, vector: Float64Array, weight: number): void {
  for (let k = 0; k < out.length; k++) out[k] += weight * vector[k];
}
