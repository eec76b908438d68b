// Work for a pool in jobs of about equal cost: large enough that asking costs little beside the answer, small enough that
// progress, cancelling and a lost worker cost little too.
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { TaskPool } from './task-pool.js';

/** Chosen: what a job may cost, unless one item alone costs more. Of questions about pairs it is about 0.2 s of a processor. */
export const JOB_COST = 2 ** 18;

/** Cuts `count` items into jobs: the first item of each job, then `count`. */
export function cutByCost(count: number, costOf: (item: number) => number, limit = JOB_COST): number[] {
  const starts: number[] = [];
  let cost = Infinity;
  for (let item = 0; item < count; item++) {
    cost += costOf(item);
    if (cost <= limit) continue;
    starts.push(item);
    cost = 0;
  }
  return [...starts, count];
}

/** What is used of an AbortSignal: not every project that reads these declarations has its type. */
interface StopSignal {
  readonly aborted: boolean;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** Calls that are stopped together. Each has a signal of its own: Node warns of more than ten listeners to one. */
export class StoppableCalls {
  readonly #underWay = new Set<AbortController>();
  #stopped = false;

  async run<Answer>(call: (signal: StopSignal) => Promise<Answer>): Promise<Answer> {
    const controller = new AbortController();
    if (this.#stopped) controller.abort();
    this.#underWay.add(controller);
    try {
      return await call(controller.signal);
    } finally {
      this.#underWay.delete(controller);
    }
  }

  stop(): void {
    this.#stopped = true;
    for (const controller of [...this.#underWay]) controller.abort();
  }
}

/** Chosen: jobs handed to a pool for each task that it runs at once, so that none of its workers waits. */
const JOBS_AHEAD = 2;

/**
 * Asks a pool for all jobs and takes the answers as they come. When one fails or the caller aborts, the others are cancelled.
 * @param ask is given a signal for its call of the pool.
 */
export async function runJobs<Answer>(
  pool: TaskPool,
  count: number,
  ask: (job: number, signal: StopSignal) => Promise<Answer>,
  take: (job: number, answer: Answer) => void,
  progress: ProgressOptions,
  stage: string,
): Promise<void> {
  const calls = new StoppableCalls();
  const signal = progress.signal as Partial<AbortSignal> | undefined;
  const onAbort = (): void => calls.stop();
  signal?.addEventListener?.('abort', onAbort, { once: true });
  let next = 0;
  let done = 0;
  const runNext = async (): Promise<void> => {
    while (next < count) {
      const job = next++;
      const answer = await calls.run((stop) => ask(job, stop));
      take(job, answer);
      reportProgress(progress, ++done / count, stage);
    }
  };
  try {
    reportProgress(progress, 0, stage);
    const lanes = Math.min(count, JOBS_AHEAD * Math.max(1, pool.size));
    await Promise.all(Array.from({ length: lanes }, runNext));
  } finally {
    // Lanes that have not failed must not ask for more.
    next = count;
    signal?.removeEventListener?.('abort', onAbort);
    calls.stop();
  }
}
