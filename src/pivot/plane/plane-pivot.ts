// Queries about two shapes in the plane, each from the rings as they are now (PIVOT; Hoff, Zaferakis, Lin and Manocha
// 2001), on one core: localized by lazy boxes, drawn by scan conversion in double precision.
import { nameValue } from '../../core/check/check-options.js';
import { flag, numberAbove, optionTable, wholeNumber } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { PIVOT_DEFAULTS } from '../defaults.js';
import { ClosestSearch } from './closest-search.js';
import { EdgeSet, MAX_LEVELS } from './edge-set.js';
import { assertLength, PairQuery } from './pair-query.js';
import { errorFor } from './pixel-lattice.js';
import { computePlaneField, type PlaneField } from './plane-field.js';
import type {
  PlaneClosestPoint,
  PlaneContacts,
  PlaneCounters,
  PlaneIntersection,
  PlanePenetration,
  PlaneSeparation,
} from './plane-result.js';
import type { PlaneShape } from './plane-shape.js';

/** What two shapes are taken as: their edges, or what these enclose. */
export type PlaneMeeting = 'boundary-boundary' | 'boundary-volume' | 'volume-volume';

/** Every {@link PlaneMeeting}. */
export const PLANE_MEETINGS: readonly PlaneMeeting[] = ['boundary-boundary', 'boundary-volume', 'volume-volume'];

/** How queries in the plane work. */
export interface PlanePivotOptions {
  /**
   * The largest error of every distance and place; half the diagonal of a pixel. Default: 0.2 % of the smaller box's
   * diagonal.
   */
  readonly error?: number | undefined;
  /**
   * The most levels of the box hierarchies that localize a query; 0 uses the whole boxes. Changes the time, no answer.
   * Default 8.
   */
  readonly maxDepth?: number | undefined;
}

/** Whether to make the separation exact. */
export interface PlaneSeparationOptions {
  /** Compare all edges within the distance found + 2 · error in double precision. Default false. */
  readonly exact?: boolean | undefined;
}

/** The options of `PlanePivot` and `PlaneScene`. */
export const PLANE_PIVOT_TABLE = optionTable<PlanePivotOptions>()({
  error: numberAbove(0),
  maxDepth: wholeNumber(0, MAX_LEVELS, PIVOT_DEFAULTS.planeDepth),
});

const SEPARATION_TABLE = optionTable<PlaneSeparationOptions>()({ exact: flag(false) });

/**
 * Answers proximity queries about shapes whose rings may change before every call. Keeps nothing of them but scratch
 * memory, in which results are returned too: the next call overwrites their arrays.
 */
export class PlanePivot {
  readonly #error: number | undefined;
  readonly #levels: number;
  readonly #a = new EdgeSet();
  readonly #b = new EdgeSet();
  readonly #query = new PairQuery();
  readonly #search = new ClosestSearch();
  #asked = 0;

  /** @throws NearfieldError `bad-argument` for an error that is not positive or a depth that is not 0 to 20. */
  constructor(options: PlanePivotOptions = {}) {
    const { error, maxDepth } = PLANE_PIVOT_TABLE.read(options);
    this.#error = error;
    this.#levels = maxDepth;
  }

