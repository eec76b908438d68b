// The velocities of all bodies, to go back to.
import type { PlaneBodies } from './plane-bodies.js';

export class KeptVelocities {
  #velocity = new Float64Array(16);
  #spin = new Float64Array(8);

  keep({ velocity, spin, count }: PlaneBodies): void {
    if (this.#spin.length < count) {
      this.#velocity = new Float64Array(velocity.length);
      this.#spin = new Float64Array(spin.length);
    }
    this.#velocity.set(velocity.subarray(0, 2 * count));
    this.#spin.set(spin.subarray(0, count));
  }

  restore({ velocity, spin, count }: PlaneBodies): void {
    velocity.set(this.#velocity.subarray(0, 2 * count));
    spin.set(this.#spin.subarray(0, count));
  }
}
