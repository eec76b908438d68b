// How the clearance of two models changes as they move and turn. Apart: by translation the normal between the nearest points,
// by rotation its moment (the envelope theorem: the points slide, but that changes nothing to first order). Overlapping:
// minus the derivatives of the certified depth. Where several pairs of points are nearest, the answer says so.
import { numberFrom, optionTable } from '../../core/check/option-table.js';
import type { ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { type GradientReason, penetrationGradient } from '../../penetration/gradient/penetration-gradient.js';
import { measurePenetrationSync } from '../../penetration/measure-on-cpu.js';
import { PENETRATION_DEFAULTS } from '../../penetration/options.js';
import { Pair } from '../../proximity/pair.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { nearestWitnesses } from './nearest-witnesses.js';

/**
 * Why a clearance has no gradient, or no known one. 'several-points': other pairs of points are as near, up to rounding.
 * 'open-surface': models overlap of which one bounds no solid. Others are those of a depth.
 */
export type ClearanceGradientReason = 'several-points' | 'open-surface' | GradientReason;

/** The derivatives of a clearance, in the world frame. */
export interface ClearanceGradient {
  /** The distance of models apart; minus the depth of those that overlap, the greater bound of its interval. */
  readonly clearance: number;
  /** What is proven of it. */
  readonly lower: number;
  readonly upper: number;
  /** Whether the clearance has this gradient. If not, it is that of one of the nearest pairs of points. */
  readonly unique: boolean;
  readonly reason: ClearanceGradientReason | null;
  /** Change of the clearance per length that A, or B, moves. */
  readonly translationA: Vec3;
  readonly translationB: Vec3;
  /**
   * Change of the clearance per radian that A, or B, turns about the origin of its pose: a rotation vector r turns it by |r|
   * about r, in axes of the world. Null where the depth has no derivative by rotation.
   */
  readonly rotationA: Vec3 | null;
  readonly rotationB: Vec3 | null;
  /** The nearest points; null for models that overlap. */
  readonly pointA: Vec3 | null;
  readonly pointB: Vec3 | null;
}

/** How {@link clearanceGradient} works. */
export interface ClearanceGradientOptions {
  /** The most cells of directions that are examined for a depth and for its uniqueness. Default: as for `measurePenetration`. */
  readonly maxCells?: number | undefined;
}

const OPTIONS = optionTable<ClearanceGradientOptions>()({ maxCells: numberFrom(0, PENETRATION_DEFAULTS.maxCells) });

/** Rounding: pairs of points farther apart than the nearest by this share of it count as near too. */
const AS_NEAR = 1e-9;

/** Rounding: a distance is off by less than this share of the coordinates. */
const DISTANCE_ERROR = 1e-14;

/** Rounding: nearest points that differ by less than this share of the coordinates are the same. */
const SAME_POINT = 1e-7;

/** Chosen: the interval of a depth is this share of it wide, so that its vector is nearly the shortest. */
const DEPTH_GAP = 1e-7;

/** Chosen: the same where only a bound is wanted. */
const ROUGH_GAP = 0.01;

/** The signed clearance of two models, and its derivatives by both poses. */
export function clearanceGradient(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ClearanceGradientOptions = {},
): ClearanceGradient {
  return gradientOfPair(new Pair(a, b), poseA, poseB, options);
}

/**
 * As {@link clearanceGradient}, with what a pair keeps between calls.
 * @param isRough whether `unique` does not matter, which costs most, and depths may be rough ones.
 */
export function gradientOfPair(
  pair: Pair,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ClearanceGradientOptions = {},
  isRough = false,
): ClearanceGradient {
  const { maxCells } = OPTIONS.read(options);
  const { distance, witness } = pair.distance(poseA, poseB);
  if (distance! > 0 && witness !== null) return ofDistance(pair, poseA, poseB, distance!, witness, isRough);
  if (!pair.a.closed || !pair.b.closed) return flat('open-surface', 0);
  const relativeGap = isRough ? ROUGH_GAP : DEPTH_GAP;
  const result = measurePenetrationSync(pair.a, pair.b, poseA, poseB, { relativeGap, maxCells });
  if (result.direction === null) return flat('touching', 0);
  const gradient = penetrationGradient(result, poseA, poseB, pair.a, pair.b, { maxCells: isRough ? 0 : maxCells });
  return {
    clearance: -result.upper,
    lower: -result.upper,
    upper: -result.lower,
    unique: gradient.unique,
    reason: gradient.reason,
    translationA: vec3.scale(gradient.translationA, -1),
    translationB: vec3.scale(gradient.translationB, -1),
    rotationA: gradient.rotationA && vec3.scale(gradient.rotationA, -1),
    rotationB: gradient.rotationB && vec3.scale(gradient.rotationB, -1),
    pointA: null,
    pointB: null,
  };
}

function ofDistance(
  { a, b }: Pair,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  distance: number,
  { pointA, pointB, normal }: { readonly pointA: Vec3; readonly pointB: Vec3; readonly normal: Vec3 | null },
  isRough: boolean,
): ClearanceGradient {
  const n = normal ?? [0, 0, 1];
  const size = a.magnitude + b.magnitude + vec3.length(pose.bInA(poseA, poseB).slice(0, 3) as Vec3);
  const error = DISTANCE_ERROR * size;
  const limit = distance * (1 + AS_NEAR) + error;
  const unique = isRough || haveOneNearest(a, b, poseA, poseB, limit, SAME_POINT * (size + distance));
  const armA: Vec3 = [pointA[0] - poseA[0], pointA[1] - poseA[1], pointA[2] - poseA[2]];
  const armB: Vec3 = [pointB[0] - poseB[0], pointB[1] - poseB[1], pointB[2] - poseB[2]];
  return {
    clearance: distance,
    lower: Math.max(0, distance - error),
    upper: distance,
    unique,
    reason: unique ? null : 'several-points',
    translationA: vec3.scale(n, -1),
    translationB: [n[0], n[1], n[2]],
    rotationA: vec3.scale(vec3.cross(armA, n), -1),
    rotationB: vec3.cross(armB, n),
    pointA,
    pointB,
  };
}

function haveOneNearest(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  limit: number,
  same: number,
): boolean {
  const found = nearestWitnesses(a, b, pose.bInA(poseA, poseB), limit);
  // Rounding may leave none within the limit: then there is no second one either.
  if (found === null) return false;
  return found.every(({ pointA, pointB }) => {
    const [firstA, firstB] = [found[0].pointA, found[0].pointB];
    return vec3.distance(pointA, firstA) <= same && vec3.distance(pointB, firstB) <= same;
  });
}

function flat(reason: ClearanceGradientReason, clearance: number): ClearanceGradient {
  return {
    clearance,
    lower: clearance,
    upper: clearance,
    unique: false,
    reason,
    translationA: [0, 0, 0],
    translationB: [0, 0, 0],
    rotationA: null,
    rotationB: null,
    pointA: null,
    pointB: null,
  };
}
