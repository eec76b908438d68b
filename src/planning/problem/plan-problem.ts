// A motion planning problem and its answer, as callers give and get them.
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { PlanarAxes } from '../robot/planar-robot.js';
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
  readonly start: ReadonlyPose;
  readonly goal: ReadonlyPose;
}

/** A rigid body that moves in a plane parallel to two axes, and turns about the third; configurations are poses. */
export interface PlanarPlanRobot extends Omit<RigidPlanRobot, 'type'> {
  readonly type: 'planar';
  readonly plane: PlanarAxes;
}

/** A joint of a chain; `parent` and `child` are names of links. */
export interface PlanJoint {
  readonly name: string;
  readonly type: 'revolute' | 'prismatic' | 'fixed';
  readonly parent: string;
  readonly child: string;
  /** Where the joint is in the parent's frame. Default: at its origin. */
  readonly origin?: ReadonlyPose | undefined;
  /** In the joint's frame. Default x, as in URDF. */
  readonly axis?: ReadonlyVec3 | undefined;
  /** The least and the greatest value; needed unless the joint is fixed. */
  readonly limits?: readonly [number, number] | undefined;
}

/** A tree of links, parents before children; configurations are the values of the joints that are not fixed. */
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
  readonly start: ArrayLike<number>;
  readonly goal: ArrayLike<number>;
}

/** A robot of any kind. */
export type PlanRobot = RigidPlanRobot | PlanarPlanRobot | ChainPlanRobot;

/** The planners by name: 'auto' chooses. */
export const PLANNERS = ['auto', 'hybrid', 'trees'] as const;
/** One of the planners. */
export type PlannerName = (typeof PLANNERS)[number];

/** What is to be planned. Units are meters, seconds and radians. */
export interface PlanProblem {
  readonly name?: string | undefined;
  /** Several robots move at the same time and must not touch. */
  readonly robots: readonly PlanRobot[];
  readonly environment: readonly { readonly mesh: Mesh; readonly pose?: ReadonlyPose | undefined }[];
  /** The least distance wanted everywhere on the path. Default 0: never touch. */
  readonly clearance?: number | undefined;
  /** Default `PLANNING_DEFAULTS.planner`. */
  readonly planner?: PlannerName | undefined;
  /** In seconds. Default `PLANNING_DEFAULTS.timeLimit`. */
  readonly timeLimit?: number | undefined;
  /** The same seed gives the same path. Default `PLANNING_DEFAULTS.seed`. */
  readonly seed?: number | undefined;
}

/** A proof that there is no path: a ball inside of a robot, in its frame, that no motion brings from start to goal. */
export interface InfeasibilityProof {
  readonly kind: 'ball';
  readonly robot: string;
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
  readonly times: null;
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
}
