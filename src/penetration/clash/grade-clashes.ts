// How bad each clash of an assembly is: parts that merely touch, parts that overlap and by how much, and parts that are
// too close. The depth of an overlap is the certified penetration depth of the two solids.

import * as box from '../../core/box.js';
import { assertOptions, type OptionNames, PROGRESS_NAMES } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Vec3 } from '../../core/vec3.js';
import type { AssemblyPart } from '../../proximity/assembly/assembly.js';
import { assertClashes, assertParts } from '../../proximity/assembly/check-parts.js';
import type { Clash } from '../../proximity/assembly/find-clashes.js';
import { PENETRATION_DEFAULTS } from '../defaults.js';
import { measurePenetrationSync } from '../measure-penetration.js';

/**
 * 'interference': the parts overlap by more than the touch tolerance. 'touch': they overlap or are apart by no more
 * than that. 'clearance': they are farther apart than that, but closer than the clearance.
 */
export type ClashGrade = 'interference' | 'touch' | 'clearance';

/** A clash with its grade. */
export interface GradedClash extends Clash {
  readonly grade: ClashGrade;
  /**
   * Whether the grade is certain. It is not if the depth is unknown, or if its interval contains the touch tolerance;
   * the grade is then 'interference'.
   */
  readonly certain: boolean;
  /** The depth of the overlap is at least `lower` and at most `upper`. 0 for parts that are apart; null if unknown. */
  readonly lower: number | null;
  readonly upper: number | null;
  /** Translates A by `upper`, after which the parts no longer overlap; null for parts that do not, or if unknown. */
  readonly vector: Vec3 | null;
  /** Why the depth is unknown: the message of the error, or that the time was over. Null if it is known. */
  readonly reason: string | null;
}

/** How to grade. */
export interface GradeOptions extends ProgressOptions {
  /**
   * Overlaps and gaps of at most this length count as touching. By default 1e-6 of the box diagonal of the smaller
   * part: files in single precision place parts no better.
   */
  readonly touchTolerance?: number | undefined;
  /** As of {@link measurePenetration}: an interval this narrow is good enough. Default 0.01. */
  readonly relativeGap?: number | undefined;
  /** The most time for the depth of one pair. Default 500. */
  readonly pairMilliseconds?: number | undefined;
  /** The most time for all depths together; pairs after that have no depth. Default: no limit. */
  readonly maxMilliseconds?: number | undefined;
}

const GRADE_NAMES: OptionNames<GradeOptions> = {
  touchTolerance: true,
  relativeGap: true,
  pairMilliseconds: true,
  maxMilliseconds: true,
  ...PROGRESS_NAMES,
};

const { grading } = PENETRATION_DEFAULTS;
const ORDER: readonly ClashGrade[] = ['interference', 'touch', 'clearance'];

/**
 * Adds to each clash whether its parts touch, interfere or are too close, and how deep they interfere. Worst first: by
 * depth, then by distance. Parts that bound no solid have no depth; the clash says why.
 * @throws NearfieldError for options out of range.
 */
export function gradeClashes(
  parts: readonly AssemblyPart[],
  clashes: readonly Clash[],
  options: GradeOptions = {},
): GradedClash[] {
  assertParts(parts);
  assertClashes(clashes, parts.length);
  assertOptions(options, GRADE_NAMES);
  const { touchTolerance, maxMilliseconds = Infinity, pairMilliseconds = grading.pairMilliseconds } = options;
  assertLength(touchTolerance ?? 0, 'touchTolerance');
  assertLength(maxMilliseconds, 'maxMilliseconds');
  assertLength(pairMilliseconds, 'pairMilliseconds');
  const diagonals = new Map<object, number>();
  const diagonalOf = ({ model }: AssemblyPart): number => {
    const diagonal = diagonals.get(model) ?? box.diagonal(box.ofPositions(model.mesh.positions));
    diagonals.set(model, diagonal);
    return diagonal;
  };
  const deadline = performance.now() + maxMilliseconds;
  const graded = clashes.map((clash, index): GradedClash => {
    reportProgress(options, index / clashes.length, 'depths of clashes');
    const a = parts[clash.a];
    const b = parts[clash.b];
    const touch = touchTolerance ?? grading.touchTolerance * Math.min(diagonalOf(a), diagonalOf(b));
    if (!clash.intersects) {
      const grade = clash.distance <= touch ? 'touch' : 'clearance';
      return { ...clash, grade, certain: true, lower: 0, upper: 0, vector: null, reason: null };
    }
    const left = deadline - performance.now();
    if (left <= 0) return withoutDepth(clash, 'The time for depths was over.');
    return gradeOverlap(clash, a, b, touch, { ...options, pairMilliseconds: Math.min(pairMilliseconds, left) });
  });
  // Sorting is stable, so that ties keep the order of `clashes`.
  return graded.sort((p, q) => ORDER.indexOf(p.grade) - ORDER.indexOf(q.grade) || severity(q) - severity(p));
}

function gradeOverlap(
  clash: Clash,
  a: AssemblyPart,
  b: AssemblyPart,
  touch: number,
  { relativeGap = grading.relativeGap, pairMilliseconds, signal }: GradeOptions,
): GradedClash {
  try {
    const { lower, upper, vector } = measurePenetrationSync(a.model, b.model, a.pose, b.pose, {
      relativeGap,
      maxMilliseconds: pairMilliseconds,
      signal,
    });
    const grade = upper <= touch ? 'touch' : 'interference';
    const certain = grade === 'touch' || lower > touch;
    return { ...clash, grade, certain, lower, upper, vector: upper > 0 ? vector : null, reason: null };
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
    return withoutDepth(clash, error.message);
  }
}

function withoutDepth(clash: Clash, reason: string): GradedClash {
  return { ...clash, grade: 'interference', certain: false, lower: null, upper: null, vector: null, reason };
}

/** Larger is worse among clashes of one grade. Overlaps of unknown depth come last. */
function severity({ upper, distance }: GradedClash): number {
  return (upper ?? 0) - distance;
}

function assertLength(value: number, name: string): void {
  if (!(typeof value === 'number' && value >= 0)) {
    throw new NearfieldError('bad-argument', `${name} is ${value}; give a number of at least 0.`);
  }
}
