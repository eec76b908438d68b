// The path of a body that is moved evenly: its center on a straight line, turning at one rate about one axis, until it stands.
import { type Pose, transformVector } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import type { BodyPath } from './path.js';

/** An even motion from a pose. */
export class EvenPath implements BodyPath {
  readonly #pose: Pose;
  /** The point that it turns about, from the origin of the shape, at the start. */
  readonly #lever: Vec3;
  readonly #velocity: Vec3;
  readonly #axis: Vec3;
  readonly #rate: number;
  readonly #start: number;
  readonly #end: number;

  /** @param center the point that moves straight, in the frame of the shape; `start` and `end` are times of the world. */
  constructor(pose: Pose, center: Vec3, velocity: Vec3, angularVelocity: Vec3, start: number, end: number) {
    this.#pose = [...pose];
    this.#lever = transformVector(pose, center);
    this.#velocity = velocity;
    this.#rate = Math.hypot(...angularVelocity);
    this.#axis = this.#rate > 0 ? (angularVelocity.map((value) => value / this.#rate) as Vec3) : [0, 0, 1];
    this.#start = start;
    this.#end = end;
  }

  at(time: number, out: Pose): Pose {
    const pose = this.#pose;
    const lever = this.#lever;
    const spent = Math.max(0, Math.min(time, this.#end) - this.#start);
    const turn = quat.fromAxisAngle(this.#axis, this.#rate * spent);
    const turned = quat.rotate(turn, lever);
    const q = quat.multiply(turn, [pose[3], pose[4], pose[5], pose[6]]);
    for (let k = 0; k < 3; k++) out[k] = pose[k] + lever[k] + spent * this.#velocity[k] - turned[k];
    for (let k = 0; k < 4; k++) out[3 + k] = q[k];
    return out;
  }
}
