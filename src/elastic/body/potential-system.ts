// Parts and the terms between them as one potential of one flat vector: the unknowns of the parts, one after the other.
import type { EnergyTerm, Linearization } from './energy-term.js';
import type { SystemPart } from './system-part.js';

/** Which of the matrices of {@link SystemPart} is meant. */
export type MatrixKind = 'exact' | 'fixed';

export class PotentialSystem {
  readonly parts: readonly SystemPart[];
  readonly terms: readonly EnergyTerm[];
  readonly size: number;
  /** Where the unknowns of each part begin. */
  readonly offsets: Int32Array;
  /** The largest of the parts' stiff forces. */
  readonly stiffForce: number;
  /** The sum of the parts' stiff energies. */
  readonly stiffEnergy: number;
  readonly #blocks: Float64Array | null;
  readonly #views = new WeakMap<Float64Array, readonly Float64Array[]>();

  constructor(parts: readonly SystemPart[], terms: readonly EnergyTerm[]) {
    this.parts = parts;
    this.terms = terms;
    this.offsets = new Int32Array(parts.length);
    let [size, stiffForce, stiffEnergy] = [0, 0, 0];
    parts.forEach((part, i) => {
      this.offsets[i] = size;
      size += part.size;
      stiffForce = Math.max(stiffForce, part.stiffForce);
      stiffEnergy += part.stiffEnergy;
    });
    this.size = size;
    this.stiffForce = stiffForce;
    this.stiffEnergy = stiffEnergy;
    this.#blocks = terms.length > 0 ? new Float64Array(3 * size) : null;
  }

  update(x: Float64Array): void {
    for (const term of this.terms) term.update(x);
  }

  /** The potential; writes its derivative by all unknowns, held ones too. */
  evaluate(x: Float64Array, gradient: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.parts.length; i++) sum += this.parts[i].evaluate(this.#own(x, i), this.#own(gradient, i));
    for (const term of this.terms) sum += term.evaluate(x, gradient);
    return sum;
  }

  /** Sets the entries of held unknowns to zero; returns the length of the rest. */
  clearHeld(vector: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.parts.length; i++) sum += this.parts[i].clearHeld(this.#own(vector, i));
    return Math.sqrt(sum);
  }

  /** The length of loads or of forces on held unknowns: what unbalanced forces are compared with. */
  forceScale(gradient: Float64Array): number {
    let [loads, reactions] = [0, 0];
    for (let i = 0; i < this.parts.length; i++) {
      loads += this.parts[i].squaredLoads();
      reactions += this.parts[i].squaredReactions(this.#own(gradient, i));
    }
    return Math.sqrt(Math.max(loads, reactions));
  }

  /** Sets the matrices of the parts and of the terms. */
  linearize(kind: MatrixKind, x: Float64Array, isProjected: boolean, ofTerms: Linearization): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i][kind].linearize(this.#own(x, i), isProjected);
    for (const term of this.terms) term.linearize(x, ofTerms);
  }

  /** Whether all parts have inertia: it is a step of motion, not an equilibrium. */
  get isMoving(): boolean {
    return this.parts.every((part) => part.isMoving);
  }

  /** Sets the fixed matrices of the parts, without the terms. */
  prepareFixed(x: Float64Array): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i].fixed.linearize(this.#own(x, i), true);
  }

  /**
   * Factors the matrices of all parts, or of those that have no factor yet. Terms enter by their diagonal where asked.
   */
  factor(kind: MatrixKind, which: 'all' | 'missing', withTerms: boolean): void {
    if (which === 'missing' && this.parts.every((part) => part[kind].isFactored)) return;
    const blocks = withTerms ? this.#blocks : null;
    if (blocks !== null) {
      blocks.fill(0);
      for (const term of this.terms) term.addDiagonal(blocks);
    }
    for (let i = 0; i < this.parts.length; i++) {
      const matrix = this.parts[i][kind];
      if (which === 'missing' && matrix.isFactored) continue;
      const begin = 3 * this.offsets[i];
      matrix.factor(blocks === null ? null : blocks.subarray(begin, begin + 3 * this.parts[i].size));
    }
  }

  multiply(kind: MatrixKind, v: Float64Array, out: Float64Array): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i][kind].multiply(this.#own(v, i), this.#own(out, i));
    if (this.terms.length > 0) this.addTerms(v, out);
  }

  /** Adds the second derivatives of the terms times v, and clears held unknowns. */
  addTerms(v: Float64Array, out: Float64Array): void {
    for (const term of this.terms) term.multiply(v, out);
    this.clearHeld(out);
  }

  precondition(kind: MatrixKind, r: Float64Array, out: Float64Array): void {
    for (let i = 0; i < this.parts.length; i++) this.parts[i][kind].precondition(this.#own(r, i), this.#own(out, i));
  }

  /** The largest share of the way d from x that may be gone. */
  limitStep(x: Float64Array, d: Float64Array): number {
    let share = 1;
    for (const term of this.terms) share = Math.min(share, term.limitStep(x, d));
    return share;
  }

  /** The part of a vector that belongs to a part. Views are kept: making them anew took 4 % of a step. */
  #own(vector: Float64Array, i: number): Float64Array {
    if (this.parts.length === 1) return vector;
    let views = this.#views.get(vector);
    if (views === undefined) {
      views = this.parts.map(({ size }, k) => vector.subarray(this.offsets[k], this.offsets[k] + size));
      this.#views.set(vector, views);
    }
    return views[i];
  }
}
