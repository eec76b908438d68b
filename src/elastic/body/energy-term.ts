// What couples the parts of a system: contact, friction, barriers, springs.

import type { LowRankRows } from './low-rank-correction.js';

/**
 * Second derivatives as they are, positive semi-definite ones, or those of a parabola above the energy where it has kinks,
 * which steps do not overshoot.
 */
export type Linearization = 'exact' | 'projected' | 'majorized';

/**
 * An energy of all unknowns of a system: those of its parts one after the other, three numbers a node of an elastic body,
 * and a translation and a rotation vector for a rigid one.
 */
export interface EnergyTerm {
  /** Finds what acts at x and near it: called at the start of a minimization, and of each step of Newton's method. */
  update(x: Float64Array): void;
  /** The energy at x; adds its gradient where one is given. */
  evaluate(x: Float64Array, gradient?: Float64Array): number;
  /** Prepares second derivatives at x, or a matrix that stands for them. */
  linearize(x: Float64Array, kind: Linearization): void;
  /** Adds the second derivatives times v. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Adds the 3 × 3 blocks of the diagonal, nine numbers for each three unknowns. */
  addDiagonal(blocks: Float64Array): void;
  /**
   * Adds the second derivatives between nodes of elastic bodies as rows, unless there are more than `most`, for
   * preconditioners. Optional: terms that are not stiff need not.
   */
  writeLowRank?(out: LowRankRows, most: number): void;
  /** The largest share of the way d from x that may be gone; 1 where any may. */
  limitStep(x: Float64Array, d: Float64Array): number;
}
