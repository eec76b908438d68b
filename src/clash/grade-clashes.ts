// How bad each clash of an assembly is: parts that merely touch, parts that overlap and by how much, and parts that are
// too close. The depth of an overlap is the certified penetration depth of the two solids.

import { assertOptions, type OptionNames, PROGRESS_NAMES } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import type { Vec3 } from '../core/vec3.js';
import * as vec3 from '../core/vec3.js';
import { PENETRATION_DEFAULTS } from '../penetration/defaults.js';
import { measurePenetrationSync } from '../penetration/measure-penetration.js';
import type { PenetrationResult } from '../penetration/result.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';
import { assertClashes, assertParts } from './check-parts.js';
import type { Clash } from './find-clashes.js';

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

/** The depth of two models in a relative pose, with a vector in A's frame; or why it is unknown. */
export type Depth = Pick<PenetrationResult, 'lower' | 'upper' | 'vector'> | { readonly unknown: string };

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
  const grader = new ClashGrader(parts, clashes, options);
  const { maxMilliseconds = Infinity, pairMilliseconds = grading.pairMilliseconds } = options;
  const deadline = performance.now() + maxMilliseconds;
  const { overlaps } = grader;
  const depths = overlaps.map(({ a, b, relative }, index): Depth => {
    reportProgress(options, index / overlaps.length, DEPTH_STAGE);
    const left = deadline - performance.now();
    if (left <= 0) return TIME_OVER;
    return measureDepth(a, b, relative, { ...options, pairMilliseconds: Math.min(pairMilliseconds, left) });
  });
  return grader.grade(depths);
}

/** What progress calls it. */
export const DEPTH_STAGE = 'depths of clashes';

/** The depth of a pair that was not measured. */
export const TIME_OVER: Depth = { unknown: 'The time for depths was over.' };

/** Two models that overlap. */
export interface Overlap {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  /** B's pose in A's frame. */
  readonly relative: pose.Pose;
}

/** Grades clashes once the depths of their overlaps are known. */
export class ClashGrader {
  /** The different overlaps of the clashes: equal parts in equal places, such as bolts in a row, are one. */
  readonly overlaps: readonly Overlap[];
  readonly #parts: readonly AssemblyPart[];
  readonly #clashes: readonly Clash[];
  readonly #touchTolerance: number | undefined;
  /** By clash: its overlap, −1 for one that has none. */
  readonly #overlapOf: Int32Array;

  constructor(parts: readonly AssemblyPart[], clashes: readonly Clash[], options: GradeOptions) {
    assertParts(parts);
    assertClashes(clashes, parts.length);
    assertOptions(options, GRADE_NAMES);
    const { touchTolerance, maxMilliseconds, pairMilliseconds } = options;
    for (const [name, length] of Object.entries({ touchTolerance, maxMilliseconds, pairMilliseconds })) {
      assertLength(length ?? 0, name);
    }
    this.#parts = parts;
    this.#clashes = clashes;
    this.#touchTolerance = touchTolerance;
    const numbers = new Map<ProximityModel, number>();
    const numberOf = (model: ProximityModel): number => {
      const number = numbers.get(model) ?? numbers.size;
      numbers.set(model, number);
      return number;
    };
    const overlaps: Overlap[] = [];
    const known = new Map<string, number>();
    this.#overlapOf = Int32Array.from(clashes, (clash) => {
      if (!clash.intersects) return -1;
      const a = parts[clash.a];
      const b = parts[clash.b];
      const relative = pose.bInA(takePose(a.pose, 'A'), takePose(b.pose, 'B'));
      const key = `${numberOf(a.model)} ${numberOf(b.model)} ${relative.join(' ')}`;
      const index = known.get(key) ?? overlaps.push({ a: a.model, b: b.model, relative }) - 1;
      known.set(key, index);
      return index;
    });
    this.overlaps = overlaps;
  }

  /** @param depths of {@link overlaps}, in their order. */
  grade(depths: readonly Depth[]): GradedClash[] {
    const graded = this.#clashes.map((clash, index): GradedClash => {
      const a = this.#parts[clash.a];
      const touch =
        this.#touchTolerance ?? grading.touchTolerance * Math.min(diagonalOf(a), diagonalOf(this.#parts[clash.b]));
      if (clash.intersects) return gradeOverlap(clash, takePose(a.pose, 'A'), depths[this.#overlapOf[index]], touch);
      const grade = clash.distance <= touch ? 'touch' : 'clearance';
      return { ...clash, grade, certain: true, lower: 0, upper: 0, vector: null, reason: null };
    });
    // Sorting is stable, so that ties keep the order of `clashes`.
    return graded.sort((p, q) => ORDER.indexOf(p.grade) - ORDER.indexOf(q.grade) || severity(q) - severity(p));
  }
}

function diagonalOf({ model }: AssemblyPart): number {
  return vec3.distance(model.boxMin, model.boxMax);
}

function measureDepth(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  { relativeGap = grading.relativeGap, pairMilliseconds, signal }: GradeOptions,
): Depth {
  try {
    const { lower, upper, vector } = measurePenetrationSync(a, b, pose.identity(), relative, {
      relativeGap,
      maxMilliseconds: pairMilliseconds,
      signal,
    });
    return { lower, upper, vector };
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code === 'aborted') throw error;
    return { unknown: error.message };
  }
}

function gradeOverlap(clash: Clash, frame: pose.Pose, depth: Depth, touch: number): GradedClash {
  if ('unknown' in depth) return withoutDepth(clash, depth.unknown);
  const { lower, upper } = depth;
  const grade = upper <= touch ? 'touch' : 'interference';
  const certain = grade === 'touch' || lower > touch;
  const vector = upper > 0 ? pose.transformVector(frame, depth.vector) : null;
  return { ...clash, grade, certain, lower, upper, vector, reason: null };
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
