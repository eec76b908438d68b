// Where tasks run: the threads of a pool, or the machines of a cluster. One call, whichever it is.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import type { ProgressOptions } from '../core/progress.js';

/** Runs tasks elsewhere: in threads, or on the machines of `nearfield/cluster`. Tasks without items run in any pool. */
export interface TaskPool<Item = never> {
  /** How many tasks run at the same time. */
  readonly size: number;
  /** Whether it shares memory with what runs the tasks. */
  readonly shared: boolean;
  /** Runs one task on items and plain data. */
  call(name: string, items: readonly Item[], input: unknown, options?: ProgressOptions | undefined): Promise<unknown>;
}

/** Refuses a value that is not a pool. */
export function assertPool(pool: TaskPool): void {
  if (typeof pool?.call === 'function' && typeof pool.size === 'number') return;
  throw new NearfieldError('bad-argument', `The pool is ${nameValue(pool)}; make one with new BatchPool(workers).`);
}
