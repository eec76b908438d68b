// What is measured of each overlap, whatever its parts are: its kind, its thickness, a short way out, the curves in which the
// surfaces cross, and the volume. The work is counted and shared among the overlaps of a check, so that a list of thousands
// is as quick as one of hundreds, and every run gives the same.
import type * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import { massProperties } from '../../mesh/report/mass-properties.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { type ClashKind, duplicateDistance, kindOfOverlap } from '../clash-kind.js';
import { type CrossingShape, measureCrossing, NO_CROSSING } from './crossing-shape.js';
import { estimateFacetErrors } from './facet-errors.js';
import { type LocalThickness, ThicknessMeasurer } from './local-thickness.js';
import { measureOverlapVolume, type VolumeInterval } from './overlap-volume.js';
import { findShortWay, type ShortWay } from './short-way.js';

/** Measured on five assemblies: signed distances of all overlaps together, some 20 µs each. */
const EVALUATIONS = 1_600_000;
/** Chosen: what is left of the work where no depths are wanted, and answers soon. */
const QUICK_SHARE = 0.25;
/** Chosen: signed distances of one surface of one overlap, at most; more seldom narrow an interval. */
const MAX_EVALUATIONS = 6000;
/** Chosen: signed distances for the volume, of one surface of one overlap. */
const VOLUME_EVALUATIONS = 4000;
/** Chosen: as few do for a first interval. */
const MIN_EVALUATIONS = 60;

/** Measured on five assemblies: intersection tests of all overlaps together, some 100 µs each. */
const TESTS = 60_000;
/** Chosen: the most tests for the way out of one overlap. */
const MAX_TESTS = 400;
/** Chosen: as few find the way along the normals where it is short. */
const MIN_TESTS = 24;

/** The measures of two models that overlap. */
export interface LocalMeasures {
  readonly kind: ClashKind;
  readonly thickness: LocalThickness;
  readonly way: ShortWay;
  readonly crossing: CrossingShape;
  readonly volume: VolumeInterval | null;
  /** Lengths up to this count as touching. */
  readonly floor: number;
  /** What facets are in it. */
  readonly facets: number;
}

/** The lengths up to which two parts touch. */
export interface TouchFloor {
  /** Up to which everything touches. */
  readonly length: number;
  /** Whether facets are added for A and for B, because their file does not say how far they are from the surface. */
  readonly facets: readonly [boolean, boolean];
}

/** Measures the overlaps of one check. */
export class LocalMeasurer {
  readonly #thickness = new ThicknessMeasurer();
  readonly #facets = new Map<ProximityModel, Float64Array>();
  readonly #evaluations: number;
  readonly #tests: number;

  /** @param overlaps how many share the work. @param isQuick whether the answer is wanted soon. */
  constructor(overlaps: number, isQuick: boolean) {
    const share = (all: number, least: number, most: number): number =>
      Math.min(most, Math.max(least, Math.floor(all / Math.max(1, overlaps))));
    this.#evaluations = share((EVALUATIONS * (isQuick ? QUICK_SHARE : 1)) / 4, MIN_EVALUATIONS, MAX_EVALUATIONS);
    this.#tests = share(TESTS, MIN_TESTS, MAX_TESTS);
  }

  /** @param relative B's pose in A's frame. */
  measure(a: ProximityModel, b: ProximityModel, relative: pose.Pose, touch: TouchFloor): LocalMeasures {
    const apart = duplicateDistance(a, b, relative, touch.length);
    if (apart !== null) return measureDuplicate(a, b, relative, touch.length, apart);
    const crossing = measureCrossing(a, b, relative);
    const facets =
      (touch.facets[0] ? this.#facetsOf(a, crossing.trianglesA) : 0) +
      (touch.facets[1] ? this.#facetsOf(b, crossing.trianglesB) : 0);
    const floor = touch.length + facets;
    const way = findShortWay(a, b, relative, { directions: crossing.waysOut, floor, maxTests: this.#tests });
    const parts = way.length <= floor;
    const deepest = parts
      ? { lower: 0, upper: way.length, point: null }
      : this.#thickness.measure(a, b, relative, floor, this.#evaluations);
    // Where moving by a length parts two solids, no point of one is deeper in the other.
    const isFound = deepest.lower > 0 || isSolid(a, b);
    const thickness = {
      lower: Math.min(deepest.lower, way.length),
      upper: isFound ? Math.min(deepest.upper, way.length) : way.length,
      point: deepest.point,
    };
    const kind = kindOfOverlap(a, b, relative, thickness, floor);
    const around = middleOf(crossing) ?? deepest.point ?? a.center;
    const volume =
      kind === 'touching'
        ? null
        : measureOverlapVolume(a, b, relative, around, Math.min(VOLUME_EVALUATIONS, this.#evaluations));
    return { kind, thickness, way, crossing, volume, floor, facets };
  }

  #facetsOf(model: ProximityModel, triangles: ReadonlySet<number>): number {
    const errors = this.#facets.get(model) ?? estimateFacetErrors(model.mesh, model.adjacency);
    this.#facets.set(model, errors);
    let largest = 0;
    for (const triangle of triangles) largest = Math.max(largest, errors[triangle]);
    return largest;
  }
}

/** Two parts of one shape in one place: their surfaces coincide, and what they have in common is the whole of either. */
function measureDuplicate(
  a: ProximityModel,
  b: ProximityModel,
  relative: pose.Pose,
  floor: number,
  apart: number,
): LocalMeasures {
  const way = findShortWay(a, b, relative, { directions: [], floor, maxTests: 0 });
  const isExact = apart === 0 && isSolid(a, b);
  const volume = isExact ? Math.abs(massProperties(a.mesh).volume) : null;
  return {
    ...{ kind: 'duplicate', thickness: { lower: 0, upper: apart, point: null }, way, crossing: NO_CROSSING },
    ...{ volume: volume === null ? null : { lower: volume, upper: volume }, floor, facets: 0 },
  };
}

function middleOf({ region }: CrossingShape): Vec3 | null {
  return region === null ? null : vec3.lerp(region.min, region.max, 0.5);
}

function isSolid(a: ProximityModel, b: ProximityModel): boolean {
  return a.closed && b.closed;
}
