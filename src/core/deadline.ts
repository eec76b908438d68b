// When a search has to end: at a time, or at the caller's request.
import { type ProgressOptions, reportProgress } from './progress.js';

export class Deadline {
  readonly #end: number;
  readonly #start = performance.now();
  readonly #progress: ProgressOptions;

  /** @param seconds from now on. */
  constructor(seconds: number, progress: ProgressOptions = {}) {
    this.#end = this.#start + 1000 * seconds;
    this.#progress = progress;
  }

  /** Milliseconds since the start. */
  get elapsed(): number {
    return performance.now() - this.#start;
  }

  /** Whether the time is over; reports progress and throws if the caller asked to stop. */
  isOver(stage: string): boolean {
    const now = performance.now();
    reportProgress(this.#progress, Math.min(1, (now - this.#start) / (this.#end - this.#start)), stage);
    return now >= this.#end;
  }
}
