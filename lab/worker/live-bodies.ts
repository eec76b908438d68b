// A simulation that runs in the worker, with what was recorded of it: earlier steps are shown again, later ones are simulated.
import type { Vec3 } from 'nearfield/core';
import { pose } from 'nearfield/core';
import type { Grab, SpaceSimulation } from 'nearfield/dynamics';

/** What was recorded of every step, from step 0. */
export interface Record {
  readonly poses: Float64Array[];
  /** Linear and angular, six numbers a body. */
  readonly velocities: Float64Array[];
  readonly kinetic: number[];
  readonly gravitational: number[];
  readonly contact: number[];
  /** Lengths of the linear and the angular momentum. */
  readonly linear: number[];
  readonly angular: number[];
  readonly milliseconds: number[];
}

export class LiveBodies {
  readonly simulation: SpaceSimulation;
  readonly record: Record = {
    poses: [],
    velocities: [],
    kinetic: [],
    gravitational: [],
    contact: [],
    linear: [],
    angular: [],
    milliseconds: [],
  };
  #hold: { readonly body: number; readonly local: Vec3; to: Vec3; readonly grab: Grab } | null = null;

  constructor(simulation: SpaceSimulation) {
    this.simulation = simulation;
    this.#write(0);
  }

  /** The last step that was simulated. */
  get steps(): number {
    return this.record.poses.length - 1;
  }

  /** Simulates to a step; `report` may throw to stop. */
  advanceTo(step: number, report: (fraction: number) => void): void {
    const first = this.steps;
    while (this.steps < step) {
      report((this.steps - first) / (step - first));
      const begin = performance.now();
      this.simulation.step();
      this.#write(performance.now() - begin);
    }
  }

  /**
   * Takes hold of a body at a point in the world, or moves the hold that there is; null lets go. What was simulated after the
   * step in which it is taken is forgotten.
   */
  hold(held: { body: number; from: Vec3; to: Vec3 } | null, step: number): void {
    if (held === null || this.#hold?.body !== held.body) {
      this.#hold?.grab.release();
      this.#hold = null;
    }
    if (held === null) return;
    const { body, from, to } = held;
    if (this.#hold === null) {
      this.#returnTo(step);
      const { world, bodies } = this.simulation;
      const { id } = bodies[body];
      const local = pose.transformPoint(pose.invert(world.poseOf(id)), from);
      this.#hold = { body, local, to, grab: world.grab(id, from) };
    }
    this.#hold.to = to;
    this.#hold.grab.moveTo(to);
  }

  /** Where what is held is, and where it is pulled to; null if nothing is. */
  get held(): { from: Vec3; to: Vec3 } | null {
    if (this.#hold === null) return null;
    const { world, bodies } = this.simulation;
    const { body, local, to } = this.#hold;
    return { from: pose.transformPoint(world.poseOf(bodies[body].id), local), to };
  }

  /** Bodies go back to where they were; those on paths cannot. */
  #returnTo(step: number): void {
    const { world, bodies } = this.simulation;
    if (step >= this.steps || bodies.some(({ kind }) => kind === 'moved')) return;
    const { poses, velocities } = this.record;
    for (const [i, { id, kind }] of bodies.entries()) {
      if (kind !== 'dynamic') continue;
      world.setPose(id, poses[step].subarray(7 * i, 7 * i + 7));
      const [x, y, z, u, v, w] = velocities[step].subarray(6 * i, 6 * i + 6);
      world.setVelocity(id, [x, y, z], [u, v, w]);
    }
    for (const list of Object.values(this.record)) list.length = step + 1;
  }

  #write(milliseconds: number): void {
    const { world, bodies } = this.simulation;
    const { record } = this;
    record.poses.push(world.readPoses(new Float64Array(7 * bodies.length)));
    const velocities = new Float64Array(6 * bodies.length);
    for (const [i, { id }] of bodies.entries()) {
      velocities.set(world.velocityOf(id), 6 * i);
      velocities.set(world.angularVelocityOf(id), 6 * i + 3);
    }
    record.velocities.push(velocities);
    const { kinetic, gravitational, total } = world.energy();
    record.kinetic.push(kinetic);
    record.gravitational.push(gravitational);
    record.contact.push(total - kinetic - gravitational);
    const { linear, angular } = world.momentum();
    record.linear.push(Math.hypot(...linear));
    record.angular.push(Math.hypot(...angular));
    record.milliseconds.push(milliseconds);
  }
}
