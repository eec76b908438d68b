// The pairs of a scene and their memory between frames: made when two bodies first come near, kept for some frames
// after they part, bounded in number.
import type { PairOptions } from '../options.js';
import { Pair } from '../pair.js';
import type { ProximityModel } from '../proximity-model.js';

/** Proven: ids of bodies are below this, so that a pair of ids fits exactly in one number of 53 bits. */
export const MAX_BODIES = 2 ** 26;

/** A pair of body ids as one number, in the order (a, b). */
export function pairKey(a: number, b: number): number {
  return a < b ? a * MAX_BODIES + b : b * MAX_BODIES + a;
}

/** The lower id of a {@link pairKey}. */
export function lowerOf(key: number): number {
  return Math.floor(key / MAX_BODIES);
}

/** The higher id of a {@link pairKey}. */
export function higherOf(key: number): number {
  return key % MAX_BODIES;
}

/** Pairs by key, the least recently used first. */
export class PairStates {
  readonly #options: PairOptions;
  readonly #idleFrames: number;
  readonly #limit: number;
  readonly #pairs = new Map<number, { readonly pair: Pair; usedAt: number }>();
  #frame = 0;

  constructor(options: PairOptions, idleFrames: number, limit: number) {
    this.#options = options;
    this.#idleFrames = idleFrames;
    this.#limit = limit;
  }

  /** Number of pairs kept. */
  get size(): number {
    return this.#pairs.size;
  }

  /** Begins a frame: drops the pairs that have not been used in the last `idleFrames`. */
  advance(): void {
    this.#frame++;
    for (const [key, state] of this.#pairs) {
      // The first entry of the map is the least recently used.
      if (this.#frame - state.usedAt <= this.#idleFrames) break;
      this.#pairs.delete(key);
    }
  }

  /** The pair of a key; when there is no room, a pair that is not kept. */
  take(key: number, a: ProximityModel, b: ProximityModel): Pair {
    const known = this.#pairs.get(key);
    if (known !== undefined) {
      if (known.usedAt !== this.#frame) {
        known.usedAt = this.#frame;
        this.#pairs.delete(key);
        this.#pairs.set(key, known);
      }
      return known.pair;
    }
    if (this.#pairs.size >= this.#limit && !this.#dropIdle()) {
      return new Pair(a, b, { ...this.#options, coherence: false });
    }
    const pair = new Pair(a, b, this.#options);
    this.#pairs.set(key, { pair, usedAt: this.#frame });
    return pair;
  }

  /** Drops what is remembered about a body. */
  forget(id: number): void {
    for (const key of this.#pairs.keys()) {
      if (lowerOf(key) === id || higherOf(key) === id) this.#pairs.delete(key);
    }
  }

  /** Drops what is remembered. */
  clear(): void {
    this.#pairs.clear();
  }

  /** Drops the least recently used pair, if it is not of this frame. */
  #dropIdle(): boolean {
    for (const [key, state] of this.#pairs) {
      if (state.usedAt === this.#frame) return false;
      this.#pairs.delete(key);
      return true;
    }
    return false;
  }
}
