// The state of all bodies before a substep, to go back to it, and the motion from there to where they are now.
import type { Bodies } from '../body/bodies.js';
import type { StepMotion } from './step-motion.js';

/** Copies of what moves. */
export class SavedMotion {
  #center = new Float64Array(0);
  #orientation = new Float64Array(0);
  #velocity = new Float64Array(0);
  #angularVelocity = new Float64Array(0);
  #inverseInertia = new Float64Array(0);

  save(bodies: Bodies): void {
    if (this.#center.length !== bodies.center.length) {
      this.#center = new Float64Array(bodies.center.length);
      this.#orientation = new Float64Array(bodies.orientation.length);
      this.#velocity = new Float64Array(bodies.velocity.length);
      this.#angularVelocity = new Float64Array(bodies.angularVelocity.length);
      this.#inverseInertia = new Float64Array(bodies.inverseInertia.length);
    }
    this.#center.set(bodies.center);
    this.#orientation.set(bodies.orientation);
    this.#velocity.set(bodies.velocity);
    this.#angularVelocity.set(bodies.angularVelocity);
    this.#inverseInertia.set(bodies.inverseInertia);
  }

  /** Puts all bodies back. */
  restore(bodies: Bodies): void {
    bodies.center.set(this.#center);
    bodies.orientation.set(this.#orientation);
    bodies.velocity.set(this.#velocity);
    bodies.angularVelocity.set(this.#angularVelocity);
    bodies.inverseInertia.set(this.#inverseInertia);
  }

  /** Puts one body back. */
  restoreOne({ center, orientation, velocity, angularVelocity, inverseInertia }: Bodies, slot: number): void {
    for (let k = 3 * slot; k < 3 * slot + 3; k++) {
      center[k] = this.#center[k];
      velocity[k] = this.#velocity[k];
      angularVelocity[k] = this.#angularVelocity[k];
    }
    for (let k = 4 * slot; k < 4 * slot + 4; k++) orientation[k] = this.#orientation[k];
    for (let k = 6 * slot; k < 6 * slot + 6; k++) inverseInertia[k] = this.#inverseInertia[k];
  }

  /** Sets the velocities of a body to those at a share of the way from the saved state to that now. */
  mixVelocities({ velocity, angularVelocity }: Bodies, slot: number, share: number): void {
    for (let k = 3 * slot; k < 3 * slot + 3; k++) {
      velocity[k] = this.#velocity[k] + share * (velocity[k] - this.#velocity[k]);
      angularVelocity[k] = this.#angularVelocity[k] + share * (angularVelocity[k] - this.#angularVelocity[k]);
    }
  }

  /** Writes the even motion of a body from the saved state to its state now, `h` seconds later. */
  writeMotion(bodies: Bodies, slot: number, h: number, out: StepMotion): void {
    out.setBetween(slot, { center: this.#center, orientation: this.#orientation }, bodies, h);
    // A ball that turns about its center stays where it is.
    if (bodies.shape[slot]?.model === null) out.angle = 0;
  }
}
