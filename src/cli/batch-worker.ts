// The script of a Node worker that serves a BatchPool: new Worker(new URL(import.meta.resolve('nearfield/batch-worker'))).
import { parentPort } from 'node:worker_threads';
import { FIELD_TASKS } from '../field/field-in-pool.js';
import { ICE_TASKS } from '../ice/cpu/ice-in-pool.js';
import { PENETRATION_TASKS } from '../penetration/penetration-in-pool.js';
import { serveBatches } from '../proximity/batch/batch-serve.js';

/** Whether this module runs in a worker thread, where it serves batches. Outside a worker it does nothing. */
export const serving = parentPort !== null;

if (parentPort !== null) serveBatches(parentPort, { ...PENETRATION_TASKS, ...FIELD_TASKS, ...ICE_TASKS });
