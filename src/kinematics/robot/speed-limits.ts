// How fast robots may move, and so the least time that an edge takes.
import type { Robot } from './robot.js';

/** The fastest that a robot may move. For a chain: each slide, in m/s, and each hinge, in rad/s. */
export interface SpeedLimit {
  /** In m/s. Default: no limit. */
  readonly linear?: number | undefined;
  /** In rad/s. Default: no limit. */
  readonly angular?: number | undefined;
}

/** Rounding: a duration is long enough if it is short by no more than this share. */
const DURATION_ROUNDING = 1e-9;

/** What is missing in a limit is filled in by a pace, so that every motion takes some time. */
export class SpeedLimits {
  readonly #robots: readonly Robot[];
  readonly #linear: Float64Array;
  readonly #angular: Float64Array;
  readonly #areGiven: readonly (readonly [boolean, boolean])[];

  /** @param seconds within which a robot without limits would cross all of its space. */
  constructor(robots: readonly Robot[], limits: readonly (SpeedLimit | undefined)[], seconds: number) {
    this.#robots = robots;
    this.#areGiven = robots.map((_, r) => [limits[r]?.linear !== undefined, limits[r]?.angular !== undefined]);
    this.#linear = Float64Array.from(robots, (robot, r) => limits[r]?.linear ?? robot.extent.length / seconds);
    this.#angular = Float64Array.from(robots, (robot, r) => limits[r]?.angular ?? robot.extent.turning / seconds);
  }

  /** Makes robots faster where no limit was given. */
  hurry(factor: number): void {
    for (const [r, [linear, angular]] of this.#areGiven.entries()) {
      if (!linear) this.#linear[r] *= factor;
      if (!angular) this.#angular[r] *= factor;
    }
  }

  /** The least duration of the motion from a to b. */
  duration(a: Float64Array, b: Float64Array): number {
    let most = 0;
    for (const [r, robot] of this.#robots.entries()) {
      const way = robot.largestChanges(a, b);
      if (way.sliding > 0) most = Math.max(most, way.sliding / this.#linear[r]);
      if (way.turning > 0) most = Math.max(most, way.turning / this.#angular[r]);
    }
    return most;
  }

  /** Whether a duration is enough for the motion from a to b. */
  allow(a: Float64Array, b: Float64Array, duration: number): boolean {
    return duration >= this.duration(a, b) * (1 - DURATION_ROUNDING);
  }

  /** The longest time that it takes to cross all of the space. */
  get crossing(): number {
    let most = 0;
    for (const [r, { extent }] of this.#robots.entries()) {
      if (extent.length > 0) most = Math.max(most, extent.length / this.#linear[r]);
      if (extent.turning > 0) most = Math.max(most, extent.turning / this.#angular[r]);
    }
    return most;
  }
}
