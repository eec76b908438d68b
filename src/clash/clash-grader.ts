// Grades clashes once the depths of their overlaps are known, wherever these are measured.

import { takePose } from '../core/check/check-pose.js';
import { flag, numberFrom, optionTable, PROGRESS_RULES, wholeNumber } from '../core/check/option-table.js';
import * as pose from '../core/pose.js';
import { type ProgressOptions, reportProgress } from '../core/progress.js';
import * as vec3 from '../core/vec3.js';
import { PENETRATION_DEFAULTS, RELATIVE_GAP_RULE } from '../penetration/options.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import type { AssemblyPart } from './assembly.js';
import { assertClashes, assertParts } from './check-parts.js';
import type { Clash } from './clash.js';
import { type Depth, TIME_OVER } from './depth.js';
import { DepthRounds, type DepthStart } from './depth-rounds.js';
import { compareGradedClashes, type GradedClash } from './graded-clash.js';
import { LocalMeasurer, type LocalMeasures, type TouchFloor } from './measures/local-measures.js';
import { numberModels } from './number-models.js';
import { causeOf, type TouchCause, type TouchFloors, totalOf } from './touch-floors.js';

/** How to grade. */
export interface GradeOptions extends ProgressOptions {
  /**
   * Overlaps and gaps up to this length count as touching. By default what the file is precise to: 1e-6 of the box diagonal
   * of the smaller part, or the rounding of its coordinates where that is more; for overlaps of facets that stand for
   * curved surfaces also how far they may be from these, by an estimate where the file does not say it.
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

/** Label: the worth of depths that come before all others, beyond any length. */
const FIRST = 1e300;

/** Two models that overlap. */
export interface Overlap extends LocalMeasures {
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
    const asked: { a: ProximityModel; b: ProximityModel; relative: pose.Pose; touch: TouchFloor }[] = [];
    const known = new Map<string, number>();
    this.#overlapOf = Int32Array.from(clashes, (clash) => {
      if (!clash.intersects) return -1;
      const a = parts[clash.a];
      const b = parts[clash.b];
      const relative = pose.bInA(takePose(a.pose, 'A'), takePose(b.pose, 'B'));
      const touch = this.#touchOf(clash);
      const key = `${shapeOf[clash.a]} ${shapeOf[clash.b]} ${relative.join(' ')} ${touch.length} ${touch.facets}`;
      const overlap = known.get(key) ?? asked.push({ a: a.model, b: b.model, relative, touch }) - 1;
      known.set(key, overlap);
      return overlap;
    });
    const measurer = new LocalMeasurer(asked.length, this.options.maxMilliseconds === 0);
    const overlaps = asked.map(({ a, b, relative, touch }, index): Overlap => {
      reportProgress(this.options, index / asked.length, THICKNESS_STAGE);
      return { a, b, relative, ...measurer.measure(a, b, relative, touch) };
    });
    this.overlaps = overlaps;
  }

  /**
   * The rounds in which the depths are measured. Overlaps that may be mere touches come first, because their grade may
   * change, then the worst. The depth of those that touch changes nothing, so that they come last.
   */
  rounds(): DepthRounds {
    const isTimed = this.options.maxMilliseconds > 0;
    const starts = this.overlaps.map(({ a, b, kind, thickness, way, floor }): DepthStart => {
      const touches = kind === 'touching';
      const isSolid = a.closed && b.closed;
      // A duplicate comes first whatever its depth is, and the search for that is the longest of all.
      const isDone = kind === 'duplicate';
      const depth =
        isSolid && (isTimed || touches || isDone) ? { lower: 0, upper: way.length, vector: way.vector } : TIME_OVER;
      const severity = Math.min(thickness.upper, way.length);
      const mayTouch = thickness.lower <= floor;
      // Open parts have no depth, which takes no time to find.
      const worth = !isSolid ? Infinity : touches ? -1 : mayTouch ? FIRST + severity / way.length : severity;
      return { depth, isDone, worth };
    });
    return new DepthRounds(starts, this.options.maxCells);
  }

  /** The clashes with their grades, worst first. @param depths of {@link overlaps}, in their order. */
  grade(depths: readonly Depth[]): GradedClash[] {
    const graded = this.#clashes.map((clash, index): GradedClash => {
      const chordError = this.#chordErrorOf(clash);
      if (clash.intersects) {
        const overlap = this.#overlapOf[index];
        const frame = takePose(this.#parts[clash.a].pose, 'A');
        const graded = gradeOverlap(clash, frame, depths[overlap], this.overlaps[overlap]);
        const floors = this.#floorsOf(clash, this.overlaps[overlap].facets);
        return { ...graded, chordError, floors, touchBy: touchCause(graded, floors) };
      }
      const floors = this.#floorsOf(clash, 0);
      const floor = totalOf(floors);
      const touches = clash.distance <= floor;
      return {
        ...{ ...clash, kind: touches ? 'touching' : 'near', grade: touches ? 'touch' : 'clearance', certain: true },
        ...{ lower: 0, upper: 0, vector: null, reason: null, thickness: 0, thicknessLower: 0, chordError },
        ...{ wayOut: null, crossingLength: 0, crossingSize: 0, volume: null, floor, floors },
        touchBy: touches ? causeOf(floors, clash.distance) : null,
      };
    });
    // Sorting is stable, so that ties keep the order of the clashes.
    return graded.sort(compareGradedClashes);
  }

  /** The lengths up to which the parts of a clash touch. */
  #touchOf(clash: Clash): TouchFloor {
    const length = totalOf(this.#floorsOf(clash, 0));
    const isEstimated = this.options.touchTolerance === undefined;
    const [a, b] = [this.#parts[clash.a], this.#parts[clash.b]];
    return {
      length,
      facets: [isEstimated && a.chordError === undefined, isEstimated && b.chordError === undefined],
    };
  }

  /** What those lengths are made of. @param facets the estimate for the facets that cross. */
  #floorsOf(clash: Clash, facets: number): TouchFloors {
    const { touchTolerance } = this.options;
    const [a, b] = [this.#parts[clash.a], this.#parts[clash.b]];
    const chord = this.#chordErrorOf(clash);
    if (touchTolerance !== undefined) return { tolerance: touchTolerance, rounding: 0, chord, facets };
    const smaller = Math.min(diagonalOf(a), diagonalOf(b));
    const rounding = (a.precision ?? 0) + (b.precision ?? 0);
    return { tolerance: grading.touchTolerance * smaller, rounding, chord, facets };
  }

  /** How far the two surfaces may be from those that the files mean, together. */
  #chordErrorOf({ a, b }: Clash): number {
    return (this.#parts[a].chordError ?? 0) + (this.#parts[b].chordError ?? 0);
  }
}

