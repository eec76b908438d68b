// A pool whose tasks run at once in this thread, with everything that goes in and out as bytes, as on a cluster.
import { decode, encode } from '../../src/cluster/codec.js';
import { THREAD_TASKS } from '../../src/cluster/tasks.js';
import type { ProgressOptions } from '../../src/core/progress.js';
import type { TaskPool, WorkerTask } from '../../src/proximity/batch/model-pool.js';
import { PROXIMITY_TASKS } from '../../src/proximity/batch/proximity-tasks.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';

const tasks: Record<string, WorkerTask> = { ...PROXIMITY_TASKS, ...THREAD_TASKS };

export class DirectPool implements TaskPool {
  readonly size = 2;
  readonly shared = false;
  /** The tasks that were called. */
  readonly calls: string[] = [];

  async call(name: string, models: readonly ProximityModel[], input: unknown, options: ProgressOptions = {}) {
    this.calls.push(name);
    const copies = models.map(({ mesh }) => new ProximityModel(decode(encode(mesh)) as typeof mesh));
    return decode(encode(await tasks[name](copies, decode(encode(input)) as never, { signal: options.signal })));
  }
}
