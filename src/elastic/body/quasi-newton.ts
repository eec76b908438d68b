// A bounded number of quasi-Newton steps for a system of parts and terms: the first matrix is one for all states, with the
// second derivatives of terms, and the last few steps correct it (L-BFGS; Liu, Bouaziz and Kavan 2017).
import type { StepLimit } from '../../core/step-limit.js';
import { Vectors } from '../kernel/vectors.js';
import { assertFinite, type SolveReport } from './newton.js';
import type { PotentialSystem } from './potential-system.js';

/** Chosen: the count of steps that are remembered. */
const HISTORY = 5;

/** Chosen (after Armijo 1966): a step is taken if the energy falls by this share of what its slope promises. */
const DECREASE = 1e-4;

/** Chosen: halvings of a step, which bound its cost. */
const MAX_HALVINGS = 8;

/**
 * Measured on a coil of 11,916 elements: with terms, the first matrix is solved by this many iterations of conjugate gradients.
 * Two to four lowered the energy most, with fixed costs assumed for solves and evaluations.
 */
const TERM_ITERATIONS = 3;

/** Chosen: the share of the residual at which those iterations end early. */
const TERM_TOLERANCE = 0.05;

export class QuasiNewton {
  readonly #system: PotentialSystem;
  readonly #limit: StepLimit | null;
  readonly #vectors: Vectors;
  readonly #x: Float64Array;
  readonly #gradient: Float64Array;
  readonly #nextGradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #trial: Float64Array;
  readonly #residual: Float64Array;
  /** Of conjugate gradients. */
  readonly #scaled: Float64Array;
  readonly #conjugate: Float64Array;
  readonly #image: Float64Array;
  readonly #product: Float64Array;
  readonly #steps: Float64Array[] = [];
  readonly #changes: Float64Array[] = [];
  readonly #products = new Float64Array(HISTORY);
  readonly #weights = new Float64Array(HISTORY);
  #linearIterations = 0;

  /** @param limit is looked at in every iteration. */
  constructor(system: PotentialSystem, limit: StepLimit | null = null) {
    this.#system = system;
    this.#limit = limit;
    const vectors = new Vectors(system.size, 10 + 2 * HISTORY);
    this.#vectors = vectors;
    this.#x = vectors.take();
    this.#gradient = vectors.take();
    this.#nextGradient = vectors.take();
    this.#direction = vectors.take();
    this.#trial = vectors.take();
    this.#residual = vectors.take();
    this.#scaled = vectors.take();
    this.#conjugate = vectors.take();
    this.#image = vectors.take();
    this.#product = vectors.take();
    for (let i = 0; i < HISTORY; i++) {
      this.#steps.push(vectors.take());
      this.#changes.push(vectors.take());
    }
  }

