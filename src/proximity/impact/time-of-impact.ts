// The first impact of two moving models, with a proven bracket of its time. Models that are apart at the start meet first
// where their surfaces do, so one test for containment, at the start, is enough.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { PROXIMITY_DEFAULTS } from '../options.js';
import type { PairQueries } from '../pair-queries.js';
import type { DistanceResult, Witness } from '../result.js';
import type { ImpactOptions, ImpactResult } from './impact-result.js';
import type { ImpactSearch } from './impact-search.js';
import type { Segment } from './motion.js';

/** Rounding: tolerances are raised to this many times the rounding of bounds. */
const MIN_TOLERANCE = 16;
/**
 * Chosen: a motion shorter than this share of the smaller radius is tested by one distance query first: coherence makes
 * it cheap.
 */
const SHORT_MOTION = 0.25;
/**
 * Chosen: this many times are tried beyond `lower` until the models are found to meet, and as many halvings follow.
 */
const TRIES = 20;
/** Chosen: each of these times is this many times as far beyond `lower` as the last. */
const GROWTH = 3;
/** Chosen: times are tried until the models have moved by this share of the larger radius. */
const FAR_TRY = 1e-3;
/**
 * Chosen: the normal of an impact is that of the nearest points before the last motion by this share of the larger
 * radius: far above rounding.
 */
const NORMAL_LEAD = 1e-7;

/** The query of one pair along one motion, from checked arguments. */
export class MotionQuery {
  readonly segments: readonly Segment[];
  readonly clearance: number;
  readonly pair: PairQueries;
  readonly search: ImpactSearch;
  readonly maxPairs: number;
  queries = 0;
  readonly #tolerance: number;
  readonly #poseA = pose.identity();
  readonly #poseB = pose.identity();

  constructor(pair: PairQueries, search: ImpactSearch, segments: readonly Segment[], options: ImpactOptions) {
    const { clearance = 0, tolerance, maxPairs = PROXIMITY_DEFAULTS.maxImpactPairs } = options;
    this.pair = pair;
    this.search = search;
    this.clearance = clearance;
    this.maxPairs = maxPairs;
    this.segments = segments;
    this.#tolerance = tolerance ?? PROXIMITY_DEFAULTS.impactTolerance * Math.max(pair.a.radius, pair.b.radius);
    this.search.volumePairs = 0;
    this.search.trianglePairs = 0;
  }

