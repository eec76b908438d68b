// The results of a scene: the pairs of bodies that were found, by id, and the cost of the whole query.
import type { QueryCounters } from '../result.js';

/** The cost of a query over a whole scene: the sums over its pairs, and their number. */
export interface SceneCounters extends QueryCounters {
  /** Pairs of bodies that were queried. */
  readonly pairsTested: number;
  /** Pairs that came near enough but were excluded: by group, as fixed bodies, or by a rule. */
  readonly pairsExcluded: number;
  /** The other pairs of bodies: their boxes alone showed that they are too far apart. */
  readonly pairsCulled: number;
}

/** Two bodies of a scene, the lower id first, and what the query found about them. A is body `a`, B is body `b`. */
export interface ScenePair<Result> {
  readonly a: number;
  readonly b: number;
  readonly result: Result;
}

/** What a query over a whole scene found, in ascending order of (a, b). */
export interface SceneResult<Result> {
  readonly pairs: readonly ScenePair<Result>[];
  readonly counters: SceneCounters;
}

/** The nearest pair of a scene. */
export interface NearestResult<Result> {
  /** Null when no pair is within the cut-off, or there are no pairs. */
  readonly nearest: ScenePair<Result> | null;
  readonly counters: SceneCounters;
}

/** Sums the costs of pairs. */
export class SceneTally {
  #volumePairs = 0;
  #trianglePairs = 0;
  #marchSteps = 0;
  #frontSize = 0;
  #frontSkipped = 0;
  #insideTests = 0;
  #pairsTested = 0;
  pairsExcluded = 0;

  add(counters: QueryCounters): void {
    this.#pairsTested++;
    this.#volumePairs += counters.volumePairs;
    this.#trianglePairs += counters.trianglePairs;
    this.#marchSteps += counters.marchSteps;
    this.#frontSize += counters.frontSize;
    this.#frontSkipped += counters.frontSkipped;
    this.#insideTests += counters.insideTests;
  }

  counters(bodies: number): SceneCounters {
    return {
      volumePairs: this.#volumePairs,
      trianglePairs: this.#trianglePairs,
      marchSteps: this.#marchSteps,
      frontSize: this.#frontSize,
      frontSkipped: this.#frontSkipped,
      insideTests: this.#insideTests,
      pairsTested: this.#pairsTested,
      pairsExcluded: this.pairsExcluded,
      pairsCulled: (bodies * (bodies - 1)) / 2 - this.#pairsTested - this.pairsExcluded,
    };
  }
}
