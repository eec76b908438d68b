// One measurement of two solids that starts from the answer of the last: the two touching points, each moved with its
// body, tell where the boundary is now, and a walk from there finds its nearest point. The guarantees of an answer do
// not depend on that: a seed is tested like any other vector, and the answer certified again.
import { toUnit } from '../../core/check/check-pose.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { searchOnCpu } from '../cpu-search.js';
import type { PenetrationOptions } from '../options.js';
import { PENETRATION_DEFAULTS } from '../options.js';
import { answerEarly, beginWithin, hasBegun, type PenetrationQuery } from '../penetration-query.js';
import type { PenetrationResult } from '../result.js';

/**
 * Chosen: seeds are lengthened by these shares of their length until one separates: the first allows for rounding, the
 * others for motion. The walk removes the excess. Measured where it was tuned: the tests of all seeds take under 5 % of
 * a query.
 */
const STRETCHES = [1e-9, 1e-4, 1e-2, 1e-1];

/** An answer, each part in the frame that it moves with. */
export interface PenetrationMemory {
  readonly vectorInA: Vec3;
  readonly vectorInB: Vec3;
  /** The points that touch at the end of the vector. */
  readonly pointInA: Vec3;
  readonly pointInB: Vec3;
}

/**
 * Measures two solids, starting from the last answer if there is one; returns the answer with what the next starts
 * from.
 */
export function measureFrom(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: PenetrationOptions,
  last: PenetrationMemory | null,
): { result: PenetrationResult; memory: PenetrationMemory | null } {
  const query = beginWithin(a, b, poseA, poseB, options);
  if (!hasBegun(query)) return { result: query, memory: last };
  const unitB = toUnit(poseB);
  const result =
    answerEarly(query, options.method ?? PENETRATION_DEFAULTS.method) ??
    searchOnCpu(query, options, last === null ? null : findSeed(query, unitB, last));
  return { result, memory: remember(query.poseA, unitB, result) };
}

function remember(
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  { vector, pointA, pointB }: PenetrationResult,
): PenetrationMemory | null {
  if (pointA === null || pointB === null) return null;
  const toA = pose.invert(poseA);
  const toB = pose.invert(poseB);
  return {
    vectorInA: pose.transformVector(toA, vector),
    vectorInB: pose.transformVector(toB, vector),
    pointInA: pose.transformPoint(toA, pointA),
    pointInB: pose.transformPoint(toB, pointB),
  };
}

/**
 * A separating vector of A's frame, from the last answer: from one of the points that touched to the other, each moved
 * with its body, or the last vector as carried by either body. Null if none of them separates.
 */
function findSeed({ separation, poseA }: PenetrationQuery, poseB: Pose, last: PenetrationMemory): Vec3 | null {
  const bInA = pose.bInA(poseA, poseB);
  const seeds = [
    vec3.subtract(pose.transformPoint(bInA, last.pointInB), last.pointInA),
    last.vectorInA,
    pose.transformVector(bInA, last.vectorInB),
  ].sort((u, v) => vec3.length(u) - vec3.length(v));
  for (const stretch of STRETCHES) {
    for (const seed of seeds) {
      const longer = vec3.scale(seed, 1 + stretch);
      if (separation.isApart(...longer)) return longer;
    }
  }
  return null;
}