  /** Lowers the potential by a number of steps. */
  minimize(start: Float64Array, iterations: number): SolveReport {
    const system = this.#system;
    const vectors = this.#vectors;
    const x = this.#x;
    x.set(start);
    this.#linearIterations = 0;
    system.update(x);
    const g = this.#gradient;
    let energy = system.evaluate(x, g);
    let residual = system.clearHeld(g);
    assertFinite(residual);
    let remembered = 0;
    for (let iteration = 0; iteration < iterations && residual > 0; iteration++) {
      this.#limit?.check();
      system.linearize('fixed', x, true, 'majorized');
      system.factor('fixed', 'missing', false);
      this.#findDirection(remembered);
      let slope = vectors.dot(g, this.#direction);
      if (!(slope < 0)) {
        remembered = 0;
        this.#findDirection(0);
        slope = vectors.dot(g, this.#direction);
      }
      const next = this.#search(energy, slope);
      if (Number.isNaN(next)) break;
      energy = next;
      residual = system.clearHeld(this.#nextGradient);
      remembered = this.#remember(remembered);
      x.set(this.#trial);
      g.set(this.#nextGradient);
    }
    start.set(x);
    return { status: 'iterations', iterations, linearIterations: this.#linearIterations, residual };
  }

  /** Finds a trial with less energy along the direction; returns that energy, or NaN if no trial has less. */
  #search(energy: number, slope: number): number {
    const trial = this.#trial;
    const x = this.#x;
    const first = this.#system.limitStep(x, this.#direction);
    for (let i = 0, step = first; i < MAX_HALVINGS; i++, step /= 2) {
      this.#vectors.combine(trial, x, this.#direction, step);
      const next = this.#system.evaluate(trial, this.#nextGradient);
      if (next <= energy + DECREASE * step * slope) return next;
    }
    return Number.NaN;
  }

  /** Stores the step to the trial and what it changes in the gradient; returns the number stored. */
  #remember(remembered: number): number {
    let at = remembered;
    if (remembered === HISTORY) {
      this.#steps.push(this.#steps.shift() as Float64Array);
      this.#changes.push(this.#changes.shift() as Float64Array);
      this.#products.copyWithin(0, 1);
      at = HISTORY - 1;
    }
    const [step, change] = [this.#steps[at], this.#changes[at]];
    this.#vectors.combine(step, this.#trial, this.#x, -1);
    this.#vectors.combine(change, this.#nextGradient, this.#gradient, -1);
    this.#products[at] = this.#vectors.dot(step, change);
    // Where the energy curves down, the step says nothing about the minimum.
    return this.#products[at] > 0 ? at + 1 : at;
  }

  /** The two loops of Nocedal 1980 around the factored matrix. */
  #findDirection(remembered: number): void {
    const vectors = this.#vectors;
    const d = this.#direction;
    const r = this.#residual;
    const [steps, changes] = [this.#steps, this.#changes];
    r.fill(0);
    // Each sum also gives the product that the next weight needs.
    let product = vectors.addScaled(r, this.#gradient, -1, steps[Math.max(0, remembered - 1)]);
    for (let i = remembered - 1; i >= 0; i--) {
      this.#weights[i] = product / this.#products[i];
      product = vectors.addScaled(r, changes[i], -this.#weights[i], steps[Math.max(0, i - 1)]);
    }
    if (this.#system.terms.length === 0) this.#system.precondition('fixed', r, d);
    else this.#solveWithTerms(d);
    if (remembered === 0) return;
    product = vectors.dot(changes[0], d);
    for (let i = 0; i < remembered; i++) {
      const weight = this.#weights[i] - product / this.#products[i];
      product = vectors.addScaled(d, steps[i], weight, changes[Math.min(i + 1, remembered - 1)]);
    }
  }

  /**
   * Conjugate gradients for the fixed matrix A with terms T and the residual, preconditioned by A. Since A z = r for the
   * preconditioned residual z, A is never multiplied with: its products follow the directions by the same recurrence.
   */
  #solveWithTerms(x: Float64Array): void {
    const system = this.#system;
    const vectors = this.#vectors;
    const [r, z, p, ap, q] = [this.#residual, this.#scaled, this.#conjugate, this.#image, this.#product];
    system.precondition('fixed', r, z);
    p.set(z);
    ap.set(r);
    x.fill(0);
    let product = vectors.dot(r, z);
    const enough = TERM_TOLERANCE * TERM_TOLERANCE * product;
    for (let iteration = 1; product > 0; iteration++) {
      this.#linearIterations++;
      q.set(ap);
      system.addTerms(p, q);
      const curvature = vectors.dot(p, q);
      if (!(curvature > 0)) return;
      const step = product / curvature;
      vectors.combine(x, x, p, step);
      if (iteration === TERM_ITERATIONS) return;
      vectors.combine(r, r, q, -step);
      system.precondition('fixed', r, z);
      const next = vectors.dot(r, z);
      if (!(next > enough)) return;
      const share = next / product;
      product = next;
      vectors.combine(p, z, p, share);
      vectors.combine(ap, r, ap, share);
    }
  }
}
