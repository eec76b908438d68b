// A rigid body that moves in a plane parallel to two axes and turns about the third. Its configuration is two coordinates
// and an angle about the axis, measured from the orientation that the robot is given in.
import type { Box } from '../../core/box.js';
import type { ReadonlyPose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Random } from '../../core/random.js';
import { turnBy } from '../../core/turns.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { BodyRobot } from './body-robot.js';
import type { RobotLink } from './robot.js';

/** The plane that a robot moves in. */
export type PlanarAxes = 'xy' | 'xz' | 'yz';

/** The axes of a plane, and the one across it. */
const AXES: Readonly<Record<PlanarAxes, readonly [number, number, number]>> = {
  xy: [0, 1, 2],
  xz: [0, 2, 1],
  yz: [1, 2, 0],
};

/** Chosen: a pose may be off the plane by this share of the robot's size, and tilted by this angle in radians. */
const OFF_PLANE = 1e-6;

/** Rounding: edges turn by less than this, in radians. At 180 degrees rounding would choose the way. */
const HALF_TURN = Math.PI - 1e-6;

export class PlanarRobot implements BodyRobot {
  readonly name: string;
  readonly offset: number;
  readonly size = 3;
  readonly freedoms = 3;
  readonly links: readonly RobotLink[];
  readonly linkPairs: readonly (readonly [number, number])[] = [];
  readonly speeds = null;
  readonly body = this;
  readonly chain = null;
  readonly fault = 'is out of its bounds';
  readonly ways = 2;
  readonly turnSign: 1 | -1;
  /** The two coordinates that change, and the one that stays. */
  readonly axes: readonly [number, number, number];
  /** The largest distance of a vertex from the axis through the origin. */
  readonly radius: number;
  readonly bounds: Box;
  readonly limits: readonly (readonly [number, number])[];
  readonly #plane: PlanarAxes;
  readonly #reference: ReadonlyPose;
  readonly #orientation: quat.Quat;
  readonly #height: number;

