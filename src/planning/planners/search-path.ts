// The planners by name.

import type { PlannerName } from '../problem/plan-problem.js';
import { planTeam } from '../team/plan-team.js';
import { planConstraint } from './plan-constraint.js';
import { planHybrid } from './plan-hybrid.js';
import { planPrm, planRoadmap } from './plan-roadmap.js';
import { planRrtConnect } from './plan-rrt-connect.js';
import { planVoronoi } from './plan-voronoi.js';
import type { FoundPath, Planner, PlanTask } from './planner.js';

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
  if (scene.proves(start, goal)) return { planner, path: [start, goal], proof: null };
  return PLANNER_BY_NAME[planner](task);
}

/** Robots alone are planned as a single robot is. */
function planPrioritized(task: PlanTask): FoundPath {
  return planTeam(task, null, (alone) => searchPath('auto', alone));
}

/** The hybrid planner for a single robot, priorities for several. */
function planAny(task: PlanTask): FoundPath {
  return task.scene.robots.length > 1 ? planPrioritized(task) : planHybrid(task);
}
