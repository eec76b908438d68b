// How little two solids must be moved apart when A may also turn: an upper bound, measured by the largest displacement
// of any point of A (the generalized depth of Zhang, Kim, Varadhan and Manocha 2007, by the ends of the path, not its
// length). The shortest translation bounds the result.

import { toUnit } from '../../core/check/check-pose.js';
import { numberFrom, optionTable } from '../../core/check/option-table.js';
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as quat from '../../core/quat.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { testIntersection } from '../../proximity/queries.js';
import { measurePenetrationSync } from '../measure-on-cpu.js';
import { PENETRATION_DEFAULTS, PENETRATION_TABLE, type PenetrationOptions } from '../options.js';
import type { PenetrationResult } from '../result.js';
import { prepareSolid } from '../solid.js';
import { Motions } from './motions.js';

/**
 * 'separate': the models do not overlap; they may touch. 'translation': nothing shorter than the shortest translation
 * was found. 'rotation': a pose was found that is nearer than any translation known.
 */
export type GeneralizedStatus = 'separate' | 'translation' | 'rotation';

/** Options of {@link measureGeneralizedPenetration}; the inherited ones are for the translational depth. */
export interface GeneralizedPenetrationOptions extends PenetrationOptions {
  /** The most poses to try. Default `PENETRATION_DEFAULTS.maxEvaluations`. */
  readonly maxEvaluations?: number | undefined;
  /** Seed of the search: the same seed gives the same answer. Default 1. */
  readonly seed?: number | undefined;
}

/** Chosen: the seed of a search where none is given. */
const DEFAULT_SEED = 1;

const GENERALIZED_TABLE = optionTable<GeneralizedPenetrationOptions>()({
  ...PENETRATION_TABLE.rules,
  maxEvaluations: numberFrom(0, PENETRATION_DEFAULTS.maxEvaluations),
  seed: { expects: 'a whole number', accepts: (value) => Number.isInteger(value), fallback: DEFAULT_SEED },
});

/** How deep two models overlap when A may be turned as well as moved. */
export interface GeneralizedPenetration {
  /** The largest displacement of any point of A on its way to `pose`; at most `translational.depth`. */
  readonly depth: number;
  /** The shortest translation, where the search started. */
  readonly translational: PenetrationResult;
  /** A's new pose in the world: confirmed by the exact test to have no point in common with B. */
  readonly pose: Pose;
  /** How A is turned about the origin of its frame: the axis, in the world, times the angle in radians. */
  readonly rotation: Vec3;
  /** How that origin is moved. */
  readonly translation: Vec3;
  /** Poses tried. */
  readonly evaluations: number;
  readonly status: GeneralizedStatus;
}

/**
 * The smallest motion of A after which it no longer meets B, when A may also turn: an upper bound, found by local
 * searches and confirmed by the exact test. For two convex models turning never helps, and nothing is searched. The
 * same input gives the same answer.
 * @throws NearfieldError for a mesh that bounds no solid, see {@link preparePenetration}, and for options out of range.
 */
export function measureGeneralizedPenetration(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: GeneralizedPenetrationOptions = {},
): GeneralizedPenetration {
  GENERALIZED_TABLE.assert(options);
  const { maxEvaluations = PENETRATION_DEFAULTS.maxEvaluations, seed = DEFAULT_SEED, ...rest } = options;
  const translational = measurePenetrationSync(a, b, poseA, poseB, { method: 'certified', ...rest });
  const here = toUnit(poseA);
  if (translational.depth === 0) {
    return answer(here, here, 0, translational, 0, 'separate');
  }
  const motions = new Motions(a, b, here, toUnit(poseB), translational, options);
  // A plane separates convex solids: the point of A that was deepest beyond it has moved by at least the depth.
  if (!prepareSolid(a).convex || !prepareSolid(b).convex) motions.search(maxEvaluations, seed);
  const { best, value, evaluations } = motions;
  const moved = best === null ? null : motions.poseAt(best);
  if (moved === null || testIntersection(a, b, moved, poseB).intersects) {
    const shifted = [...vec3.add([here[0], here[1], here[2]], translational.vector), ...here.slice(3)] as Pose;
    return answer(here, shifted, translational.depth, translational, evaluations, 'translation');
  }
  return answer(here, moved, value, translational, evaluations, 'rotation');
}

function answer(
  from: Pose,
  to: Pose,
  depth: number,
  translational: PenetrationResult,
  evaluations: number,
  status: GeneralizedStatus,
): GeneralizedPenetration {
  return {
    depth,
    translational,
    pose: to,
    rotation: status === 'rotation' ? rotationBetween(from, to) : [0, 0, 0],
    translation: [to[0] - from[0], to[1] - from[1], to[2] - from[2]],
    evaluations,
    status,
  };
}

/** The axis times the angle, at most half a turn, that takes one orientation to the other. */
function rotationBetween(from: Pose, to: Pose): Vec3 {
  const [x, y, z, w] = quat.multiply(
    [to[3], to[4], to[5], to[6]],
    quat.conjugate([from[3], from[4], from[5], from[6]]),
  );
  const sine = Math.hypot(x, y, z);
  if (sine === 0) return [0, 0, 0];
  const angle = 2 * Math.atan2(w < 0 ? -sine : sine, Math.abs(w));
  return [(angle * x) / sine, (angle * y) / sine, (angle * z) / sine];
}
