// The seam between a world and its methods, in space and in the plane: the one thing that a method does, and what it reports.

/** Advances the bodies of a world by one step. A method is made for the parts of one world; see `StepContext`. */
export interface StepMethod {
  step(dt: number): void;
  /** Appends what the method keeps from step to step besides the parts of the world; left out if that is nothing. */
  save?(out: number[]): void;
  /** Takes over what {@link save} appended, from a place on. The parts of the world are those of the snapshot already. */
  load?(values: Float64Array, at: number): void;
  /** Seconds of the last step that were left out because too many impacts fell into them, summed over islands. */
  readonly lostTime?: number;
  /** Energy that the method keeps in contacts, J. */
  readonly energy?: number;
}
