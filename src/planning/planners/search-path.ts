// The planners by name.

import type { PlannerName } from '../problem/plan-problem.js';
import { planTeam } from '../team/plan-team.js';
import { planConstraint } from './plan-constraint.js';
import { planHybrid } from './plan-hybrid.js';
import { planPrm, planRoadmap } from './plan-roadmap.js';
import { planRrtConnect } from './plan-rrt-connect.js';
import { planVoronoi } from './plan-voronoi.js';
import type { FoundPath, Planner, PlanTask } from './planner.js';

/** Chosen: the shares of the straight way at which it is looked at before it is proven. */
const TESTED_FIRST = [0.5, 0.25, 0.75, 0.125, 0.375, 0.625, 0.875];

const PLANNER_BY_NAME: Readonly<Record<PlannerName, Planner>> = {
  auto: planAny,
  hybrid: planHybrid,
  voronoi: planVoronoi,
  roadmap: planRoadmap,
  prm: planPrm,
  'rrt-connect': planRrtConnect,
  prioritized: planPrioritized,
  constraint: planConstraint,
};

/** Searches a path by the planner of a name. */
export function searchPath(planner: PlannerName, task: PlanTask): FoundPath {
  const { scene, start, goal } = task;
  if (!meetsBetween(task) && scene.proves(start, goal)) return { planner, path: [start, goal], proof: null };
  return PLANNER_BY_NAME[planner](task);
}

/**
 * Whether a configuration between start and goal is not free. Of scenes with quick tests alone: a proof looks at a whole edge there,
 * which takes far longer, and elsewhere it tests configurations itself.
 */
function meetsBetween({ scene, start, goal }: PlanTask): boolean {
  if (!scene.knowsStretches) return false;
  const q = start.slice();
  return TESTED_FIRST.some((share) => {
    scene.interpolate(start, goal, share, q);
    return !scene.isFree(q);
  });
}

/** Robots alone are planned as a single robot is. */
function planPrioritized(task: PlanTask): FoundPath {
  return planTeam(task, null, (alone) => searchPath('auto', alone));
}

/** The hybrid planner for a single robot, priorities for several. */
function planAny(task: PlanTask): FoundPath {
  return task.scene.robots.length > 1 ? planPrioritized(task) : planHybrid(task);
}
