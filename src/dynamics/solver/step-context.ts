// What a method of a world in space may use.
import type { Bodies } from '../body/bodies.js';
import type { JointSolver } from '../joint/joint-solver.js';
import type { Collision } from './collision.js';
import type { ContactBuffer } from './contact-buffer.js';
import type { Sleep } from './sleep.js';
import type { SubstepSolver } from './substep-solver.js';

/** The parts of a world that its method works on. */
export interface StepContext {
  readonly bodies: Bodies;
  /** The contact points of the last collision pass. */
  readonly contacts: ContactBuffer;
  readonly collision: Collision;
  readonly joints: JointSolver;
  readonly solver: SubstepSolver;
  readonly sleep: Sleep;
  readonly gravity: Float64Array;
  readonly substeps: number;
  /** The largest acceleration that gravity and forces give a body in this step, m/s². */
  acceleration(): number;
}
