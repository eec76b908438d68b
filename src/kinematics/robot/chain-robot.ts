// A tree of links and joints, as in URDF: child frame = parent frame · origin · motion. A configuration is the values of
// the joints that move by themselves, which change evenly along an edge. A joint that mimics another has a linear function
// of its value.
import { DerivedParts } from '../../core/derived-parts.js';
import * as pose from '../../core/pose.js';
import type { Random } from '../../core/random.js';
import { addRotated } from '../../core/turns.js';
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
  /** The least and the greatest value, in radians or meters; of a joint that mimics another, by the limits of that one. */
  readonly limits: readonly [number, number];
  /** The joint, by index, whose value times `factor` plus `offset` is the value of this one. */
  readonly mimic?: { readonly joint: number; readonly factor: number; readonly offset: number } | undefined;
}

/** Chosen: the meters that a unit of a value counts for where the value moves no body. */
const SMALLEST_REACH = 1e-3;

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
  readonly body = null;
  readonly chain = this;
  /** What is derived from the chain, in whatever scene it is. */
  readonly parts = new DerivedParts<ChainRobot>(this);
  readonly fault = 'is beyond the limits of its joints';
  readonly joints: readonly ChainJoint[];
  readonly limits: readonly (readonly [number, number])[];
  /** Of all links of the tree, those without bodies among them. */
  readonly linkNames: readonly string[];
  readonly #base: pose.Pose;
  /** The number of the value that moves a joint in the configuration, −1 for a fixed joint, and how it follows from it. */
  readonly #valueOf: Int32Array;
  readonly #factors: Float64Array;
  readonly #offsets: Float64Array;
  /** The frames of all links of the tree, and the links with bodies among them. */
  readonly #frames: Float64Array[];
  /** The values that the frames are of. */
  readonly #placed: Float64Array;
  readonly #bodies: readonly number[];
  /** The joint of each value, and the joints that move each link, from the link to the root. */
  readonly #jointOf: readonly number[];
  readonly #movers: readonly (readonly number[])[];
  /** Radii of the links about their frames' origins. */
  readonly #radii: readonly number[];
  /** For each link with a body and each joint: the largest speed it gives the link's points. */
  readonly #rates: Float64Array;
  /** For each link with a body and each joint: the farthest a unit of it moves the link's points in any configuration. */
  readonly #levers: Float64Array;
  /** How far each joint moves along the edge prepared last. */
  readonly #changes: Float64Array;
  /** Weights of the values in {@link distance}: the farthest that a unit moves any point. */
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
    this.linkNames = links.map((link) => link.name);
    this.#base = base;
    this.#frames = links.map(() => new Float64Array(7));
    this.#valueOf = new Int32Array(joints.length).fill(-1);
    this.#factors = new Float64Array(joints.length).fill(1);
    this.#offsets = new Float64Array(joints.length);
    const jointOf: number[] = [];
    for (const [j, { type, mimic }] of joints.entries()) {
      if (type !== 'fixed' && mimic === undefined) this.#valueOf[j] = jointOf.push(j) - 1;
    }
    for (const [j, { mimic }] of joints.entries()) {
      if (mimic === undefined) continue;
      this.#valueOf[j] = this.#valueOf[mimic.joint];
      this.#factors[j] = mimic.factor;
      this.#offsets[j] = mimic.offset;
    }
    this.#jointOf = jointOf;
    this.limits = jointOf.map((j) => joints[j].limits);
    this.size = this.freedoms = jointOf.length;
    this.#placed = new Float64Array(this.size).fill(Number.NaN);
    this.#bodies = links.flatMap(({ model }, i) => (model === null ? [] : [i]));
    this.#movers = this.#bodies.map((link) => this.jointsOf(link).filter((j) => this.#valueOf[j] >= 0));
    this.#radii = this.#bodies.map((i) => farthestVertex(links[i].model!.mesh.positions));
    this.links = this.#bodies.map((i, k) => {
      return { name: links[i].name, model: links[i].model!, isTested: this.#movers[k].length > 0 };
    });
    this.linkPairs = this.#pairs(ignored);
    this.#rates = new Float64Array(this.#bodies.length * joints.length);
    this.#levers = new Float64Array(this.#bodies.length * joints.length);
    this.#changes = new Float64Array(joints.length);
    this.#reach = new Float64Array(this.size);
    this.speeds = this;
    this.#measureReach();
  }

  /** The names of the joints whose values make a configuration, in order. */
  get valueNames(): string[] {
    return this.#jointOf.map((j) => this.joints[j].name);
  }

  get extent(): { readonly length: number; readonly turning: number } {
    let [length, turning] = [0, 0];
    for (const { type, limits, mimic } of this.joints) {
      if (mimic !== undefined) continue;
      if (type === 'prismatic') length = Math.max(length, limits[1] - limits[0]);
      if (type === 'revolute') turning = Math.max(turning, limits[1] - limits[0]);
    }
    return { length, turning };
  }

  /** The largest change of a slide, in meters, and of a hinge, in radians. */
  largestChanges(a: Float64Array, b: Float64Array): { readonly sliding: number; readonly turning: number } {
    let [sliding, turning] = [0, 0];
    for (const [k, j] of this.#jointOf.entries()) {
      const way = Math.abs(b[this.offset + k] - a[this.offset + k]);
      if (this.joints[j].type === 'prismatic') sliding = Math.max(sliding, way);
      else turning = Math.max(turning, way);
    }
    return { sliding, turning };
  }

  read(description: ArrayLike<number>, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[this.offset + k] = description[k];
  }

  describe(q: Float64Array): number[] {
    return [...q.subarray(this.offset, this.offset + this.size)];
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
    for (let k = 0; k < this.size; k++) {
      const [low, high] = this.limits[k];
      out[this.offset + k] = random.range(low, high);
    }
  }

  isAllowed(q: Float64Array): boolean {
    return this.limits.every(([low, high], k) => q[this.offset + k] >= low && q[this.offset + k] <= high);
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
    for (const mover of this.#movers[link]) {
      const joint = this.joints[mover];
      const value = this.#valueOf[mover];
      const frame = this.#frames[joint.child];
      const [x, y, z] = pose.transformVector(frame, joint.axis);
      let rate = x * n[0] + y * n[1] + z * n[2];
      if (joint.type === 'revolute') {
        const [dx, dy, dz] = [point[0] - frame[0], point[1] - frame[1], point[2] - frame[2]];
        rate = (y * dz - z * dy) * n[0] + (z * dx - x * dz) * n[1] + (x * dy - y * dx) * n[2];
      }
      out[value] += (this.#factors[mover] * rate) / this.#reach[value];
    }
  }

  moveBy(q: Float64Array, motion: Float64Array, out: Float64Array): void {
    for (const [k, [low, high]] of this.limits.entries()) {
      out[this.offset + k] = Math.min(high, Math.max(low, q[this.offset + k] + motion[k] / this.#reach[k]));
    }
  }

  wayTo(a: Float64Array, b: Float64Array, out: Float64Array): void {
    for (let k = 0; k < this.size; k++) out[k] = (b[this.offset + k] - a[this.offset + k]) * this.#reach[k];
  }

  hasWay(): boolean {
    return true;
  }

  /** All joints from a link of the tree to the root, fixed ones too. */
  jointsOf(link: number): number[] {
    const found: number[] = [];
    for (let at = link; ; at = this.joints[found[found.length - 1]].parent) {
      const j = this.joints.findIndex(({ child }) => child === at);
      if (j < 0) return found;
      found.push(j);
    }
  }

  /** The number of the value that moves a joint, −1 for a fixed one, and how far it moves with a unit of it. */
  valueOf(joint: number): { readonly value: number; readonly factor: number } {
    return { value: this.#valueOf[joint], factor: this.#factors[joint] };
  }

  /** The largest distance of a point of a link with a body from the origin of its frame. */
  radiusOf(link: number): number {
    return this.#radii[link];
  }

  /** The farthest that a unit of a value moves any point. */
  reachOf(value: number): number {
    return this.#reach[value];
  }

  /** The frame of any link of the tree at q; written anew when the robot is placed at other values. */
  frameAt(q: Float64Array, link: number): Float64Array {
    this.#move(q);
    return this.#frames[link];
  }

  /**
   * A value moves the points of a link by at most their distance ρ from its axis, for a turn, or by 1. Distances now are
   * known; the values farther out change them by at most what these move. So bounds are made from the link inwards.
   */
  prepare(q: Float64Array, a: Float64Array, b: Float64Array, rest: number): void {
    this.#move(q);
    for (let j = 0; j < this.joints.length; j++) {
      const value = this.offset + this.#valueOf[j];
      this.#changes[j] = this.#valueOf[j] < 0 ? 0 : Math.abs(this.#factors[j] * (b[value] - a[value]));
    }
    for (let body = 0; body < this.#bodies.length; body++) {
      const [x, y, z] = this.#frames[this.#bodies[body]];
      let moved = 0;
      for (const mover of this.#movers[body]) {
        const joint = this.joints[mover];
        const change = this.#changes[mover];
        let rate = change;
        if (joint.type === 'revolute') {
          // The axis passes through the child's origin, in both frames.
          const frame = this.#frames[joint.child];
          const [ax, ay, az] = pose.transformVector(frame, joint.axis);
          const [dx, dy, dz] = [x - frame[0], y - frame[1], z - frame[2]];
          const lever = Math.hypot(ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx);
          rate = change * (lever + this.#radii[body] + moved) * (1 + 1e-12);
        }
        this.#rates[body * this.joints.length + mover] = rate;
        moved += rate * rest;
      }
    }
  }

  ofLink(link: number): number {
    let sum = 0;
    for (const mover of this.#movers[link]) sum += this.#rates[link * this.joints.length + mover];
    return sum;
  }

  between(link: number, other: number): number {
    let sum = 0;
    for (const mover of this.#movers[link]) {
      if (!this.#movers[other].includes(mover)) sum += this.#rates[link * this.joints.length + mover];
    }
    for (const mover of this.#movers[other]) {
      if (!this.#movers[link].includes(mover)) sum += this.#rates[other * this.joints.length + mover];
    }
    return sum;
  }

  /**
   * With even rates, the second derivative of a point by an outer and an inner value is a turn about the inner axis of its
   * derivative by the outer one, so at most that derivative: the lever about the outer axis.
   */
  bend(link: number, carrier: number): number {
    const movers = this.#movers[link];
    const count = movers.length - (carrier < 0 ? 0 : this.#movers[carrier].length);
    let inner = 0;
    for (let i = 0; i < count; i++) if (this.#isTurn(movers[i])) inner += this.#changes[movers[i]];
    let sum = 0;
    // From the link inwards.
    for (let i = 0; i < count; i++) {
      const change = this.#changes[movers[i]];
      const own = this.#isTurn(movers[i]) ? change : 0;
      inner -= own;
      sum += change * this.#levers[link * this.joints.length + movers[i]] * (own + 2 * inner);
    }
    return sum * (1 + 1e-12);
  }

  carries(link: number, other: number): boolean {
    const [own, theirs] = [this.#movers[link], this.#movers[other]];
    return own.every((mover, i) => mover === theirs[theirs.length - own.length + i]);
  }

  #isTurn(joint: number): boolean {
    return this.joints[joint].type === 'revolute';
  }

  /** Moves the frames of all links, unless they are there. */
  #move(q: Float64Array): void {
    const placed = this.#placed;
    let isThere = this.size > 0;
    for (let k = 0; k < this.size; k++) {
      if (placed[k] === q[this.offset + k]) continue;
      placed[k] = q[this.offset + k];
      isThere = false;
    }
    if (isThere) return;
    const frames = this.#frames;
    frames[0].set(this.#base);
    for (let j = 0; j < this.joints.length; j++) {
      const joint = this.joints[j];
      const frame = frames[joint.child];
      carry(frames[joint.parent], joint.origin, frame);
      if (joint.type === 'fixed') continue;
      const value = this.#factors[j] * q[this.offset + this.#valueOf[j]] + this.#offsets[j];
      const [x, y, z] = joint.axis;
      if (joint.type === 'prismatic') shift(frame, x * value, y * value, z * value);
      else turn(frame, x, y, z, value);
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
      // A value may move a link by several joints.
      const sums = new Float64Array(this.size);
      for (;;) {
        const j = this.joints.findIndex(({ child }) => child === link);
        if (j < 0) break;
        const joint = this.joints[j];
        const value = this.#valueOf[j];
        const at = body * this.joints.length + j;
        if (joint.type === 'prismatic') {
          sums[value] += Math.abs(this.#factors[j]);
          this.#levers[at] = 1;
          lever += Math.max(Math.abs(joint.limits[0]), Math.abs(joint.limits[1]));
        } else if (joint.type === 'revolute') {
          sums[value] += Math.abs(this.#factors[j]) * lever;
          this.#levers[at] = lever * (1 + 1e-12);
        }
        lever += Math.hypot(joint.origin[0], joint.origin[1], joint.origin[2]);
        link = joint.parent;
      }
      for (let value = 0; value < this.size; value++) {
        this.#reach[value] = Math.max(this.#reach[value], sums[value]);
      }
    }
    // A value that moves no body moves nothing that counts, but its way must not be free of cost.
    for (let value = 0; value < this.size; value++) {
      if (!(this.#reach[value] > 0)) this.#reach[value] = SMALLEST_REACH;
    }
  }
}

/** Writes the pose b, given in the frame of a. */
function carry(a: Float64Array, b: ArrayLike<number>, out: Float64Array): void {
  const [x, y, z, w] = [a[3], a[4], a[5], a[6]];
  out[0] = a[0];
  out[1] = a[1];
  out[2] = a[2];
  out[3] = w * b[3] + x * b[6] + y * b[5] - z * b[4];
  out[4] = w * b[4] - x * b[5] + y * b[6] + z * b[3];
  out[5] = w * b[5] + x * b[4] - y * b[3] + z * b[6];
  out[6] = w * b[6] - x * b[3] - y * b[4] - z * b[5];
  addRotated(x, y, z, w, b[0], b[1], b[2], out, 0);
}

/** Shifts a frame along a vector of its own. */
function shift(frame: Float64Array, x: number, y: number, z: number): void {
  addRotated(frame[3], frame[4], frame[5], frame[6], x, y, z, frame, 0);
}

/** Turns a frame about an axis of its own. */
function turn(frame: Float64Array, ax: number, ay: number, az: number, angle: number): void {
  const sin = Math.sin(angle / 2);
  const cos = Math.cos(angle / 2);
  const [x, y, z, w] = [frame[3], frame[4], frame[5], frame[6]];
  const [p, q, r] = [ax * sin, ay * sin, az * sin];
  frame[3] = w * p + x * cos + y * r - z * q;
  frame[4] = w * q - x * r + y * cos + z * p;
  frame[5] = w * r + x * q - y * p + z * cos;
  frame[6] = w * cos - x * p - y * q - z * r;
}