  /** @param reference a pose of the robot: its coordinate across the plane stays, and angles count from its orientation. */
  constructor(
    name: string,
    offset: number,
    model: ProximityModel,
    bounds: Box,
    plane: PlanarAxes,
    reference: ReadonlyPose,
  ) {
    this.name = name;
    this.offset = offset;
    this.links = [{ name, model, isTested: true }];
    this.bounds = bounds;
    this.axes = AXES[plane];
    this.limits = this.axes.slice(0, 2).map((k) => [bounds.min[k], bounds.max[k]]);
    this.turnSign = (this.axes[0] + 1) % 3 === this.axes[1] ? 1 : -1;
    this.#plane = plane;
    this.#reference = reference;
    this.#orientation = [reference[3], reference[4], reference[5], reference[6]];
    this.#height = reference[this.axes[2]];
    const axis: [number, number, number] = [0, 0, 0];
    axis[this.axes[2]] = 1;
    // The axis in the body's frame.
    const [x, y, z] = quat.rotate(quat.conjugate(this.#orientation), axis);
    const { positions } = model.mesh;
    let most = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const [px, py, pz] = [positions[i], positions[i + 1], positions[i + 2]];
      most = Math.max(most, Math.hypot(y * pz - z * py, z * px - x * pz, x * py - y * px));
    }
    this.radius = most;
  }

  get extent(): { readonly length: number; readonly turning: number } {
    const { min, max } = this.bounds;
    const [u, v] = this.axes;
    return { length: Math.hypot(max[u] - min[u], max[v] - min[v]), turning: Math.PI };
  }

  /** The same robot, whose numbers begin elsewhere in a configuration. */
  withOffset(offset: number): PlanarRobot {
    return new PlanarRobot(this.name, offset, this.links[0].model, this.bounds, this.#plane, this.#reference);
  }

  /** The same robot with another body. */
  withModel(model: ProximityModel): PlanarRobot {
    return new PlanarRobot(this.name, this.offset, model, this.bounds, this.#plane, this.#reference);
  }

  read(pose: ArrayLike<number>, out: Float64Array): void {
    const [u, v, w] = this.axes;
    const turn = this.#turnTo(pose);
    out[this.offset] = pose[u];
    out[this.offset + 1] = pose[v];
    out[this.offset + 2] = turnBy(0, 2 * Math.atan2(turn[w], turn[3]));
  }

  describe(q: Float64Array): number[] {
    const pose = new Float64Array(7);
    this.place(q, pose);
    return [...pose];
  }

  misfit(pose: ReadonlyPose): string | null {
    const [u, v, w] = this.axes;
    const turn = this.#turnTo(pose);
    const height = Math.abs(pose[w] - this.#height);
    const tilt = 2 * Math.atan2(Math.hypot(turn[u], turn[v]), Math.hypot(turn[w], turn[3]));
    if (height <= OFF_PLANE * this.links[0].model.radius && tilt <= OFF_PLANE) return null;
    return `that its plane does not reach: ${height} across it, tilted by ${tilt} radians`;
  }

  place(q: Float64Array, poses: Float64Array): void {
    const [u, v, w] = this.axes;
    poses[u] = q[this.offset];
    poses[v] = q[this.offset + 1];
    poses[w] = this.#height;
    const half = q[this.offset + 2] / 2;
    const turn: quat.Quat = [0, 0, 0, Math.cos(half)];
    turn[w] = Math.sin(half);
    poses.set(quat.multiply(turn, this.#orientation), 3);
  }

  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    const at = this.offset;
    out[at] = a[at] + t * (b[at] - a[at]);
    out[at + 1] = a[at + 1] + t * (b[at + 1] - a[at + 1]);
    out[at + 2] = a[at + 2] + t * turnBy(a[at + 2], b[at + 2]);
  }

  distance(a: Float64Array, b: Float64Array): number {
    const at = this.offset;
    const turn = Math.abs(turnBy(a[at + 2], b[at + 2]));
    return Math.hypot(b[at] - a[at], b[at + 1] - a[at + 1]) + this.radius * turn;
  }

  sample(random: Random, out: Float64Array): void {
    const { min, max } = this.bounds;
    for (let k = 0; k < 2; k++) out[this.offset + k] = random.range(min[this.axes[k]], max[this.axes[k]]);
    out[this.offset + 2] = random.range(-Math.PI, Math.PI);
  }

  isAllowed(q: Float64Array): boolean {
    const { min, max } = this.bounds;
    for (let k = 0; k < 2; k++) {
      const at = q[this.offset + k];
      if (!(at >= min[this.axes[k]] && at <= max[this.axes[k]])) return false;
    }
    return true;
  }

  measure(a: Float64Array, b: Float64Array): { readonly length: number; readonly turning: number } {
    const at = this.offset;
    const length = Math.hypot(b[at] - a[at], b[at + 1] - a[at + 1]);
    return { length, turning: Math.abs(turnBy(a[at + 2], b[at + 2])) };
  }

  largestChanges(a: Float64Array, b: Float64Array): { readonly sliding: number; readonly turning: number } {
    const { length, turning } = this.measure(a, b);
    return { sliding: length, turning };
  }

  pushRow(
    q: Float64Array,
    _poses: Float64Array,
    _link: number,
    point: ArrayLike<number>,
    n: ArrayLike<number>,
    out: Float64Array,
  ): void {
    const [u, v, w] = this.axes;
    const arm = [0, 0, 0];
    arm[u] = point[u] - q[this.offset];
    arm[v] = point[v] - q[this.offset + 1];
    out[0] = n[u];
    out[1] = n[v];
    // The axis times the arm, along the direction.
    const [i, j] = [(w + 1) % 3, (w + 2) % 3];
    out[2] = (arm[i] * n[j] - arm[j] * n[i]) / this.radius;
  }

  moveBy(q: Float64Array, motion: Float64Array, out: Float64Array): void {
    const { min, max } = this.bounds;
    for (let k = 0; k < 2; k++) {
      const axis = this.axes[k];
      out[this.offset + k] = Math.min(max[axis], Math.max(min[axis], q[this.offset + k] + motion[k]));
    }
    out[this.offset + 2] = turnBy(0, q[this.offset + 2] + motion[2] / this.radius);
  }

  wayTo(a: Float64Array, b: Float64Array, out: Float64Array): void {
    out[0] = b[this.offset] - a[this.offset];
    out[1] = b[this.offset + 1] - a[this.offset + 1];
    out[2] = turnBy(a[this.offset + 2], b[this.offset + 2]) * this.radius;
  }

  hasWay(a: Float64Array, b: Float64Array): boolean {
    return Math.abs(turnBy(a[this.offset + 2], b[this.offset + 2])) < HALF_TURN;
  }

  turn(q: Float64Array, from: Vec3, to: Vec3): void {
    const [u, v] = this.axes;
    q[this.offset + 2] += this.turnSign * (Math.atan2(to[v], to[u]) - Math.atan2(from[v], from[u]));
  }

  /** The turn from the orientation that the robot was given in to that of a pose. */
  #turnTo(pose: ArrayLike<number>): quat.Quat {
    return quat.multiply([pose[3], pose[4], pose[5], pose[6]], quat.conjugate(this.#orientation));
  }
}
