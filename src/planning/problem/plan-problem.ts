// A motion planning problem and its answer, as callers give and get them.
import type { ReadonlyPose } from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { RobotBounds } from '../../kinematics/robot/body-robot.js';
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import type { PlanarAxes } from '../../kinematics/robot/planar-robot.js';
import type { SpeedLimit } from '../../kinematics/robot/speed-limits.js';
import type { PlanningCounters } from '../../kinematics/validity/collision-scene.js';
import type { PlanObstacle } from '../../kinematics/validity/obstacle-description.js';
import type { PathClearance } from '../../kinematics/validity/path-clearance.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SamplerName } from '../roadmap/sampler.js';

/** A rigid body that moves freely in space; configurations are poses. */
export interface RigidPlanRobot {
  readonly type: 'rigid';
  readonly name?: string | undefined;
  readonly mesh: Mesh;
  readonly bounds: RobotBounds;
  /** Start and goal are needed, unless the problem has `queries`. */
  readonly start?: ReadonlyPose | undefined;
  readonly goal?: ReadonlyPose | undefined;
  /** Binds where times count: where an obstacle moves, or there is a horizon. Default: no limit. */
  readonly speed?: SpeedLimit | undefined;
}

/** A rigid body that moves in a plane parallel to two axes, and turns about the third; configurations are poses. */
export interface PlanarPlanRobot extends Omit<RigidPlanRobot, 'type'> {
  readonly type: 'planar';
  readonly plane: PlanarAxes;
}

/** A robot of any kind. */
export type PlanRobot = RigidPlanRobot | PlanarPlanRobot | ChainPlanRobot;

/** The planners by name: 'auto' chooses. */
export const PLANNERS = [
  'auto',
  'hybrid',
  'voronoi',
  'roadmap',
  'prm',
  'rrt-connect',
  'prioritized',
  'constraint',
] as const;
/** One of the planners. */
export type PlannerName = (typeof PLANNERS)[number];

/** A configuration of all robots: that of the only one, a pose or joint values, or a list with one for each. */
export type RobotsConfiguration = ArrayLike<number> | readonly ArrayLike<number>[];

/** One of several questions to the same roadmap. */
export interface PlanQuery {
  readonly start: RobotsConfiguration;
  readonly goal: RobotsConfiguration;
}

/** What is to be planned. Units are meters, seconds and radians. */
export interface PlanProblem {
  readonly name?: string | undefined;
  /** Several robots move at the same time and must not touch. */
  readonly robots: readonly PlanRobot[];
  readonly environment: readonly PlanObstacle[];
  /** The last time by which the goal must be reached, in seconds from the start. Default: no limit. */
  readonly horizon?: number | undefined;
  /** In place of starts and goals of robots: several questions, which `planQueries` answers from one roadmap. */
  readonly queries?: readonly PlanQuery[] | undefined;
  /** The least distance wanted everywhere on the path. Default 0: never touch. */
  readonly clearance?: number | undefined;
  /**
   * What a chain keeps beyond the clearance wherever there is room, in meters: paths go nearer only where they find no other way, and
   * next to a start or a goal that is nearer. Default: `PLANNING_DEFAULTS.preferredShare` of the size of its largest link.
   */
  readonly preferredClearance?: number | undefined;
  /** Default `PLANNING_DEFAULTS.planner`. */
  readonly planner?: PlannerName | undefined;
  /** Where the planners 'prm' (default 'uniform') and 'roadmap' (default 'voronoi') take their samples. */
  readonly sampler?: SamplerName | undefined;
  /**
   * In seconds that the process spends: processor time, or the time on the clock where that is less (several threads) or
   * the only one known (in a page). Default `PLANNING_DEFAULTS.timeLimit`.
   */
  readonly timeLimit?: number | undefined;
  /**
   * How much memory the plan may hold, in bytes: meshes and what is derived from them, trees, roadmaps and tables, as counted. Default
   * `PLANNING_DEFAULTS.maxMemory`, 1 GB.
   */
  readonly maxMemory?: number | undefined;
  /** The same seed gives the same path. Default `PLANNING_DEFAULTS.seed`. */
  readonly seed?: number | undefined;
}

/** A proof that there is no path: a ball inside of a robot, in its frame, that no motion brings from start to goal. */
export interface InfeasibilityProof {
  readonly kind: 'ball';
  readonly robot: string;
  /** Of a chain: the link that the ball is inside of, and in whose frame it is given. */
  readonly link?: string | undefined;
  /** Of a chain: a joint that alone moves the link, and a value that it has to pass, at which the ball is in an obstacle. */
  readonly joint?: string | undefined;
  readonly value?: number | undefined;
  readonly center: Vec3;
  readonly radius: number;
}

/** The waypoints of a robot; all robots of an answer have the same count. */
export interface RobotPath {
  readonly robot: string;
  /** Poses, or of a chain the values of its joints. */
  readonly poses: readonly (readonly number[])[];
  /** Of a chain: the joints in the order of these values, and the value of each at every waypoint. */
  readonly joints?: readonly { readonly name: string; readonly values: readonly number[] }[];
}

/** Two bodies at a start or a goal that touch, or are nearer than the clearance. */
export interface PlanCollision {
  /** A link of a robot, by the robot's name where it has only one, or an obstacle: 'environment 1' is the first. */
  readonly a: string;
  readonly b: string;
  /** 0 where they touch. */
  readonly distance: number;
  /** Where: a point of a nearest to b, or one where the surfaces cross; null for a body inside another. */
  readonly point: Vec3 | null;
  /** How deep two solids overlap, as an interval; null for others, and where they do not. */
  readonly depth: { readonly lower: number; readonly upper: number } | null;
}

/** An answer. Between two waypoints origins move on straight lines, bodies turn evenly, joint values change evenly. */
export interface PlanResult {
  /** 'timeout' and 'memory-limit' claim nothing: time was over, or more memory was needed than `maxMemory`. */
  readonly status: 'solved' | 'infeasible' | 'timeout' | 'memory-limit' | 'invalid-start' | 'invalid-goal';
  readonly planner: PlannerName;
  readonly seed: number;
  readonly paths: readonly RobotPath[];
  /** When the waypoints are reached, in seconds, from 0; null where times do not count. */
  readonly times: readonly number[] | null;
  /** The way of the origins, or of the joint values, summed. */
  readonly length: number;
  /** The angles turned, summed. */
  readonly turning: number;
  readonly clearance: PathClearance | null;
  /** Whether the whole path is proven, edge by edge. */
  readonly certified: boolean;
  /** What the process spent, counted as {@link PlanProblem.timeLimit} is. */
  readonly milliseconds: number;
  /** Of them, the time until robots and environment were prepared. */
  readonly preprocessMs: number;
  readonly counters: PlanningCounters;
  readonly proof: InfeasibilityProof | null;
  /** What is wrong with a start or a goal, or why no path can be in time, in words; null where nothing more is known. */
  readonly reason: string | null;
  /** What collides at a start or a goal that is invalid; null where nothing does. */
  readonly collision: PlanCollision | null;
  /** What was done to meshes that bound no solid as they are, such as doubled faces, a sentence each. */
  readonly notes: readonly string[];
}
