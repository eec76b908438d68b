// A motion planning problem and its answer, as callers give and get them.
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { Keyframe } from '../../proximity/impact/motion.js';
import type { SamplerName } from '../roadmap/sampler.js';
import type { PlanarAxes } from '../robot/planar-robot.js';
import type { SpeedLimit } from '../time/speed-limits.js';
import type { PlanningCounters } from '../validity/collision-scene.js';
import type { PathClearance } from '../validity/path-clearance.js';

/** Where the origin of a robot may be. */
export interface RobotBounds {
  readonly min: ReadonlyVec3;
  readonly max: ReadonlyVec3;
}

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

/** A joint of a chain; `parent` and `child` are names of links. */
export interface PlanJoint {
  readonly name: string;
  /** A continuous joint is a hinge that may have no limits; they are two turns to each side then. */
  readonly type: 'revolute' | 'continuous' | 'prismatic' | 'fixed';
  readonly parent: string;
  readonly child: string;
  /** Where the joint is in the parent's frame. Default: at its origin. */
  readonly origin?: ReadonlyPose | undefined;
  /** In the joint's frame. Default x, as in URDF. */
  readonly axis?: ReadonlyVec3 | undefined;
  /** The least and the greatest value; needed unless the joint is fixed, continuous or mimics another one. */
  readonly limits?: readonly [number, number] | undefined;
  /** The value of this joint is that of another one times `factor` (1) plus `offset` (0); it has no number in configurations. */
  readonly mimic?: { readonly joint: string; readonly factor?: number; readonly offset?: number } | undefined;
}

/** Values of joints by their names. Joints left out are at 0, or at the limit next to it. */
export type JointValues = Readonly<Record<string, number>>;

/** Where a link of a chain is to be: any joint values that bring it there will do. */
export interface LinkGoal {
  readonly link: string;
  /** The pose of the link's frame in the world. */
  readonly pose?: ReadonlyPose | undefined;
  /** In place of the pose: where a point of the link is to be, whatever the orientation. */
  readonly position?: ReadonlyVec3 | undefined;
  /** The point of the link that `position` is of, in its frame. Default: its origin. */
  readonly point?: ReadonlyVec3 | undefined;
  /** How far the position may be off, in meters. Default 1e-9. */
  readonly tolerance?: number | undefined;
  /** How far the orientation may be off, in radians. Default 1e-9. */
  readonly angleTolerance?: number | undefined;
}

/** A tree of links, parents before children; configurations are the values of joints that are not fixed and mimic no other. */
export interface ChainPlanRobot {
  readonly type: 'chain';
  readonly name?: string | undefined;
  /** The pose of the root link. */
  readonly base?: ReadonlyPose | undefined;
  /** The first is the root, which does not move. A link without a mesh is a frame only. */
  readonly links: readonly { readonly name: string; readonly mesh?: Mesh | undefined }[];
  readonly joints: readonly PlanJoint[];
  /** Pairs of links that may touch, besides those joined by a joint. */
  readonly ignore?: readonly (readonly [string, string])[] | undefined;
  /**
   * Start and goal are needed, unless the problem has `queries`: numbers in the order of the joints, or by their names. A goal
   * may be where a link is to be: inverse kinematics finds joint values that are free.
   */
  readonly start?: ArrayLike<number> | JointValues | undefined;
  readonly goal?: ArrayLike<number> | JointValues | LinkGoal | undefined;
  /** Of each slide and of each hinge. Binds where times count. Default: no limit. */
  readonly speed?: SpeedLimit | undefined;
}

/** A model of the environment: at rest, or in motion through keyframes. */
export interface PlanObstacle {
  readonly mesh: Mesh;
  /** Default: at the origin. */
  readonly pose?: ReadonlyPose | undefined;
  /**
   * In place of the pose: keys in ascending order of time. Between two keys it moves straight and turns evenly the shorter way;
   * before the first and after the last it is at rest.
   */
  readonly motion?: readonly Keyframe[] | undefined;
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
  /** Default `PLANNING_DEFAULTS.planner`. */
  readonly planner?: PlannerName | undefined;
  /** Where the planners 'prm' (default 'uniform') and 'roadmap' (default 'voronoi') take their samples. */
  readonly sampler?: SamplerName | undefined;
  /** In seconds. Default `PLANNING_DEFAULTS.timeLimit`. */
  readonly timeLimit?: number | undefined;
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

/** An answer. Between two waypoints origins move on straight lines, bodies turn evenly, joint values change evenly. */
export interface PlanResult {
  /** 'timeout' claims nothing. */
  readonly status: 'solved' | 'infeasible' | 'timeout' | 'invalid-start' | 'invalid-goal';
  readonly planner: PlannerName;
  readonly seed: number;
  /** The waypoints of each robot, all of the same number: poses, or joint values. */
  readonly paths: readonly { readonly robot: string; readonly poses: readonly (readonly number[])[] }[];
  /** When the waypoints are reached, in seconds, from 0; null where times do not count. */
  readonly times: readonly number[] | null;
  /** The way of the origins, or of the joint values, summed. */
  readonly length: number;
  /** The angles turned, summed. */
  readonly turning: number;
  readonly clearance: PathClearance | null;
  /** Whether the whole path is proven, edge by edge. */
  readonly certified: boolean;
  readonly milliseconds: number;
  /** Of them, the time until robots and environment were prepared. */
  readonly preprocessMs: number;
  readonly counters: PlanningCounters;
  readonly proof: InfeasibilityProof | null;
  /** What is wrong with a start or a goal, or why no path can be in time, in words; null where nothing more is known. */
  readonly reason: string | null;
}
