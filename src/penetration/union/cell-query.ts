// The pixel of the six cube views whose ray leaves a union of convex sums first, without tracing most pixels. Cells of
// pixels that are proven covered as far as the best exit known are skipped; others are halved both ways, breadth first,
// down to pixels. Each better exit is walked down to the nearest boundary point around it.
import { doubled } from '../../core/grow-array.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { CellCover, MAX_WORK } from '../certificate/cell-cover.js';
import type { Separation } from '../separation.js';
import { BoundaryWalk, type SegmentSums } from './boundary-walk.js';
import { pixelCenter, writeDirection } from './cube-views.js';
import { offerExit } from './probe-rays.js';
import type { UnionRays } from './union-rays.js';

/** Chosen: exits nearer by less than this share of the best are ignored. */
const WORTH = 1e-7;
/**
 * Rounding: exits nearer by less than this share of the sizes are ignored too: joins, ends of walks and shrunk sums are
 * off by it.
 */
const WORTH_OF_SIZE = 4e-12;

/**
 * Chosen: cells up to this many pixels wide are processed depth first; larger ones wait until all of their size are
 * done.
 */
const DEPTH_FIRST = 16;
/** Chosen: an exit within this many pixel widths of the best may lead to a better one, so a walk begins there. */
const NEAR_MISS = 4;
/** Chosen: walks from exits that are no better than the best, in a query. */
const MAX_NEAR_MISSES = 64;
/** Chosen: large cells between two looks at the signal. */
const ASKED_EVERY = 16;

/**
 * Layout: numbers of a cell in the queue: view, first column, end column, first row, end row, where its list of sums
 * begins and ends.
 */
const BLOCK = 7;

/** A query with its memory. */
export class CellQuery implements SegmentSums {
  /** All sums within the bound. */
  list: Int32Array = new Int32Array(0);
  readonly #cover = new CellCover();
  readonly #walk = new BoundaryWalk();
  readonly #direction = new Float64Array(3);
  #queue = new Int32Array(BLOCK * 256);
  #queueEnd = 0;
  #union!: UnionRays;
  #separation!: Separation;
  #resolution = 0;
  #nearMisses = 0;

  /**
   * Searches for exits nearer than the best and offers them. `distances` holds each sum's least distance from the
   * origin; sums farther than the best are ignored.
   */
  run(
    union: UnionRays,
    distances: Float64Array,
    separation: Separation,
    resolution: number,
    { signal }: ProgressOptions = {},
  ): void {
    this.#union = union;
    this.#separation = separation;
    this.#resolution = resolution;
    this.#nearMisses = 0;
    const cover = this.#cover;
    cover.begin(union, distances, separation.distance);
    this.list = cover.lists.slice(0, cover.listEnd);
    this.#queueEnd = 0;
    const all = cover.listEnd;
    for (let view = 0; view < 6; view++) this.#enqueue(view, 0, resolution, 0, resolution, 0, all);
    for (let i = 0; i < this.#queueEnd; i += BLOCK) {
      const queue = this.#queue;
      if (i % (ASKED_EVERY * BLOCK) === 0) reportProgress({ signal }, 0, 'penetration');
      this.#visit(queue[i], queue[i + 1], queue[i + 2], queue[i + 3], queue[i + 4], queue[i + 5], queue[i + 6]);
    }
  }

  /** All sums within the bound: the walk tests their balls itself. */
  gather(): number {
    return this.list.length;
  }

  #enqueue(view: number, x0: number, x1: number, y0: number, y1: number, start: number, end: number): void {
    if (this.#queueEnd + BLOCK > this.#queue.length) this.#queue = doubled(this.#queue);
    this.#queue.set([view, x0, x1, y0, y1, start, end], this.#queueEnd);
    this.#queueEnd += BLOCK;
  }

  /**
   * Examines a cell, then its quarters. The quarters of a large cell wait, so that a good best is known before small
   * cells are examined.
   */
  #visit(view: number, x0: number, x1: number, y0: number, y1: number, start: number, end: number): void {
    const cover = this.#cover;
    if (this.#separation.touches || cover.work > MAX_WORK) return;
    const side = 2 / this.#resolution;
    const best = this.#separation.distance;
    const wanted = this.#worthWhile(best);
    const cell = { view, left: side * x0 - 1, right: side * x1 - 1, bottom: 1 - side * y1, top: 1 - side * y0 };
    if (cover.cover(cell, start, end, best, wanted) >= wanted) return;
    const { kept, listEnd: keptEnd } = cover;
    const isPixel = x1 - x0 === 1 && y1 - y0 === 1;
    this.#probe(view, (x0 + x1 - 1) >> 1, (y0 + y1 - 1) >> 1, kept, keptEnd, isPixel);
    const later = Math.max(x1 - x0, y1 - y0) > DEPTH_FIRST;
    if (!isPixel) {
      const middleX = x1 - x0 > 1 ? (x0 + x1) >> 1 : x1;
      const middleY = y1 - y0 > 1 ? (y0 + y1) >> 1 : y1;
      for (let quarter = 0; quarter < 4; quarter++) {
        const first = quarter & 1 ? middleX : x0;
        const last = quarter & 1 ? x1 : middleX;
        const above = quarter & 2 ? middleY : y0;
        const below = quarter & 2 ? y1 : middleY;
        if (first === last || above === below) continue;
        if (later) this.#enqueue(view, first, last, above, below, kept, keptEnd);
        else this.#visit(view, first, last, above, below, kept, keptEnd);
      }
    }
    if (!later) cover.dropLists(kept);
  }

  /** Traces the ray of a pixel, and walks down from its exit if that is nearer than the best, or could lead there. */
  #probe(view: number, column: number, row: number, start: number, end: number, isPixel: boolean): void {
    const union = this.#union;
    const resolution = this.#resolution;
    writeDirection(this.#direction, view, pixelCenter(column, resolution), -pixelCenter(row, resolution));
    const [dx, dy, dz] = this.#direction;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const near = isPixel && this.#nearMisses < MAX_NEAR_MISSES ? 1 + NEAR_MISS / resolution : 1;
    const best = this.#separation.distance;
    const limit = this.#worthWhile(best) * near;
    const reach = union.trace(this.#cover.lists, start, end, dx, dy, dz, limit / length);
    if (!(reach * length < limit)) return;
    if (reach * length >= best) this.#nearMisses++;
    offerExit(union, this, this.#walk, this.#separation, reach, [dx, dy, dz]);
  }

  /** How near an exit must be to replace the best. */
  #worthWhile(best: number): number {
    return best - Math.max(WORTH * best, WORTH_OF_SIZE * this.#union.size);
  }
}
