// Grades clashes once the depths of their overlaps are known, wherever these are measured.

import { takePose } from '../core/check/check-pose.js';
import { flag, numberFrom, optionTable, PROGRESS_RULES, wholeNumber } from '../core/check/option-table.js';
import * as pose from '../core/pose.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import * as vec3 from '../core/vec3.js';
import { PENETRATION_DEFAULTS } from '../penetration/defaults.js';
import { RELATIVE_GAP_RULE } from '../penetration/options.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';
import { assertClashes, assertParts } from './check-parts.js';
import type { Clash } from './clash.js';
import { type ClashKind, kindOfOverlap } from './clash-kind.js';
import type { Depth } from './depth.js';
import { DepthRounds } from './depth-rounds.js';
import { compareGradedClashes, type GradedClash } from './graded-clash.js';
import { type LocalThickness, ThicknessMeasurer } from './local-thickness.js';
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
  /** The most time for the depth of one pair. Default: no limit but `maxCells`, with which every run answers the same. */
  readonly pairMilliseconds?: number | undefined;
  /** The most work for the depth of one pair, as of {@link measurePenetration}. Default 10,000. */
  readonly maxCells?: number | undefined;
  /**
   * The most time for all depths together, in processor time where that is known; depths that are not precise by then
   * stay as they are. Default: no limit.
   */
  readonly maxMilliseconds?: number | undefined;
  /** As of {@link measurePenetration}, for parts that bound no solid: their depth is that of solids near them. */
  readonly solidify?: boolean | undefined;
}

const { grading } = PENETRATION_DEFAULTS;

const GRADE_TABLE = optionTable<GradeOptions>()({
  touchTolerance: numberFrom(0),
  relativeGap: { ...RELATIVE_GAP_RULE, fallback: grading.relativeGap },
  pairMilliseconds: numberFrom(0, Infinity),
  maxCells: wholeNumber(1, Infinity, grading.maxCells),
  solidify: flag(false),
  maxMilliseconds: numberFrom(0, Infinity),
  ...PROGRESS_RULES,
});

/** The stage that progress names while depths are measured. */
export const DEPTH_STAGE = 'depths of clashes';

const THICKNESS_STAGE = 'thickness of clashes';

/** Two models that overlap. */
export interface Overlap {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  /** B's pose in A's frame. */
  readonly relative: pose.Pose;
  /** Lengths up to this count as touching: the precision of the files and of their triangles. */
  readonly floor: number;
  /** How thick the overlap is; null where a part bounds no solid. */
  readonly thickness: LocalThickness | null;
  readonly kind: ClashKind;
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
    const measurer = new ThicknessMeasurer();
    this.#overlapOf = Int32Array.from(clashes, (clash, index) => {
      reportProgress(this.options, index / clashes.length, THICKNESS_STAGE);
      if (!clash.intersects) return -1;
      const a = parts[clash.a];
      const b = parts[clash.b];
      const relative = pose.bInA(takePose(a.pose, 'A'), takePose(b.pose, 'B'));
      const floor = this.#floorOf(clash);
      const key = `${shapeOf[clash.a]} ${shapeOf[clash.b]} ${relative.join(' ')} ${floor}`;
      let overlap = known.get(key);
      if (overlap === undefined) {
        const thickness = measurer.measure(a.model, b.model, relative, floor);
        const kind = kindOfOverlap(a.model, b.model, relative, thickness, floor);
        overlap = overlaps.push({ a: a.model, b: b.model, relative, floor, thickness, kind }) - 1;
        known.set(key, overlap);
      }
      return overlap;
    });
    this.overlaps = overlaps;
  }

  /** The rounds in which the depths are measured: thick overlaps first, those that only touch last. */
  rounds(): DepthRounds {
    const worth = this.overlaps.map(({ kind, thickness }) => (kind === 'touching' ? -1 : (thickness?.upper ?? 0)));
    return new DepthRounds(worth, this.options.maxCells);
  }

  /** The clashes with their grades, worst first. @param depths of {@link overlaps}, in their order. */
  grade(depths: readonly Depth[]): GradedClash[] {
    const graded = this.#clashes.map((clash, index): GradedClash => {
      const chordError = this.#chordErrorOf(clash);
      if (clash.intersects) {
        const overlap = this.#overlapOf[index];
        const frame = takePose(this.#parts[clash.a].pose, 'A');
        return { ...gradeOverlap(clash, frame, depths[overlap], this.overlaps[overlap]), chordError };
      }
      const touches = clash.distance <= this.#floorOf(clash);
      return {
        ...{ ...clash, kind: touches ? 'touching' : 'near', grade: touches ? 'touch' : 'clearance', certain: true },
        ...{ lower: 0, upper: 0, vector: null, reason: null, thickness: 0, thicknessLower: 0, chordError },
      };
    });
    // Sorting is stable, so that ties keep the order of the clashes.
    return graded.sort(compareGradedClashes);
  }

  /** Lengths up to this count as touching. */
  #floorOf(clash: Clash): number {
    const { touchTolerance } = this.options;
    const { a, b } = clash;
    const smaller = Math.min(diagonalOf(this.#parts[a]), diagonalOf(this.#parts[b]));
    return (touchTolerance ?? grading.touchTolerance * smaller) + this.#chordErrorOf(clash);
  }

  /** How far the two surfaces may be from those that the files mean, together. */
  #chordErrorOf({ a, b }: Clash): number {
    return (this.#parts[a].chordError ?? 0) + (this.#parts[b].chordError ?? 0);
  }
}

function diagonalOf({ model }: AssemblyPart): number {
  return vec3.distance(model.boxMin, model.boxMax);
}

function gradeOverlap(
  clash: Clash,
  frame: pose.Pose,
  depth: Depth,
  { floor, thickness, kind: found }: Overlap,
): Omit<GradedClash, 'chordError'> {
  const local = { thickness: thickness?.upper ?? null, thicknessLower: thickness?.lower ?? null };
  if ('unknown' in depth) {
    const touches = found === 'touching';
    return {
      ...{ ...clash, ...local, kind: found, grade: touches ? 'touch' : 'interference', certain: touches },
      ...{ lower: null, upper: null, vector: null, reason: depth.unknown },
    };
  }
  const { lower, upper } = depth;
  const touches = found === 'touching' || (found !== 'duplicate' && upper <= floor);
  const certain = touches || lower > floor || (thickness?.lower ?? 0) > floor;
  return {
    ...{ ...clash, ...local, kind: touches ? 'touching' : found, grade: touches ? 'touch' : 'interference', certain },
    ...{ lower, upper, vector: upper > 0 ? pose.transformVector(frame, depth.vector) : null, reason: null },
  };
}
