// The scenes that several robots are planned in: each robot alone among the obstacles, and each pair of robots without any.
// All have configurations of all robots, which end with a time.

import { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import { Clock } from '../../kinematics/validity/clock.js';
import { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { SweptBoxes } from '../roadmap/swept-box.js';
import type { TimedPart } from '../time/plan-in-time.js';

/** Obstacles that move, as one robot sees them. */
export interface MovingView {
  readonly scene: CollisionScene;
  readonly clock: Clock;
}

export class TeamScenes {
  readonly isOver: () => boolean;
  /** All robots among the obstacles at rest. */
  readonly joint: CollisionScene;
  /** Numbers of a configuration of all robots and its time. */
  readonly size: number;
  /** Of each robot: alone among the obstacles at rest. */
  readonly alone: readonly CollisionScene[];
  readonly boxes: readonly SweptBoxes[];
  readonly #timed: TimedPart | null;
  /** The last time allowed; Infinity where times do not count. */
  readonly horizon: number;
  /** Seconds in which a robot without a speed limit crosses its space. */
  #crossing: number;
  readonly #pairs = new Map<number, CollisionScene>();
  readonly #moving = new Map<number, MovingView>();

  /**
   * @param horizon the last time allowed; Infinity where times do not count.
   * @param crossing seconds in which a robot without a speed limit crosses its space.
   * @param isOver whether the time is over.
   */
  constructor(
    joint: CollisionScene,
    timed: TimedPart | null,
    horizon: number,
    crossing: number,
    isOver: () => boolean,
  ) {
    const { obstacles, clearance, counters, scale } = joint;
    this.joint = joint;
    this.size = joint.size + 1;
    this.alone = joint.robots.map((robot) => new CollisionScene([robot], obstacles, clearance, { counters, scale }));
    this.boxes = this.alone.map((scene) => new SweptBoxes(scene));
    this.isOver = isOver;
    this.#timed = timed;
    this.horizon = horizon;
    this.#crossing = crossing;
  }

  get robotCount(): number {
    return this.alone.length;
  }

  /** Edges and distances so far: a measure of effort that is the same in every run. */
  get work(): number {
    const { edgesTested, distanceQueries } = this.joint.counters;
    return edgesTested + distanceQueries;
  }

  /** Makes robots faster where no limit was given. */
  hurry(factor: number): void {
    this.#crossing /= factor;
    this.#moving.clear();
  }

  /** What two robots must not do to each other. */
  pair(a: number, b: number): CollisionScene {
    const [low, high] = a < b ? [a, b] : [b, a];
    const key = low * this.robotCount + high;
    const known = this.#pairs.get(key);
    if (known !== undefined) return known;
    const { robots, clearance, counters, scale } = this.joint;
    const made = new CollisionScene([robots[low], robots[high]], [], clearance, {
      counters,
      scale,
      watched: 'between',
    });
    this.#pairs.set(key, made);
    return made;
  }

  /** The obstacles that move, as a robot sees them, or null. */
  moving(robot: number): MovingView | null {
    if (this.#timed === null || this.#timed.moving.length === 0) return null;
    const known = this.#moving.get(robot);
    if (known !== undefined) return known;
    const { robots, clearance, counters, scale } = this.joint;
    const clock = new Clock(this.size - 1, this.#timed.moving, this.horizon, this.limits([robot]));
    const scene = new CollisionScene([robots[robot], clock], [], clearance, { counters, scale, watched: 'timed' });
    this.#moving.set(robot, { scene, clock });
    return { scene, clock };
  }

  /** Some robots among the obstacles at rest. */
  group(robots: readonly number[]): CollisionScene {
    const { obstacles, clearance, counters, scale } = this.joint;
    if (robots.length === this.robotCount) return this.joint;
    return new CollisionScene(
      robots.map((r) => this.joint.robots[r]),
      obstacles,
      clearance,
      { counters, scale },
    );
  }

  /**
   * How fast robots may move.
   * @param slower divides all speeds; at least 1.
   */
  limits(robots: readonly number[], slower = 1): SpeedLimits {
    const given = robots.map((r) => {
      const limit = this.#timed?.limits[r];
      if (limit === undefined) return undefined;
      const { linear, angular } = limit;
      return {
        linear: linear === undefined ? undefined : linear / slower,
        angular: angular === undefined ? undefined : angular / slower,
      };
    });
    return new SpeedLimits(
      robots.map((r) => this.joint.robots[r]),
      given,
      this.#crossing * slower,
    );
  }

  /** A path of some robots as fast as they may go. Configurations are those of all robots; the numbers of others are 0. */
  withTimes(robots: readonly number[], path: readonly Float64Array[]): Float64Array[] {
    const limits = this.limits(robots);
    let time = 0;
    return path.map((q, i) => {
      if (i > 0) time += limits.duration(path[i - 1], q);
      return this.widen(q, time);
    });
  }

  /** A configuration of some robots with a time, for all robots: the numbers of others are 0. */
  widen(q: Float64Array, time: number): Float64Array {
    const wide = new Float64Array(this.size);
    wide.set(q.subarray(0, Math.min(q.length, this.size - 1)));
    wide[this.size - 1] = time;
    return wide;
  }
}
