// Motion of the bodies of the plane between contacts: forces in two halves around an even motion, exact under constant force
// and of second order otherwise.
import type { PlaneBodies } from '../body/plane-bodies.js';
import { DYNAMIC, KINEMATIC } from '../body/plane-bodies.js';
import type { PlaneGrab } from '../body/plane-grab.js';
import type { PlaneSprings } from '../penalty/plane-springs.js';

export class PlaneMotion {
  #time = 0;

  constructor(
    readonly bodies: PlaneBodies,
    readonly springs: PlaneSprings,
    readonly grabs: readonly PlaneGrab[],
    readonly gravity: Float64Array,
  ) {}

  /** Seconds since the world was made, within a step too. */
  get time(): number {
    return this.#time;
  }

  /** Sets the clock: sums of intervals round, and islands that move one by one begin at the same time. */
  setTime(time: number): void {
    this.#time = time;
  }

  /** Gives bodies on paths the velocities that bring them to where they are h later. */
  aim(h: number): void {
    const { bodies } = this;
    for (let i = 0; i < bodies.count; i++) {
      const path = bodies.paths[i];
      if (bodies.kind[i] !== KINEMATIC || path === null) continue;
      path.moveTo(this.#time + h);
      bodies.velocity[2 * i] = (path.x - bodies.center[2 * i]) / h;
      bodies.velocity[2 * i + 1] = (path.y - bodies.center[2 * i + 1]) / h;
      bodies.spin[i] = (path.angle - bodies.angle[i]) / h;
    }
  }

  /** Changes velocities by what forces do in a time. */
  kick(h: number): void {
    const { bodies, gravity } = this;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] !== DYNAMIC || bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      bodies.velocity[2 * i] += h * (gravity[0] + bodies.inverseMass[i] * bodies.force[2 * i]);
      bodies.velocity[2 * i + 1] += h * (gravity[1] + bodies.inverseMass[i] * bodies.force[2 * i + 1]);
      bodies.spin[i] += h * bodies.inverseInertia[i] * bodies.torque[i];
    }
    for (const grab of this.grabs) if (bodies.isHeld[grab.body] === 0) grab.pull(bodies, h);
    this.springs.kick(h, gravity);
  }

  /** Moves all bodies that are awake and not held evenly for a time. */
  drift(h: number): void {
    const { bodies } = this;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.asleep[i] !== 0 || bodies.isHeld[i] !== 0) continue;
      bodies.center[2 * i] += h * bodies.velocity[2 * i];
      bodies.center[2 * i + 1] += h * bodies.velocity[2 * i + 1];
      if (bodies.spin[i] !== 0) bodies.turn(i, bodies.angle[i] + h * bodies.spin[i]);
    }
    this.#time += h;
    this.springs.drift(h);
  }

  /** Places a body on a path where it is at a time. */
  placeOnPath(i: number, time: number): void {
    const { bodies } = this;
    const path = bodies.paths[i];
    if (path === null || bodies.kind[i] !== KINEMATIC) return;
    path.moveTo(time);
    bodies.center[2 * i] = path.x;
    bodies.center[2 * i + 1] = path.y;
    bodies.turn(i, path.angle);
  }

  /** Ends a step: bodies on paths are where their paths say, without the rounding of the way there; forces end. */
  end(): void {
    const { bodies } = this;
    for (let i = 0; i < bodies.count; i++) this.placeOnPath(i, this.#time);
    bodies.force.fill(0);
    bodies.torque.fill(0);
  }
}
