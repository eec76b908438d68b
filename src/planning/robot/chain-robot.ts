// A tree of links and joints, as in URDF: child frame = parent frame · origin · motion. A configuration is the values of
// the joints that move, which change evenly along an edge.
import * as pose from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Random } from '../../core/random.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { farthestVertex } from './rigid-robot.js';
import type { LinkSpeeds, Robot, RobotLink } from './robot.js';

/** A joint between two links, by index. Links have one joint to their parent, but for the first, which is the root. */
export interface ChainJoint {
  readonly name: string;
  readonly type: 'revolute' | 'prismatic' | 'fixed';
  readonly parent: number;
  readonly child: number;
  /** Where the joint is in the parent's frame. */
  readonly origin: pose.Pose;
  /** Unit, in the joint's frame. */
  readonly axis: Vec3;
  /** The least and the greatest value, in radians or meters. */
  readonly limits: readonly [number, number];
}

/** A link of a chain; null for one without a body. */
export interface ChainLink {
  readonly name: string;
  readonly model: ProximityModel | null;
}

export class ChainRobot implements Robot, LinkSpeeds {
  readonly name: string;
  readonly offset: number;
  readonly size: number;
  readonly freedoms: number;
  readonly links: readonly RobotLink[];
  readonly linkPairs: readonly (readonly [number, number])[];
  readonly speeds: LinkSpeeds;
  readonly joints: readonly ChainJoint[];
  readonly #base: pose.Pose;
  /** The number of a joint's value in the configuration, −1 for a fixed joint. */
  readonly #valueOf: Int32Array;
  /** The frames of all links of the tree, and the links with bodies among them. */
  readonly #frames: pose.Pose[];
  readonly #bodies: readonly number[];
  /** The joint of each value, and the values that move each link, from the link to the root. */
  readonly #jointOf: readonly number[];
  readonly #movers: readonly (readonly number[])[];
  /** Radii of the links about their frames' origins. */
  readonly #radii: readonly number[];
  /** For each link with a body and each value: how fast it moves the link's points, at most. */
  readonly #rates: Float64Array;
  /** Weights of the values in {@link distance}: how far a unit moves any point, at most. */
  readonly #reach: Float64Array;

  /** @param ignored pairs of links, by index among `links`, that may touch; neighbors may always. */
  constructor(
    name: string,
    offset: number,
    links: readonly ChainLink[],
    joints: readonly ChainJoint[],
    base: pose.Pose,
    ignored: readonly (readonly [number, number])[],
  ) {
    this.name = name;
    this.offset = offset;
    this.joints = joints;
    this.#base = base;
    this.#frames = links.map(() => pose.identity());
    this.#valueOf = new Int32Array(joints.length).fill(-1);
    const jointOf: number[] = [];
    for (const [j, joint] of joints.entries()) if (joint.type !== 'fixed') this.#valueOf[j] = jointOf.push(j) - 1;
    this.#jointOf = jointOf;
    this.size = this.freedoms = jointOf.length;
    const parentJoint = new Map(joints.map((joint, j) => [joint.child, j]));
    const moversOf = (link: number): number[] => {
      const values: number[] = [];
      for (let at = link, j = parentJoint.get(at); j !== undefined; j = parentJoint.get(at)) {
        if (this.#valueOf[j] >= 0) values.push(this.#valueOf[j]);
        at = joints[j].parent;
      }
      return values;
    };
    this.#bodies = links.flatMap(({ model }, i) => (model === null ? [] : [i]));
    this.#movers = this.#bodies.map(moversOf);
    this.#radii = this.#bodies.map((i) => farthestVertex(links[i].model!.mesh.positions));
    this.links = this.#bodies.map((i, k) => {
      return { name: links[i].name, model: links[i].model!, isTested: this.#movers[k].length > 0 };
    });
    this.linkPairs = this.#pairs(ignored);
    this.#rates = new Float64Array(this.#bodies.length * this.size);
    this.#reach = new Float64Array(this.size);
    this.speeds = this;
    this.#measureReach();
  }

  read(description: ArrayLike<number>, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[this.offset + k] = description[k];
  }

  place(q: Float64Array, poses: Float64Array): void {
    this.#move(q);
    for (const [k, body] of this.#bodies.entries()) poses.set(this.#frames[body], 7 * k);
  }

  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    for (let k = this.offset; k < this.offset + this.size; k++) out[k] = a[k] + t * (b[k] - a[k]);
  }

  distance(a: Float64Array, b: Float64Array): number {
    let sum = 0;
    for (let k = 0; k < this.size; k++) sum += this.#reach[k] * Math.abs(b[this.offset + k] - a[this.offset + k]);
    return sum;
  }

  sample(random: Random, out: Float64Array): void {
    for (const [k, j] of this.#jointOf.entries()) {
      out[this.offset + k] = random.range(this.joints[j].limits[0], this.joints[j].limits[1]);
    }
  }

