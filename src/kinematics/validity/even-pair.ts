// Two bodies that both move evenly along an edge: how far along it they are proven to stay apart, by the bounds of
// conservative advancement of `proximity`, box by box.
import { ImpactSearch } from '../../proximity/impact/impact-search.js';
import type { EvenMotion } from '../../proximity/impact/motion.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';

/** Chosen: an edge counts as not proven after this count of pairs of nodes and triangles. */
const MAX_PAIRS = 1_000_000;

export class EvenPair {
  readonly #search: ImpactSearch;
  readonly #tolerance: number;

  /** @param tolerance edges end where bodies come this near, in meters beyond the clearance. */
  constructor(a: ProximityModel, b: ProximityModel, tolerance: number) {
    this.#search = new ImpactSearch(a.boxes, b.boxes);
    this.#tolerance = tolerance;
  }

  /** Pairs of volumes and triangles of the last call. */
  get pairs(): number {
    return this.#search.volumePairs + this.#search.trianglePairs;
  }

  /**
   * The share of the motions for which the bodies, apart at the start, are proven to stay farther apart than the clearance; 1 if
   * they do up to the limit.
   * @param limit the share of the motions that is of interest.
   * @param most pairs of volumes and triangles after which the rest is not proven.
   */
  advance(a: EvenMotion, b: EvenMotion, clearance: number, limit = 1, most = MAX_PAIRS): number {
    const search = this.#search;
    const segment = { start: 0, end: 1, a: shorten(a, limit), b: shorten(b, limit) };
    search.volumePairs = search.trianglePairs = 0;
    const clear = search.begin(segment, clearance);
    if (clear >= 1) return 1;
    search.start(Math.max(0, clear));
    const end = search.run(clearance, Math.max(this.#tolerance, 16 * search.bounds.slack), most);
    return end === 'clear' ? 1 : search.s * limit;
  }
}

/** The first share of a motion. */
function shorten(motion: EvenMotion, share: number): EvenMotion {
  if (share === 1) return motion;
  const { from, to, angle } = motion;
  const at = (k: number): number => from[k] + share * (to[k] - from[k]);
  return { ...motion, to: [at(0), at(1), at(2)], angle: angle * share };
}
