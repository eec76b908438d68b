// Motion planning in a worker of a pool. A problem is plain data; its meshes travel apart, so that each goes once.
import type { ProgressOptions } from '../core/progress.js';
import type { Mesh } from '../mesh/mesh.js';
import { assertPool } from '../pool/task-pool.js';
import type { TaskPool, WorkerTasks } from '../proximity/batch/model-pool.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { planMotion } from './plan-motion.js';
import { planQueries } from './plan-queries.js';
import type { PlanProblem, PlanResult } from './problem/plan-problem.js';
import { problemSettings } from './problem/problem-settings.js';

/** What a worker's script gives to `serveBatches`, so that it plans. */
export const PLANNING_TASKS: WorkerTasks = {
  'planning/plan': (models, input: unknown, progress): PlanResult[] => {
    const problem = mapMeshes(input, (value) => {
      const place = (value as { meshAt?: unknown }).meshAt;
      return typeof place === 'number' ? models[place].mesh : undefined;
    }) as PlanProblem;
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
  const models = new Map<Mesh, { readonly place: number; readonly model: ProximityModel }>();
  const input = mapMeshes(problem, (value) => {
    if (!isMesh(value)) return undefined;
    const known = models.get(value) ?? { place: models.size, model: new ProximityModel(value) };
    models.set(value, known);
    return { meshAt: known.place };
  });
  const all = [...models.values()].map(({ model }) => model);
  return (await pool.call('planning/plan', all, input, progress)) as readonly PlanResult[];
}

function isMesh(value: object): value is Mesh {
  return 'positions' in value && 'indices' in value;
}

/** A copy of plain data in which objects are replaced by what `replace` gives for them, if anything. */
function mapMeshes(value: unknown, replace: (value: object) => unknown): unknown {
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value;
  if (Array.isArray(value)) return value.map((entry) => mapMeshes(entry, replace));
  const replaced = replace(value);
  if (replaced !== undefined) return replaced;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, mapMeshes(entry, replace)]));
}
