// A chain as callers describe it: links, joints, and where its configurations and its links are to be.
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SpeedLimit } from './speed-limits.js';

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
  /** The largest velocity, acceleration and jerk of a trajectory, in radians or meters and seconds. Default: those of `timePath`. */
  readonly velocity?: number | undefined;
  readonly acceleration?: number | undefined;
  readonly jerk?: number | undefined;
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
