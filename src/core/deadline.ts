// When a search has to end: when the process has spent the time that it was given, when the search holds more memory than it may,
// or at the caller's request.
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

/** How much memory a search may hold. */
export interface MemoryLimit {
  /** The most, in bytes. */
  readonly most: number;
  /** What is held now: counted, not measured, so that the same search ends at the same place. */
  held(): number;
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
  /** The deadline that this one is a part of. */
  readonly #whole: Deadline | null;
  #memory: MemoryLimit | null = null;
  #isFull = false;
  /** The progress reported last: it does not go back where the clock ran ahead of the processor. */
  #fraction = 0;

  /**
   * @param seconds from now on.
   * @param whole a deadline with which this one ends at the latest; it reports the progress.
   */
  constructor(seconds: number, progress: ProgressOptions = {}, whole: Deadline | null = null) {
    this.#limit = 1000 * seconds;
    this.#progress = progress;
    this.#whole = whole;
  }

  /** A deadline for a part of the work, which ends with this one at the latest. */
  within(seconds: number): Deadline {
    return new Deadline(seconds, {}, this);
  }

  /** Ends the search where it holds more than a limit; null for no limit. */
  limitMemory(memory: MemoryLimit | null): void {
    this.#memory = memory;
  }

  /** Milliseconds that are left. */
  get left(): number {
    const own = Math.max(0, this.#limit - this.elapsed);
    return this.#whole === null ? own : Math.min(own, this.#whole.left);
  }

  /** Whether it was memory that ended the search. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Milliseconds spent since the start. */
  get elapsed(): number {
    const clock = performance.now() - this.#clockStart;
    const spent = this.#processorStart === null ? null : processorTime();
    return spent === null ? clock : Math.min(clock, spent - this.#processorStart!);
  }

  /** Whether the time is over, or the memory full; reports progress and throws if the caller asked to stop. */
  isOver(stage: string): boolean {
    if (this.#whole?.isOver(stage) === true) return true;
    if (this.#memory !== null && this.#memory.held() > this.#memory.most) {
      this.#isFull = true;
      return true;
    }
    const clock = performance.now() - this.#clockStart;
    // The clock is cheaper to read, and it never shows less.
    const spent = clock < this.#limit ? clock : this.elapsed;
    this.#fraction = Math.max(this.#fraction, Math.min(1, spent / this.#limit));
    reportProgress(this.#progress, this.#fraction, stage);
    return spent >= this.#limit;
  }
}
