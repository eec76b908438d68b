// Answers a range of a batch into flat arrays. Only working memory is kept between queries, never state, so that an
// answer does not depend on which other queries the same thread answers.
import { PROXIMITY_DEFAULTS } from '../options.js';
import { Pair } from '../pair.js';
import type { ProximityModel } from '../proximity-model.js';
import type { QueryCounters } from '../result.js';
import type { BatchOptions, BatchQueries } from './batch.js';

/** Where answers are written: see `BatchAnswers`. */
export interface AnswerArrays {
  readonly hits: Uint8Array;
  readonly distances: Float64Array;
  readonly points: Float64Array;
}

/** The counters in the order of {@link BatchAnswerer.sums}. */
const COUNTERS = ['volumePairs', 'trianglePairs', 'marchSteps', 'frontSize', 'frontSkipped', 'insideTests'] as const;
/** Number of counters. */
export const COUNTER_COUNT = COUNTERS.length;
/** Chosen: pairs of models whose working memory is kept; when there are more, all start anew. */
const PAIRS_KEPT = 1024;

/** Sums of counters as an object. */
export function toCounters(sums: ArrayLike<number>): QueryCounters {
  return Object.fromEntries(COUNTERS.map((name, k) => [name, sums[k]])) as unknown as QueryCounters;
}

/** The sum of counters. */
export function addCounters(all: readonly QueryCounters[]): QueryCounters {
  return toCounters(COUNTERS.map((name) => all.reduce((sum, counters) => sum + counters[name], 0)));
}

export class BatchAnswerer {
  readonly #models: readonly ProximityModel[];
  readonly #queries: BatchQueries;
  readonly #answers: AnswerArrays;
  readonly #first: number;
  readonly #options: Pick<BatchOptions, 'volume' | 'absoluteError' | 'relativeError'>;
  readonly #pairs = new Map<number, Pair>();
  /** The cost of the queries answered so far. */
  readonly sums = new Float64Array(COUNTERS.length);

  /** `first`: the query whose answer is the first of the answers' arrays. */
  constructor(
    models: readonly ProximityModel[],
    queries: BatchQueries,
    answers: AnswerArrays,
    first: number,
    options: Pick<BatchOptions, 'volume' | 'absoluteError' | 'relativeError'>,
  ) {
    this.#models = models;
    this.#queries = queries;
    this.#answers = answers;
    this.#first = first;
    this.#options = options;
  }

  counters(): QueryCounters {
    return toCounters(this.sums);
  }

  /** Answers the queries from `from` up to, but not including, `to`. */
  answer(from: number, to: number): void {
    for (let i = from; i < to; i++) this.#answerOne(i);
  }

  #answerOne(i: number): void {
    const { kinds, models, poses, limits } = this.#queries;
    const { hits, distances, points } = this.#answers;
    const at = i - this.#first;
    const pair = this.#pair(models[2 * i], models[2 * i + 1]);
    const poseA = poses.subarray(14 * i, 14 * i + 7);
    const poseB = poses.subarray(14 * i + 7, 14 * i + 14);
    distances[at] = Number.NaN;
    points.fill(Number.NaN, 6 * at, 6 * at + 6);
    if (kinds[i] === 0) {
      const { intersects, counters } = pair.intersects(poseA, poseB);
      hits[at] = intersects ? 1 : 0;
      this.#tally(counters);
    } else if (kinds[i] === 1) {
      const { within, counters } = pair.within(poseA, poseB, limits[i]);
      hits[at] = within ? 1 : 0;
      this.#tally(counters);
    } else {
      const { absoluteError, relativeError } = this.#options;
      const { intersects, distance, witness, counters } = pair.distance(poseA, poseB, {
        cutoff: limits[i],
        absoluteError,
        relativeError,
      });
      hits[at] = intersects ? 1 : 0;
      distances[at] = distance ?? Infinity;
      if (witness !== null) {
        points.set(witness.pointA, 6 * at);
        points.set(witness.pointB, 6 * at + 3);
      }
      this.#tally(counters);
    }
  }

  #tally(counters: QueryCounters): void {
    for (let k = 0; k < COUNTERS.length; k++) this.sums[k] += counters[COUNTERS[k]];
  }

  #pair(a: number, b: number): Pair {
    const key = a * this.#models.length + b;
    let pair = this.#pairs.get(key);
    if (pair === undefined) {
      if (this.#pairs.size === PAIRS_KEPT) this.#pairs.clear();
      pair = new Pair(this.#models[a], this.#models[b], {
        volume: this.#options.volume ?? PROXIMITY_DEFAULTS.statelessVolume,
        coherence: false,
      });
      this.#pairs.set(key, pair);
    }
    return pair;
  }
}
