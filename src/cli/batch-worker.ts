// The script of a Node worker that serves a BatchPool: new Worker(new URL(import.meta.resolve('nearfield/batch-worker'))).
import { parentPort } from 'node:worker_threads';
import { THREAD_TASKS } from '../cluster/tasks.js';
import { serveBatches } from '../proximity/batch/serve-batches.js';

/** Whether this module runs in a worker thread, where it serves batches. Outside a worker it does nothing. */
export const serving = parentPort !== null;

if (parentPort !== null) serveBatches(parentPort, THREAD_TASKS);