  /** The distance beyond the clearance that counts as an impact in the current state of the motion. */
  get tolerance(): number {
    return Math.max(this.#tolerance, MIN_TOLERANCE * this.search.bounds.slack);
  }

  /** The first impact. */
  timeOfImpact(): ImpactResult {
    const { segments, search, clearance } = this;
    for (const [index, segment] of segments.entries()) {
      const clear = search.begin(segment, clearance);
      if (clear >= 1) continue;
      const known = this.#clearByDistance();
      // Boxes that are apart contain nothing of each other.
      const mayMeet = index === 0 && !(clear > 0) && !(known > 0);
      if (mayMeet && this.#meetsAt(0)) return this.#startsMeeting(segment);
      const from = Math.max(clear, known);
      if (from >= 1) continue;
      search.start(from);
      const end = search.run(clearance, this.tolerance, this.maxPairs);
      if (end === 'clear') continue;
      const lower = timeAt(segment, search.s);
      if (end === 'limit') return this.#result('unresolved', lower, null, false, null);
      return this.#bracket(segment);
    }
    return this.#result('clear', segments[segments.length - 1].end, null, true, null);
  }

  /** The distance at s, in a world that moves with A's origin. */
  distanceAt(s: number, cutoff: number): DistanceResult {
    this.#move(s);
    return this.pair.measureDistance(this.#poseA, this.#poseB, { cutoff });
  }

  /** A witness of {@link distanceAt} at s, in the world. */
  inWorld(witness: Witness, { a }: Segment, s: number): Witness {
    const shift = (point: Vec3): Vec3 => [
      point[0] + a.from[0] * (1 - s) + a.to[0] * s,
      point[1] + a.from[1] * (1 - s) + a.to[1] * s,
      point[2] + a.from[2] * (1 - s) + a.to[2] * s,
    ];
    return { ...witness, pointA: shift(witness.pointA), pointB: shift(witness.pointB) };
  }

  #move(s: number): void {
    this.queries++;
    this.search.motion.move(s);
    this.search.motion.writePoses(this.#poseA, this.#poseB);
  }

  #meetsAt(s: number): boolean {
    this.#move(s);
    const { pair, clearance } = this;
    if (clearance > 0) return pair.testTolerance(this.#poseA, this.#poseB, clearance).within;
    return pair.testIntersection(this.#poseA, this.#poseB).intersects;
  }

  /** How long the distance at the start of the segment proves it clear; 0 if the motion is too long to measure it first. */
  #clearByDistance(): number {
    const { pair, clearance, search } = this;
    const way = search.bounds.speed * (1 + 1e-12) + search.bounds.slack;
    if (!pair.keeps || !(way < SHORT_MOTION * Math.min(pair.a.radius, pair.b.radius))) return 0;
    const { distance } = this.distanceAt(0, clearance + way);
    return distance === null ? 1 : Math.max(0, distance - clearance - search.bounds.slack) / way;
  }

  #startsMeeting(segment: Segment): ImpactResult {
    const { witness } = this.distanceAt(0, this.clearance * (1 + 1e-12));
    return this.#result('impact', segment.start, segment.start, true, this.inWorld(witness!, segment, 0));
  }

  /** The bracket of an impact that ended the search. */
  #bracket(segment: Segment): ImpactResult {
    const { search, clearance } = this;
    const { s } = search;
    const found = this.#findMeeting(s);
    const witness = this.#witnessAt(s);
    const lower = timeAt(segment, s);
    const upper = found === null ? lower : timeAt(segment, found);
    const exact = found !== null || witness.distance <= clearance;
    return this.#result('impact', lower, upper, exact, this.inWorld(witness, segment, s));
  }

  /** The nearest points at s. Their direction is mostly rounding where they nearly touch: it is taken from shortly before. */
  #witnessAt(s: number): Witness {
    const { bounds } = this.search;
    const lead = NORMAL_LEAD * Math.max(this.pair.a.radius, this.pair.b.radius);
    const near = this.search.distance * (1 + 1e-9) + bounds.slack;
    const witness = this.distanceAt(s, near).witness ?? this.distanceAt(s, Infinity).witness!;
    const before = Math.max(0, s - lead / bounds.speed);
    const earlier = before < s ? (this.distanceAt(before, near + 2 * lead).witness?.normal ?? null) : null;
    return earlier === null || witness.normal === null ? witness : { ...witness, normal: earlier };
  }

  /** The earliest time found soon after s at which the models are within the clearance; null if none is found. */
  #findMeeting(s: number): number | null {
    const { search, clearance, pair } = this;
    const { speed, slack } = search.bounds;
    if (!(speed > 0)) return null;
    const excess = Math.max(0, search.distance - clearance) + 4 * slack;
    const least = Math.max(2 ** -52, excess / (search.closing > 0 ? search.closing : speed));
    const farthest = (FAR_TRY * Math.max(pair.a.radius, pair.b.radius)) / speed;
    let step = least;
    for (let i = 0; i < TRIES; i++, step *= GROWTH) {
      const at = Math.min(1, s + step);
      if (this.#meetsAt(at)) return this.#shrink(s, at, least);
      if (at === 1 || step > farthest) break;
    }
    return null;
  }

  /** Halves the bracket again and again: the models meet at its end, and are not known to meet at its start. */
  #shrink(lower: number, upper: number, least: number): number {
    let apart = lower;
    let meets = upper;
    for (let i = 0; i < TRIES && meets - apart > 2 * least; i++) {
      const middle = (apart + meets) / 2;
      if (this.#meetsAt(middle)) meets = middle;
      else apart = middle;
    }
    return meets;
  }

  #result(
    status: ImpactResult['status'],
    lower: number,
    upper: number | null,
    exact: boolean,
    witness: Witness | null,
  ): ImpactResult {
    const impact = status === 'impact';
    const { volumePairs, trianglePairs } = this.search;
    const counters = { volumePairs, trianglePairs, queries: this.queries };
    return { status, impact, time: impact ? lower : null, lower, upper, exact, witness, counters };
  }
}

/** The time at s of a segment. */
export function timeAt({ start, end }: Segment, s: number): number {
  return s === 1 ? end : start + s * (end - start);
}
