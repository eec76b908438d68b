// One question about each of many placed pairs of models, in jobs of a pool. The answer to a pair whose question fails is its
// error; the other pairs are answered.
import { nameValue } from '../../core/check/check-options.js';
import { assertPose } from '../../core/check/check-pose.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { cutByCost, runJobs } from '../../pool/run-jobs.js';
import { fromSentError, type SentError, toSentError } from '../../pool/sent-error.js';
import { assertModel } from '../arguments.js';
import type { ProximityModel } from '../proximity-model.js';
import type { TaskPool } from './model-pool.js';
import { pairSize, QUESTION_COSTS } from './question-costs.js';

/** Two models and where they are. */
export interface PosedPair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly poseA: ReadonlyPose;
  readonly poseB: ReadonlyPose;
}

/** The input of a task about many placed pairs. */
export interface PosedPairsInput<Options> {
  /** Models A and B as places in the list of models; two per pair. */
  readonly models: Uint32Array;
  /** Poses of A and B; 14 numbers per pair. */
  readonly poses: Float64Array;
  readonly options: Options;
}

type PairAnswer<Result> = { readonly result: Result } | { readonly error: SentError };

/** The worker's side: asks about one pair after the other. */
export function answerPairs<Options, Result>(
  models: readonly ProximityModel[],
  input: PosedPairsInput<Options>,
  ask: (pair: PosedPair, options: Options) => Result,
  progress: ProgressOptions,
): PairAnswer<Result>[] {
  assertInput(input, models.length);
  const { models: places, poses, options } = input;
  return Array.from({ length: places.length / 2 }, (_, i): PairAnswer<Result> => {
    reportProgress(progress, (2 * i) / places.length, 'pairs');
    const poseOf = (which: number): ReadonlyPose => poses.subarray(14 * i + 7 * which, 14 * i + 7 * which + 7);
    const pair = { a: models[places[2 * i]], b: models[places[2 * i + 1]], poseA: poseOf(0), poseB: poseOf(1) };
    try {
      return { result: ask(pair, options) };
    } catch (error) {
      if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
      return { error: toSentError(error) };
    }
  });
}

/**
 * The caller's side. The answers are in the order of the pairs. A pair that could not be answered has its error instead, with
 * the code 'aborted' if the time `maxMilliseconds` ran out before.
 */
export async function askPairsInPool<Result>(
  pool: TaskPool,
  task: string,
  kind: keyof typeof QUESTION_COSTS,
  pairs: readonly PosedPair[],
  options: object,
  progress: ProgressOptions,
  maxMilliseconds = Infinity,
): Promise<(Result | NearfieldError)[]> {
  const starts = cutByCost(pairs.length, (i) => QUESTION_COSTS[kind] * pairSize(pairs[i].a, pairs[i].b));
  const answers: (Result | NearfieldError)[] = [];
  const deadline = performance.now() + maxMilliseconds;
  await runJobs(
    pool,
    starts.length - 1,
    async (job, signal): Promise<PairAnswer<Result>[]> => {
      const part = pairs.slice(starts[job], starts[job + 1]);
      const models = [...new Set(part.flatMap(({ a, b }) => [a, b]))];
      const places = new Map(models.map((model, place) => [model, place]));
      const input: PosedPairsInput<object> = {
        models: Uint32Array.from(part.flatMap(({ a, b }) => [places.get(a)!, places.get(b)!])),
        poses: Float64Array.from(part.flatMap(({ poseA, poseB }) => [...Array.from(poseA), ...Array.from(poseB)])),
        options,
      };
      const limit = new AbortController();
      const stop = (): void => limit.abort();
      signal.addEventListener('abort', stop, { once: true });
      // A timer takes times below 2³¹ ms; longer ones count as unlimited.
      const left = deadline - performance.now();
      const timer = left < 2 ** 31 ? setTimeout(stop, left) : undefined;
      try {
        if (left <= 0) stop();
        return (await pool.call(task, models, input, { signal: limit.signal })) as PairAnswer<Result>[];
      } catch (error) {
        const isLate = limit.signal.aborted && !signal.aborted;
        if (!(error instanceof NearfieldError && (isLate || error.code === 'job-failed'))) throw error;
        return part.map(() => ({ error: toSentError(error) }));
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', stop);
      }
    },
    (job, part) => {
      for (const [i, answer] of part.entries()) {
        answers[starts[job] + i] = 'result' in answer ? answer.result : (fromSentError(answer.error) as NearfieldError);
      }
    },
    progress,
    'pairs',
  );
  return answers;
}

/** Refuses a value that is not a list of placed pairs. */
export function assertPosedPairs(pairs: readonly PosedPair[]): void {
  if (!Array.isArray(pairs)) {
    throw new NearfieldError('bad-argument', `The pairs are ${nameValue(pairs)}; give an array of pairs of models.`);
  }
  for (const [i, pair] of pairs.entries()) {
    if (pair === null || typeof pair !== 'object') {
      throw new NearfieldError('bad-argument', `Pair ${i} is ${nameValue(pair)}; give { a, b, poseA, poseB }.`);
    }
    assertModel(pair.a, `Model A of pair ${i}`);
    assertModel(pair.b, `Model B of pair ${i}`);
    assertPose(pair.poseA, `A in pair ${i}`);
    assertPose(pair.poseB, `B in pair ${i}`);
  }
}

function assertInput({ models, poses }: PosedPairsInput<unknown>, modelCount: number): void {
  if (
    models instanceof Uint32Array &&
    poses instanceof Float64Array &&
    models.length % 2 === 0 &&
    poses.length === 7 * models.length &&
    models.every((model) => model < modelCount)
  ) {
    return;
  }
  throw new NearfieldError('bad-argument', 'The job does not have two models and two poses for each pair.');
}
