// The contacts of two solids, in the frame of the first. A search collects the pairs of features within a reach that is
// larger than the margin; they are measured again and again until the solids have moved by the difference. Solids that
// were a distance apart and have moved by less cannot cross, so only fast ones are tested for it.
import { boundMotion, invertPlacement } from '../core/placement.js';
import { Containment } from '../proximity/containment.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { ApproachNormals, closingAt } from './approach-normals.js';
import { CandidateSearch } from './candidate-search.js';
import type { ContactKernel } from './contact-kernel.js';
import { type ContactPoints, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { APART, NEAR, OVERLAP } from './contact-state.js';
import { CrossingSearch } from './crossing-search.js';
import { FeaturePairs } from './feature-pairs.js';
import { BOUND_ROUNDING } from './roundings.js';
import { ShallowOverlap } from './shallow-overlap.js';
import { CONTACT_FEATURES } from './shape/contact-features.js';
import { FEATURE_TREES } from './shape/feature-tree.js';
import { INSCRIBED_RADIUS } from './shape/inscribed-ball.js';
import { SweptPairs } from './swept-pairs.js';

/** Chosen: a search reaches farther than the margin by this many times the motion between the last two updates. */
const STEPS_AHEAD = 4;
/** Chosen: a search reaches farther than the margin by at least this share of the smaller solid's radius. */
const MIN_SLACK = 1e-3;
/** Chosen: a search reaches farther than the margin by at most this share of the smaller solid's radius. */
const MAX_SLACK = 0.1;
/**
 * Measured on letters: with this reach, in shares of the smaller solid's radius, a search of solids that were apart
 * costs about twice as much as without any.
 */
const APART_SLACK = 0.04;

/** Chosen: a motion by more than this share of the smaller solid's radius is fast. */
const FAST = 0.02;

/**
 * Chosen: of solids that move by less than this share of the smaller one's radius, the triangles that may cross are
 * kept.
 */
const SLOW = 2e-3;

/** Chosen: overlaps up to this share of the smaller solid's radius may be left to contacts. */
const SHALLOW = 0.02;

/** Finds the contacts of two solids, and keeps what it needs to find them again. */
export class MeshContacts {
  /** The smallest separation if near, negative in a shallow overlap; a lower bound of the distance if apart. */
  distance = 0;
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #smaller: ProximityModel;
  /** The radius of the smaller solid. */
  readonly #size: number;
  readonly #pairs: FeaturePairs;
  readonly #search: CandidateSearch;
  readonly #crossing: CrossingSearch;
  readonly #shallow: ShallowOverlap;
  readonly #approach: ApproachNormals;
  readonly #swept: SweptPairs;
  readonly #aInsideB: Containment;
  readonly #bInsideA: Containment;
  readonly #points: ContactPoints;
  /** The placement of the last update. */
  readonly #last = new Float64Array(12);
  /** The placement of the last search for pairs, and how far it reached; −1 before the first. */
  readonly #searched = new Float64Array(12);
  #reach = -1;
  #slack = 0;
  /** The placement where the solids were last known to be apart, and by how much; 0 for never. */
  readonly #parted = new Float64Array(12);
  #gap = 0;
  /** Where triangles were collected that may cross, and how far from there they are all; −1 for nowhere. */
  readonly #keptAt = new Float64Array(12);
  #keptReach = -1;
  /** The last update found nothing within the margin. */
  #wasApart = false;
  /** The radius of a ball that fits into either of the solids. */
  readonly #inscribed: number;
  /** The way that B will move in A's frame. */
  readonly #way = new Float64Array(3);
  readonly #before = new Float64Array(12);
  readonly #after = new Float64Array(12);

  /**
   * @param points where the contacts go.
   * @param kernel makes searches where it can.
   */
  constructor(a: ProximityModel, b: ProximityModel, points: ContactPoints, kernel: ContactKernel | null = null) {
    this.#a = a;
    this.#b = b;
    this.#smaller = a.radius < b.radius ? a : b;
    this.#size = this.#smaller.radius;
    this.#inscribed = Math.min(a.parts.get(INSCRIBED_RADIUS).radius, b.parts.get(INSCRIBED_RADIUS).radius);
    this.#points = points;
    const featuresA = a.parts.get(CONTACT_FEATURES);
    const featuresB = b.parts.get(CONTACT_FEATURES);
    this.#pairs = new FeaturePairs(featuresA, featuresB);
    this.#shallow = new ShallowOverlap(this.#pairs, (placement) => this.#overlaps(placement));
    this.#approach = new ApproachNormals(this.#pairs);
    const treesA = a.parts.get(FEATURE_TREES);
    const treesB = b.parts.get(FEATURE_TREES);
    this.#swept = new SweptPairs(this.#pairs, treesA, treesB, kernel);
    this.#search = new CandidateSearch(this.#pairs, treesA, treesB, kernel);
    this.#crossing = new CrossingSearch(featuresA, treesA.triangles, featuresB, treesB.triangles, kernel);
    this.#aInsideB = new Containment(a, b, true);
    this.#bInsideA = new Containment(b, a, true);
  }

  /**
   * Finds the contacts within the margin, of which some may be needless.
   * @param motion how B will move in A's frame, as `ApproachNormals.refine` takes it: contacts that it brings within the
   * margin count too.
   */
  update(bInA: Float64Array, margin: number, motion: Float64Array | null = null): number {
    const points = this.#points;
    points.count = 0;
    const step = this.#reach < 0 ? 0 : this.#boundMotion(this.#last, bInA);
    this.#last.set(bInA);
    const left = this.#gap > 0 ? this.#gap - this.#boundMotion(this.#parted, bInA) : 0;
    const swing = motion === null ? 0 : this.#lookAhead(bInA, motion);
    const way = this.#way;
    const travel = motion === null ? 0 : swing + Math.sqrt(way[0] * way[0] + way[1] * way[1] + way[2] * way[2]);
    if (left > margin + travel) {
      this.distance = left;
      return APART;
    }
    // What is near is looked for all around, what a fast motion hits on its way only.
    const fast = travel > FAST * this.#size;
    const range = fast ? margin : margin + travel;
    if (!(left > 0)) {
      const slack = step < FAST * this.#size ? APART_SLACK : MIN_SLACK;
      const reach = fast ? margin + swing : range + slack * this.#size;
      const slow = step < SLOW * this.#size && !fast && this.#canKeepTriangles(bInA, step);
      const crosses = slow
        ? this.#crossing.crossesAmongKept(bInA)
        : this.#crossing.find(bInA, this.#wasApart ? reach : -1, fast ? way : null);
      if (crosses || this.#contains(bInA)) return this.#updateOverlap(bInA, margin, step);
      if (this.#crossing.clear) return this.#partBy(bInA, reach);
    } else if (fast && this.#crossing.isClear(bInA, margin + swing, way)) {
      return this.#partBy(bInA, Math.max(left, margin + swing));
    }
    const sound = this.#searchPairs(bInA, range, fast ? 0 : step);
    const nearest = this.#measureAll(bInA, sound, 0);
    this.#parted.set(bInA);
    this.#gap = Math.min(nearest, sound) * (1 - BOUND_ROUNDING);
    this.distance = nearest <= range ? nearest : this.#gap;
    this.#dropBeyond(margin, fast ? null : motion);
    if (motion !== null) {
      this.#approach.refine(points, this.#search.found, motion);
      if (fast) this.#swept.find(motion, way, swing, points);
    }
    this.#wasApart = points.count === 0;
    return this.#wasApart ? APART : NEAR;
  }

  /** Keeps that the solids are apart by more than a distance. */
  #partBy(bInA: Float64Array, distance: number): number {
    this.#parted.set(bInA);
    this.#gap = this.distance = distance * (1 - BOUND_ROUNDING);
    this.#wasApart = true;
    return APART;
  }

  /** Forgets everything from earlier updates. */
  reset(): void {
    this.#reach = -1;
    this.#gap = 0;
    this.#wasApart = false;
    this.#keptReach = -1;
    this.#crossing.reset();
    this.#aInsideB.reset();
    this.#bInsideA.reset();
  }

  /** Appends what the next update depends on. */
  save(out: number[]): void {
    out.push(this.#reach, this.#slack, this.#gap, this.#keptReach, this.#wasApart ? 1 : 0);
    out.push(...this.#last, ...this.#searched, ...this.#parted, ...this.#keptAt);
  }

  /** Takes over what {@link save} appended, from a place on. Returns the count of numbers read. */
  load(values: Float64Array, at: number): number {
    this.reset();
    [this.#reach, this.#slack, this.#gap, this.#keptReach] = values.subarray(at, at + 4);
    this.#wasApart = values[at + 4] === 1;
    let from = at + 5;
    for (const placement of [this.#last, this.#searched, this.#parted, this.#keptAt]) {
      placement.set(values.subarray(from, from + 12));
      from += 12;
    }
    // What was found there is found again.
    if (this.#reach >= 0) {
      this.#pairs.place(this.#searched);
      this.#search.find(this.#reach, this.#slack, this.#slack / this.#size);
    }
    if (this.#keptReach >= 0) this.#crossing.keepWithin(this.#keptAt, this.#keptReach);
    return from - at;
  }

  /** Where solids overlap: contacts if they tell how to part them, and none otherwise. */
  #updateOverlap(bInA: Float64Array, margin: number, step: number): number {
    const depth = SHALLOW * this.#size;
    this.#gap = 0;
    this.#searchPairs(bInA, Math.max(margin, depth), step);
    this.#measureAll(bInA, margin, depth);
    const least = BOUND_ROUNDING * (this.#a.magnitude + this.#b.magnitude);
    if (this.#shallow.resolve(this.#points, this.#search.found, bInA, least)) {
      this.distance = this.#smallestSeparation();
      return NEAR;
    }
    this.#points.count = 0;
    this.distance = 0;
    return OVERLAP;
  }

  /** How far two points, one of each solid, may have moved apart or towards each other. */
  #boundMotion(from: Float64Array, to: Float64Array): number {
    const { center, radius } = this.#smaller;
    if (this.#smaller === this.#b) return boundMotion(from, to, center, radius) * (1 + BOUND_ROUNDING);
    // Seen from B, A moves: turning moves the points of the smaller solid less.
    const before = invertPlacement(from, this.#before);
    return boundMotion(before, invertPlacement(to, this.#after), center, radius) * (1 + BOUND_ROUNDING);
  }

  /** Sets the way that B will move, at the center of the smaller solid; returns how far others may be from that. */
  #lookAhead(bInA: Float64Array, motion: Float64Array): number {
    const { center, radius } = this.#smaller;
    const way = this.#way;
    let [x, y, z] = center;
    if (this.#smaller === this.#b) {
      x = bInA[0] * center[0] + bInA[1] * center[1] + bInA[2] * center[2] + bInA[3];
      y = bInA[4] * center[0] + bInA[5] * center[1] + bInA[6] * center[2] + bInA[7];
      z = bInA[8] * center[0] + bInA[9] * center[1] + bInA[10] * center[2] + bInA[11];
    }
    way[0] = motion[1] * z - motion[2] * y + motion[3];
    way[1] = motion[2] * x - motion[0] * z + motion[4];
    way[2] = motion[0] * y - motion[1] * x + motion[5];
    return radius * Math.sqrt(motion[0] * motion[0] + motion[1] * motion[1] + motion[2] * motion[2]);
  }

  /** Collects the pairs that may touch within the margin; returns how far apart they may be now, at least the margin. */
  #searchPairs(bInA: Float64Array, margin: number, step: number): number {
    const unused = this.#reach < 0 ? -1 : this.#reach - this.#boundMotion(this.#searched, bInA);
    if (unused >= margin) return unused;
    const size = this.#size;
    const least = this.#wasApart && step < FAST * size ? APART_SLACK : MIN_SLACK;
    const slack = Math.min(MAX_SLACK * size, Math.max(least * size, STEPS_AHEAD * step));
    this.#reach = margin + slack;
    this.#slack = slack;
    this.#searched.set(bInA);
    this.#pairs.place(bInA);
    // A point at the end of the smaller radius moves at least as far as directions turn.
    this.#search.find(this.#reach, slack, slack / size);
    return this.#reach;
  }

  #overlaps(bInA: Float64Array): boolean {
    return this.#crossing.find(bInA, -1) || this.#contains(bInA);
  }

  /** Whether the triangles kept for tests are all that can cross; collects them again if they are not. */
  #canKeepTriangles(bInA: Float64Array, step: number): boolean {
    if (this.#keptReach >= 0 && this.#boundMotion(this.#keptAt, bInA) <= this.#keptReach) return true;
    this.#keptReach = Math.max(MIN_SLACK * this.#size, STEPS_AHEAD * step);
    this.#keptAt.set(bInA);
    if (this.#crossing.keepWithin(bInA, this.#keptReach)) return true;
    this.#keptReach = -1;
    return false;
  }

  /** Whether one solid is inside of the other, if their surfaces do not cross. */
  #contains(bInA: Float64Array): boolean {
    // A ball in the one that was outside of the other has not moved by its diameter: it is not inside.
    if (this.#gap > 0 && this.#boundMotion(this.#parted, bInA) < 2 * this.#inscribed) return false;
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

  /** Drops the points that are beyond the margin now, and stay so if all moves as expected. */
  #dropBeyond(margin: number, motion: Float64Array | null): void {
    const points = this.#points;
    const { values } = points;
    let kept = 0;
    for (let i = 0; i < points.count; i++) {
      const at = POINT_STRIDE * i;
      const closing = motion === null ? 0 : closingAt(motion, values, at);
      if (values[at + SEPARATION] <= margin + closing) points.move(i, kept++);
    }
    points.count = kept;
  }
}
