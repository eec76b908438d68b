// Penetration depth in a worker of a pool.

import { assertPose } from '../core/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from '../proximity/arguments.js';
import { assertPool, type TaskPool } from '../proximity/batch/task-pool.js';
import type { PairInput, WorkerTasks } from '../proximity/batch/worker-tasks.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { assertPenetrationOptions } from './arguments.js';
import { measurePenetrationSync } from './measure-penetration.js';
import type { PenetrationOptions } from './options.js';
import type { PenetrationResult } from './result.js';

/** What a worker's script gives to `serveBatches`, so that it measures depths. */
export const PENETRATION_TASKS: WorkerTasks = {
  'penetration/measure': ([a, b], { poseA, poseB, options }: PairInput<PenetrationOptions>, progress) =>
    measurePenetrationSync(a, b, poseA, poseB, { ...options, ...progress }),
};

/**
 * As `measurePenetrationSync`, in a worker of a pool. Ask for many pairs at once, and all workers are busy.
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
  assertPenetrationOptions(options);
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  assertPose(poseA, 'A');
  assertPose(poseB, 'B');
  const { signal, onProgress, device, trace, onCells, ...rest } = options;
  if (device !== undefined || trace !== undefined || onCells !== undefined) {
    throw new NearfieldError(
      'bad-argument',
      'A device, trace and onCells cannot be sent to a worker; leave them out, or call measurePenetration.',
    );
  }
  const input = { poseA: Array.from(poseA), poseB: Array.from(poseB), options: rest };
  return (await pool.call('penetration/measure', [a, b], input, { signal, onProgress })) as PenetrationResult;
}
