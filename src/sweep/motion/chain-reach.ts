// How far any point of a link can move, seen from another link, while the joints stay within a box of values: each joint turns
// or shifts what is beyond it, from the link inwards, by no more than its half-width times the largest lever. Proven for
// any configuration in the box; the cost is linear in the joints between the two links.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ChainRobot } from '../../kinematics/robot/chain-robot.js';
import { DISTANCE_ROUNDING } from '../../kinematics/validity/distance-rounding.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** Rounding: half-widths and levers are raised by this share, far above the errors of a chain of a hundred joints. */
const ROUND_UP = 1 + 1e-10;

/** The joints between two bodies of a chain: those that move a alone, from it inwards, then those that move b alone, inwards too. */
interface Between {
  readonly ofA: readonly number[];
  readonly ofB: readonly number[];
}

/** Bounds of motions of the bodies of a chain about a configuration. */
export class ChainReach {
  readonly chain: ChainRobot;
  readonly #models: readonly ProximityModel[];
  /** By body: its link in the tree, and the joints that move it, from the link to the root, fixed ones left out. */
  readonly #links: readonly number[];
  readonly #movers: readonly (readonly number[])[];
  /** By body: the largest distance of its vertices from the axis of the joint next to it; this never changes. */
  readonly #ownLevers: readonly number[];
  readonly #between = new Map<number, Between>();
  /** By joint: a point of its axis and its direction, in the world, at the configuration in question. */
  readonly #axes: Float64Array;
  /** By body: the middle of its ball. */
  readonly #middles: Float64Array;
  /** By body: its frame in the world. */
  readonly #frames: readonly Float64Array[];
  readonly #moved: number[] = [];
  readonly #sizes: Float64Array;
  readonly #isPlaced: Uint8Array;
  /** The configuration in question. */
  #q: Float64Array;

  constructor(chain: ChainRobot) {
    this.chain = chain;
    this.#models = chain.links.map(({ model }) => model);
    this.#links = chain.links.map(({ name }) => chain.linkNames.indexOf(name));
    this.#movers = this.#links.map((link) => chain.jointsOf(link).filter((j) => chain.joints[j].type !== 'fixed'));
    this.#ownLevers = this.#models.map((_, body) => this.#ownLever(body));
    this.#axes = new Float64Array(6 * chain.joints.length);
    this.#middles = new Float64Array(3 * this.#models.length);
    this.#frames = this.#models.map(() => new Float64Array(7));
    this.#sizes = new Float64Array(this.#models.length);
    this.#isPlaced = new Uint8Array(this.#models.length);
    this.#q = new Float64Array(chain.offset + chain.size);
  }

  /** The joints that move one body against another; −1 is the world. */
  jointsBetween(a: number, b: number): readonly number[] {
    const { ofA, ofB } = this.#pair(a, b);
    return [...ofA, ...ofB];
  }

  /** The same, those beyond which a is before those beyond which b is, each from the body inwards. */
  sidesBetween(a: number, b: number): { readonly ofA: readonly number[]; readonly ofB: readonly number[] } {
    return this.#pair(a, b);
  }

  /** Takes the configuration in the middle of the boxes that {@link between} is asked about. */
  prepare(q: Float64Array): void {
    this.#q = q;
    this.#isPlaced.fill(0);
  }

