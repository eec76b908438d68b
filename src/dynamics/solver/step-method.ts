// The seam between a world and its methods: what a method may use, and the one thing it does.
import type { Bodies } from '../body/bodies.js';
import type { Motion } from '../motion/motion.js';
import type { ContactBuffer } from './contact-buffer.js';

/** The parts of a world that its method works on. */
export interface StepContext {
  readonly bodies: Bodies;
  readonly motion: Motion;
  /** The contact points of the last step, for drawing, events and warm starts. */
  readonly contacts: ContactBuffer;
  readonly gravity: Float64Array;
  readonly substeps: number;
}

/** Advances the bodies of a world by one step. Kinematic bodies have their velocities of the step already. */
export interface StepMethod {
  step(dt: number): void;
}
