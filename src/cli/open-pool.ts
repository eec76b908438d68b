// A pool of worker threads for one command.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { BatchPool } from '../proximity/batch/batch-pool.js';

/** Chosen: threads; --workers refuses more. */
export const MAX_WORKERS = 256;

/** The script of a thread. */
export const BATCH_SCRIPT = join(dirname(fileURLToPath(import.meta.url)), 'batch-worker.js');

/** Chosen, against hangs only: milliseconds until a thread must have started; a busy machine takes long, and one that fails says so at once. */
export const START_TIMEOUT = 600_000;

/** Null for one worker: the command's own thread does as well. */
export function openPool(workers: number): BatchPool | null {
  return workers === 1
    ? null
    : new BatchPool(
        Array.from({ length: workers }, () => new Worker(BATCH_SCRIPT)),
        { startTimeout: START_TIMEOUT },
      );
}
