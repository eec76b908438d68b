// Long work that can be done bit by bit: a generator that yields, before each step, what is to be paid for going on. Whoever
// drives it decides how much to spend at a time; amounts are counted, not timed, so that the same calls do the same.

/** Work in steps. Each number yielded is the work to be paid before the next step. */
export type Steps<Result> = Generator<number, Result, void>;

/** Does all steps at once. */
export function finishSteps<Result>(steps: Steps<Result>): Result {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}
