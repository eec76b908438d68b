// The way out of a shallow overlap by its contacts, shallowest first. A vertex that sank into a corner is behind more than
// one face and needs to leave only by the nearest: a contact across the way is dropped if it is gone once the shallower
// ones are resolved, or if the solids are apart then. It would push them aside.
import { ContactPoints, NORMAL, POINT_STRIDE, SEPARATION } from './contact-points.js';
import type { FeaturePairs } from './feature-pairs.js';

/** Chosen: rounds over the contacts, one after the other. */
const MAX_ROUNDS = 32;
/** Chosen: each contact moves by this factor of what is missing, so that the rounds come to an end. */
const PUSH = 1.001;
/** Chosen: a contact whose normal has a smaller cosine with the way out may be dropped. */
const ACROSS = 0.7;

/** Finds ways out. */
export class ShallowOverlap {
  /** The way out: where B moves, in A's frame. */
  readonly way = new Float64Array(3);
  readonly #pairs: FeaturePairs;
  readonly #overlap: (bInA: Float64Array) => boolean;
  /** B at the end of the way; whether the solids are apart there: −1 not known, 0 no, 1 yes. */
  readonly #moved = new Float64Array(12);
  #parted = -1;
  readonly #again = new ContactPoints();
  /** Points by depth, shallowest first, and how many of them are resolved. */
  #order = new Int32Array(16);
  #resolved = 0;

  /** @param overlap whether the solids overlap at a placement of B in A's frame. */
  constructor(pairs: FeaturePairs, overlap: (bInA: Float64Array) => boolean) {
    this.#pairs = pairs;
    this.#overlap = overlap;
  }

  /**
   * Finds the way out and drops contacts that are not needed. Returns whether the way parts the solids: then the contacts
   * tell all there is to know of the overlap.
   * @param found the pairs of features that the points come from, three numbers each, by `points.sources`.
   * @param least the separation to end with.
   */
  resolve(points: ContactPoints, found: Int32Array, bInA: Float64Array, least: number): boolean {
    this.way.fill(0);
    this.#moved.set(bInA);
    this.#parted = 0;
    this.#sort(points, least);
    const order = this.#order;
    const { count, values } = points;
    this.#resolved = 0;
    for (let i = 0; i < count; i++) {
      const point = order[i];
      // Solids that touch exactly overlap too, with contacts of separation 0.
      if (values[POINT_STRIDE * point + SEPARATION] >= least) break;
      if (i > 0 && this.#isAcross(values, point) && (this.#isGone(points, point, found) || this.#isParted())) {
        // Marked by a name that no feature has.
        points.keys[2 * point] = -1;
        continue;
      }
      order[this.#resolved++] = point;
      this.#push(values, least);
      for (let k = 0; k < 3; k++) this.#moved[4 * k + 3] = bInA[4 * k + 3] + this.way[k];
      this.#parted = -1;
    }
    let kept = 0;
    for (let i = 0; i < count; i++) if (points.keys[2 * i] >= 0) points.move(i, kept++);
    points.count = kept;
    return this.#isParted();
  }

  #isParted(): boolean {
    if (this.#parted < 0) this.#parted = this.#overlap(this.#moved) ? 0 : 1;
    return this.#parted === 1;
  }

  /** Sorts the points by depth; those that do not overlap come last. */
  #sort({ values, count }: ContactPoints, least: number): void {
    if (this.#order.length < count) this.#order = new Int32Array(2 * count);
    const order = this.#order;
    for (let i = 0; i < count; i++) {
      const depth = depthOf(values, i, least);
      let j = i - 1;
      while (j >= 0 && depthOf(values, order[j], least) > depth) {
        order[j + 1] = order[j];
        j--;
      }
      order[j + 1] = i;
    }
  }

  #isAcross(values: Float64Array, point: number): boolean {
    const [x, y, z] = this.way;
    const n = POINT_STRIDE * point + NORMAL;
    const along = x * values[n] + y * values[n + 1] + z * values[n + 2];
    return along < ACROSS * Math.sqrt(x * x + y * y + z * z);
  }

  /** Whether a pair of features that overlaps does not touch any more at the end of the way. */
  #isGone(points: ContactPoints, point: number, found: Int32Array): boolean {
    const again = this.#again;
    this.#pairs.place(this.#moved);
    again.count = 0;
    const source = 3 * points.sources[point];
    this.#pairs.measure(found[source], found[source + 1], found[source + 2], again);
    return again.count === 0;
  }

  /** Lengthens the way until the resolved points overlap no more, or the rounds are over. */
  #push(values: Float64Array, least: number): void {
    const { way } = this;
    for (let round = 0; round < MAX_ROUNDS; round++) {
      let done = true;
      for (let i = 0; i < this.#resolved; i++) {
        const n = POINT_STRIDE * this.#order[i] + NORMAL;
        const along = way[0] * values[n] + way[1] * values[n + 1] + way[2] * values[n + 2];
        const missing = least - values[POINT_STRIDE * this.#order[i] + SEPARATION] - along;
        if (!(missing > 0)) continue;
        done = false;
        for (let k = 0; k < 3; k++) way[k] += PUSH * missing * values[n + k];
      }
      if (done) return;
    }
  }
}

/** How deep a point overlaps, infinite if it does not. */
function depthOf(values: Float64Array, point: number, least: number): number {
  const separation = values[POINT_STRIDE * point + SEPARATION];
  return separation < least ? Math.max(0, -separation) : Infinity;
}
