// Chooses the search that answers a query of a pair. A pair with 'auto' starts on boxes, so that its first answer is fast.
// Work done on boxes pays for hulls, which are made in steps between queries, with no more work than the queries took.
// Decisions use counters of work and answers, never a clock, so that the same calls always decide the same.
import { boundMotion } from '../core/placement.js';
import { triangleCount } from '../mesh/mesh.js';
import { BoxSearch } from './boxes/box-search.js';
import { RootSearch } from './boxes/root-search.js';
import { HullSearch } from './hulls/hull-search.js';
import { advanceHulls, areHullsAsked, HULL_SURFACE, hullsOf } from './hulls/model-hulls.js';
import { BOX_KERNEL } from './model-parts.js';
import type { BoundingVolume, PairOptions, VolumeChoice } from './options.js';
import { PROXIMITY_DEFAULTS } from './options.js';
import type { ProximityModel } from './proximity-model.js';
import type { SearchChoice } from './search-choice.js';
import type { SurfaceSearch } from './surface-search.js';

/** Measured: making the hulls of one triangle takes some 30 µs, as long as this many box tests of 0.15 µs. */
const TESTS_A_TRIANGLE = 200;
/**
 * Chosen: the price of hulls for a pair, in triangles: slightly above their usual cost, so that little remains to be
 * done.
 */
const PRICE_A_TRIANGLE = 1.5;
/** Chosen: a pair of triangles takes about as long as this many box tests. */
const TRIANGLE_TESTS = 4;
/** Chosen: after this many misses in a row hulls may answer intersections; they measured 2 to 4 times as fast then. */
const MISSES = 16;
/**
 * Chosen: after this many hits in a row boxes answer distances, until a miss. For hits they measured 1.1 to 4 times as
 * fast as hulls, up to 75 times with large pieces; for misses hulls measured 1 to 6 times as fast.
 */
const HITS = 2;
/**
 * Measured on scenarios of the benchmark: hulls answer intersections if a miss on boxes costs this many box tests on
 * average. Scenarios that cost 1,400 and more were 3 to 5 times as fast with hulls, those that cost up to 500 half as
 * fast.
 */
const MISS_COST = 1000;
/** Chosen: the share of the newest miss in that average. */
const NEWEST = 1 / 8;
/**
 * Chosen: a step longer than this times B's radius leaves nothing of use from the last query; boxes from the roots are
 * fastest then.
 */
const LONG_STEP = 0.5;

/** A search, and where B was at its last query. */
interface Asked {
  readonly search: SurfaceSearch;
  readonly last: Float64Array;
  fresh: boolean;
}

/** The searches of one pair. */
export class PairSearches implements SearchChoice {
  readonly #a: ProximityModel;
  readonly #b: ProximityModel;
  readonly #options: PairOptions;
  readonly #choice: VolumeChoice;
  /** Whether hulls may be used later. Without memory between queries they measured no faster than boxes. */
  readonly #mayChange: boolean;
  #boxes: Asked | null = null;
  /** Boxes without memory, for long steps. */
  #cold: Asked | null = null;
  #hulls: Asked | null = null;
  #current: Asked | null = null;
  /** Work done on boxes, in triangles, and the part of it that has not been spent on hulls yet. */
  #earned = 0;
  #credit = 0;
  /** The price of hulls for the pair. */
  readonly #price: number;
  /** Equal answers in a row: positive if the models were apart, negative if they met. */
  #streak = 0;
  /** Whether the current query asks for an intersection, and the average cost of a miss on boxes. */
  #crossing = false;
  #missCost = 0;
  /** Where B was in the last query, if there was one. */
  readonly #last = new Float64Array(12);
  #fresh = true;

  constructor(a: ProximityModel, b: ProximityModel, options: PairOptions) {
    this.#a = a;
    this.#b = b;
    this.#options = options;
    this.#choice = options.volume ?? PROXIMITY_DEFAULTS.volume;
    const triangles = triangleCount(a.mesh) + (a === b ? 0 : triangleCount(b.mesh));
    this.#price = PRICE_A_TRIANGLE * triangles;
    this.#mayChange = this.#choice === 'auto' && options.coherence !== false;
  }

