// Counts the work of a preparation in faces, vertices and triangles looked at, some ten nanoseconds each, so that what
// grows faster than the model can be stopped in time; and lets the caller hear of it at even intervals.
import { NearfieldError } from '../core/errors.js';

/** Work between two calls of `onStep`: some milliseconds. */
const STEP = 200_000;

export class WorkLimit {
  /** The work done so far. */
  done = 0;
  /** Called at even intervals of the work. */
  onStep: (() => void) | undefined;
  #nextStep = STEP;

  /** @param what says in the error what takes the work. */
  constructor(
    readonly max: number,
    readonly what: string,
  ) {}

  /** @throws NearfieldError `too-large` when more than the most allowed is done. */
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
