// How the depth of two overlapping solids changes as they move and turn. If a single vector is shortest, the depth has
// a gradient: by translation the vector's direction, and by rotation the moment of the contacts at the vector's far end
// (the envelope theorem: only the constraints move, not the vector). If several are, the result says so.
import { nameValue } from '../../core/check/check-options.js';
import { numberFrom, numberWithin, optionTable, PROGRESS_RULES } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { PENETRATION_DEFAULTS } from '../options.js';
import { beginQuery } from '../penetration-query.js';
import type { PenetrationResult } from '../result.js';
import { type FarContact, findFarContacts } from './far-contacts.js';
import { findRivalVector } from './rival-vectors.js';

/**
 * Why a depth has no gradient, or no known one. 'touching': the models have points in common, but no depth.
 * 'several-vectors': another vector is about as short, so that the depth is the lesser of two. 'several-contacts': at
 * the far end an edge or a face touches, or more points than are needed, so that the rates of turning either way differ
 * (there still is a gradient by translation). 'budget': uniqueness could not be proven within `maxCells`.
 */
export type GradientReason = 'touching' | 'several-vectors' | 'several-contacts' | 'budget';

/** How {@link penetrationGradient} works. */
export interface PenetrationGradientOptions extends ProgressOptions {
  /**
   * Vectors longer by up to this share of the depth are about as short. Default `PENETRATION_DEFAULTS.distinctness`.
   * Those within an angle of √(32·distinctness) of the vector count as the same.
   */
  readonly distinctness?: number | undefined;
  /** The most cells to examine. Default: as for `measurePenetration`. */
  readonly maxCells?: number | undefined;
}

const GRADIENT_TABLE = optionTable<PenetrationGradientOptions>()({
  distinctness: numberWithin(1e-9, 1e-2, PENETRATION_DEFAULTS.distinctness),
  maxCells: numberFrom(0, PENETRATION_DEFAULTS.maxCells),
  ...PROGRESS_RULES,
});

/** The gradient of a depth with respect to two poses, in the world frame. */
export interface PenetrationGradient {
  /** Whether the depth has this gradient: a single vector is shortest, and point contacts determine it. */
  readonly unique: boolean;
  /** Why it is not unique; null if it is. */
  readonly reason: GradientReason | null;
  /** Change of depth per length that A, or B, moves: minus the direction, and the direction. Zero for models apart. */
  readonly translationA: Vec3;
  readonly translationB: Vec3;
  /** Change of depth per radian that A, or B, turns about the origin of its pose; null if rotation has no gradient. */
  readonly rotationA: Vec3 | null;
  readonly rotationB: Vec3 | null;
  /** With 'several-vectors', another vector that separates the models; else null. */
  readonly rival: Vec3 | null;
  /** Cells of directions that the proof examined. */
  readonly cells: number;
}

/**
 * The gradient of the depth, if it has one. `result` is the answer of `measurePenetration` for the same models and
 * poses; use a narrow gap, since a vector that is not quite the shortest has the shortest one as a rival.
 * @throws NearfieldError for a mesh that bounds no solid, see {@link preparePenetration}, and for options out of range.
 */
export function penetrationGradient(
  result: PenetrationResult,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  a: ProximityModel,
  b: ProximityModel,
  options: PenetrationGradientOptions = {},
): PenetrationGradient {
  if (result === null || typeof result !== 'object' || !('direction' in result)) {
    throw new NearfieldError('bad-argument', `The result is ${nameValue(result)}; give that of measurePenetration.`);
  }
  const { distinctness, maxCells } = GRADIENT_TABLE.read(options);
  const query = beginQuery(a, b, poseA, poseB, options);
  const { direction } = result;
  if (direction === null) return answerShallow(result.intersects);
  const vector = pose.transformVector(pose.invert(query.poseA), result.vector);
  const contacts = findFarContacts(query, vector);
  const { outcome, rival, cells } = findRivalVector(query, vector, distinctness, maxCells);
  let reason: GradientReason | null = null;
  if (outcome === 'found') reason = 'several-vectors';
  else if (outcome === 'budget') reason = 'budget';
  else if (contacts === null) reason = 'several-contacts';
  return {
    unique: reason === null,
    reason,
    translationA: vec3.scale(direction, -1),
    translationB: [...direction],
    rotationA: contacts && vec3.scale(sumMoments(contacts, query.poseA, [0, 0, 0], poseA), -1),
    rotationB: contacts && sumMoments(contacts, query.poseA, result.vector, poseB),
    rival: rival && pose.transformVector(query.poseA, rival),
    cells,
  };
}

/** For models apart the depth stays 0 all around; for touching ones it grows one way and stays 0 the other. */
function answerShallow(touching: boolean): PenetrationGradient {
  return {
    unique: !touching,
    reason: touching ? 'touching' : null,
    translationA: [0, 0, 0],
    translationB: [0, 0, 0],
    rotationA: touching ? null : [0, 0, 0],
    rotationB: touching ? null : [0, 0, 0],
    rival: null,
    cells: 0,
  };
}

/** The moment of the contacts about the origin of a pose, each at its place in the world moved by `shift`. */
function sumMoments(contacts: readonly FarContact[], poseA: ReadonlyPose, shift: Vec3, about: ReadonlyPose): Vec3 {
  const moment: Vec3 = [0, 0, 0];
  for (const { point, normal, weight } of contacts) {
    const place = vec3.add(pose.transformPoint(poseA, point), shift);
    const arm: Vec3 = [place[0] - about[0], place[1] - about[1], place[2] - about[2]];
    vec3.addScaled(moment, vec3.cross(arm, pose.transformVector(poseA, normal)), weight, moment);
  }
  return moment;
}
