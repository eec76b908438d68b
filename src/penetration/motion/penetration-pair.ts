// Two solids measured repeatedly as they move. A query starts from the last answer: the two touching points, each moved
// with its body, tell where the boundary is now, and a walk from there finds its nearest point. The guarantees of an
// answer do not depend on that: a seed is tested like any other vector, and certified again.
import { toUnit } from '../../core/check/check-pose.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { assertModel } from '../../proximity/arguments.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { assertPenetrationOptions, assertWithoutPromise } from '../arguments.js';
import { PENETRATION_DEFAULTS } from '../defaults.js';
import { searchOnCpu } from '../measure-penetration.js';
import type { PenetrationOptions } from '../options.js';
import { answerEarly, beginWithin, hasBegun, type PenetrationQuery } from '../penetration-query.js';
import type { PenetrationResult } from '../result.js';

/**
 * Seeds are lengthened by these shares of their length until one separates: the first allows for rounding, the others
 * for motion. The walk removes the excess. The tests of all seeds take under 5 % of a query.
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
 * Two solids, measured repeatedly as they move. Every answer has the guarantees of {@link measurePenetrationSync}
 * whatever was measured before; the cost depends on it, and so does which of several equally good vectors is returned.
 * A pair must not be used by two callers at once; two pairs may share a model.
 */
export class PenetrationPair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly #options: PenetrationOptions;
  #last: PenetrationMemory | null = null;

  /** @throws NearfieldError for options out of range or asynchronous only: windows and the backend 'webgpu'. */
  constructor(a: ProximityModel, b: ProximityModel, options: PenetrationOptions = {}) {
    assertModel(a, 'The first model');
    assertModel(b, 'The second model');
    assertPenetrationOptions(options);
    assertWithoutPromise(options);
    this.a = a;
    this.b = b;
    this.#options = options;
  }

  /** The shortest translation of A after which it no longer meets B: see {@link measurePenetration}. */
  measure(poseA: ReadonlyPose, poseB: ReadonlyPose): PenetrationResult {
    const last = this.#last;
    // After an exception, such as an abort, the pair starts afresh.
    this.#last = null;
    const { result, memory } = measureFrom(this.a, this.b, poseA, poseB, this.#options, last);
    this.#last = memory;
    return result;
  }

  /** Forgets the last answer: the next query costs as much as the first. */
  reset(): void {
    this.#last = null;
  }
}

/** Measures two solids, starting from the last answer if there is one; returns the answer with what the next starts from. */
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
