// What a minimization moves: a body, with its share of the unknowns. All arrays are of the part's own unknowns.

/** A symmetric matrix of a part's unknowns with an approximate inverse. Rows of held unknowns give 0. */
export interface PartMatrix {
  /** Whether {@link precondition} has a factor, of this matrix or of an earlier one. */
  readonly isFactored: boolean;
  /** Sets the matrix to the second derivatives at x, or near them, made positive semi-definite where asked. */
  linearize(x: Float64Array, isProjected: boolean): void;
  /** Factors the matrix, with blocks added to its diagonal: nine numbers for each three unknowns. */
  factor(diagonal: Float64Array | null): void;
  /** Writes the matrix times v. */
  multiply(v: Float64Array, out: Float64Array): void;
  /** Writes the inverse of what was factored last, times r. */
  precondition(r: Float64Array, out: Float64Array): void;
}

export interface SystemPart {
  /** The number of unknowns, a multiple of three. */
  readonly size: number;
  /** A force that strains the body by about 1; 0 for a rigid one. */
  readonly stiffForce: number;
  /**
   * What the energy is computed from, as differences: the stiffness of the whole body, in joules; 0 for a rigid one.
   */
  readonly stiffEnergy: number;
  /** Whether the potential has inertia. */
  readonly isMoving: boolean;
  /** Second derivatives, for Newton's method. */
  readonly exact: PartMatrix;
  /** One matrix for all states of a timestep, for steps of bounded cost. */
  readonly fixed: PartMatrix;
  /** The potential; writes its derivative by all unknowns, held ones too. */
  evaluate(x: Float64Array, gradient: Float64Array): number;
  /** Sets the entries of held unknowns to zero; returns the square of the length of the rest. */
  clearHeld(vector: Float64Array): number;
  /** The square of the length of loads. */
  squaredLoads(): number;
  /** The square of the length of a gradient's entries of held unknowns. */
  squaredReactions(gradient: Float64Array): number;
}
