/**
 * Motion planning: paths whose every edge is proven free of collisions, or a proof that there is none.
 * @module planning
 */

export { PLANNING_DEFAULTS } from './defaults.js';
export { planMotion } from './plan-motion.js';
export { animatePath } from './problem/animate-path.js';
export {
  type ChainPlanRobot,
  type InfeasibilityProof,
  PLANNERS,
  type PlanarPlanRobot,
  type PlanJoint,
  type PlannerName,
  type PlanProblem,
  type PlanResult,
  type PlanRobot,
  type RigidPlanRobot,
  type RobotBounds,
} from './problem/plan-problem.js';
export { type ReadProblemOptions, readPlanProblem } from './problem/read-plan-problem.js';
export type { PlanarAxes } from './robot/planar-robot.js';
export type { PlanningCounters } from './validity/collision-scene.js';
export type { PathClearance } from './validity/path-clearance.js';
