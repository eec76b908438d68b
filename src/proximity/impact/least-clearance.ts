// The least distance of two models along a motion that stays clear, proven up to a relative error. A few samples and a
// descent from the nearest give an upper bound; one pass over the motion then proves that no time is nearer by more than the
// error. Where it finds a nearer time it descends again from there.
import type { LeastClearance } from './impact-result.js';
import { type MotionQuery, timeAt } from './time-of-impact.js';

/** Chosen: samples over all segments together; each segment has at least one. */
const SAMPLES = 16;
/** Chosen: steps of a descent: they narrow the interval to less than a thousandth. */
const DESCENT_STEPS = 16;
/**
 * Definition: the golden ratio, by which each step of a descent narrows the interval: one of its two inner samples
 * remains one.
 */
const GOLDEN = (Math.sqrt(5) - 1) / 2;
/** Chosen: after this many descents the allowed error grows by half with each, so that the search ends. */
const MANY_DESCENTS = 16;

/** Finds the least clearance for a query without impact. */
export function findLeastClearance(query: MotionQuery, relativeError: number): LeastClearance | null {
  const least = new Descent(query);
  const { segments, search, clearance, maxPairs } = query;
  const samples = Math.max(1, Math.ceil(SAMPLES / segments.length));
  for (let index = 0; index < segments.length; index++) {
    least.enter(index);
    for (let i = 0; i <= samples; i++) least.measure(i / samples);
  }
  least.enter(least.segment);
  least.descend(least.s, 1 / samples);

  let error = relativeError;
  let descents = 0;
  let proven = Infinity;
  for (let index = 0; index < segments.length; index++) {
    let threshold = least.threshold(error);
    least.enter(index);
    if (search.begin(segments[index], threshold) >= 1) continue;
    search.start(0);
    while (threshold > clearance) {
      const end = search.run(threshold, query.tolerance, maxPairs);
      if (end === 'clear') break;
      const { s } = search;
      if (end === 'limit') threshold = clearance;
      else {
        least.descend(s, 1 / samples);
        if (++descents > MANY_DESCENTS) error = Math.min(1, 1.5 * error);
        // The search may have stopped at a time that is nearer by no more than the tolerance.
        threshold = Math.min(least.threshold(error), threshold - query.tolerance);
        search.motion.move(s);
      }
    }
    proven = Math.min(proven, threshold);
    if (!(threshold > clearance)) break;
  }
  return least.result(Math.max(clearance, Math.min(proven, least.threshold(0))));
}

/** The nearest time found so far. */
class Descent {
  segment = 0;
  s = 0;
  #distance = Infinity;
  #current = 0;
  readonly #query: MotionQuery;

  constructor(query: MotionQuery) {
    this.#query = query;
  }

  enter(segment: number): void {
    this.#current = segment;
    this.#query.search.motion.begin(this.#query.segments[segment]);
  }

  threshold(error: number): number {
    return Math.max(this.#query.clearance, this.#distance * (1 - error));
  }

  /** The distance at s, or Infinity beyond the cut-off. */
  measure(s: number, cutoff = this.#distance): number {
    const distance = this.#query.distanceAt(s, cutoff).distance ?? Infinity;
    if (distance < this.#distance) {
      this.#distance = distance;
      this.s = s;
      this.segment = this.#current;
    }
    return distance;
  }

  /** Searches the surroundings of s in the current segment for a local minimum, by golden sections. */
  descend(s: number, radius: number): void {
    let low = Math.max(0, s - radius);
    let high = Math.min(1, s + radius);
    let left = high - GOLDEN * (high - low);
    let right = low + GOLDEN * (high - low);
    this.measure(s);
    let distanceLeft = this.measure(left, Infinity);
    let distanceRight = this.measure(right, Infinity);
    for (let i = 0; i < DESCENT_STEPS; i++) {
      if (distanceLeft <= distanceRight) {
        high = right;
        right = left;
        distanceRight = distanceLeft;
        left = high - GOLDEN * (high - low);
        distanceLeft = this.measure(left, Infinity);
      } else {
        low = left;
        left = right;
        distanceLeft = distanceRight;
        right = low + GOLDEN * (high - low);
        distanceRight = this.measure(right, Infinity);
      }
    }
  }

  result(lower: number): LeastClearance | null {
    const query = this.#query;
    const segment = query.segments[this.segment];
    query.search.motion.begin(segment);
    const { distance, witness } = query.distanceAt(this.s, Infinity);
    if (distance === null || witness === null) return null;
    const time = timeAt(segment, this.s);
    return {
      lower: Math.min(lower, distance),
      upper: distance,
      time,
      witness: query.inWorld(witness, segment, this.s),
    };
  }
}