  isAllowed(q: Float64Array): boolean {
    return this.#jointOf.every((j, k) => {
      const [low, high] = this.joints[j].limits;
      return q[this.offset + k] >= low && q[this.offset + k] <= high;
    });
  }

  measure(a: Float64Array, b: Float64Array): { readonly length: number; readonly turning: number } {
    let [sum, turning] = [0, 0];
    for (const [k, j] of this.#jointOf.entries()) {
      const way = b[this.offset + k] - a[this.offset + k];
      sum += way * way;
      if (this.joints[j].type === 'revolute') turning += Math.abs(way);
    }
    return { length: Math.sqrt(sum), turning };
  }

  pushRow(
    q: Float64Array,
    _poses: Float64Array,
    link: number,
    point: ArrayLike<number>,
    n: ArrayLike<number>,
    out: Float64Array,
  ): void {
    this.#move(q);
    out.fill(0, 0, this.size);
    for (const value of this.#movers[link]) {
      const joint = this.joints[this.#jointOf[value]];
      const frame = this.#frames[joint.child];
      const [x, y, z] = pose.transformVector(frame, joint.axis);
      let rate = x * n[0] + y * n[1] + z * n[2];
      if (joint.type === 'revolute') {
        const [dx, dy, dz] = [point[0] - frame[0], point[1] - frame[1], point[2] - frame[2]];
        rate = (y * dz - z * dy) * n[0] + (z * dx - x * dz) * n[1] + (x * dy - y * dx) * n[2];
      }
      out[value] = rate / this.#reach[value];
    }
  }

  moveBy(q: Float64Array, motion: Float64Array, out: Float64Array): void {
    for (const [k, j] of this.#jointOf.entries()) {
      const [low, high] = this.joints[j].limits;
      out[this.offset + k] = Math.min(high, Math.max(low, q[this.offset + k] + motion[k] / this.#reach[k]));
    }
  }

  wayTo(a: Float64Array, b: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[k] = (b[this.offset + k] - a[this.offset + k]) * this.#reach[k];
  }

  hasWay(): boolean {
    return true;
  }

  /**
   * A value moves the points of a link by at most their distance ρ from its axis, for a turn, or by 1. Distances now are
   * known; the values farther out change them by at most what these move. So bounds are made from the link inwards.
   */
  prepare(q: Float64Array, a: Float64Array, b: Float64Array, rest: number): void {
    this.#move(q);
    for (let body = 0; body < this.#bodies.length; body++) {
      const [x, y, z] = this.#frames[this.#bodies[body]];
      let moved = 0;
      for (const value of this.#movers[body]) {
        const joint = this.joints[this.#jointOf[value]];
        const change = Math.abs(b[this.offset + value] - a[this.offset + value]);
        let rate = change;
        if (joint.type === 'revolute') {
          // The axis passes through the child's origin, in both frames.
          const frame = this.#frames[joint.child];
          const [ax, ay, az] = pose.transformVector(frame, joint.axis);
          const [dx, dy, dz] = [x - frame[0], y - frame[1], z - frame[2]];
          const lever = Math.hypot(ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx);
          rate = change * (lever + this.#radii[body] + moved) * (1 + 1e-12);
        }
        this.#rates[body * this.size + value] = rate;
        moved += rate * rest;
      }
    }
  }

  ofLink(link: number): number {
    let sum = 0;
    for (const value of this.#movers[link]) sum += this.#rates[link * this.size + value];
    return sum;
  }

  between(link: number, other: number): number {
    let sum = 0;
    for (const value of this.#movers[link]) {
      if (!this.#movers[other].includes(value)) sum += this.#rates[link * this.size + value];
    }
    for (const value of this.#movers[other]) {
      if (!this.#movers[link].includes(value)) sum += this.#rates[other * this.size + value];
    }
    return sum;
  }

  /** Moves the frames of all links. */
  #move(q: Float64Array): void {
    const frames = this.#frames;
    pose.multiply(this.#base, pose.identity(), frames[0]);
    for (const [j, joint] of this.joints.entries()) {
      const frame = frames[joint.child];
      pose.multiply(frames[joint.parent], joint.origin, frame);
      if (joint.type === 'fixed') continue;
      const value = q[this.offset + this.#valueOf[j]];
      const motion: pose.Pose =
        joint.type === 'prismatic'
          ? [joint.axis[0] * value, joint.axis[1] * value, joint.axis[2] * value, 0, 0, 0, 1]
          : [0, 0, 0, ...quat.fromAxisAngle(joint.axis, value)];
      pose.multiply(frame, motion, frame);
    }
  }

  /** Pairs of links with bodies that can move against each other, but for neighbors and ignored ones. */
  #pairs(ignored: readonly (readonly [number, number])[]): (readonly [number, number])[] {
    const isJoined = (a: number, b: number): boolean => {
      return this.joints.some(({ parent, child }) => (parent === a && child === b) || (parent === b && child === a));
    };
    const isIgnored = (a: number, b: number): boolean => {
      return ignored.some(([c, d]) => (c === a && d === b) || (c === b && d === a));
    };
    const pairs: (readonly [number, number])[] = [];
    for (let i = 0; i < this.#bodies.length; i++) {
      for (let k = i + 1; k < this.#bodies.length; k++) {
        const [a, b] = [this.#bodies[i], this.#bodies[k]];
        const isRigid = this.#movers[i].join() === this.#movers[k].join();
        if (!isRigid && !isJoined(a, b) && !isIgnored(a, b)) pairs.push([i, k]);
      }
    }
    return pairs;
  }

  /** Bounds for any configuration: levers no longer than all offsets on the way from the joint to the link. */
  #measureReach(): void {
    for (let body = 0; body < this.#bodies.length; body++) {
      let lever = this.#radii[body];
      let link = this.#bodies[body];
      for (;;) {
        const j = this.joints.findIndex(({ child }) => child === link);
        if (j < 0) break;
        const joint = this.joints[j];
        const value = this.#valueOf[j];
        if (joint.type === 'prismatic') {
          this.#reach[value] = Math.max(this.#reach[value], 1);
          lever += Math.max(Math.abs(joint.limits[0]), Math.abs(joint.limits[1]));
        } else if (joint.type === 'revolute') this.#reach[value] = Math.max(this.#reach[value], lever);
        lever += Math.hypot(joint.origin[0], joint.origin[1], joint.origin[2]);
        link = joint.parent;
      }
    }
  }
}
