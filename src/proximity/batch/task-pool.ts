// Where tasks run: the threads of a BatchPool, or the machines of a cluster. One call, whichever it is.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { ProximityModel } from '../proximity-model.js';

/** Runs tasks elsewhere: a {@link BatchPool}, or a cluster of `nearfield/cluster`. */
export interface TaskPool {
  /** How many tasks run at the same time. */
  readonly size: number;
  /** Whether it shares memory with what runs the tasks. */
  readonly shared: boolean;
  /** Runs one task on models and plain data. */
  call(
    name: string,
    models: readonly ProximityModel[],
    input: unknown,
    options?: ProgressOptions | undefined,
  ): Promise<unknown>;
}

/** Refuses what is not a pool. */
export function assertPool(pool: TaskPool): void {
  if (typeof pool?.call === 'function' && typeof pool.size === 'number') return;
  throw new NearfieldError('bad-argument', `The pool is ${nameValue(pool)}; make one with new BatchPool(workers).`);
}
