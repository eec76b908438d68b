// Searches over two trees of oriented boxes from the roots, nearer child first (Larsen et al. 1999). Nothing is kept
// between queries: this is what stateless calls load.
import { PROXIMITY_DEFAULTS } from '../options.js';
import type { SearchOutcome, SurfaceSearch } from '../surface-search.js';
import { BoxCrossing } from './box-crossing.js';
import type { BoxKernel } from './box-kernel.js';
import { BoxNearest } from './box-nearest.js';
import type { BoxTree } from './box-tree.js';
import { TriangleJudge } from './triangle-judge.js';

/**
 * Measured beside TypeScript: the cost of a test in the kernel, in tests of its twin. It counts before the kernel is
 * ready too, so that the same calls always cost the same.
 */
export const KERNEL_TEST_COST = 0.3;

/** Searches two surfaces by their trees of boxes, each time from the roots. */
export class RootSearch implements SurfaceSearch {
  readonly #judge: TriangleJudge;
  readonly #crossing: BoxCrossing;
  readonly #nearest: BoxNearest;

  /**
   * @param kernel that of A; without one, searches run in TypeScript.
   * @param queueSize the most pairs that the queue of the nearest boxes may hold.
   */
  constructor(
    a: BoxTree,
    b: BoxTree,
    kernel: BoxKernel | null = null,
    queueSize: number = PROXIMITY_DEFAULTS.queueSize,
  ) {
    this.#judge = new TriangleJudge(a, b);
    this.#crossing = new BoxCrossing(a, b, kernel);
    this.#nearest = new BoxNearest(a, b, Math.max(1, queueSize), kernel);
  }

  get outcome(): SearchOutcome {
    return this.#judge.outcome;
  }

  get bytes(): number {
    return this.#nearest.bytes;
  }

  reset(): void {}

  testIntersection(placement: Float64Array): boolean {
    return this.testTolerance(placement, 0, 0);
  }

  testTolerance(placement: Float64Array, _motion: number, tolerance: number): boolean {
    this.#judge.begin(placement, true, tolerance, 0, 0);
    if (tolerance === 0) this.#searchCrossing(placement);
    else this.#searchNear(placement, false);
    return this.outcome.distance <= tolerance;
  }

  measureDistance(
    placement: Float64Array,
    _motion: number,
    cutoff: number,
    absoluteError: number,
    relativeError: number,
  ): boolean {
    this.#judge.begin(placement, false, cutoff, absoluteError, relativeError);
    this.#searchNear(placement, true);
    return this.outcome.distance <= cutoff;
  }

  #searchCrossing(placement: Float64Array): void {
    this.#crossing.search(placement, this.#judge.slack, this.#judge);
    this.#finish(this.#crossing.tests);
  }

  #searchNear(placement: Float64Array, queued: boolean): void {
    this.#nearest.search(placement, this.#judge.slack, this.#judge.threshold, queued, this.#judge);
    this.#finish(this.#nearest.tests);
  }

  #finish(tests: number): void {
    this.outcome.volumePairs = tests;
    this.outcome.cost = KERNEL_TEST_COST * tests;
    this.#judge.finish();
  }
}
