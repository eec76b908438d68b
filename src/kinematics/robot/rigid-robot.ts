// A rigid body that moves freely in space. Its configuration is a pose: translation, then a unit quaternion. Between two
// configurations its origin moves on a straight line and it turns evenly the shorter way.
import type { Box } from '../../core/box.js';
import * as quat from '../../core/quat.js';
import type { Random } from '../../core/random.js';
import { angleBetween, slerp } from '../../core/turns.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import type { BodyRobot } from './body-robot.js';
import type { RobotLink } from './robot.js';

/** Rounding: edges turn by less than this, in radians. At 180 degrees rounding would choose the way. */
const HALF_TURN = Math.PI - 1e-6;

/** Rounding: two directions with 1 + cosine below this are opposite; the axis of the turn between them is noise then. */
const OPPOSITE = 1e-6;

export class RigidRobot implements BodyRobot {
  readonly name: string;
  readonly offset: number;
  readonly size = 7;
  readonly freedoms = 6;
  readonly links: readonly RobotLink[];
  readonly linkPairs: readonly (readonly [number, number])[] = [];
  readonly speeds = null;
  readonly body = this;
  readonly chain = null;
  readonly fault = 'is out of its bounds';
  readonly ways = 3;
  readonly turnSign = 1;
  readonly axes: readonly [number, number, number] = [0, 1, 2];
  readonly bounds: Box;
  readonly limits: readonly (readonly [number, number])[];
  /** The largest distance of a vertex from the origin. */
  readonly radius: number;
  /** Small motions turn about the middle of the model; their last three numbers are the turn times its radius. */
  readonly #pivot: ReadonlyVec3;
  readonly #lever: number;

  constructor(name: string, offset: number, model: ProximityModel, bounds: Box) {
    this.name = name;
    this.offset = offset;
    this.links = [{ name, model, isTested: true }];
    this.bounds = bounds;
    this.limits = this.axes.map((k) => [bounds.min[k], bounds.max[k]]);
    this.#pivot = model.center;
    this.#lever = model.radius;
    this.radius = farthestVertex(model.mesh.positions);
  }

