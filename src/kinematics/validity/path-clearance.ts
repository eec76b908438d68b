// The least distance along a whole path, as a proven interval: edges are proven at a little less than the least distance
// found so far; where that fails, something nearer is there, and is looked for.
import type { Deadline } from '../../core/deadline.js';
import type { CollisionScene, PairStretch } from './collision-scene.js';

/** The least clearance of a path. */
export interface PathClearance {
  /** Nothing comes nearer anywhere on the path. */
  readonly lower: number;
  /** Had at `t` of the edge `segment`; Infinity where there is nothing to come near to. */
  readonly upper: number;
  readonly segment: number;
  readonly t: number;
  /** Why `lower` is farther below `upper` than was aimed for; left out where it is not. */
  readonly reason?: string | undefined;
}

/** Chosen: the most steps of the search for the nearest place around one that ended a proof. */
const MAX_GOLDEN_STEPS = 24;

/** Chosen: that search ends where motions cannot come nearer by more than this share of the distance. */
const NEAR_ENOUGH = 1e-3;

/** Proven: the golden section, by which each step of the search shortens its interval. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Chosen: the count of places on an edge that are measured first. */
const FIRST = 4;

/** Chosen: the proof of one edge may end this often before its bound falls to the clearance that is known. */
const MAX_ENDS = 200;

/** Chosen: the share of an edge on each side of a place that ended a proof in which the nearest is looked for. */
const AROUND = 0.05;

/** Chosen: a proof that has failed is tried again at a bound that is less by this share; by twice as much each time nothing nearer is found. */
const LESS = 1e-3;

/** Rounding: shares of this size do not tell two widths of the interval apart. */
export const WIDTH_ROUNDING = 1e-9;

/**
 * @param error the relative width of the interval to aim for.
 * @param deadline when it is over, the clearance that is known is all that is claimed of further edges.
 */
export function measurePathClearance(
  scene: CollisionScene,
  path: readonly Float64Array[],
  error: number,
  deadline: Deadline | null = null,
): PathClearance {
  return new Measurement(scene, path, error, deadline).run();
}

class Measurement {
  readonly #scene: CollisionScene;
  readonly #path: readonly Float64Array[];
  readonly #error: number;
  readonly #deadline: Deadline | null;
  readonly #q: Float64Array;
  readonly #least = { upper: Infinity, segment: 0, t: 0 };
  /** By what share the last failed bound was lowered, and what the least distance was then. */
  #less = LESS / 2;
  #seen = Infinity;

  constructor(scene: CollisionScene, path: readonly Float64Array[], error: number, deadline: Deadline | null) {
    this.#scene = scene;
    this.#path = path;
    this.#error = error;
    this.#deadline = deadline;
    this.#q = new Float64Array(scene.size);
  }

