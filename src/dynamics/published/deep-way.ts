// The contacts of two bodies that overlap deeper than contacts can tell: those that they have after A is moved along its
// way out, moved back with it. The depth at each is what is left of the way along its normal. So the force acts where the
// bodies will touch, is the gradient of the depth by moving and turning, and a face is held by all its points.
import type { Pose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { OVERLAP } from '../../manifold/contact-state.js';
import { PairContacts } from '../../manifold/pair-contacts.js';
import type { Bodies } from '../body/bodies.js';
import { PairDepth } from '../overlap/pair-depth.js';

/** Chosen: another way is taken if it is shorter than this share of the last one. */
const SHORTER = 0.9;
/** Chosen: a way is taken longer by this share of itself and of the margin, so that contacts at its end are apart. */
const STRETCH = 1e-3;
/** Chosen: contacts whose normals have less than this cosine with the way do not hold the bodies along it. */
const ALONG = 0.1;
const DEPTH_OPTIONS = { maxCells: 0 };

/** The way out of one pair, and the contacts at its end. */
export class DeepWay {
  /** A parts from B by this move. */
  readonly way: Vec3 = [0, 0, 0];
  /** Contacts; points are in the world, where the bodies are now, and depths positive in overlap. */
  count = 0;
  readonly contacts: PairContacts;
  depths = new Float64Array(8);
  #isKnown = false;
  readonly #depth: PairDepth;
  readonly #poseA: Pose = pose.identity();
  readonly #poseB: Pose = pose.identity();
  readonly #moved = new Float64Array(12);

  constructor(bodies: Bodies, a: number, b: number) {
    this.#depth = new PairDepth(bodies.shape[a]!, bodies.shape[b]!, DEPTH_OPTIONS);
    this.contacts = new PairContacts(bodies.shape[a]!, bodies.shape[b]!);
  }

  /** Looks for a shorter way, and keeps the last one until another is shorter by a tenth. */
  measure(bodies: Bodies, a: number, b: number, margin: number): void {
    bodies.writePose(a, this.#poseA);
    bodies.writePose(b, this.#poseB);
    const depth = this.#depth.measure(this.#poseA, this.#poseB);
    if (this.#isKnown && depth > SHORTER * this.depth) return;
    const length = depth + STRETCH * (depth + margin);
    for (let k = 0; k < 3; k++) this.way[k] = length * this.#depth.direction[k];
    this.#isKnown = depth > 0;
  }

  /** The largest depth. */
  depth = 0;

  /** Finds the contacts at the end of the way. Returns false if the way no longer parts the bodies, or no way is known. */
  update(placementA: Float64Array, placementB: Float64Array, margin: number): boolean {
    this.count = 0;
    this.depth = 0;
    if (!this.#isKnown) return false;
    const { way, contacts } = this;
    this.#moved.set(placementA);
    for (let k = 0; k < 3; k++) this.#moved[4 * k + 3] += way[k];
    const length = Math.hypot(way[0], way[1], way[2]);
    const state = contacts.update(this.#moved, placementB, margin + length);
    if (state === OVERLAP) {
      this.#isKnown = false;
      return false;
    }
    this.#moveBack(length);
    return true;
  }

  /** Appends all that changes. */
  save(out: number[]): void {
    out.push(this.#isKnown ? 1 : 0, this.depth, ...this.way);
    this.#depth.save(out);
    this.contacts.save(out);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    this.#isKnown = values[at] === 1;
    this.depth = values[at + 1];
    for (let k = 0; k < 3; k++) this.way[k] = values[at + 2 + k];
    const from = at + 5 + this.#depth.load(values, at + 5);
    return from - at + this.contacts.load(values, from);
  }

  forget(): void {
    this.#isKnown = false;
    this.#depth.reset();
  }

  /** Moves the contacts back by the way; keeps those that hold along it. */
  #moveBack(length: number): void {
    const { way, contacts } = this;
    const { normals, pointsA, separations, count } = contacts;
    if (this.depths.length < count) this.depths = new Float64Array(2 * count);
    this.count = count;
    for (let i = 0; i < count; i++) {
      const at = 3 * i;
      const along = -(way[0] * normals[at] + way[1] * normals[at + 1] + way[2] * normals[at + 2]);
      this.depths[i] = along > ALONG * length ? along - separations[i] : 0;
      this.depth = Math.max(this.depth, this.depths[i]);
      for (let k = 0; k < 3; k++) pointsA[at + k] -= way[k];
    }
  }
}
