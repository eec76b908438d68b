// Where the bodies of a scene are: poses of all links at a configuration, those of obstacles, and motions between two.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import type { Robot } from '../robot/robot.js';
import { evenMotion } from './even-motion.js';
import type { Obstacle } from './obstacle.js';
import type { Body } from './watched-pairs.js';

export class ScenePoses {
  readonly robots: readonly Robot[];
  readonly obstacles: readonly Obstacle[];
  /** Links of all robots. */
  readonly linkCount: number;

  constructor(robots: readonly Robot[], obstacles: readonly Obstacle[]) {
    this.robots = robots;
    this.obstacles = obstacles;
    this.linkCount = robots.reduce((sum, robot) => sum + robot.links.length, 0);
  }

  /** Writes the configuration at t on the way from a to b. */
  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    for (const robot of this.robots) robot.interpolate(a, b, t, out);
  }

  /** Writes the poses of all links at a configuration. */
  place(q: Float64Array, out: Float64Array): void {
    let at = 0;
    for (const robot of this.robots) {
      robot.place(q, at === 0 ? out : out.subarray(at));
      at += 7 * robot.links.length;
    }
  }

  /** Writes the pose of a body where those of all links are given. */
  setPose({ robot, index }: Body, poses: Float64Array, out: Pose): void {
    const source: ReadonlyPose = robot >= 0 ? poses : this.obstacles[index].pose;
    const at = robot >= 0 ? 7 * index : 0;
    for (let k = 0; k < 7; k++) out[k] = source[at + k];
  }

  /** The motion of a body between two places of all links; obstacles are at rest. */
  motionOf(body: Body, from: Float64Array, to: Float64Array): EvenMotion {
    if (body.robot >= 0) return evenMotion(from, to, body.index);
    const { pose: p } = this.obstacles[body.index];
    return {
      from: [p[0], p[1], p[2]],
      to: [p[0], p[1], p[2]],
      rotation: [p[3], p[4], p[5], p[6]],
      axis: [0, 0, 1],
      angle: 0,
    };
  }
}