function diagonalOf({ model }: AssemblyPart): number {
  return vec3.distance(model.boxMin, model.boxMax);
}

/** The grade of an overlap, without what its files say. */
type GradedOverlap = Omit<GradedClash, 'chordError' | 'floors' | 'touchBy'>;

/** The floor that makes an overlap a touch; null for other overlaps. */
function touchCause({ grade, thickness, upper }: GradedOverlap, floors: TouchFloors): TouchCause | null {
  return grade === 'touch' ? causeOf(floors, Math.min(thickness ?? Infinity, upper ?? Infinity)) : null;
}

function gradeOverlap(clash: Clash, frame: pose.Pose, depth: Depth, overlap: Overlap): GradedOverlap {
  const { floor, thickness, way, crossing, volume, kind: found } = overlap;
  const { region } = crossing;
  const local = {
    ...{ thickness: thickness.upper, thicknessLower: thickness.lower, volume, floor },
    wayOut: pose.transformVector(frame, way.vector),
    crossingLength: crossing.length,
    crossingSize: region === null ? 0 : Math.max(...region.max.map((value, k) => value - region.min[k])),
  };
  if ('unknown' in depth) {
    const touches = found === 'touching';
    return {
      ...{
        ...clash,
        ...local,
        kind: found,
        grade: touches ? 'touch' : 'interference',
        certain: touches || found === 'duplicate',
      },
      ...{ lower: null, upper: null, vector: null, reason: depth.unknown },
    };
  }
  const { lower, upper } = depth;
  const touches = found === 'touching' || (found !== 'duplicate' && upper <= floor);
  const certain = touches || found === 'duplicate' || lower > floor || thickness.lower > floor;
  return {
    ...{ ...clash, ...local, kind: touches ? 'touching' : found, grade: touches ? 'touch' : 'interference', certain },
    ...{ lower, upper, vector: upper > 0 ? pose.transformVector(frame, depth.vector) : null, reason: null },
    ...{ thickness: Math.min(thickness.upper, upper), ...(touches && { volume: null }) },
  };
}
