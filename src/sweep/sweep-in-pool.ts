// A sweep in the threads of a pool or on the machines of a cluster: each job examines some pairs.
import { Deadline } from '../core/deadline.js';
import { reportProgress } from '../core/progress.js';
import { runJobs } from '../pool/run-jobs.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool, WorkerTasks } from '../proximity/batch/model-pool.js';
import { packMeshes, unpackMeshes } from '../proximity/batch/packed-meshes.js';
import { buildMotion } from './build-motion.js';
import { PairExaminer, type PairRequest } from './pair-examiner.js';
import { SweepRounds } from './sweep-motion.js';
import { SWEEP_OPTIONS, type SweepOptions, type SweepSubject } from './sweep-options.js';
import type { SweepResult, SweptPairResult } from './sweep-result.js';

/** Chosen: the jobs of a round for each worker: each builds the motion, and none should wait long for the last. */
const JOBS_PER_WORKER = 2;

/** What a worker is sent. */
interface SweepJob {
  readonly subject: unknown;
  readonly options: unknown;
  readonly request: PairRequest;
  /** By number. */
  readonly pairs: readonly number[];
  readonly maxSeconds: number | null;
}

/** What a worker answers. */
interface SweepAnswer {
  readonly results: readonly SweptPairResult[];
  readonly queries: number;
  readonly loopError: number;
}

/** What a worker's script gives to `serveBatches`, so that it sweeps. */
export const SWEEP_TASKS: WorkerTasks = {
  'sweep/pairs': (models, job: SweepJob, progress): SweepAnswer => {
    const { pairs, request, maxSeconds } = job;
    const subject = unpackMeshes(models, job.subject) as SweepSubject;
    const { motion, loops } = buildMotion(subject, unpackMeshes(models, job.options) as SweepOptions);
    const deadline = maxSeconds === null ? null : new Deadline(maxSeconds, progress);
    const examiner = new PairExaminer(motion, request, deadline);
    const results = pairs.map((pair, i) => {
      reportProgress(progress, i / pairs.length, 'pairs');
      return examiner.examine(motion.pairs[pair]);
    });
    return { results, queries: examiner.queries, loopError: loops?.worstError ?? 0 };
  },
};

/**
 * As `sweep`, in a pool. The answer is the same, to the bit, where no time runs out; solved values of loops are the same to
 * `loopError`. `maxSeconds` is the time that passes.
 * @throws NearfieldError as `sweep` does.
 */
export async function sweepInPool(
  pool: TaskPool,
  subject: SweepSubject,
  options: SweepOptions = {},
): Promise<SweepResult> {
  assertPool(pool);
  SWEEP_OPTIONS.assert(options);
  const { motion, loops, clearance } = buildMotion(subject, options);
  const { signal, onProgress, maxSeconds, ...asked } = options;
  const rounds = new SweepRounds(motion, options.clearance ?? clearance, options);
  const { models, input } = packMeshes({ subject, options: asked });
  const start = performance.now();
  let queries = 0;
  let loopError = loops?.worstError ?? 0;
  for (let near = rounds.next(); near !== null; near = rounds.next()) {
    const pairs = near;
    const count = Math.min(pairs.length, JOBS_PER_WORKER * Math.max(1, pool.size));
    const answers: (readonly SweptPairResult[])[] = [];
    await runJobs(
      pool,
      count,
      async (job, stop) => {
        const left = maxSeconds === undefined ? null : Math.max(0, maxSeconds - (performance.now() - start) / 1000);
        // Neighbors in the list cost about the same: each job takes every count-th.
        const own = pairs.filter((_, i) => i % count === job);
        const message = { ...(input as object), request: rounds.request, pairs: own, maxSeconds: left };
        return (await pool.call('sweep/pairs', models, message, { signal: stop as AbortSignal })) as SweepAnswer;
      },
      (job, answer) => {
        answers[job] = answer.results;
        queries += answer.queries;
        loopError = Math.max(loopError, answer.loopError);
      },
      { signal, onProgress },
      `${pairs.length} pairs`,
    );
    for (const i of pairs.keys()) rounds.take(answers[i % count][Math.floor(i / count)]);
  }
  return { ...rounds.finish(queries), loopError };
}
