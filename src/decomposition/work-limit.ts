// Counts the work of a preparation in faces, vertices and triangles visited, some ten nanoseconds each, so that work
// that grows faster than the model can be stopped in time. Notifies the caller at regular intervals.
import { NearfieldError } from '../core/errors.js';

/** Chosen: the work between two calls of `onStep`, some milliseconds. */
const STEP = 200_000;

export class WorkLimit {
  /** The work done so far. */
  done = 0;
  /** Called at regular intervals of work. */
  onStep: (() => void) | undefined;
  #nextStep = STEP;

  /** Counts without a limit. */
  static none(): WorkLimit {
    return new WorkLimit(Infinity, 'This');
  }

  /** @param what names the work in the error. */
  constructor(
    readonly max: number,
    readonly what: string,
  ) {}

  /** @throws NearfieldError `too-large` if the work exceeds the limit. */
  spend(amount: number): void {
    this.done += amount;
    if (this.done < this.#nextStep && this.done <= this.max) return;
    if (this.done > this.max) {
      throw new NearfieldError(
        'too-large',
        `${this.what} takes more work than allowed (${this.max}): give a larger maxWork, or none.`,
      );
    }
    this.#nextStep = this.done + STEP;
    this.onStep?.();
  }
}
