// Runs the jobs of a clash check, in this thread or in the workers of a pool, and gives their clashes in the order of
// the jobs. Only the jobs under way are in memory.
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import { StoppableCalls } from '../pool/run-jobs.js';
import { assertPool } from '../pool/task-pool.js';
import { type ClashAnswer, runClashJob } from '../proximity/batch/clash-job.js';
import type { TaskPool } from '../proximity/batch/model-pool.js';
import { BoxTree } from '../proximity/boxes/box-tree.js';
import { BOXES } from '../proximity/model-parts.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { Clash } from './clash.js';
import { ClashCheck } from './clash-check.js';

/** How to run a clash check. */
export interface StreamOptions extends ProgressOptions {
  /** Threads to run it in. Default: this thread. The clashes are the same, to the bit. */
  readonly pool?: TaskPool | undefined;
  /** Answers of jobs that were done before, by job; null for others. */
  readonly known?: ((job: number) => ClashAnswer | null) | undefined;
  /**
   * Told of jobs that a pool could not answer (`job-failed`), whose clashes are missing then. Default: the error is
   * thrown.
   */
  readonly onFailedJob?: ((job: number, error: Error) => void) | undefined;
}

const STREAM_TABLE = optionTable<StreamOptions>()({
  pool: checkedElsewhere(),
  known: checkedElsewhere(),
  onFailedJob: checkedElsewhere(),
  ...PROGRESS_RULES,
});

/** The clashes of one job. */
export interface ClashBlock {
  readonly job: number;
  readonly answer: ClashAnswer;
  readonly clashes: readonly Clash[];
}

/** Chosen: jobs handed to a pool ahead of the one whose clashes come next, for each worker. */
const JOBS_AHEAD = 3;

/**
 * The clashes of a check, job by job, always in the same order. Stops when the signal is aborted or the caller leaves the
 * loop. Answers can be kept, and given as `known` to a later run of the same check.
 * @throws NearfieldError as {@link BatchPool.call} does.
 */
export async function* streamClashes(
  check: ClashCheck,
  options: StreamOptions = {},
): AsyncGenerator<ClashBlock, void, void> {
  if (!(check instanceof ClashCheck)) {
    throw new NearfieldError('bad-argument', `The check is ${nameValue(check)}; make one with new ClashCheck(parts).`);
  }
  STREAM_TABLE.assert(options);
  const { pool, known, onFailedJob } = options;
  if (pool !== undefined) assertPool(pool);
  const { jobCount } = check;
  const calls = new StoppableCalls();
  const signal = options.signal as Partial<AbortSignal> | undefined;
  const onAbort = (): void => calls.stop();
  signal?.addEventListener?.('abort', onAbort, { once: true });
  const shared = new Set<ProximityModel>();
  const answerJob = (index: number): ClashAnswer | Promise<ClashAnswer> => {
    const before = known?.(index) ?? null;
    if (before !== null) return before;
    const { models: numbers, job } = check.job(index);
    const models = numbers.map((number) => check.models[number]);
    if (pool === undefined) return runClashJob(models, job, { signal: options.signal });
    if (pool.shared) for (const model of models) shareBoxes(model, shared);
    const answer = calls.run(
      (stop) => pool.call('proximity/clashes', models, job, { signal: stop }) as Promise<ClashAnswer>,
    );
    // Awaited later, in the order of the jobs.
    answer.catch(() => {});
    return answer;
  };
  const ahead = pool === undefined ? 1 : JOBS_AHEAD * pool.size;
  const underWay: (ClashAnswer | Promise<ClashAnswer>)[] = [];
  let next = 0;
  try {
    for (let index = 0; index < jobCount; index++) {
      while (next < jobCount && underWay.length < ahead) underWay.push(answerJob(next++));
      reportProgress(options, index / jobCount, 'pairs of parts');
      let answer: ClashAnswer;
      try {
        answer = await underWay.shift()!;
      } catch (error) {
        if (onFailedJob === undefined || !(error instanceof NearfieldError && error.code === 'job-failed')) throw error;
        onFailedJob(index, error);
        continue;
      }
      yield { job: index, answer, clashes: check.clashesOf(index, answer) };
    }
    reportProgress(options, 1, 'pairs of parts');
  } finally {
    signal?.removeEventListener?.('abort', onAbort);
    calls.stop();
  }
}

/** Makes the whole tree of a model once, in memory that workers share. */
function shareBoxes(model: ProximityModel, done: Set<ProximityModel>): void {
  if (done.has(model)) return;
  done.add(model);
  const { boxes, links } = model.boxes.complete();
  if (boxes.buffer instanceof SharedArrayBuffer) return;
  const sharedBoxes = new Float64Array(new SharedArrayBuffer(boxes.byteLength));
  const sharedLinks = new Int32Array(new SharedArrayBuffer(links.byteLength));
  sharedBoxes.set(boxes);
  sharedLinks.set(links);
  model.parts.set(BOXES, new BoxTree(model.mesh, { boxes: sharedBoxes, links: sharedLinks }));
}
