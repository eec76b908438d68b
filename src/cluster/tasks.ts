// Every task that runs in a thread or on another machine, by name: functions of models and plain data.

import { FIELD_TASKS } from '../field/field-in-pool.js';
import { ICE_TASKS } from '../ice/cpu/ice-in-pool.js';
import { PENETRATION_TASKS } from '../penetration/penetration-in-pool.js';
import { PLANNING_TASKS } from '../planning/plan-in-pool.js';
import type { WorkerTasks } from '../proximity/batch/model-pool.js';
import { PROXIMITY_TASKS } from '../proximity/batch/proximity-tasks.js';
import { SIMULATION_TASKS } from '../simulation/simulate-in-pool.js';
import { SWEEP_TASKS } from '../sweep/sweep-in-pool.js';

/** What threads serve. Ice keeps state in its thread and is not for other machines. */
export const THREAD_TASKS: WorkerTasks = {
  ...PENETRATION_TASKS,
  ...FIELD_TASKS,
  ...ICE_TASKS,
  ...PLANNING_TASKS,
  ...SIMULATION_TASKS,
  ...SWEEP_TASKS,
};

/** The names of the tasks that a cluster's worker runs. */
export const CLUSTER_TASKS: readonly string[] = [
  PROXIMITY_TASKS,
  PENETRATION_TASKS,
  FIELD_TASKS,
  PLANNING_TASKS,
  SIMULATION_TASKS,
  SWEEP_TASKS,
].flatMap(Object.keys);
