// Two bodies that both move evenly along an edge: how far along it they are proven to stay apart, by the bounds of
// conservative advancement of `proximity`, box by box.
import { ImpactSearch } from '../../proximity/impact/impact-search.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** Pairs of nodes and triangles after which an edge counts as not proven. */
const MOST_PAIRS = 1_000_000;

export class EvenPair {
  readonly #search: ImpactSearch;
  readonly #tolerance: number;

  /** @param tolerance edges end where bodies come this near, in meters beyond the clearance. */
  constructor(a: ProximityModel, b: ProximityModel, tolerance: number) {
    this.#search = new ImpactSearch(a.boxes, b.boxes);
    this.#tolerance = tolerance;
  }

  /** The share of the motions for which the bodies, apart at the start, are proven to stay farther apart than the clearance. */
  advance(a: EvenMotion, b: EvenMotion, clearance: number): number {
    const search = this.#search;
    const clear = search.begin({ start: 0, end: 1, a, b }, clearance);
    if (clear >= 1) return 1;
    search.start(Math.max(0, clear));
    search.volumePairs = search.trianglePairs = 0;
    const end = search.run(clearance, Math.max(this.#tolerance, 16 * search.bounds.slack), MOST_PAIRS);
    return end === 'clear' ? 1 : search.s;
  }
}
