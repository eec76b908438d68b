// Pools and tasks whose items are models: the generic ones of src/pool, written out for readers of the public face.
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

/** One task: its arguments and its result must be data that a message can carry. */
export type WorkerTask = (models: readonly ProximityModel[], input: never, progress: ProgressOptions) => unknown;

/** Tasks by name. */
export type WorkerTasks = Readonly<Record<string, WorkerTask>>;
