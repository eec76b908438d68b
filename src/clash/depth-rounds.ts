// In which order the depths of overlaps are measured, and how precisely: all of them coarsely first, then those that are not
// precise enough with ten times the work, and so on. The work is counted in cells of the proof, so that every run measures
// the same, unless the time is over. What may change the list most comes first in each round.
import { NearfieldError } from '../core/errors.js';
import type { PenetrationResult } from '../penetration/result.js';
import { type Depth, depthFrom } from './depth.js';

/** Chosen: the cells of the first round; a cell takes some 0.1 ms. */
const FIRST_CELLS = 100;

/** Chosen: the factor from one round to the next. What is measured anew costs a tenth of the last round. */
const CELL_GROWTH = 10;

/** One round: which overlaps to measure, with how many cells each. */
export interface DepthRound {
  readonly overlaps: readonly number[];
  readonly maxCells: number;
}

/** Where the depth of an overlap starts. */
export interface DepthStart {
  readonly depth: Depth;
  /** Whether the depth is left as it is. */
  readonly isDone: boolean;
  /** Overlaps of the largest worth are measured first. */
  readonly worth: number;
}

/** The depths of overlaps, better from round to round. */
export class DepthRounds {
  /** By overlap: what is known so far. */
  readonly depths: Depth[];
  readonly #order: readonly number[];
  readonly #maxCells: number;
  /** By overlap: 1 for one that no round measures any more. */
  readonly #precise: Uint8Array;
  #cells = 0;

  /** @param starts what is known of each overlap. */
  constructor(starts: readonly DepthStart[], maxCells: number) {
    this.depths = starts.map(({ depth }) => depth);
    this.#order = [...starts.keys()].sort((p, q) => starts[q].worth - starts[p].worth || p - q);
    this.#maxCells = maxCells;
    this.#precise = Uint8Array.from(starts, ({ isDone }) => (isDone ? 1 : 0));
  }

  /** The next round; null when every depth is precise enough or has taken all the cells it may. */
  next(): DepthRound | null {
    if (this.#cells >= this.#maxCells) return null;
    this.#cells = Math.min(this.#maxCells, this.#cells === 0 ? FIRST_CELLS : CELL_GROWTH * this.#cells);
    const overlaps = this.#order.filter((overlap) => this.#precise[overlap] === 0);
    return overlaps.length === 0 ? null : { overlaps, maxCells: this.#cells };
  }

  /** Takes a measurement of an overlap, or the error of it. One that ran out of time leaves what was known. */
  take(overlap: number, measured: PenetrationResult | NearfieldError): void {
    const isError = measured instanceof NearfieldError;
    if (isError && measured.code === 'aborted') return;
    this.depths[overlap] = keepBetter(this.depths[overlap], depthFrom(measured));
    if (isError || measured.status !== 'budget') this.#precise[overlap] = 1;
  }
}

/** Both intervals hold the depth, so the narrower ends of both do. */
function keepBetter(known: Depth, found: Depth): Depth {
  if ('unknown' in known || 'unknown' in found) return 'unknown' in found && !('unknown' in known) ? known : found;
  const best = found.upper <= known.upper ? found : known;
  return { ...best, lower: Math.min(best.upper, Math.max(known.lower, found.lower)) };
}
