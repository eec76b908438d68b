// What moves and what stands around it, as callers describe it. A problem of `planMotion` is one of these.
import type { RobotBounds } from '../../kinematics/robot/body-robot.js';
import type { ChainPlanRobot } from '../../kinematics/robot/chain-description.js';
import type { SpeedLimit } from '../../kinematics/robot/speed-limits.js';
import type { PlanObstacle } from '../../kinematics/validity/obstacle-description.js';
import type { Mesh } from '../../mesh/mesh.js';

/** A rigid body whose trajectory is given by poses. */
export interface MotionBody {
  readonly type: 'rigid' | 'planar';
  readonly name?: string | undefined;
  readonly mesh: Mesh;
  /** Of a planar one: the plane that it moves in. Default 'xy'. */
  readonly plane?: 'xy' | 'xz' | 'yz' | undefined;
  /** Where its origin may be. Default: anywhere. */
  readonly bounds?: RobotBounds | undefined;
  /** Where it stands if no trajectory moves it. */
  readonly start?: ArrayLike<number> | undefined;
  /** Default: no limit. */
  readonly speed?: SpeedLimit | undefined;
}

/** A chain of links, or a rigid body. */
export type MotionRobot = ChainPlanRobot | MotionBody;

/** Robots and obstacles, some of which may move by themselves. Units are meters, seconds and radians. */
export interface MotionProblem {
  /** Where no trajectory moves a joint, it is at the `start` of its robot, or at 0 or the limit next to it. */
  readonly robots: readonly MotionRobot[];
  readonly environment: readonly PlanObstacle[];
  /** The least distance wanted. Default 0: never touch. */
  readonly clearance?: number | undefined;
}
