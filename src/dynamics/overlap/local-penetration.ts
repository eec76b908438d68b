// How deep the surfaces of two bodies dip into each other at the deepest place, beside the way out of the whole: of a captive
// part it is what the contact says, where the way out leads out of what holds it.

import { ThicknessMeasurer } from '../../clash/measures/local-thickness.js';
import * as pose from '../../core/pose.js';
import { PairDepth } from './pair-depth.js';
import { type Overlap, OverlapFinder, type PlacedBody } from './worst-penetration.js';

/** Chosen: pairs whose depth is searched for, those with the largest rough bounds first. */
const MAX_PAIRS = 48;
/** No proof that there is no shorter way. */
const DEPTH_OPTIONS = { maxCells: 0 };

/** Chosen: signed distances for each surface of a pair, some 20 µs each. */
const MAX_EVALUATIONS = 1500;

/** Measures the same bodies time and again. */
export class LocalPenetration {
  readonly #finder: OverlapFinder;
  readonly #measurer = new ThicknessMeasurer();
  #ways = new Map<string, PairDepth>();

  /** @param collide whether two bodies, by their numbers in what is measured, collide at all. */
  constructor(collide: (a: number, b: number) => boolean = () => true) {
    this.#finder = new OverlapFinder(collide);
  }

  /** The depth of the deepest pair; 0 if none overlaps. */
  measure(bodies: readonly PlacedBody[]): number {
    const overlaps = this.#finder.find(bodies).sort((a, b) => b.rough - a.rough);
    const ways = new Map<string, PairDepth>();
    let deepest = 0;
    for (const overlap of overlaps.slice(0, MAX_PAIRS)) {
      // A point within a box is no deeper than the box.
      if (overlap.rough <= deepest) break;
      const { key, first, second } = overlap;
      const way = this.#ways.get(key) ?? new PairDepth(first.shape, second.shape, DEPTH_OPTIONS);
      ways.set(key, way);
      // On its way out of the other body each point crosses the surface of that.
      const most = way.measure(first.pose, second.pose);
      if (most > deepest) deepest = Math.max(deepest, Math.min(most, this.measurePair(overlap, deepest)));
    }
    this.#ways = ways;
    return deepest;
  }

  /** The depth of one pair; the search ends where it is proven to be no more than `floor`. */
  measurePair({ first, second }: Pick<Overlap, 'first' | 'second'>, floor: number): number {
    const [a, b] = [first.shape.model, second.shape.model];
    if (a === null || b === null) {
      // Balls are convex: what part of one is inside is as deep as the way out, up to the other's shape.
      const depth = new PairDepth(first.shape, second.shape, DEPTH_OPTIONS).measure(first.pose, second.pose);
      return Math.min(depth, 2 * Math.min(first.shape.boundingRadius, second.shape.boundingRadius));
    }
    if (!a.closed || !b.closed) return 0;
    return this.#measurer.measure(a, b, pose.bInA(first.pose, second.pose), floor, MAX_EVALUATIONS).upper;
  }
}