  run(): PathClearance {
    const edges = Math.max(1, this.#path.length - 1);
    for (let i = 0; i < edges && (i === 0 || !this.#isOver()); i++) {
      for (let k = i === 0 ? 0 : 1; k <= FIRST; k++) this.#measure(i, k / FIRST);
    }
    const least = this.#least;
    if (this.#path.length < 2 || least.upper === Infinity) return { lower: least.upper, ...least };
    const scene = this.#scene;
    let lower = Infinity;
    for (let i = 0; i < edges; i++) {
      const bound = this.#isOver() ? scene.clearance : this.#bound(Infinity);
      lower = Math.min(lower, scene.knowsStretches ? this.#proveStretches(i, bound) : this.#proveEdge(i, bound));
    }
    const reason = this.#whyLoose(lower);
    return { lower, ...least, ...(reason === null ? {} : { reason }) };
  }

  #whyLoose(lower: number): string | null {
    if (lower >= (1 - this.#error) * (1 - WIDTH_ROUNDING) * this.#least.upper) return null;
    return this.#isOver()
      ? 'the time was over: what was asked for is proven'
      : 'the path grazes something on a curved stretch, where a proof of more takes far longer';
  }

  /** The next bound after a proof has failed. */
  #lower(proven: number): number {
    const { upper } = this.#least;
    this.#less = upper < this.#seen ? LESS : Math.min(0.5, 2 * this.#less);
    this.#seen = upper;
    return this.#bound((1 - this.#less) * proven);
  }

  #isOver(): boolean {
    return this.#deadline?.isOver('Measuring the clearance') ?? false;
  }

  /** What is to be proven: a little less than the least distance so far, and than what is given; all of the path keeps that of the scene. */
  #bound(most: number): number {
    return Math.max(this.#scene.clearance, Math.min((1 - this.#error) * this.#least.upper, most));
  }

  /** The distance at a place of the path, if it is the least so far. */
  #measure(segment: number, t: number): number {
    const path = this.#path;
    this.#scene.interpolate(path[segment], path[Math.min(segment + 1, path.length - 1)], t, this.#q);
    const distance = this.#scene.distance(this.#q, this.#least.upper);
    this.#note(segment, t, distance);
    return distance;
  }

  #note(segment: number, t: number, distance: number): void {
    if (distance < this.#least.upper) Object.assign(this.#least, { upper: distance, segment, t });
  }

  /** What an edge is proven to keep, along all pairs at once. */
  #proveEdge(i: number, bound: number): number {
    const scene = this.#scene;
    const [a, b] = [this.#path[i], this.#path[i + 1]];
    const from = a.slice();
    let proven = bound;
    for (let at = 0, ends = 0; at < 1 && proven > scene.clearance; ) {
      const share = scene.advance(from, b, proven);
      if (share === 1) break;
      at += share * (1 - at);
      const whole = (t: number): number => {
        scene.interpolate(a, b, t, this.#q);
        const distance = scene.distance(this.#q);
        this.#note(i, t, distance);
        return distance;
      };
      descend(whole, Math.max(0, at - AROUND), Math.min(1, at + AROUND), () => this.#isOver());
      proven = ++ends > MAX_ENDS || this.#isOver() ? scene.clearance : this.#lower(proven);
      scene.interpolate(a, b, at, from);
    }
    return proven;
  }

  /** What an edge is proven to keep, by the stretches on which pairs may be near. */
  #proveStretches(i: number, bound: number): number {
    const scene = this.#scene;
    let proven = bound;
    let stretches = scene.stretchesWithin(this.#path[i], this.#path[i + 1], proven);
    for (let k = 0, ends = 0; k < stretches.length && proven > scene.clearance; ) {
      const near = this.#failure(stretches[k], proven);
      if (near === null && !stretches[k].isMet) {
        k++;
        continue;
      }
      if (near !== null) this.#measure(i, near);
      proven = ++ends > MAX_ENDS || this.#isOver() ? scene.clearance : this.#lower(proven);
      // What was proven at the larger bound stays so, unless something met ended the search for stretches.
      if (!stretches[k].isMet || proven <= scene.clearance) continue;
      stretches = scene.stretchesWithin(this.#path[i], this.#path[i + 1], proven);
      k = 0;
    }
    return proven;
  }

  /** A place where a pair may be nearer than a bound, about the nearest one around; null if none is. */
  #failure({ pair, from, to, distance }: PairStretch, bound: number): number | null {
    const scene = this.#scene;
    let reached = (from + to) / 2;
    if (distance > bound) {
      reached = scene.advancePair(pair, bound, from, to, distance - bound);
      if (reached >= to) return null;
    }
    const ofPair = (t: number): number => scene.pairDistance(pair, t, Infinity);
    const speed = scene.pairSpeed(pair);
    return descend(ofPair, Math.max(0, reached - AROUND), Math.min(1, reached + AROUND), (width, least) => {
      return speed * width < NEAR_ENOUGH * least || this.#isOver();
    });
  }
}

/**
 * Golden sections towards a minimum; returns the best place.
 * @param isEnough whether an interval is short enough for the least value found.
 */
function descend(
  measure: (t: number) => number,
  from: number,
  to: number,
  isEnough: (width: number, least: number) => boolean,
): number {
  let [low, high] = [from, to];
  let left = high - GOLDEN * (high - low);
  let right = low + GOLDEN * (high - low);
  let [atLeft, atRight] = [measure(left), measure(right)];
  for (let i = 0; i < MAX_GOLDEN_STEPS && !isEnough(high - low, Math.min(atLeft, atRight)); i++) {
    if (atLeft <= atRight) {
      [high, right, atRight] = [right, left, atLeft];
      left = high - GOLDEN * (high - low);
      atLeft = measure(left);
    } else {
      [low, left, atLeft] = [left, right, atRight];
      right = low + GOLDEN * (high - low);
      atRight = measure(right);
    }
  }
  return atLeft <= atRight ? left : right;
}
