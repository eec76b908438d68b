// Trajectories as callers give them: joint values or poses at times.
import type { ReadonlyPose } from '../../core/pose.js';

/** How joint values go from one waypoint to the next. */
export const INTERPOLATIONS = ['auto', 'linear', 'cubic', 'quintic'] as const;

/**
 * How joint values go from one waypoint to the next. 'auto': as controllers of ROS do, by what both waypoints have: straight,
 * cubic with velocities, quintic with accelerations too.
 */
export type Interpolation = (typeof INTERPOLATIONS)[number];

/** Where joints are at a time. */
export interface JointWaypoint {
  /** In seconds. Left out at all points of a trajectory: its points count as a second apart. */
  readonly time?: number | undefined;
  readonly positions: ArrayLike<number>;
  readonly velocities?: ArrayLike<number> | undefined;
  readonly accelerations?: ArrayLike<number> | undefined;
}

/** Joint values over time. Joints are named as in the robot, or `robot/joint` where two robots have one of the same name. */
export interface JointTrajectory {
  readonly joints: readonly string[];
  readonly points: readonly JointWaypoint[];
  /** Values of other joints, which stay; of the same joints: where they are before the first point. */
  readonly start?: Readonly<Record<string, number>> | undefined;
}

/** Poses of a rigid body over time: its origin moves straight and it turns evenly the shorter way. */
export interface BodyTrajectory {
  /** The name of the robot. Default: the only rigid one. */
  readonly body?: string | undefined;
  readonly points: readonly { readonly time?: number | undefined; readonly pose: ReadonlyPose | ArrayLike<number> }[];
}

/** Waypoints of the robots of a problem, in its order: what planners answer with. */
export interface PathTrajectory {
  readonly paths: readonly { readonly robot?: string | undefined; readonly poses: readonly ArrayLike<number>[] }[];
  /** When the waypoints are reached. Default: a second apart. */
  readonly times?: readonly number[] | null | undefined;
}

/** A trajectory of one robot or of several. */
export type MotionTrajectory = JointTrajectory | BodyTrajectory | PathTrajectory;
