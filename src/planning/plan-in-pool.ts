// Motion planning in a worker of a pool. A problem is plain data; its meshes travel apart, so that each goes once.
import type { ProgressOptions } from '../core/progress.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool, WorkerTasks } from '../proximity/batch/model-pool.js';
import { packMeshes, unpackMeshes } from '../proximity/batch/packed-meshes.js';
import { planMotion } from './plan-motion.js';
import { planQueries } from './plan-queries.js';
import type { PlanProblem, PlanResult } from './problem/plan-problem.js';
import { problemSettings } from './problem/problem-settings.js';

/** What a worker's script gives to `serveBatches`, so that it plans. */
export const PLANNING_TASKS: WorkerTasks = {
  'planning/plan': (models, input: unknown, progress): PlanResult[] => {
    const problem = unpackMeshes(models, input) as PlanProblem;
    return problem.queries === undefined ? [planMotion(problem, progress)] : planQueries(problem, progress);
  },
};

/**
 * As `planMotion`, in a worker of a pool; a problem with queries has an answer for each of them, others have one.
 * @throws NearfieldError as `planMotion` and `planQueries` do.
 */
export async function planInPool(
  pool: TaskPool,
  problem: PlanProblem,
  progress: ProgressOptions = {},
): Promise<readonly PlanResult[]> {
  assertPool(pool);
  problemSettings(problem);
  const { models, input } = packMeshes(problem);
  return (await pool.call('planning/plan', models, input, progress)) as readonly PlanResult[];
}
