// The contacts of two shapes that stay near each other for many steps: few points that hold them apart, with normals and
// signed separations, named by features so that the solver finds them again in the next step.
import { growTo } from '../core/grow-array.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { BallContacts } from './ball-contacts.js';
import type { ContactKernel } from './contact-kernel.js';
import { ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { HeldContacts } from './held-contacts.js';
import { ManifoldReduction } from './manifold-reduction.js';
import { MeshContacts } from './mesh-contacts.js';
import type { CollisionShape } from './shape/collision-shape.js';

/**
 * Chosen: points of a patch that are higher than its deepest by less than this share of the margin count as deep as it.
 */
const LEVEL = 0.25;

/**
 * Chosen: in an overlap, earlier contacts hold while their points have moved by less than this share of the smaller
 * radius.
 */
const HELD = 0.3;

/** The contacts of one pair of shapes. Kept between steps, it finds again what changed little at little cost. */
export class PairContacts {
  /**
   * The smallest separation if near: the exact distance, or in a shallow overlap the negative depth of the deepest
   * contact. A proven lower bound of the distance, at least the margin, if apart, and if all contacts are beyond the
   * margin and only a motion brings them near; 0 if they overlap.
   */
  distance = 0;
  /** Number of points. */
  count = 0;
  /** In the world, three numbers per point, on A and on B. */
  pointsA = new Float64Array(3 * 8);
  pointsB = new Float64Array(3 * 8);
  /** In the world, unit, from A to B. */
  normals = new Float64Array(3 * 8);
  /** The gap along the normal, negative in overlap. */
  separations = new Float64Array(8);
  /** The features of A and B, two numbers per point. */
  keys = new Int32Array(2 * 8);
  readonly #points = new ContactPoints();
  readonly #reduction = new ManifoldReduction();
  readonly #finder: MeshContacts | BallContacts;
  readonly #held: HeldContacts | null;
  /** The margin within which the contacts were found that may be moved along; −1 for none. */
  #foundWithin = -1;
  readonly #middleB: ArrayLike<number>;
  readonly #radiusB: number;
  /** How far points of contacts that hold may have moved. */
  readonly #farthest: number;
  readonly #bInA = new Float64Array(12);
  /** The motion in A's frame. */
  readonly #motion = new Float64Array(6);

  /** @param kernel makes searches where it can; pairs may share it. */
  constructor(a: CollisionShape, b: CollisionShape, kernel: ContactKernel | null = null) {
    const isRound = a.model === null || b.model === null;
    this.#finder = isRound
      ? new BallContacts(a, b, this.#points)
      : new MeshContacts(a.model as ProximityModel, b.model as ProximityModel, this.#points, kernel);
    this.#held = isRound ? null : new HeldContacts();
    this.#middleB = b.model?.center ?? [0, 0, 0];
    this.#radiusB = b.model?.radius ?? b.ballRadius;
    this.#farthest = isRound ? 0 : HELD * Math.min(a.model!.radius, b.model!.radius);
  }

  /**
   * Finds the contacts within a margin. Returns `APART`, `NEAR` or `OVERLAP`. Where they overlap deeper than contacts can
   * tell, those of the last update stay while the solids have not moved far.
   * @param placementA and placementB the shapes' frames in the world, row-major 3 × 4.
   * @param motion how B moves relative to A until the next update, in the world: a vector that turns points about the
   * origin, then a shift; a point x moves by turn × x + shift. Contacts that it would close get the normal of the face
   * that is hit in place of that of the shortest distance, so that corners which pass beside each other are not stopped.
   * @param still contacts of solids that have moved by no more than this since contacts were found are moved along, not
   * found anew: their separations are then right to the second order of it.
   */
  update(placementA: Float64Array, placementB: Float64Array, margin: number, motion?: Float64Array, still = 0): number {
    placeInFrame(placementA, placementB, this.#bInA);
    if (still > 0 && this.#foundWithin >= margin && this.#moveAlong(placementA, still)) return NEAR;
    if (motion !== undefined) moveInFrame(placementA, motion, this.#motion);
    const finder = this.#finder;
    this.#foundWithin = -1;
    const state = finder.update(this.#bInA, margin, motion === undefined ? null : this.#motion);
    this.distance = finder.distance;
    if (state === APART) {
      this.count = 0;
      this.#held?.reset();
      return state;
    }
    if (state === OVERLAP) {
      this.#held?.recall(this.#points, this.#bInA, this.#farthest);
    } else {
      this.#reduction.reduce(this.#points, LEVEL * margin);
      this.#held?.keep(this.#points, this.#bInA);
      if (this.#held !== null) this.#foundWithin = margin;
    }
    this.#write(placementA);
    return state;
  }

  /** Forgets everything from earlier updates. */
  reset(): void {
    this.#finder.reset();
    this.#held?.reset();
    this.#foundWithin = -1;
  }

  /** Moves the contacts along that were found last; false if the solids have moved too far since. */
  #moveAlong(placementA: Float64Array, still: number): boolean {
    const held = this.#held;
    const points = this.#points;
    if (held === null || !(held.motionTo(this.#bInA, this.#middleB, this.#radiusB) <= still)) return false;
    held.recall(points, this.#bInA, Infinity);
    this.distance = Infinity;
    for (let i = 0; i < points.count; i++) {
      this.distance = Math.min(this.distance, points.values[POINT_STRIDE * i + SEPARATION]);
    }
    this.#write(placementA);
    return true;
  }

  /** Appends what the next update depends on. */
  save(out: number[]): void {
    out.push(this.count, this.distance, this.#foundWithin);
    this.#held?.save(out);
    this.#finder.save(out);
  }

  /** Takes over what {@link save} appended, from a place on, without the points. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    this.count = values[at];
    this.distance = values[at + 1];
    this.#foundWithin = values[at + 2];
    const from = at + 3 + (this.#held?.load(values, at + 3) ?? 0);
    return from - at + this.#finder.load(values, from);
  }

  #write(m: Float64Array): void {
    const { values, keys, count } = this.#points;
    this.count = count;
    this.pointsA = growTo(this.pointsA, 3 * count);
    this.pointsB = growTo(this.pointsB, 3 * count);
    this.normals = growTo(this.normals, 3 * count);
    this.separations = growTo(this.separations, count);
    this.keys = growTo(this.keys, 2 * count);
    for (let i = 0; i < count; i++) {
      const at = POINT_STRIDE * i;
      for (let row = 0; row < 3; row++) {
        const x = m[4 * row];
        const y = m[4 * row + 1];
        const z = m[4 * row + 2];
        const t = m[4 * row + 3];
        this.pointsA[3 * i + row] = x * values[at] + y * values[at + 1] + z * values[at + 2] + t;
        this.pointsB[3 * i + row] = x * values[at + ON_B] + y * values[at + ON_B + 1] + z * values[at + ON_B + 2] + t;
        this.normals[3 * i + row] = x * values[at + NORMAL] + y * values[at + NORMAL + 1] + z * values[at + NORMAL + 2];
      }
      this.separations[i] = values[at + SEPARATION];
      this.keys[2 * i] = keys[2 * i];
      this.keys[2 * i + 1] = keys[2 * i + 1];
    }
  }
}

/** Writes where B is in A's frame. Translations are subtracted first, so that far from the origin no digits are lost. */
function placeInFrame(a: Float64Array, b: Float64Array, out: Float64Array): void {
  const x = b[3] - a[3];
  const y = b[7] - a[7];
  const z = b[11] - a[11];
  for (let row = 0; row < 3; row++) {
    const p = a[row];
    const q = a[4 + row];
    const r = a[8 + row];
    out[4 * row] = p * b[0] + q * b[4] + r * b[8];
    out[4 * row + 1] = p * b[1] + q * b[5] + r * b[9];
    out[4 * row + 2] = p * b[2] + q * b[6] + r * b[10];
    out[4 * row + 3] = p * x + q * y + r * z;
  }
}

/** Writes a motion of the world, turn and shift, in A's frame. */
function moveInFrame(a: Float64Array, motion: Float64Array, out: Float64Array): void {
  const tx = motion[0];
  const ty = motion[1];
  const tz = motion[2];
  const x = motion[3] + ty * a[11] - tz * a[7];
  const y = motion[4] + tz * a[3] - tx * a[11];
  const z = motion[5] + tx * a[7] - ty * a[3];
  for (let row = 0; row < 3; row++) {
    out[row] = a[row] * tx + a[4 + row] * ty + a[8 + row] * tz;
    out[3 + row] = a[row] * x + a[4 + row] * y + a[8 + row] * z;
  }
}
