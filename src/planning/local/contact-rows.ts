// The gaps around a configuration, and how small motions change them: contacts of all pairs of bodies within a margin.
import { growTo } from '../../core/grow-array.js';
import { writePlacement } from '../../core/placement.js';
import { solidOf } from '../../kinematics/robot/sound-model.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import { evenMotion } from '../../kinematics/validity/even-motion.js';
import type { Body } from '../../kinematics/validity/watched-pairs.js';
import { OVERLAP } from '../../manifold/contact-state.js';
import { PairContacts } from '../../manifold/pair-contacts.js';
import { CollisionShape } from '../../manifold/shape/collision-shape.js';

export class ContactRows {
  /** Numbers of a small motion of all robots. */
  readonly size: number;
  count = 0;
  gaps = new Float64Array(16);
  /** How a small motion changes the gaps, `size` numbers each. */
  rows: Float64Array;
  readonly #scene: CollisionScene;
  readonly #pairs: { readonly a: Body; readonly b: Body; readonly contacts: PairContacts }[];
  /** Where the freedoms of each robot begin. */
  readonly #starts: readonly number[];
  readonly #placementA = new Float64Array(12);
  readonly #placementB = new Float64Array(12);
  readonly #next: Float64Array;
  /** How B moves relative to A: a turn about the world's origin, and a shift. */
  readonly #motion = new Float64Array(6);

  /** Only pairs of models that are closed, or are with their holes filled, have contacts that hold them apart; others are left to the test of the edge. */
  constructor(scene: CollisionScene) {
    this.#scene = scene;
    let size = 0;
    this.#starts = scene.robots.map(({ freedoms }) => (size += freedoms) - freedoms);
    this.size = size;
    this.rows = new Float64Array(16 * size);
    this.#next = new Float64Array(7 * scene.linkCount);
    const shapes = new Map<object, CollisionShape>();
    const shapeOf = ({ model }: Body): CollisionShape => {
      const shape = shapes.get(model) ?? CollisionShape.solid(solidOf(model));
      shapes.set(model, shape);
      return shape;
    };
    this.#pairs = scene.bodyPairs
      .filter(({ a, b }) => solidOf(a.model).closed && solidOf(b.model).closed)
      .map(({ a, b }) => ({ a, b, contacts: new PairContacts(shapeOf(a), shapeOf(b)) }));
  }

  /**
   * Finds the gaps up to a margin. Returns false where bodies overlap by more than contacts can tell.
   * @param next where the robots are to go: corners that pass beside each other on this way are not in each other's way.
   */
  gather(q: Float64Array, margin: number, next?: Float64Array): boolean {
    const scene = this.#scene;
    if (next !== undefined) this.#next.set(scene.posesAt(next));
    const poses = scene.posesAt(q);
    this.count = 0;
    for (const { a, b, contacts } of this.#pairs) {
      writePlacement(scene.poseOf(a, poses), this.#placementA);
      writePlacement(scene.poseOf(b, poses), this.#placementB);
      if (next !== undefined) this.#findMotion(a, b, poses);
      const motion = next === undefined ? undefined : this.#motion;
      if (contacts.update(this.#placementA, this.#placementB, margin, motion) === OVERLAP) return false;
      for (let i = 0; i < contacts.count; i++) this.#add(q, poses, a, b, contacts, i);
    }
    return true;
  }

  #findMotion(a: Body, b: Body, poses: Float64Array): void {
    this.#motion.fill(0);
    this.#addMotion(a, poses, -1);
    this.#addMotion(b, poses, 1);
  }

  /** Adds the motion of a body from its pose to the next one, as a turn about the world's origin and a shift. */
  #addMotion({ robot, index }: Body, poses: Float64Array, sign: number): void {
    if (robot < 0) return;
    const { from: p, to, axis, angle } = evenMotion(poses, this.#next, index);
    const [x, y, z] = [axis[0] * angle, axis[1] * angle, axis[2] * angle];
    const m = this.#motion;
    m[0] += sign * x;
    m[1] += sign * y;
    m[2] += sign * z;
    m[3] += sign * (to[0] - p[0] - (y * p[2] - z * p[1]));
    m[4] += sign * (to[1] - p[1] - (z * p[0] - x * p[2]));
    m[5] += sign * (to[2] - p[2] - (x * p[1] - y * p[0]));
  }

  #add(q: Float64Array, poses: Float64Array, a: Body, b: Body, contacts: PairContacts, i: number): void {
    const { size, count } = this;
    this.gaps = growTo(this.gaps, count + 1);
    this.rows = growTo(this.rows, (count + 1) * size);
    const row = this.rows.subarray(count * size, (count + 1) * size).fill(0);
    this.gaps[count] = contacts.separations[i];
    const normal = contacts.normals.subarray(3 * i, 3 * i + 3);
    const push = ({ robot, link, first }: Body, points: Float64Array, sign: number): void => {
      if (robot < 0) return;
      const own = this.#scene.robots[robot];
      const part = new Float64Array(own.freedoms);
      own.pushRow(q, poses.subarray(7 * first), link, points.subarray(3 * i, 3 * i + 3), normal, part);
      for (let k = 0; k < part.length; k++) row[this.#starts[robot] + k] += sign * part[k];
    };
    // Normals point from A to B: the gap closes as A moves along them.
    push(a, contacts.pointsA, -1);
    push(b, contacts.pointsB, 1);
    this.count++;
  }
}
