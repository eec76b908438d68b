/**
 * Motion planning: paths whose every edge is proven free of collisions, or a proof that no path exists.
 * @module planning
 */

export {
  AGENT_DEFAULTS,
  type AgentConstraint,
  type AgentEvent,
  type AgentObstacleOptions,
  type AgentOptions,
  type AgentState,
  type AgentStatus,
  type AgentStep,
  type AgentWorldOptions,
  type AgentWorldStatus,
} from '../agents/agent-options.js';
export { AgentWorld } from '../crowd/agent-world.js';
export { DeformableAgent } from '../crowd/deformable-agent.js';
export type {
  DeformableAgentOptions,
  DeformableObstacle,
  DeformableStatus,
  DeformableStep,
} from '../crowd/deformable-options.js';
export {
  forwardKinematics,
  type InverseKinematicsOptions,
  type InverseKinematicsResult,
  type InverseKinematicsSolution,
  solveInverseKinematics,
} from '../kinematics/inverse/inverse-kinematics.js';
export { type MjcfRobot, type ReadMjcfOptions, readMjcf } from '../kinematics/mjcf/read-mjcf.js';
export {
  type PlanningScene,
  type ReadPlanningSceneOptions,
  readPlanningScene,
} from '../kinematics/moveit/read-scene.js';
export type { RobotBounds } from '../kinematics/robot/body-robot.js';
export type { ChainPlanRobot, JointValues, LinkGoal, PlanJoint } from '../kinematics/robot/chain-description.js';
export type { PlanarAxes } from '../kinematics/robot/planar-robot.js';
export type { SpeedLimit } from '../kinematics/robot/speed-limits.js';
export type { IgnoredLinks, TouchingChoice } from '../kinematics/urdf/ignored-links.js';
export type { SrdfGroup } from '../kinematics/urdf/read-srdf.js';
export { type ReadUrdfOptions, readUrdf, type UrdfRobot } from '../kinematics/urdf/read-urdf.js';
export { type WrittenUrdf, writeUrdf } from '../kinematics/urdf/write-urdf.js';
export type { PlanningCounters } from '../kinematics/validity/collision-scene.js';
export type { PlanObstacle } from '../kinematics/validity/obstacle-description.js';
export type { PathClearance } from '../kinematics/validity/path-clearance.js';
export { type AgentScene, agentSample, agentSamples, createAgentWorld } from '../samples/crowd/agent-scene.js';
export { planningSample, planningSamples } from '../samples/planning/catalogue.js';
export type { PlanningSample } from '../samples/planning/sample.js';
export { MotionPlanner, type MotionPlannerOptions, type MotionQuery } from './motion-planner.js';
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
  type InfeasibilityProof,
  PLANNERS,
  type PlanarPlanRobot,
  type PlanCollision,
  type PlannerName,
  type PlanProblem,
  type PlanQuery,
  type PlanResult,
  type PlanRobot,
  type RigidPlanRobot,
  type RobotPath,
  type RobotsConfiguration,
} from './problem/plan-problem.js';
export { PLANNING_DEFAULTS } from './problem/problem-settings.js';
export type { ReadProblemOptions } from './problem/read-chain.js';
export { readPlanProblem } from './problem/read-plan-problem.js';
export { type PathFrame, type SampledPath, type SamplePathOptions, samplePath } from './problem/sample-path.js';
export { type WrittenProblem, writePlanProblem } from './problem/write-plan-problem.js';
export { type DrawnRoadmap, Roadmap, type RoadmapGrowth, type RoadmapQuery } from './roadmap/roadmap.js';
export type { RoadmapRepair } from './roadmap/sampled-roadmap.js';
export { SAMPLERS, type SamplerName } from './roadmap/sampler.js';
export {
  type JointLimit,
  TIMING_DEFAULTS,
  type TimePathOptions,
  type Trajectory,
  type TrajectoryPoint,
  timePath,
} from './trajectory/time-path.js';
export { trajectoryAt } from './trajectory/trajectory-at.js';
export { TRAJECTORY_FORMATS, type TrajectoryFormat, writeTrajectory } from './trajectory/write-trajectory.js';
