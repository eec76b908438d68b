import { serveTasks } from '../../pool/pool-server.js';
import type { Port as BatchPort } from '../../pool/port.js';
import { BATCH_RUN, beginBatch } from './batch-run.js';
import { MODEL_KIND } from './model-kind.js';
import type { WorkerTasks } from './model-pool.js';
import { PROXIMITY_TASKS } from './proximity-tasks.js';

/**
 * Makes a worker serve a `BatchPool`. The worker's script calls it once with its port to the pool: `self` in a web
 * worker, `parentPort` in a worker of Node.
 * @param tasks what `BatchPool.call` may ask for besides the tasks of this chapter, such as `PENETRATION_TASKS`.
 */
export function serveBatches(port: BatchPort, tasks: WorkerTasks = {}): void {
  serveTasks(port, {
    kind: MODEL_KIND,
    tasks: { ...PROXIMITY_TASKS, ...tasks },
    ranged: { [BATCH_RUN]: beginBatch },
  });
}
