// The queries of two models along a motion, and the search that they keep.
import type { PairQueries } from '../pair-queries.js';
import {
  IMPACT_OPTIONS,
  type ImpactOptions,
  type ImpactResult,
  MOTION_OPTIONS,
  type MotionOptions,
  type MotionResult,
} from './impact-result.js';
import { ImpactSearch } from './impact-search.js';
import { findLeastClearance } from './least-clearance.js';
import { cutMotion, type Motion, type Segment } from './motion.js';
import { MotionQuery } from './time-of-impact.js';

/** Asks two models about their motions. {@link Pair} documents the queries. */
export class PairMotions {
  readonly #pair: PairQueries;
  /** Made by the first query. */
  #search: ImpactSearch | null = null;

  constructor(pair: PairQueries) {
    this.#pair = pair;
  }

  /** The first impact. */
  timeOfImpact(motion: Motion, options: ImpactOptions): ImpactResult {
    IMPACT_OPTIONS.assert(options);
    return this.timeOfImpactIn(cutMotion(motion, options.start, options.end), options);
  }

  /** The first impact, or the least clearance if the models do not meet. */
  validateMotion(motion: Motion, options: MotionOptions): MotionResult {
    const { relativeError } = MOTION_OPTIONS.read(options);
    const query = this.#ask(cutMotion(motion, options.start, options.end), options);
    const found = query.timeOfImpact();
    const least = found.status === 'clear' ? findLeastClearance(query, relativeError) : null;
    const { volumePairs, trianglePairs } = query.search;
    return { ...found, least, counters: { volumePairs, trianglePairs, queries: query.queries } };
  }

  /** The first impact in a motion that is cut into segments already. The options are valid. */
  timeOfImpactIn(segments: readonly Segment[], options: ImpactOptions): ImpactResult {
    return this.#ask(segments, options).timeOfImpact();
  }

  #ask(segments: readonly Segment[], options: ImpactOptions): MotionQuery {
    const { a, b } = this.#pair;
    this.#search ??= new ImpactSearch(a.boxes, b.boxes);
    return new MotionQuery(this.#pair, this.#search, segments, options);
  }
}
