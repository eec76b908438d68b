// The least gap of every pair of parts over a whole motion, proven; where a wanted clearance fails, and how deep parts overlap.
// Pairs that balls and boxes keep apart are not looked at further.
import { Deadline } from '../core/deadline.js';
import { reportProgress } from '../core/progress.js';
import type { SweptMotion } from './motion/swept-motion.js';
import { PairExaminer, type PairRequest } from './pair-examiner.js';
import { SWEEP_OPTIONS, type SweepOptions } from './sweep-options.js';
import type { SweepResult, SweepVerdict, SweptPairResult } from './sweep-result.js';

/** Chosen: pairs nearer than this share of the size of everything are listed. */
const LISTED_SHARE = 0.01;

/** Chosen: where no pair is that near the limit grows to this many times itself. */
const LIMIT_GROWTH = 4;

/** A sweep of a motion, but for what only its subject knows. */
export type MotionSweep = Omit<SweepResult, 'loopError'>;

/** Sweeps a motion that is built, with checked options. */
export function sweepMotion(motion: SweptMotion, clearance: number, options: SweepOptions): MotionSweep {
  const rounds = new SweepRounds(motion, clearance, options);
  const { maxSeconds } = SWEEP_OPTIONS.read(options);
  const deadline = maxSeconds === undefined ? null : new Deadline(maxSeconds, { signal: options.signal });
  const examiner = new PairExaminer(motion, rounds.request, deadline);
  for (let near = rounds.next(); near !== null; near = rounds.next()) {
    for (const [i, pair] of near.entries()) {
      reportProgress(options, i / near.length, `${near.length} pairs`);
      rounds.take(examiner.examine(motion.pairs[pair]));
    }
  }
  return rounds.finish(examiner.queries);
}

/** Which pairs are examined, round by round: those beyond a limit count only until a nearer one is measured; else it grows. */
export class SweepRounds {
  readonly request: PairRequest;
  readonly #motion: SweptMotion;
  readonly #within: number | undefined;
  readonly #start = performance.now();
  readonly #results: SweptPairResult[] = [];
  #waiting: { readonly pair: number; gap: number }[];
  readonly #listed: number;
  #limit: number;
  #rounds = 0;

  constructor(motion: SweptMotion, clearance: number, options: SweepOptions) {
    const { gapError, resolution, depth, within } = SWEEP_OPTIONS.read(options);
    // Larger gaps than this need no exact figure.
    const upTo = within ?? (clearance > 0 ? 2 * clearance : Infinity);
    this.#motion = motion;
    this.#within = within;
    this.#waiting = motion.pairs.map((_, pair) => ({ pair, gap: 0 }));
    this.#listed = LISTED_SHARE * this.#size();
    this.#limit = within ?? Math.max(2 * clearance, this.#listed);
    this.request = { clearance, upTo, gapError, resolution, depth };
  }

  /** The pairs of the next round, by number; null after the last one. */
  next(): number[] | null {
    while (this.#waiting.length > 0) {
      if (this.#rounds++ > 0) {
        const least = Math.min(...this.#results.map(({ upper }) => upper));
        if (least <= this.#limit || this.#limit === Infinity) return null;
        if (this.#within !== undefined && this.#results.length > 0) return null;
        this.#limit = Math.max(LIMIT_GROWTH * this.#limit, this.#listed);
      }
      const limit = this.#limit;
      for (const entry of this.#waiting) {
        if (entry.gap <= limit) entry.gap = this.#motion.sweptGap(this.#motion.pairs[entry.pair], limit);
      }
      const near = this.#waiting.filter(({ gap }) => gap <= limit);
      this.#waiting = this.#waiting.filter(({ gap }) => gap > limit);
      if (near.length > 0) return near.map(({ pair }) => pair);
    }
    return null;
  }

  take(result: SweptPairResult): void {
    this.#results.push(result);
  }

  finish(queries: number): MotionSweep {
    const { pairs, axes } = this.#motion;
    const results = this.#results;
    results.sort((s, t) => s.lower - t.lower || s.upper - t.upper);
    const culled = this.#waiting.length === 0 ? null : Math.min(...this.#waiting.map(({ gap }) => gap));
    const lower = Math.min(culled ?? Infinity, ...results.map((result) => result.lower));
    const upper = Math.min(Infinity, ...results.map((result) => result.upper));
    return {
      verdict: this.#verdictOf(culled),
      clearance: this.request.clearance,
      least: pairs.length === 0 ? null : { lower, upper },
      pairs: results,
      culled: { pairs: this.#waiting.length, lower: culled },
      axes: axes.map(({ name, low, high }) => ({ name, low, high })),
      queries,
      milliseconds: performance.now() - this.#start,
    };
  }

  #verdictOf(culled: number | null): SweepVerdict {
    if (this.#results.some(({ verdict }) => verdict === 'violated')) return 'violated';
    const isProven = this.#results.every(({ verdict }) => verdict === 'holds');
    return isProven && (culled === null || culled >= this.request.clearance) ? 'holds' : 'undecided';
  }

  /** A length that everything fits in, where the motion begins. */
  #size(): number {
    const { bodies, axes } = this.#motion;
    this.#motion.place(Float64Array.from(axes, ({ low, high }) => (low + high) / 2));
    let size = 0;
    const first = this.#motion.poseOf(0, [0, 0, 0, 0, 0, 0, 1]);
    for (const [i, { model }] of bodies.entries()) {
      const placed = this.#motion.poseOf(i, [0, 0, 0, 0, 0, 0, 1]);
      const way = Math.hypot(placed[0] - first[0], placed[1] - first[1], placed[2] - first[2]);
      size = Math.max(size, way + model.radius);
    }
    return size;
  }
}
