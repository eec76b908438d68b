// The seam between a world and its methods: what a method may use, and the one thing it does.
import type { Bodies } from '../body/bodies.js';
import type { JointSolver } from '../joint/joint-solver.js';
import type { Motion } from '../motion/motion.js';
import type { Collision } from './collision.js';
import type { ContactBuffer } from './contact-buffer.js';
import type { Sleep } from './sleep.js';
import type { SubstepSolver } from './substep-solver.js';

/** The parts of a world that its method works on. */
export interface StepContext {
  readonly bodies: Bodies;
  readonly motion: Motion;
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

/** Advances the bodies of a world by one step. Kinematic bodies have their velocities of the step already. */
export interface StepMethod {
  step(dt: number): void;
  /** Appends what it keeps from step to step besides the parts of the world. */
  save(out: number[]): void;
  /** Takes over what {@link save} appended, from a place on; pairs are those of the snapshot already. */
  load(values: Float64Array, at: number): void;
  /** Seconds of the last step that were left out since there were too many impacts in them, summed over islands. */
  readonly lostTime?: number;
  /** Energy that the method keeps in contacts, J. */
  readonly energy?: number;
}
