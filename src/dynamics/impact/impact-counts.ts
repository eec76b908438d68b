// How often pairs have hit in a step: pairs that hit without end are left to contacts, then stick together.
import type { PairState } from '../solver/pair-table.js';

/** Chosen: impacts of a pair in a step after which it is left to contacts: spinning corners hit without end. */
export const MAX_IMPACTS = 12;
/** Chosen: substeps that end just before that pair touches; after them it sticks together for the rest of the step. */
export const MAX_STOPS = 64;
/** Chosen: every impact of a pair in a step raises what counts as slow by this factor, so that a rattle ends. */
const RATTLE = 1.3;

export class ImpactCounts {
  /** Impacts of all pairs in the step. */
  total = 0;
  readonly #of = new Map<PairState, number>();
  /** Pairs that stick together for the rest of the step. */
  readonly stuck: PairState[] = [];

  /** Begins a step. */
  clear(): void {
    this.total = 0;
    this.#of.clear();
    this.stuck.length = 0;
  }

  of(pair: PairState): number {
    return this.#of.get(pair) ?? 0;
  }

  /** Whether a pair is left to contacts. */
  isLeft(pair: PairState): boolean {
    return this.of(pair) >= MAX_IMPACTS;
  }

  /** Whether a pair is left to contacts, but does not stick together yet. */
  isStopped(pair: PairState): boolean {
    return this.isLeft(pair) && this.of(pair) < MAX_IMPACTS + MAX_STOPS;
  }

  /** Counts an impact, of a pair if that is known. Returns how many the pair has had. */
  add(pair: PairState | null): number {
    this.total++;
    if (pair === null) return 0;
    const count = this.of(pair) + 1;
    this.#of.set(pair, count);
    return count;
  }

  /** Counts a substep that ends before a pair touches. Returns whether the pair sticks together from now on. */
  stop(pair: PairState): boolean {
    if (this.add(pair) !== MAX_IMPACTS + MAX_STOPS) return false;
    this.stuck.push(pair);
    return true;
  }

  /** By how much the impacts of a pair have raised what counts as slow. */
  static rattle(impacts: number): number {
    return RATTLE ** impacts;
  }
}
