// A radius within which every translation leaves two solids overlapping. The directions around the origin are divided
// into cells, each with a proven lower bound on how far the union of sums reaches along all its rays; the cell with the
// least bound is split in four until all are within the gap, or the budget is spent. Rays through the middle of cells
// improve the upper bound on the way. O(cells × planes of the sums in each).
import { IndexedHeap } from '../../core/heap.js';
import type { Separation } from '../separation.js';
import { BoundaryWalk, type SegmentSums } from '../union/boundary-walk.js';
import { writeDirection } from '../union/cube-views.js';
import { offerExit } from '../union/probe-rays.js';
import type { UnionRays } from '../union/union-rays.js';
import { CellCover, MAX_WORK, MIN_CELL_WIDTH } from './cell-cover.js';

/** When to stop, and whom to notify. */
export interface CertifyOptions {
  /** Ends when upper − lower is at most this share of upper. */
  readonly relativeGap: number;
  /** The most cells to examine. */
  readonly maxCells: number;
  /** Ends at this time of `performance.now()`. */
  readonly deadline: number;
  /** Called now and then with the state of the search; may throw to stop it. */
  readonly onCells?: ((certifier: Certifier) => void) | undefined;
}

/** A cell that is not covered far enough yet. */
export interface OpenCell {
  readonly view: number;
  /** Its rectangle on the side of the cube, −1 to 1. */
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  /** All of its rays are proven to be covered this far. */
  readonly reach: number;
  /** The sums that are relevant to it. */
  readonly list: Int32Array;
}

/** Chosen: cells between two calls of `onCells`, or a sixteenth of those examined before if that is fewer. */
const TOLD_EVERY = 64;
/**
 * Proven: no proof gets nearer to the boundary than this share of the sizes, because the cover shrinks its sums by a
 * part of it.
 */
const MIN_GAP = 8e-12;
/** Chosen: exits that are nearer by less than this share of the gap are ignored. */
const WORTH_OF_GAP = 1 / 8;

/** A search with its memory. */
export class Certifier implements SegmentSums {
  /** No translation shorter than this separates the solids. */
  lower = 0;
  /** Cells examined. */
  cells = 0;
  list: Int32Array = new Int32Array(0);
  readonly #cover = new CellCover();
  readonly #walk = new BoundaryWalk();
  readonly #direction = new Float64Array(3);
  readonly #heap = new IndexedHeap();
  #open: (OpenCell | null)[] = [];
  #vacant: number[] = [];
  /** The least reach of the finished cells. */
  #doneReach = Infinity;

  /** The cells that are still open, in no order. */
  get openCells(): OpenCell[] {
    return this.#open.filter((cell) => cell !== null);
  }

  /** All sums within the bound: the walk tests their balls itself. */
  gather(): number {
    return this.list.length;
  }

  /** Forgets the last search. */
  reset(): void {
    this.lower = 0;
    this.cells = 0;
  }

  /** Raises `lower` and improves the separation until the gap is closed. Returns whether it is. */
  run(union: UnionRays, distances: Float64Array, separation: Separation, options: CertifyOptions): boolean {
    const { relativeGap, maxCells, deadline } = options;
    const cover = this.#cover;
    this.reset();
    this.#heap.clear();
    this.#open = [];
    this.#vacant = [];
    this.#doneReach = Infinity;
    cover.begin(union, distances, separation.distance);
    this.list = cover.lists.slice(0, cover.listEnd);
    for (let view = 0; view < 6; view++) {
      this.#push({ view, left: -1, bottom: -1, width: 2, reach: 0, list: this.list });
    }
    let tellAt = 0;
    while (this.#heap.size > 0) {
      this.lower = Math.min(this.#doneReach, this.#heap.minKey());
      if (this.#isClosed(separation, relativeGap)) return true;
      if (this.cells >= maxCells || cover.work > MAX_WORK || performance.now() >= deadline) return false;
      const id = this.#heap.minItem();
      const cell = this.#open[id]!;
      if (cell.width < MIN_CELL_WIDTH) return false;
      this.#heap.pop();
      this.#open[id] = null;
      this.#vacant.push(id);
      this.#probe(union, separation, cell, relativeGap);
      this.#split(separation, cell, relativeGap);
      if (this.cells >= tellAt) {
        tellAt = this.cells + Math.min(TOLD_EVERY, this.cells >> 4);
        options.onCells?.(this);
      }
    }
    this.lower = this.#doneReach;
    return this.#isClosed(separation, relativeGap);
  }

  #isClosed(separation: Separation, relativeGap: number): boolean {
    this.lower = Math.min(this.lower, separation.distance);
    return separation.length - this.lower <= relativeGap * separation.length;
  }

  #push(cell: OpenCell): void {
    const id = this.#vacant.pop() ?? this.#open.length;
    this.#open[id] = cell;
    this.#heap.set(id, cell.reach);
  }

  #split(separation: Separation, { view, left, bottom, width, reach, list }: OpenCell, relativeGap: number): void {
    const cover = this.#cover;
    const bound = separation.distance;
    const wanted = Math.min((1 - relativeGap) * separation.length, bound - MIN_GAP * separation.size);
    const half = width / 2;
    cover.dropLists(0);
    cover.appendList(list);
    const end = cover.listEnd;
    for (let quarter = 0; quarter < 4; quarter++) {
      const x = left + (quarter & 1 ? half : 0);
      const y = bottom + (quarter & 2 ? half : 0);
      this.cells++;
      const cell = { view, left: x, right: x + half, bottom: y, top: y + half };
      const covered = Math.max(reach, cover.cover(cell, 0, end, bound, wanted));
      if (covered >= wanted) {
        this.#doneReach = Math.min(this.#doneReach, covered);
      } else {
        const kept = cover.lists.slice(cover.kept, cover.listEnd);
        this.#push({ view, left: x, bottom: y, width: half, reach: covered, list: kept });
      }
      cover.dropLists(end);
    }
  }

  /** Traces the ray through the middle of a cell and walks down from its exit, if that improves the upper bound. */
  #probe(union: UnionRays, separation: Separation, { view, left, bottom, width, list }: OpenCell, gap: number): void {
    writeDirection(this.#direction, view, left + width / 2, bottom + width / 2);
    const [dx, dy, dz] = this.#direction;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const best = separation.distance;
    const reach = union.trace(list, 0, list.length, dx, dy, dz, best / length);
    if (reach * length < best * (1 - WORTH_OF_GAP * gap)) {
      offerExit(union, this, this.#walk, separation, reach, [dx, dy, dz]);
    }
  }
}