  /** The bounding volume in use now. */
  get volume(): BoundingVolume {
    if (this.#choice !== 'auto') return this.#choice;
    if (!this.#mayChange) return 'boxes';
    return this.#hulls !== null || (areHullsAsked(this.#a) && areHullsAsked(this.#b)) ? 'hulls' : 'boxes';
  }

  /** Bytes of all searches. */
  get bytes(): number {
    return [this.#boxes, this.#cold, this.#hulls].reduce((sum, asked) => sum + (asked?.search.bytes ?? 0), 0);
  }

  /** The search for the next query, which tests for an intersection (`crossing`) or for something near. */
  take(crossing: boolean, placement: Float64Array): SurfaceSearch {
    this.#crossing = crossing;
    if (this.#mayChange && this.#isLongStep(placement)) this.#current = this.#coldSearch();
    else this.#current = this.#usesHulls(crossing) ? this.#hullSearch() : this.#boxSearch();
    return this.#current.search;
  }

  /** How far any point of B may have moved in A's frame since the last query of the chosen search. */
  move(placement: Float64Array): number {
    const asked = this.#current!;
    const motion = asked.fresh ? Infinity : boundMotion(asked.last, placement, this.#b.center, this.#b.radius);
    asked.fresh = false;
    asked.last.set(placement);
    this.#last.set(placement);
    this.#fresh = false;
    return motion;
  }

  /** Records the answer of the query: whether the models met. */
  record(met: boolean): void {
    if (!this.#mayChange) return;
    this.#streak = met ? Math.min(-1, this.#streak - 1) : Math.max(1, this.#streak + 1);
    const { cost, trianglePairs } = this.#current!.search.outcome;
    if (this.#crossing && !met && this.#current !== this.#hulls) {
      this.#missCost += NEWEST * (cost - this.#missCost);
    }
    if (met || this.#hulls !== null) return;
    const work = (cost + TRIANGLE_TESTS * trianglePairs) / TESTS_A_TRIANGLE;
    this.#earned += work;
    this.#credit += work;
  }

  /** Forgets what the searches remember. */
  reset(): void {
    this.#streak = 0;
    this.#missCost = 0;
    this.#fresh = true;
    for (const asked of [this.#boxes, this.#cold, this.#hulls]) {
      if (asked === null) continue;
      asked.search.reset();
      asked.fresh = true;
    }
  }

  #usesHulls(crossing: boolean): boolean {
    if (this.#choice !== 'auto') return this.#choice === 'hulls';
    if (!this.#mayChange || (this.#hulls === null && !this.#prepareHulls())) return false;
    return crossing ? this.#streak >= MISSES && this.#missCost >= MISS_COST : this.#streak > -HITS;
  }

  #isLongStep(placement: Float64Array): boolean {
    const { center, radius } = this.#b;
    return this.#fresh || boundMotion(this.#last, placement, center, radius) > LONG_STEP * radius;
  }

  /**
   * Spends the work earned by queries on hulls; returns whether the pair uses them. Unless the caller asked for hulls, it
   * uses them only once it has earned them itself, so that its answers depend on its own calls alone.
   */
  #prepareHulls(): boolean {
    const [a, b] = [this.#a, this.#b];
    if (areHullsAsked(a) && areHullsAsked(b)) return true;
    if (this.#credit === 0) return false;
    const paid = this.#earned >= this.#price;
    for (const model of [a, b]) {
      if (!model.hullsReady) this.#credit = advanceHulls(model, paid ? Infinity : this.#credit);
      if (!model.hullsReady) return false;
    }
    return paid;
  }

  #boxSearch(): Asked {
    const [a, b] = [this.#a, this.#b];
    this.#boxes ??= createAsked(new BoxSearch(a.boxes, b.boxes, this.#options, a.parts.get(BOX_KERNEL)));
    return this.#boxes;
  }

  #coldSearch(): Asked {
    const [a, b] = [this.#a, this.#b];
    const { queueSize } = this.#options;
    this.#cold ??= createAsked(new RootSearch(a.boxes, b.boxes, a.parts.get(BOX_KERNEL), queueSize));
    return this.#cold;
  }

  #hullSearch(): Asked {
    if (this.#hulls !== null) return this.#hulls;
    if (this.#choice === 'hulls') for (const model of [this.#a, this.#b]) hullsOf(model);
    const [a, b] = [this.#a.parts.get(HULL_SURFACE), this.#b.parts.get(HULL_SURFACE)];
    // The boxes' search memory is of little use from now on, and large.
    this.#boxes = null;
    this.#hulls = createAsked(new HullSearch(a, b, this.#a.outward, this.#b.outward, this.#options));
    return this.#hulls;
  }
}

function createAsked(search: SurfaceSearch): Asked {
  return { search, last: new Float64Array(12), fresh: true };
}