  get extent(): { readonly length: number; readonly turning: number } {
    const { min, max } = this.bounds;
    return { length: Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2]), turning: Math.PI };
  }

  /** The same robot, whose numbers begin elsewhere in a configuration. */
  withOffset(offset: number): RigidRobot {
    return new RigidRobot(this.name, offset, this.links[0].model, this.bounds);
  }

  /** The same robot with another body. */
  withModel(model: ProximityModel): RigidRobot {
    return new RigidRobot(this.name, this.offset, model, this.bounds);
  }

  read(description: ArrayLike<number>, out: Float64Array): void {
    for (let k = 0; k < 7; k++) out[this.offset + k] = description[k];
  }

  describe(q: Float64Array): number[] {
    return [...q.subarray(this.offset, this.offset + 7)];
  }

  misfit(): null {
    return null;
  }

  place(q: Float64Array, poses: Float64Array): void {
    for (let k = 0; k < 7; k++) poses[k] = q[this.offset + k];
  }

  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    const at = this.offset;
    for (let k = at; k < at + 3; k++) out[k] = a[k] + t * (b[k] - a[k]);
    slerp(a, at + 3, b, at + 3, t, out, at + 3);
  }

  distance(a: Float64Array, b: Float64Array): number {
    const at = this.offset;
    // Nearest neighbors are found by this; Math.hypot takes several times as long.
    const [x, y, z] = [b[at] - a[at], b[at + 1] - a[at + 1], b[at + 2] - a[at + 2]];
    return Math.sqrt(x * x + y * y + z * z) + this.radius * this.#angle(a, b);
  }

  sample(random: Random, out: Float64Array): void {
    const { min, max } = this.bounds;
    for (let k = 0; k < 3; k++) out[this.offset + k] = random.range(min[k], max[k]);
    out.set(random.rotation(), this.offset + 3);
  }

  isAllowed(q: Float64Array): boolean {
    const { min, max } = this.bounds;
    for (let k = 0; k < 3; k++) if (!(q[this.offset + k] >= min[k] && q[this.offset + k] <= max[k])) return false;
    return true;
  }

  measure(a: Float64Array, b: Float64Array): { readonly length: number; readonly turning: number } {
    const at = this.offset;
    const length = Math.hypot(b[at] - a[at], b[at + 1] - a[at + 1], b[at + 2] - a[at + 2]);
    return { length, turning: this.#angle(a, b) };
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
    const at = this.offset;
    const [px, py, pz] = quat.rotate(q.subarray(at + 3, at + 7), this.#pivot);
    const x = point[0] - q[at] - px;
    const y = point[1] - q[at + 1] - py;
    const z = point[2] - q[at + 2] - pz;
    out[0] = n[0];
    out[1] = n[1];
    out[2] = n[2];
    out[3] = (y * n[2] - z * n[1]) / this.#lever;
    out[4] = (z * n[0] - x * n[2]) / this.#lever;
    out[5] = (x * n[1] - y * n[0]) / this.#lever;
  }

  moveBy(q: Float64Array, m: Float64Array, out: Float64Array): void {
    const at = this.offset;
    const before: quat.Quat = [q[at + 3], q[at + 4], q[at + 5], q[at + 6]];
    const angle = Math.hypot(m[3], m[4], m[5]) / this.#lever;
    const scale = angle > 0 ? 1 / (angle * this.#lever) : 0;
    const turn = quat.fromAxisAngle([m[3] * scale, m[4] * scale, m[5] * scale], angle);
    const after = quat.normalize(quat.multiply(turn, before));
    const [from, to] = [quat.rotate(before, this.#pivot), quat.rotate(after, this.#pivot)];
    const { min, max } = this.bounds;
    for (let k = 0; k < 3; k++) out[at + k] = Math.min(max[k], Math.max(min[k], q[at + k] + m[k] + from[k] - to[k]));
    out.set(after, at + 3);
  }

  wayTo(a: Float64Array, b: Float64Array, out: Float64Array): void {
    const at = this.offset;
    const [qa, qb] = [a.subarray(at + 3, at + 7), b.subarray(at + 3, at + 7)];
    const [from, to] = [quat.rotate(qa, this.#pivot), quat.rotate(qb, this.#pivot)];
    for (let k = 0; k < 3; k++) out[k] = b[at + k] - a[at + k] + to[k] - from[k];
    const turn = quat.multiply(qb, quat.conjugate(qa));
    const length = Math.hypot(turn[0], turn[1], turn[2]);
    const angle = 2 * Math.atan2(length, Math.abs(turn[3]));
    const scale = length > 0 ? ((turn[3] < 0 ? -1 : 1) * angle * this.#lever) / length : 0;
    for (let k = 0; k < 3; k++) out[3 + k] = turn[k] * scale;
  }

  hasWay(a: Float64Array, b: Float64Array): boolean {
    return this.#angle(a, b) < HALF_TURN;
  }

  turn(q: Float64Array, from: Vec3, to: Vec3): void {
    const cross = vec3.cross(from, to);
    const turn: quat.Quat = [...cross, 1 + from[0] * to[0] + from[1] * to[1] + from[2] * to[2]];
    // Opposite directions turn into each other about any axis across them.
    if (!(turn[3] > OPPOSITE)) return;
    const at = this.offset + 3;
    q.set(quat.normalize(quat.multiply(quat.normalize(turn), q.subarray(at, at + 4))), at);
  }

  #angle(a: Float64Array, b: Float64Array): number {
    return angleBetween(a, this.offset + 3, b, this.offset + 3);
  }
}

/** The largest distance of a vertex from the origin. */
export function farthestVertex(positions: Float64Array): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, positions[i] ** 2 + positions[i + 1] ** 2 + positions[i + 2] ** 2);
  }
  return Math.sqrt(most);
}