  /** Places what bounds of one pair need, once for each configuration. */
  #placePair(a: number, b: number, { ofA, ofB }: Between): void {
    for (const j of ofA) this.#placeJoint(j);
    for (const j of ofB) this.#placeJoint(j);
    this.#placeBody(a);
    if (b >= 0) this.#placeBody(b);
  }

  #placeJoint(j: number): void {
    const { chain } = this;
    const { child, axis } = chain.joints[j];
    const frame = chain.frameAt(this.#q, child);
    // The axis passes through the child's origin, in both frames.
    for (let k = 0; k < 3; k++) this.#axes[6 * j + k] = frame[k];
    this.#axes.set(pose.transformVector(frame, axis), 6 * j + 3);
  }

  #placeBody(body: number): void {
    if (this.#isPlaced[body] === 1) return;
    this.#isPlaced[body] = 1;
    const frame = this.#frames[body];
    frame.set(this.chain.frameAt(this.#q, this.#links[body]));
    const { center, radius } = this.#models[body];
    const middle = pose.transformPoint(frame, center);
    this.#middles.set(middle, 3 * body);
    this.#sizes[body] = Math.hypot(...middle) + radius;
  }

  /**
   * The most by which a distance between two bodies can change while each joint stays within its half-width of the prepared
   * configuration. It is the least sum of both motions seen from a link between them.
   * @param widths by joint of the chain: radians or meters; those of fixed joints are not read.
   * @param b −1: the world.
   */
  between(a: number, b: number, widths: Float64Array): number {
    const pair = this.#pair(a, b);
    const { ofA, ofB } = pair;
    const count = ofA.length + ofB.length;
    if (count === 0) return 0;
    this.#placePair(a, b, pair);
    // The motion of a by the first joints on the way from it to b, then that of b by the last ones.
    const moved = this.#moved;
    moved[0] = 0;
    for (let i = 0; i < count; i++) {
      const joint = i < ofA.length ? ofA[i] : ofB[count - 1 - i];
      moved[i + 1] = moved[i] + this.#shift(a, joint, widths[joint], moved[i], i === 0 && joint === ofA[0]);
    }
    let least = moved[count];
    if (b >= 0) {
      let other = 0;
      for (let i = count - 1; i >= 0; i--) {
        const joint = i < ofA.length ? ofA[i] : ofB[count - 1 - i];
        other += this.#shift(b, joint, widths[joint], other, i === count - 1 && joint === ofB[0]);
        least = Math.min(least, other + moved[i]);
      }
    }
    const size = this.#sizes[a] + (b < 0 ? 0 : this.#sizes[b]);
    return least * ROUND_UP + DISTANCE_ROUNDING * size;
  }

  /** How far a joint moves the points of a body that inner joints have moved by `moved` before. */
  #shift(body: number, joint: number, width: number, moved: number, isNext: boolean): number {
    if (this.chain.joints[joint].type === 'prismatic') return width;
    const chord = width < Math.PI ? 2 * Math.sin(width / 2) : 2;
    return chord * ((isNext ? this.#ownLevers[body] : this.#lever(body, joint)) + moved);
  }

  /** At least the largest distance of a point of a body from the axis of a joint: by its ball, and by its box. */
  #lever(body: number, joint: number): number {
    const middles = this.#middles;
    const axes = this.#axes;
    const { radius, boxMin, boxMax } = this.#models[body];
    const at = 6 * joint;
    const [px, py, pz, ax, ay, az] = [axes[at], axes[at + 1], axes[at + 2], axes[at + 3], axes[at + 4], axes[at + 5]];
    const off = (x: number, y: number, z: number): number => {
      const [dx, dy, dz] = [x - px, y - py, z - pz];
      return Math.hypot(ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx);
    };
    const ball = off(middles[3 * body], middles[3 * body + 1], middles[3 * body + 2]) + radius;
    let box = 0;
    const corner: Vec3 = [0, 0, 0];
    for (let i = 0; i < 8; i++) {
      for (let k = 0; k < 3; k++) corner[k] = (i >> k) & 1 ? boxMax[k] : boxMin[k];
      const [x, y, z] = pose.transformPoint(this.#frames[body], corner);
      box = Math.max(box, off(x, y, z));
    }
    return Math.min(ball, box);
  }

  #ownLever(body: number): number {
    const joint = this.#movers[body][0];
    if (joint === undefined || this.chain.joints[joint].type === 'prismatic') return 0;
    // Fixed joints may stand between: the axis in the body's frame is the same in all configurations.
    const q = new Float64Array(this.chain.offset + this.chain.size);
    const { child, axis } = this.chain.joints[joint];
    const frame = Array.from(this.chain.frameAt(q, child));
    const toBody = pose.bInA(Array.from(this.chain.frameAt(q, this.#links[body])), frame);
    const [ax, ay, az] = pose.transformVector(toBody, axis);
    const { positions } = this.#models[body].mesh;
    let most = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const [dx, dy, dz] = [positions[i] - toBody[0], positions[i + 1] - toBody[1], positions[i + 2] - toBody[2]];
      const [x, y, z] = [ay * dz - az * dy, az * dx - ax * dz, ax * dy - ay * dx];
      most = Math.max(most, x * x + y * y + z * z);
    }
    return Math.sqrt(most);
  }

  #pair(a: number, b: number): Between {
    const key = a * (this.#models.length + 1) + b + 1;
    let found = this.#between.get(key);
    if (found === undefined) {
      const [own, theirs] = [this.#movers[a], b < 0 ? [] : this.#movers[b]];
      found = { ofA: own.filter((j) => !theirs.includes(j)), ofB: theirs.filter((j) => !own.includes(j)) };
      this.#between.set(key, found);
    }
    return found;
  }
}
