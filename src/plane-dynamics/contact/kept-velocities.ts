// The velocities of bodies, to go back to.
import type { PlaneBodies } from '../body/plane-bodies.js';

export class KeptVelocities {
  #velocity = new Float64Array(16);
  #spin = new Float64Array(8);

  keep(bodies: PlaneBodies): void {
    const { velocity, spin, count } = bodies;
    this.#reserve(bodies);
    this.#velocity.set(velocity.subarray(0, 2 * count));
    this.#spin.set(spin.subarray(0, count));
  }

  restore({ velocity, spin, count }: PlaneBodies): void {
    velocity.set(this.#velocity.subarray(0, 2 * count));
    spin.set(this.#spin.subarray(0, count));
  }

  /** Keeps the velocities of one body. */
  keepOne(bodies: PlaneBodies, i: number): void {
    this.#reserve(bodies);
    copyBody(bodies.velocity, bodies.spin, this.#velocity, this.#spin, i);
  }

  restoreOne({ velocity, spin }: PlaneBodies, i: number): void {
    copyBody(this.#velocity, this.#spin, velocity, spin, i);
  }

  #reserve({ velocity, spin, count }: PlaneBodies): void {
    if (this.#spin.length >= count) return;
    this.#velocity = new Float64Array(velocity.length);
    this.#spin = new Float64Array(spin.length);
  }
}

function copyBody(v: Float64Array, w: Float64Array, toV: Float64Array, toW: Float64Array, i: number): void {
  toV[2 * i] = v[2 * i];
  toV[2 * i + 1] = v[2 * i + 1];
  toW[i] = w[i];
}
