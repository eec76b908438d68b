// Two solids measured again and again as they move. A query begins with the last answer carried along: the points that
// came to touch, each moved with its body, say where the boundary is now, and a walk from there finds its nearest point.
// What is promised of an answer does not depend on that: a seed is tested like any other vector, and certified anew.
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
import { answerEarly, beginQuery, type PenetrationQuery } from '../penetration-query.js';
import type { PenetrationResult } from '../result.js';

/**
 * What seeds are lengthened by, as shares of their length, until one is apart: the first is rounding, the others are for
 * motion. The walk takes off again what is too much. The tests of all seeds take under 5 % of a query.
 */
const STRETCHES = [1e-9, 1e-4, 1e-2, 1e-1];

/** An answer, each part in the frame that it moves with. */
interface Memory {
  readonly vectorInA: Vec3;
  readonly vectorInB: Vec3;
  /** What came to touch at the end of the vector. */
  readonly pointInA: Vec3;
  readonly pointInB: Vec3;
}

/**
 * Two solids, measured again and again as they move. Every answer keeps the promises of {@link measurePenetrationSync}
 * whatever was asked before; what it costs does depend on it, and which of several vectors as good is returned. A pair must
 * not be used by two callers at once; two pairs may share a model.
 */
export class PenetrationPair {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly #options: PenetrationOptions;
  #last: Memory | null = null;

  /** @throws NearfieldError for options out of range, and those that take a promise: windows and the backend 'webgpu'. */
  constructor(a: ProximityModel, b: ProximityModel, options: PenetrationOptions = {}) {
    assertModel(a, 'The first model');
    assertModel(b, 'The second model');
    assertPenetrationOptions(options);
    assertWithoutPromise(options);
    this.a = a;
    this.b = b;
    this.#options = options;
  }

  /** How far A must be moved, at least, so that it no longer meets B: see {@link measurePenetration}. */
  measure(poseA: ReadonlyPose, poseB: ReadonlyPose): PenetrationResult {
    const query = beginQuery(this.a, this.b, poseA, poseB, this.#options);
    const unitB = pose.parse(poseB);
    const last = this.#last;
    // What throws on the way, an abort among it, leaves a pair that begins anew.
    this.#last = null;
    const result =
      answerEarly(query, this.#options.method ?? PENETRATION_DEFAULTS.method) ??
      searchOnCpu(query, this.#options, last === null ? null : findSeed(query, unitB, last));
    this.#last = remember(query.poseA, unitB, result);
    return result;
  }

  /** Forgets the last answer: the next costs as much as the first. */
  reset(): void {
    this.#last = null;
  }
}

function remember(
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  { vector, pointA, pointB }: PenetrationResult,
): Memory | null {
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
 * A vector of A's frame that is apart, as short as the last answer gives: what now leads from the one point that came to
 * touch to the other, or the last vector as either body carries it. Null if none of them is.
 */
function findSeed({ separation, poseA }: PenetrationQuery, poseB: Pose, last: Memory): Vec3 | null {
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