  /**
   * The pixels in which two shapes meet. 'boundary-volume' is A's boundary in B's volume. A boundary is drawn as all
   * samples within the error of it, a volume as all samples inside.
   * @throws NearfieldError as every query: `bad-argument` and `non-finite` for bad rings, `too-large` for too many
   * pixels.
   */
  intersect(a: PlaneShape, b: PlaneShape, kind: PlaneMeeting = 'boundary-volume'): PlaneIntersection {
    if (!PLANE_MEETINGS.includes(kind)) {
      throw new NearfieldError(
        'bad-argument',
        `The kind is ${nameValue(kind)}; give one of ${PLANE_MEETINGS.join(', ')}.`,
      );
    }
    this.#load(a, b);
    const query = this.#query;
    const error = this.#asked;
    let area = 0;
    if (kind === 'volume-volume') area = query.drawVolumes(this.#a, this.#b, error);
    else if (kind === 'boundary-volume') {
      const near = query.localizer.find(this.#a, this.#b, error);
      query.drawInside(this.#a, this.#b, near ? query.localizer.nearA : null, error);
      query.placePoints(0);
    } else if (query.localizer.find(this.#a, this.#b, 2 * error)) {
      query.drawNear(this.#a, query.localizer.nearA, error, error, this.#b);
      query.keepWithin(this.#b, error, error);
    }
    return { ...this.#points(), area };
  }

  /** The points of each boundary inside the other object, with the shortest way out of it. */
  penetration(a: PlaneShape, b: PlaneShape): PlanePenetration {
    this.#load(a, b);
    this.#query.penetrate(this.#a, this.#b, this.#asked);
    const { objects, distances, directions } = this.#query.list;
    return { ...this.#points(), objects, depths: distances, directions };
  }

  /**
   * The samples of A's boundary whose distance from B's boundary is at most the threshold plus the error: every point of
   * A's boundary within the threshold of B's has one within the error.
   */
  contacts(a: PlaneShape, b: PlaneShape, threshold: number): PlaneContacts {
    assertLength(threshold, 'threshold');
    this.#load(a, b);
    this.#query.touch(this.#a, this.#b, this.#asked, threshold);
    const { distances, directions } = this.#query.list;
    return { ...this.#points(), distances, normals: directions };
  }

  /** The sample of A's boundary nearest to B's boundary, wherever the shapes overlap. */
  closestPoint(a: PlaneShape, b: PlaneShape): PlaneClosestPoint {
    this.#load(a, b);
    const search = this.#search;
    search.find(this.#a, this.#b, this.#asked);
    const { x, y, otherX, otherY, distance } = search;
    return { point: [x, y], other: [otherX, otherY], distance, error: this.#asked, counters: this.#counters() };
  }

  /** How far two objects are apart, from the closest points of both; 0 where they overlap. */
  separation(a: PlaneShape, b: PlaneShape, options: PlaneSeparationOptions = {}): PlaneSeparation {
    SEPARATION_TABLE.assert(options);
    const { exact = false } = options;
    this.#load(a, b);
    const search = this.#search;
    const error = this.#asked;
    search.find(this.#b, this.#a, error);
    const { x, y, otherX, otherY, distance } = search;
    search.find(this.#a, this.#b, error);
    if (distance < search.distance) {
      search.distance = distance;
      [search.x, search.y, search.otherX, search.otherY] = [otherX, otherY, x, y];
    }
    if (exact) search.refine(this.#a, this.#b, search.distance + 2 * error);
    const intersects = exact
      ? search.distance === 0 || holdsRing(this.#a, this.#b) || holdsRing(this.#b, this.#a)
      : this.#query.overlaps(this.#a, this.#b, error);
    const shared = { error: exact ? 0 : error, counters: this.#counters() };
    if (intersects) return { intersects, distance: 0, pointA: null, pointB: null, direction: null, ...shared };
    const length = Math.hypot(search.otherX - search.x, search.otherY - search.y);
    return {
      intersects,
      distance: search.distance,
      pointA: [search.x, search.y],
      pointB: [search.otherX, search.otherY],
      direction: length > 0 ? [(search.otherX - search.x) / length, (search.otherY - search.y) / length] : [1, 0],
      ...shared,
    };
  }

  /** The signed distance field of one shape over a box, x0, y0, x1, y1, computed whole. */
  field(shape: PlaneShape, box: ArrayLike<number>): PlaneField {
    this.#load(shape, shape);
    return computePlaneField(this.#a, box, this.#asked, this.#query.nearest, this.#query.crossings);
  }

  /**
   * The signed distance and its gradient at given points alone, without a field: exact in double precision.
   * @param points x, y of each.
   * @param distances one number a point is written.
   * @param gradients if given, x, y of the unit gradient are written for each.
   */
  distances(
    shape: PlaneShape,
    points: ArrayLike<number>,
    distances: Float64Array,
    gradients?: Float64Array,
  ): Float64Array {
    const count = points?.length / 2;
    const hasRoom =
      typeof distances === 'object' &&
      distances?.length >= count &&
      (gradients === undefined || (typeof gradients === 'object' && gradients?.length >= 2 * count));
    if (!Number.isInteger(count) || !hasRoom) {
      throw new NearfieldError(
        'bad-argument',
        `There are ${nameValue(points)} points; give x, y of each, room for one distance each and for two numbers of each gradient.`,
      );
    }
    this.#load(shape, shape);
    this.#query.measureSigned(this.#a, points, count, this.#asked, distances, gradients ?? null);
    return distances;
  }

  #load(a: PlaneShape, b: PlaneShape): void {
    this.#a.load(a, this.#levels, 0);
    this.#b.load(b, this.#levels, 1);
    this.#asked = errorFor(this.#error, this.#a, this.#b);
    this.#query.begin();
    this.#search.samples = 0;
    this.#search.nearest.distances = 0;
  }

  #points() {
    const { count, points, lengths } = this.#query.list;
    return { count, points, lengths, error: this.#asked, counters: this.#counters() };
  }

  #counters(): PlaneCounters {
    this.#query.countWork(this.#a, this.#b);
    const { counters } = this.#query;
    counters.pixels += this.#search.samples;
    counters.distances += this.#search.nearest.distances;
    return { ...counters };
  }
}

/** Whether a ring of A begins inside B; for boundaries that do not meet, whether the ring is inside. */
function holdsRing(a: EdgeSet, b: EdgeSet): boolean {
  for (let ring = 0; ring < a.ringCount; ring++) {
    const at = 4 * a.rings[ring];
    if (b.contains(a.edges[at], a.edges[at + 1])) return true;
  }
  return false;
}
