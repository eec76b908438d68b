// The time that a query may take. Everything that takes long asks the signal of its progress options now and then; a
// budget has a signal that also stops work when the time is over. What has been found until then stays with its owner.
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';

/**
 * Chosen: a search that begins later than this share of the limit after it is left out. It bounds how late an answer
 * is.
 */
const GRACE = 0.1;

/** A limit of time, from its creation on. */
export class Budget {
  /** The caller's options, with a signal that also ends work when the time is over. */
  readonly progress: ProgressOptions;
  /** Whether there is a limit. */
  readonly limited: boolean;
  readonly #deadline: number;
  readonly #milliseconds: number;
  readonly #caller: ProgressOptions;

  constructor(milliseconds = Infinity, { signal, onProgress }: ProgressOptions = {}) {
    const deadline = performance.now() + milliseconds;
    this.#caller = { signal, onProgress };
    this.#deadline = deadline;
    this.#milliseconds = milliseconds;
    this.limited = milliseconds < Infinity;
    this.progress = {
      signal: this.limited
        ? {
            get aborted() {
              return signal?.aborted === true || performance.now() >= deadline;
            },
          }
        : signal,
      onProgress,
    };
  }

  /** When the time is over, by `performance.now()`. */
  get deadline(): number {
    return this.#deadline;
  }

  /** Milliseconds left, not below 0. */
  get left(): number {
    return this.limited ? Math.max(0, this.#deadline - performance.now()) : Infinity;
  }

  get spent(): boolean {
    return this.limited && performance.now() >= this.#deadline;
  }

  /** Whether more than {@link GRACE} beyond the limit has been used: even a single search would be too much. */
  get overdrawn(): boolean {
    return this.limited && performance.now() >= this.#deadline + GRACE * this.#milliseconds;
  }

  /** Throws an error again unless it says that the time is over. */
  absorb(error: unknown): void {
    const isOver = error instanceof NearfieldError && error.code === 'aborted' && this.spent;
    if (!isOver || this.#caller.signal?.aborted === true) throw error;
  }
}
