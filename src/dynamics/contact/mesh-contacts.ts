// The contacts of two solids, in the frame of the first. A search collects the pairs of features within a reach that is
// larger than the margin; they are measured again and again until the solids have moved by the difference. Solids that
// were a distance apart and have moved by less cannot cross, so only fast ones are tested for it.
import { boundMotion } from '../../core/placement.js';
import { Containment } from '../../proximity/containment.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { CONTACT_FEATURES } from '../shape/contact-features.js';
import { FEATURE_TREES } from '../shape/feature-tree.js';
import { CandidateSearch } from './candidate-search.js';
import { type ContactPoints, NORMAL, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { CrossingSearch } from './crossing-search.js';
import { FeaturePairs } from './feature-pairs.js';

/** A search reaches farther than the margin by this many times the motion between the last two updates, */
const STEPS_AHEAD = 4;
/** but by no less and no more than these shares of the smaller solid's radius. */
const LEAST_SLACK = 1e-3;
const MOST_SLACK = 0.1;

/** Bounds on motion are enlarged by this share, and distances reduced, so that rounding does not matter. */
const SAFETY = 1e-9;

/** Rounds of moving two solids apart by their contacts, one after the other. */
const PARTING_ROUNDS = 32;

/** Finds the contacts of two solids, and keeps what it needs to find them again. */
export class MeshContacts {
  /** The smallest separation if near, negative in a shallow overlap; a lower bound of the distance if apart. */
  distance = 0;
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #pairs: FeaturePairs;
  readonly #search: CandidateSearch;
  readonly #crossing: CrossingSearch;
  readonly #aInsideB: Containment;
  readonly #bInsideA: Containment;
  readonly #points: ContactPoints;
  /** The placement of the last update. */
  readonly #last = new Float64Array(12);
  /** The placement of the last search for pairs, and how far it reached; −1 before the first. */
  readonly #searched = new Float64Array(12);
  #reach = -1;
  /** The placement where the solids were last known to be apart, and by how much; 0 for never. */
  readonly #parted = new Float64Array(12);
  #gap = 0;
  readonly #moved = new Float64Array(12);

  /** @param points where the contacts go. */
  constructor(a: ProximityModel, b: ProximityModel, points: ContactPoints) {
    this.#a = a;
    this.#b = b;
    this.#points = points;
    const featuresA = a.parts.get(CONTACT_FEATURES);
    const featuresB = b.parts.get(CONTACT_FEATURES);
    this.#pairs = new FeaturePairs(featuresA, featuresB);
    const treesA = a.parts.get(FEATURE_TREES);
    const treesB = b.parts.get(FEATURE_TREES);
    this.#search = new CandidateSearch(this.#pairs, treesA, treesB);
    this.#crossing = new CrossingSearch(featuresA, treesA.triangles, featuresB, treesB.triangles);
    this.#aInsideB = new Containment(a, b, true);
    this.#bInsideA = new Containment(b, a, true);
  }

  /** Finds the contacts within the margin, of which some may be needless. */
  update(bInA: Float64Array, margin: number): number {
    const points = this.#points;
    points.count = 0;
    const step = this.#reach < 0 ? 0 : this.#boundMotion(this.#last, bInA);
    this.#last.set(bInA);
    const left = this.#gap > 0 ? this.#gap - this.#boundMotion(this.#parted, bInA) : 0;
    if (left > margin) {
      this.distance = left;
      return APART;
    }
    const unused = this.#reach < 0 ? -1 : this.#reach - this.#boundMotion(this.#searched, bInA);
    const sound = unused >= margin ? unused : this.#searchPairs(bInA, margin, step);
    const overlap = !(left > 0) && this.#overlaps(bInA);
    const nearest = this.#measureAll(bInA, sound, overlap ? margin : 0);
    if (overlap) {
      this.#gap = 0;
      return this.#explainOverlap(bInA, margin) ? this.#nearest(nearest) : this.#overlap();
    }
    this.#parted.set(bInA);
    this.#gap = Math.min(nearest, sound) * (1 - SAFETY);
    if (nearest > margin) {
      points.count = 0;
      this.distance = this.#gap;
      return APART;
    }
    this.#dropBeyond(margin);
    return this.#nearest(nearest);
  }

  /** Forgets everything from earlier updates. */
  reset(): void {
    this.#reach = -1;
    this.#gap = 0;
    this.#crossing.reset();
    this.#aInsideB.reset();
    this.#bInsideA.reset();
  }

  #nearest(distance: number): number {
    this.distance = distance;
    return NEAR;
  }

  #overlap(): number {
    this.#points.count = 0;
    this.distance = 0;
    return OVERLAP;
  }

  #boundMotion(from: Float64Array, to: Float64Array): number {
    return boundMotion(from, to, this.#b.center, this.#b.radius) * (1 + SAFETY);
  }

  #searchPairs(bInA: Float64Array, margin: number, step: number): number {
    const size = Math.min(this.#a.radius, this.#b.radius);
    const slack = Math.min(MOST_SLACK * size, Math.max(LEAST_SLACK * size, STEPS_AHEAD * step));
    this.#reach = margin + slack;
    this.#searched.set(bInA);
    this.#pairs.place(bInA);
    // A point of B at the end of its radius moves at least as far as directions turn.
    this.#search.find(this.#reach, slack, slack / this.#b.radius);
    return this.#reach;
  }

  #overlaps(bInA: Float64Array): boolean {
    if (this.#crossing.find(bInA)) return true;
    this.#pairs.place(bInA);
    return this.#aInsideB.find(this.#pairs.aInB) || this.#bInsideA.find(bInA);
  }

  /** Measures all pairs; returns the smallest separation, infinite for none within the reach. */
  #measureAll(bInA: Float64Array, reach: number, depth: number): number {
    const pairs = this.#pairs;
    const points = this.#points;
    const { found, count } = this.#search;
    pairs.place(bInA);
    pairs.reach = reach;
    pairs.depth = depth;
    points.count = 0;
    for (let i = 0; i < count; i++) {
      points.source = i;
      pairs.measure(found[3 * i], found[3 * i + 1], found[3 * i + 2], points);
    }
    let nearest = Infinity;
    for (let i = 0; i < points.count; i++) {
      nearest = Math.min(nearest, points.values[POINT_STRIDE * i + SEPARATION]);
    }
    return nearest;
  }

  #dropBeyond(margin: number): void {
    const points = this.#points;
    let kept = 0;
    for (let i = 0; i < points.count; i++) {
      if (points.values[POINT_STRIDE * i + SEPARATION] <= margin) points.move(i, kept++);
    }
    points.count = kept;
  }

  /** Whether moving B a little along the contacts parts the solids: then their contacts tell all there is to know. */
  #explainOverlap(bInA: Float64Array, margin: number): boolean {
    const points = this.#points;
    this.#dropBeyond(margin);
    const moved = this.#moved;
    moved.set(bInA);
    const { values, count } = points;
    if (count === 0) return false;
    let x = 0;
    let y = 0;
    let z = 0;
    const least = SAFETY * (this.#a.magnitude + this.#b.magnitude);
    for (let round = 0; round < PARTING_ROUNDS; round++) {
      let done = true;
      for (let i = 0; i < count; i++) {
        const n = POINT_STRIDE * i + NORMAL;
        const missing = least - values[n + 3] - (x * values[n] + y * values[n + 1] + z * values[n + 2]);
        if (!(missing > 0)) continue;
        done = false;
        x += 1.001 * missing * values[n];
        y += 1.001 * missing * values[n + 1];
        z += 1.001 * missing * values[n + 2];
      }
      if (done) break;
    }
    if (!(x * x + y * y + z * z <= 16 * margin * margin)) return false;
    moved[3] += x;
    moved[7] += y;
    moved[11] += z;
    return !this.#overlaps(moved);
  }
}
