// Penetration depth in a worker of a pool.

import { assertPose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import type { ProgressOptions } from '../core/progress.js';
import { assertPool } from '../pool/task-pool.js';
import { assertModel } from '../proximity/arguments.js';
import type { TaskPool, WorkerTasks } from '../proximity/batch/model-pool.js';
import {
  answerPairs,
  askPairsInPool,
  assertPosedPairs,
  type PosedPair,
  type PosedPairsInput,
} from '../proximity/batch/posed-pairs.js';
import type { PairInput } from '../proximity/batch/proximity-tasks.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertPenetrationOptions } from './arguments.js';
import { measurePenetrationSync } from './measure-on-cpu.js';
import type { PenetrationOptions } from './options.js';
import type { PenetrationResult } from './result.js';

/** What a worker's script gives to `serveBatches`, so that it measures depths. */
export const PENETRATION_TASKS: WorkerTasks = {
  'penetration/measure': ([a, b], { poseA, poseB, options }: PairInput<PenetrationOptions>, progress) =>
    measurePenetrationSync(a, b, poseA, poseB, { ...options, ...progress }),
  'penetration/measure-pairs': (models, input: PosedPairsInput<PenetrationOptions>, progress) =>
    answerPairs(
      models,
      input,
      ({ a, b, poseA, poseB }, options) =>
        measurePenetrationSync(a, b, poseA, poseB, { ...options, signal: progress.signal }),
      progress,
    ),
};

/**
 * As `measurePenetrationSync`, in a worker of a pool. Ask for many pairs at once to keep all workers busy.
 * @throws NearfieldError as `measurePenetration` does, and for the options `device`, `trace` and `onCells`, which cannot
 * be sent to a worker.
 */
export async function measurePenetrationInPool(
  pool: TaskPool,
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions = {},
): Promise<PenetrationResult> {
  assertPool(pool);
  const { rest, progress } = sendable(options);
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  assertPose(poseA, 'A');
  assertPose(poseB, 'B');
  const input = { poseA: Array.from(poseA), poseB: Array.from(poseB), options: rest };
  return (await pool.call('penetration/measure', [a, b], input, progress)) as PenetrationResult;
}

/**
 * As {@link measurePenetrationInPool} for many placed pairs, several to a job. The answers are in the order of the
 * pairs. A pair that has no depth, for example two open meshes, is answered by the error.
 */
export async function measurePenetrationOfPairsInPool(
  pool: TaskPool,
  pairs: readonly PosedPair[],
  options: PenetrationOptions = {},
): Promise<(PenetrationResult | NearfieldError)[]> {
  assertPool(pool);
  assertPosedPairs(pairs);
  const { rest, progress } = sendable(options);
  return askPairsInPool(pool, 'penetration/measure-pairs', 'depth', pairs, rest, progress);
}

/** The options that can be sent, and the others. */
function sendable(options: PenetrationOptions): { rest: PenetrationOptions; progress: ProgressOptions } {
  assertPenetrationOptions(options);
  const { signal, onProgress, device, trace, onCells, ...rest } = options;
  if (device === undefined && trace === undefined && onCells === undefined) {
    return { rest, progress: { signal, onProgress } };
  }
  throw new NearfieldError(
    'bad-argument',
    'A device, trace and onCells cannot be sent to a worker; leave them out, or call measurePenetration.',
  );
}
