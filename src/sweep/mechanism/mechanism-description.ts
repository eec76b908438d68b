// A mechanism as callers describe it: parts where they are at value 0, joints in the world, couplings, loops.
import type { ReadonlyPose } from '../../core/pose.js';
import type { ReadonlyVec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';

/** A rigid part of a mechanism. */
export interface MechanismPart {
  readonly name: string;
  /** A part without a mesh is a frame only, such as the one between a turn and a slide. */
  readonly mesh?: Mesh | undefined;
  /** Where it is in the world while all joints are at 0. Default: the identity. */
  readonly pose?: ReadonlyPose | undefined;
}

/** A joint between two parts; a part that is no joint's child stands still. */
export interface MechanismJoint {
  readonly name: string;
  readonly type: 'revolute' | 'prismatic' | 'fixed';
  readonly parent: string;
  readonly child: string;
  /** Where the joint is in the world while all joints are at 0. Default: the identity. */
  readonly origin?: ReadonlyPose | undefined;
  /** In the joint's frame. Default z. */
  readonly axis?: ReadonlyVec3 | undefined;
  /** The least and the greatest value, in radians or the unit of length. A joint without a range follows from loops. */
  readonly range?: readonly [number, number] | undefined;
}

/** A joint whose value is `ratio` times that of another one plus `offset`: gears, belts, screws. */
export interface MechanismCoupling {
  readonly joint: string;
  readonly of: string;
  readonly ratio: number;
  readonly offset?: number | undefined;
}

/** Two parts that a pin holds together, or a pin of b in a straight slot of a. */
export interface MechanismLoop {
  readonly a: string;
  readonly b: string;
  /** The point of both parts, in the world while all joints are at 0. */
  readonly at: ReadonlyVec3;
  readonly type: 'pin' | 'slide';
  /** The direction of the slot, in the world while all joints are at 0; needed for 'slide'. */
  readonly axis?: ReadonlyVec3 | undefined;
}

/** Two parts that may touch by design, or overlap up to a depth. */
export interface AllowedPair {
  readonly a: string;
  readonly b: string;
  /** How deep they may overlap. Default: however deep, so that the pair is not tested. */
  readonly depth?: number | undefined;
}

/** Parts on pins and slides. */
export interface Mechanism {
  readonly type: 'mechanism';
  readonly parts: readonly MechanismPart[];
  readonly joints: readonly MechanismJoint[];
  readonly couplings?: readonly MechanismCoupling[] | undefined;
  readonly loops?: readonly MechanismLoop[] | undefined;
  readonly allowed?: readonly AllowedPair[] | undefined;
  /** The clearance wanted where the options of a sweep name none. */
  readonly clearance?: number | undefined;
}
