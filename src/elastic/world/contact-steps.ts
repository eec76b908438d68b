// How a world makes steps and equilibria with a kind of contact: by distance fields or by a barrier.
import type { SolveReport } from '../body/newton.js';

/** How far an equilibrium is solved. */
export interface SolverLimits {
  readonly tolerance: number;
  readonly maxIterations: number;
}

/** The contact of a state. */
export interface ContactMeasure {
  /** Joules. */
  readonly energy: number;
  /** Contacts that push. */
  readonly count: number;
}

export interface ContactSteps {
  /**
   * Moves the elastic bodies by a step, and leaves with the rigid ones what pushed them. Held nodes know where they are to be.
   * @param time at the end of the step.
   */
  step(time: number): SolveReport;
  /** Moves the elastic bodies to their equilibrium, with rigid bodies where they are at a time. */
  solveStatic(time: number, limits: SolverLimits): SolveReport;
  /** Measures contact at x. The obstacles have been placed. */
  measure(x: Float64Array): ContactMeasure;
  /** Whether x is proven to have no overlap. */
  isProvenApart(x: Float64Array): boolean;
}
