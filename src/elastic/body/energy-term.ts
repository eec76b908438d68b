// What couples the parts of a system: contact, friction, barriers, springs.

/**
 * An energy of all unknowns of a system: those of its parts one after the other, three numbers a node of an elastic body,
 * and a translation and a rotation vector for a rigid one.
 */
export interface EnergyTerm {
  /** Finds what acts at x and near it: called at the start of a minimization, and of each step of Newton's method. */
  update(x: Float64Array): void;
  /** The energy at x; adds its gradient where one is given. */
  evaluate(x: Float64Array, gradient?: Float64Array): number;
  /** Prepares second derivatives at x, positive semi-definite where asked. */
  linearize(x: Float64Array, isProjected: boolean): void;
  /** Adds the second derivatives times v. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Adds the 3 × 3 blocks of the diagonal, nine numbers for each three unknowns. */
  addDiagonal(blocks: Float64Array): void;
  /** The largest share of the way d from x that may be gone; 1 where any may. */
  limitStep(x: Float64Array, d: Float64Array): number;
}
