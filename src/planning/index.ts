/**
 * Motion planning: paths whose every edge is proven free of collisions, or a proof that there is none.
 * @module planning
 */

export type {
  AgentConstraint,
  AgentEvent,
  AgentObstacleOptions,
  AgentOptions,
  AgentState,
  AgentStatus,
  AgentStep,
  AgentWorldOptions,
  AgentWorldStatus,
} from './constraint/agent-options.js';
export { AgentWorld } from './constraint/agent-world.js';
export { AGENT_DEFAULTS, PLANNING_DEFAULTS } from './defaults.js';
export { DeformableAgent } from './deformable/deformable-agent.js';
export type {
  DeformableAgentOptions,
  DeformableObstacle,
  DeformableStatus,
  DeformableStep,
} from './deformable/deformable-options.js';
export {
  forwardKinematics,
  type InverseKinematicsOptions,
  type InverseKinematicsResult,
  type InverseKinematicsSolution,
  solveInverseKinematics,
} from './kinematics/inverse-kinematics.js';
export { planMotion } from './plan-motion.js';
export { planQueries } from './plan-queries.js';
export {
  type VoronoiGuide,
  VoronoiPlanner,
  type VoronoiPlanResult,
  type VoronoiRepair,
} from './planners/voronoi-planner.js';
export { animatePath } from './problem/animate-path.js';
export {
  type ChainPlanRobot,
  type InfeasibilityProof,
  type JointValues,
  type LinkGoal,
  PLANNERS,
  type PlanarPlanRobot,
  type PlanJoint,
  type PlannerName,
  type PlanObstacle,
  type PlanProblem,
  type PlanQuery,
  type PlanResult,
  type PlanRobot,
  type RigidPlanRobot,
  type RobotBounds,
  type RobotsConfiguration,
} from './problem/plan-problem.js';
export type { ReadProblemOptions } from './problem/read-chain.js';
export { readPlanProblem } from './problem/read-plan-problem.js';
export { type PathFrame, type SampledPath, type SamplePathOptions, samplePath } from './problem/sample-path.js';
export { type WrittenProblem, writePlanProblem } from './problem/write-plan-problem.js';
export { type DrawnRoadmap, Roadmap, type RoadmapGrowth, type RoadmapQuery } from './roadmap/roadmap.js';
export type { RoadmapRepair } from './roadmap/sampled-roadmap.js';
export { SAMPLERS, type SamplerName } from './roadmap/sampler.js';
export type { PlanarAxes } from './robot/planar-robot.js';
export { type AgentScene, agentSample, agentSamples, createAgentWorld } from './samples/agent-scene.js';
export { planningSample, planningSamples } from './samples/catalogue.js';
export type { PlanningSample } from './samples/sample.js';
export type { SpeedLimit } from './time/speed-limits.js';
export { type IgnoredLinks, type ReadUrdfOptions, readUrdf, type UrdfRobot } from './urdf/read-urdf.js';
export { type WrittenUrdf, writeUrdf } from './urdf/write-urdf.js';
export type { PlanningCounters } from './validity/collision-scene.js';
export type { PathClearance } from './validity/path-clearance.js';
