// The contacts of two solids, in the frame of the first. A search collects the pairs of features within a reach that is
// larger than the margin; they are measured again and again until the solids have moved by the difference. Solids that
// were a distance apart and have moved by less cannot cross, so only fast ones are tested for it.
import { boundMotion } from '../../core/placement.js';
import { Containment } from '../../proximity/containment.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { CONTACT_FEATURES } from '../shape/contact-features.js';
import { FEATURE_TREES } from '../shape/feature-tree.js';
import { ApproachNormals } from './approach-normals.js';
import { CandidateSearch } from './candidate-search.js';
import { type ContactPoints, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { CrossingSearch } from './crossing-search.js';
import { FeaturePairs } from './feature-pairs.js';
import { ShallowOverlap } from './shallow-overlap.js';

/** A search reaches farther than the margin by this many times the motion between the last two updates, */
const STEPS_AHEAD = 4;
/** but by no less and no more than these shares of the smaller solid's radius. */
const LEAST_SLACK = 1e-3;
const MOST_SLACK = 0.1;

/** Bounds on motion are enlarged by this share, and distances reduced, so that rounding does not matter. */
const SAFETY = 1e-9;

/** Overlaps up to this share of the smaller solid's radius may be left to contacts. */
const SHALLOW = 0.02;

/** Finds the contacts of two solids, and keeps what it needs to find them again. */
export class MeshContacts {
  /** The smallest separation if near, negative in a shallow overlap; a lower bound of the distance if apart. */
  distance = 0;
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #pairs: FeaturePairs;
  readonly #search: CandidateSearch;
  readonly #crossing: CrossingSearch;
  readonly #shallow: ShallowOverlap;
  readonly #approach: ApproachNormals;
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

  /** @param points where the contacts go. */
  constructor(a: ProximityModel, b: ProximityModel, points: ContactPoints) {
    this.#a = a;
    this.#b = b;
    this.#points = points;
    const featuresA = a.parts.get(CONTACT_FEATURES);
    const featuresB = b.parts.get(CONTACT_FEATURES);
    this.#pairs = new FeaturePairs(featuresA, featuresB);
    this.#shallow = new ShallowOverlap(this.#pairs, (placement) => this.#overlaps(placement));
    this.#approach = new ApproachNormals(this.#pairs);
    const treesA = a.parts.get(FEATURE_TREES);
    const treesB = b.parts.get(FEATURE_TREES);
    this.#search = new CandidateSearch(this.#pairs, treesA, treesB);
    this.#crossing = new CrossingSearch(featuresA, treesA.triangles, featuresB, treesB.triangles);
    this.#aInsideB = new Containment(a, b, true);
    this.#bInsideA = new Containment(b, a, true);
  }

  /**
   * Finds the contacts within the margin, of which some may be needless.
   * @param motion how B will move in A's frame, as `ApproachNormals.refine` takes it.
   */
  update(bInA: Float64Array, margin: number, motion: Float64Array | null = null): number {
    const points = this.#points;
    points.count = 0;
    const step = this.#reach < 0 ? 0 : this.#boundMotion(this.#last, bInA);
    this.#last.set(bInA);
    const left = this.#gap > 0 ? this.#gap - this.#boundMotion(this.#parted, bInA) : 0;
    if (left > margin) {
      this.distance = left;
      return APART;
    }
    if (!(left > 0) && this.#overlaps(bInA)) return this.#updateOverlap(bInA, margin, step);
    const sound = this.#searchPairs(bInA, margin, step);
    const nearest = this.#measureAll(bInA, sound, 0);
    this.#parted.set(bInA);
    this.#gap = Math.min(nearest, sound) * (1 - SAFETY);
    if (nearest > margin) {
      points.count = 0;
      this.distance = this.#gap;
      return APART;
    }
    this.#dropBeyond(margin);
    if (motion !== null) this.#approach.refine(points, this.#search.found, motion);
    this.distance = nearest;
    return NEAR;
  }

  /** Forgets everything from earlier updates. */
  reset(): void {
    this.#reach = -1;
    this.#gap = 0;
    this.#crossing.reset();
    this.#aInsideB.reset();
    this.#bInsideA.reset();
  }

  /** Where solids overlap: contacts if they tell how to part them, and none otherwise. */
  #updateOverlap(bInA: Float64Array, margin: number, step: number): number {
    const depth = SHALLOW * Math.min(this.#a.radius, this.#b.radius);
    this.#gap = 0;
    this.#searchPairs(bInA, Math.max(margin, depth), step);
    this.#measureAll(bInA, margin, depth);
    const least = SAFETY * (this.#a.magnitude + this.#b.magnitude);
    if (this.#shallow.resolve(this.#points, this.#search.found, bInA, least)) {
      this.distance = this.#smallestSeparation();
      return NEAR;
    }
    this.#points.count = 0;
    this.distance = 0;
    return OVERLAP;
  }

  #boundMotion(from: Float64Array, to: Float64Array): number {
    return boundMotion(from, to, this.#b.center, this.#b.radius) * (1 + SAFETY);
  }

  /** Collects the pairs that may touch within the margin; returns how far apart they may be now, at least the margin. */
  #searchPairs(bInA: Float64Array, margin: number, step: number): number {
    const unused = this.#reach < 0 ? -1 : this.#reach - this.#boundMotion(this.#searched, bInA);
    if (unused >= margin) return unused;
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
    return this.#smallestSeparation();
  }

  #smallestSeparation(): number {
    const { values, count } = this.#points;
    let smallest = Infinity;
    for (let i = 0; i < count; i++) smallest = Math.min(smallest, values[POINT_STRIDE * i + SEPARATION]);
    return smallest;
  }

  #dropBeyond(margin: number): void {
    const points = this.#points;
    let kept = 0;
    for (let i = 0; i < points.count; i++) {
      if (points.values[POINT_STRIDE * i + SEPARATION] <= margin) points.move(i, kept++);
    }
    points.count = kept;
  }
}
