// When a search has to end: when the process has spent the time that it was given, or at the caller's request.
import { type ProgressOptions, reportProgress } from './progress.js';

/** What is used of Node's `process`; pages have none. */
interface NodeProcess {
  cpuUsage?(): { readonly user: number; readonly system: number };
}

const { process: nodeProcess } = globalThis as { readonly process?: NodeProcess };

/** Processor time that the process has spent, in milliseconds; null where that is not known. */
function processorTime(): number | null {
  const used = nodeProcess?.cpuUsage?.();
  return used === undefined ? null : (used.user + used.system) / 1000;
}

/**
 * Counts the time that the process spent, so that a search does as much on a busy machine as on an idle one: processor time,
 * or the time on the clock where that is less (several threads) or the only one known (in a page).
 */
export class Deadline {
  readonly #limit: number;
  readonly #clockStart = performance.now();
  readonly #processorStart = processorTime();
  readonly #progress: ProgressOptions;
  /** The progress reported last: it does not go back where the clock ran ahead of the processor. */
  #fraction = 0;

  /** @param seconds from now on. */
  constructor(seconds: number, progress: ProgressOptions = {}) {
    this.#limit = 1000 * seconds;
    this.#progress = progress;
  }

  /** Milliseconds spent since the start. */
  get elapsed(): number {
    const clock = performance.now() - this.#clockStart;
    const spent = this.#processorStart === null ? null : processorTime();
    return spent === null ? clock : Math.min(clock, spent - this.#processorStart!);
  }

  /** Whether the time is over; reports progress and throws if the caller asked to stop. */
  isOver(stage: string): boolean {
    const clock = performance.now() - this.#clockStart;
    // The clock is cheaper to read, and it never shows less.
    const spent = clock < this.#limit ? clock : this.elapsed;
    this.#fraction = Math.max(this.#fraction, Math.min(1, spent / this.#limit));
    reportProgress(this.#progress, this.#fraction, stage);
    return spent >= this.#limit;
  }
}
