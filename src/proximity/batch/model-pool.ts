// Pools and tasks whose items are models.
import type { TaskPool as PoolOf } from '../../pool/task-pool.js';
import type { WorkerTask as TaskOf, WorkerTasks as TasksOf } from '../../pool/worker-tasks.js';
import type { ProximityModel } from '../proximity-model.js';

/** Runs tasks elsewhere: a {@link BatchPool}, or a cluster of `nearfield/cluster`. */
export type TaskPool = PoolOf<ProximityModel>;

/** One task: its arguments and its result must be data that a message can carry. */
export type WorkerTask = TaskOf<ProximityModel>;

/** Tasks by name. */
export type WorkerTasks = TasksOf<ProximityModel>;
