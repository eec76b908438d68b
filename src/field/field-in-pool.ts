// Distance fields in a worker of a pool.
import { NearfieldError } from '../core/errors.js';
import { assertPool, type TaskPool } from '../pool/task-pool.js';
import type { WorkerTasks } from '../proximity/batch/model-pool.js';
import { computeFieldSync } from './compute-field.js';
import { type DistanceField, FIELD_OPTIONS, type FieldOptions, type FieldSource } from './distance-field.js';
import type { GridFrame } from './grid.js';
import { SPARSE_TASKS } from './sparse/sparse-in-pool.js';

interface FieldInput {
  readonly source: FieldSource;
  readonly frame: GridFrame;
  readonly options: FieldOptions;
}

/** What a worker's script gives to `serveBatches`, so that it computes fields. */
export const FIELD_TASKS: WorkerTasks = {
  'field/compute': (_, { source, frame, options }: FieldInput, progress) =>
    computeFieldSync(source, frame, { ...options, ...progress }),
  ...SPARSE_TASKS,
};

/**
 * As `computeFieldSync`, in a worker of a pool, from a mesh or a polygon.
 * @throws NearfieldError as `computeField` does, and for functions as sources and devices, which cannot be sent to a
 * worker.
 */
export async function computeFieldInPool(
  pool: TaskPool,
  source: FieldSource,
  frame: GridFrame,
  options: FieldOptions = {},
): Promise<DistanceField> {
  assertPool(pool);
  FIELD_OPTIONS.assert(options);
  const { signal, onProgress, device, ...rest } = options;
  if (source === null || typeof source !== 'object') {
    throw new NearfieldError('bad-argument', `The source is ${source}; give a mesh or a polygon.`);
  }
  if (device !== undefined || 'lipschitz' in source) {
    throw new NearfieldError(
      'bad-argument',
      'Devices and functions cannot be sent to a worker; give a mesh or a polygon, or call computeField.',
    );
  }
  const input: FieldInput = { source, frame, options: rest };
  return (await pool.call('field/compute', [], input, { signal, onProgress })) as DistanceField;
}
