// A bounded number of quasi-Newton steps for an incremental potential: the first matrix is mass and a Laplacian of the rest
// shape, factored once for x, y and z alike, and the last few steps correct it (L-BFGS; Liu, Bouaziz and Kavan 2017).
import { dot } from '../sparse/conjugate-gradients.js';
import { nestedDissection } from '../sparse/nested-dissection.js';
import { SparseCholesky } from '../sparse/sparse-cholesky.js';
import type { IncrementalPotential } from './incremental-potential.js';
import { assertFinite } from './newton.js';

/** Steps remembered. */
const HISTORY = 5;

/** Sufficient decrease, and halvings at most: the cost of a step is bounded. */
const DECREASE = 1e-4;
const MAX_HALVINGS = 8;

export class QuasiNewton {
  readonly #potential: IncrementalPotential;
  readonly #laplacian: Float64Array;
  readonly #factor: SparseCholesky;
  readonly #entries: Float64Array;
  readonly #gradient: Float64Array;
  readonly #nextGradient: Float64Array;
  readonly #direction: Float64Array;
  readonly #trial: Float64Array;
  readonly #steps: Float64Array[] = [];
  readonly #changes: Float64Array[] = [];
  readonly #products = new Float64Array(HISTORY);
  readonly #weights = new Float64Array(HISTORY);
  #factoredWeight = Number.NaN;

  /** @param stiffness of the Laplacian: the modulus of a P wave, λ + 2μ. */
  constructor(potential: IncrementalPotential, rest: Float64Array, stiffness: number) {
    this.#potential = potential;
    const { pattern, elements, size } = potential;
    this.#laplacian = new Float64Array(pattern.columns.length);
    const g = elements.gradients;
    for (let e = 0; e < elements.volumes.length; e++) {
      for (let k = 0; k < 16; k++) {
        const [a, b] = [12 * e + 3 * (k >> 2), 12 * e + 3 * (k & 3)];
        const product = g[a] * g[b] + g[a + 1] * g[b + 1] + g[a + 2] * g[b + 2];
        this.#laplacian[pattern.places[16 * e + k]] += stiffness * elements.volumes[e] * product;
      }
    }
    this.#factor = new SparseCholesky(pattern.rowStart, pattern.columns, nestedDissection(pattern, rest));
    this.#entries = new Float64Array(pattern.columns.length);
    this.#gradient = new Float64Array(size);
    this.#nextGradient = new Float64Array(size);
    this.#direction = new Float64Array(size);
    this.#trial = new Float64Array(size);
    for (let i = 0; i < HISTORY; i++) {
      this.#steps.push(new Float64Array(size));
      this.#changes.push(new Float64Array(size));
    }
  }

  /** Factors anew in the next call: needed when nodes are held or let go. */
  invalidate(): void {
    this.#factoredWeight = Number.NaN;
  }

  /** Lowers the potential by so many steps; returns the length of the unbalanced forces left. */
  minimize(x: Float64Array, iterations: number): number {
    const potential = this.#potential;
    this.#prepare(potential.inertia + potential.massDamping, 1 + potential.stiffnessDamping);
    const g = this.#gradient;
    let energy = potential.evaluate(x, g);
    let residual = this.#potential.clearHeld(g);
    assertFinite(residual);
    let remembered = 0;
    for (let iteration = 0; iteration < iterations && residual > 0; iteration++) {
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
      residual = this.#potential.clearHeld(this.#nextGradient);
      remembered = this.#remember(x, remembered);
      g.set(this.#nextGradient);
    }
    return residual;
  }

  #search(x: Float64Array, energy: number, slope: number): number {
    const trial = this.#trial;
    for (let i = 0, step = 1; i < MAX_HALVINGS; i++, step /= 2) {
      for (let k = 0; k < x.length; k++) trial[k] = x[k] + step * this.#direction[k];
      const next = this.#potential.evaluate(trial, this.#nextGradient);
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
      for (let k = 0; k < d.length; k++) d[k] -= weight * this.#changes[i][k];
    }
    this.#factor.solveThree(d, d);
    for (let i = 0; i < remembered; i++) {
      const weight = this.#weights[i] - dot(this.#changes[i], d) / this.#products[i];
      for (let k = 0; k < d.length; k++) d[k] += weight * this.#steps[i][k];
    }
    this.#potential.clearHeld(d);
  }

  #prepare(massWeight: number, stiffnessWeight: number): void {
    const key = massWeight + 1e-3 * stiffnessWeight;
    if (key === this.#factoredWeight) return;
    const { pattern, mass, held } = this.#potential;
    for (let row = 0; row < pattern.nodes; row++) {
      for (let p = pattern.rowStart[row]; p < pattern.rowStart[row + 1]; p++) {
        const isFree = held[row] === 0 && held[pattern.columns[p]] === 0;
        this.#entries[p] = isFree ? massWeight * mass[p] + stiffnessWeight * this.#laplacian[p] : 0;
      }
      if (held[row] === 1) this.#entries[pattern.diagonal[row]] = 1;
    }
    this.#factor.factor(this.#entries);
    this.#factoredWeight = key;
  }
}
