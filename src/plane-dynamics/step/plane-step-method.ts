// The seam between a world in the plane and its methods: that of space, and what a world of the plane reports of a step.
import type { StepMethod } from '../../dynamics/step-method.js';

export interface PlaneStepMethod extends StepMethod {
  /** Impacts resolved in the last step, or pairs that springs part. */
  readonly impacts: number;
  /** Appends the keys of the pairs of sensors that overlap, if near pairs do not say so. */
  sense?(keys: number[]): void;
}
