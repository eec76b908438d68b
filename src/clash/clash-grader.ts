// Grades clashes once the depths of their overlaps are known, wherever these are measured.

import { takePose } from '../core/check/check-pose.js';
import { numberFrom, optionTable, PROGRESS_RULES } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import type { ProgressOptions } from '../core/progress.js';
import * as vec3 from '../core/vec3.js';
import { PENETRATION_DEFAULTS } from '../penetration/defaults.js';
import { RELATIVE_GAP_RULE } from '../penetration/options.js';
import type { PenetrationResult } from '../penetration/result.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';
import { assertClashes, assertParts } from './check-parts.js';
import type { Clash } from './clash.js';
import { compareGradedClashes, type GradedClash } from './graded-clash.js';
import { numberModels } from './number-models.js';

/** How to grade. */
export interface GradeOptions extends ProgressOptions {
  /**
   * Overlaps and gaps up to this length count as touching. By default 1e-6 of the box diagonal of the smaller part:
   * files in single precision place parts no better.
   */
  readonly touchTolerance?: number | undefined;
  /** As of {@link measurePenetration}: an interval this narrow is good enough. Default 0.01. */
  readonly relativeGap?: number | undefined;
  /** The most time for the depth of one pair. Default 500. */
  readonly pairMilliseconds?: number | undefined;
  /** The most time for all depths together; pairs after that have no depth. Default: no limit. */
  readonly maxMilliseconds?: number | undefined;
}

const { grading } = PENETRATION_DEFAULTS;

const GRADE_TABLE = optionTable<GradeOptions>()({
  touchTolerance: numberFrom(0),
  relativeGap: { ...RELATIVE_GAP_RULE, fallback: grading.relativeGap },
  pairMilliseconds: numberFrom(0, grading.pairMilliseconds),
  maxMilliseconds: numberFrom(0, Infinity),
  ...PROGRESS_RULES,
});

/** The stage that progress names while depths are measured. */
export const DEPTH_STAGE = 'depths of clashes';

/** The depth of two models in a relative pose, with a vector in A's frame; or why it is unknown. */
export type Depth = Pick<PenetrationResult, 'lower' | 'upper' | 'vector'> | { readonly unknown: string };

/** The depth of a pair for which no time was left. */
export const TIME_OVER: Depth = { unknown: 'The time for depths was over.' };

/** The depth of a pair, from its measurement or from the error of that. */
export function depthFrom(measured: PenetrationResult | NearfieldError): Depth {
  if (measured instanceof NearfieldError) {
    return measured.code === 'aborted' ? TIME_OVER : { unknown: measured.message };
  }
  const { lower, upper, vector } = measured;
  return { lower, upper, vector };
}

/** Two models that overlap. */
export interface Overlap {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  /** B's pose in A's frame. */
  readonly relative: pose.Pose;
}

/** The clashes to be graded, with the overlaps to be measured for that. */
export class ClashGrader {
  /** The options, with the values of those left out. */
  readonly options: ReturnType<typeof GRADE_TABLE.read>;
  /** The different overlaps of the clashes: equal parts in equal places, for example bolts in a row, are one. */
  readonly overlaps: readonly Overlap[];
  readonly #parts: readonly AssemblyPart[];
  readonly #clashes: readonly Clash[];
  /** By clash: its overlap, −1 for one that has none. */
  readonly #overlapOf: Int32Array;

  /** @throws NearfieldError for invalid parts, clashes or options. */
  constructor(parts: readonly AssemblyPart[], clashes: readonly Clash[], options: GradeOptions) {
    assertParts(parts);
    assertClashes(clashes, parts.length);
    this.options = GRADE_TABLE.read(options);
    this.#parts = parts;
    this.#clashes = clashes;
    const { shapeOf } = numberModels(parts);
    const overlaps: Overlap[] = [];
    const known = new Map<string, number>();
    this.#overlapOf = Int32Array.from(clashes, (clash) => {
      if (!clash.intersects) return -1;
      const a = parts[clash.a];
      const b = parts[clash.b];
      const relative = pose.bInA(takePose(a.pose, 'A'), takePose(b.pose, 'B'));
      const key = `${shapeOf[clash.a]} ${shapeOf[clash.b]} ${relative.join(' ')}`;
      const index = known.get(key) ?? overlaps.push({ a: a.model, b: b.model, relative }) - 1;
      known.set(key, index);
      return index;
    });
    this.overlaps = overlaps;
  }

  /** The clashes with their grades, worst first. @param depths of {@link overlaps}, in their order. */
  grade(depths: readonly Depth[]): GradedClash[] {
    const graded = this.#clashes.map((clash, index): GradedClash => {
      const touch = this.#touchToleranceOf(clash);
      if (clash.intersects) {
        const frame = takePose(this.#parts[clash.a].pose, 'A');
        return gradeOverlap(clash, frame, depths[this.#overlapOf[index]], touch);
      }
      const grade = clash.distance <= touch ? 'touch' : 'clearance';
      return { ...clash, grade, certain: true, lower: 0, upper: 0, vector: null, reason: null };
    });
    // Sorting is stable, so that ties keep the order of the clashes.
    return graded.sort(compareGradedClashes);
  }

  #touchToleranceOf({ a, b }: Clash): number {
    const { touchTolerance } = this.options;
    if (touchTolerance !== undefined) return touchTolerance;
    return grading.touchTolerance * Math.min(diagonalOf(this.#parts[a]), diagonalOf(this.#parts[b]));
  }
}

function diagonalOf({ model }: AssemblyPart): number {
  return vec3.distance(model.boxMin, model.boxMax);
}

function gradeOverlap(clash: Clash, frame: pose.Pose, depth: Depth, touch: number): GradedClash {
  if ('unknown' in depth) {
    const reason = depth.unknown;
    return { ...clash, grade: 'interference', certain: false, lower: null, upper: null, vector: null, reason };
  }
  const { lower, upper } = depth;
  const grade = upper <= touch ? 'touch' : 'interference';
  const certain = grade === 'touch' || lower > touch;
  const vector = upper > 0 ? pose.transformVector(frame, depth.vector) : null;
  return { ...clash, grade, certain, lower, upper, vector, reason: null };
}
