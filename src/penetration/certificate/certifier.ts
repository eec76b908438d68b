// A radius within which every translation leaves two solids overlapping: the directions around the origin in blocks, each
// with how far the union of sums is proven to reach along all of its rays; the block that reaches least is split in four
// until all reach as far as the gap asks, or the budget is spent. Rays through the middle of blocks better the upper bound
// on the way. O(blocks × planes of the sums in each).
import { IndexedHeap } from '../../core/heap.js';
import type { Separation } from '../separation.js';
import { BoundaryWalk, type SegmentSums } from '../union/boundary-walk.js';
import { writeDirection } from '../union/cube-views.js';
import { offerExit } from '../union/probe-rays.js';
import type { UnionRays } from '../union/union-rays.js';
import { BlockCover, MOST_WORK } from './block-cover.js';

/** How far to go. */
export interface CertifyOptions {
  /** Ends when upper − lower is at most this share of upper. */
  readonly relativeGap: number;
  /** The most blocks to look at. */
  readonly maxCells: number;
  /** Ends at this time of `performance.now()`. */
  readonly deadline: number;
  /** Told now and then where the search stands; may throw to stop it. */
  readonly onCells?: ((certifier: Certifier) => void) | undefined;
}

/** A block that is not covered far enough yet. */
export interface OpenCell {
  readonly view: number;
  /** Its rectangle on the side of the cube, −1 to 1. */
  readonly left: number;
  readonly bottom: number;
  readonly width: number;
  /** How far all of its rays are covered for certain. */
  readonly reach: number;
  /** The sums that play a part in it. */
  readonly list: Int32Array;
}

/** Blocks smaller than this are not split: their corners are no longer apart in double precision. */
const LEAST_WIDTH = 2 ** -40;
/** How often the caller is told: every so many blocks at the most, and after a sixteenth of what was looked at before. */
const TOLD_EVERY = 64;
/** No proof reaches nearer to the boundary than this share of the sizes: cover rounds its sums down by a part of it. */
const LEAST_GAP = 8e-12;
/** Exits that are nearer by less than this share of the gap are not looked for. */
const WORTH_OF_GAP = 1 / 8;

/** A search with its memory. */
export class Certifier implements SegmentSums {
  /** No translation shorter than this separates the solids. */
  lower = 0;
  /** Blocks looked at. */
  cells = 0;
  list: Int32Array = new Int32Array(0);
  readonly #cover = new BlockCover();
  readonly #walk = new BoundaryWalk();
  readonly #direction = new Float64Array(3);
  readonly #heap = new IndexedHeap();
  #open: (OpenCell | null)[] = [];
  #vacant: number[] = [];
  /** The least reach of the blocks that are done with. */
  #doneReach = Infinity;

  /** The blocks that are left, in no order. */
  get openCells(): OpenCell[] {
    return this.#open.filter((cell) => cell !== null);
  }

  /** All sums within the bound: the walk looks at their balls itself. */
  gather(): number {
    return this.list.length;
  }

  /** Raises `lower` and betters the separation until the gap is closed. Returns whether it is. */
  run(union: UnionRays, distances: Float64Array, separation: Separation, options: CertifyOptions): boolean {
    const { relativeGap, maxCells, deadline } = options;
    const cover = this.#cover;
    this.lower = 0;
    this.cells = 0;
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
      if (this.cells >= maxCells || cover.work > MOST_WORK || performance.now() >= deadline) return false;
      const id = this.#heap.minItem();
      const cell = this.#open[id]!;
      if (cell.width < LEAST_WIDTH) return false;
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
    const wanted = Math.min((1 - relativeGap) * separation.length, bound - LEAST_GAP * separation.size);
    const half = width / 2;
    cover.dropLists(0);
    cover.appendList(list);
    const end = cover.listEnd;
    for (let quarter = 0; quarter < 4; quarter++) {
      const x = left + (quarter & 1 ? half : 0);
      const y = bottom + (quarter & 2 ? half : 0);
      this.cells++;
      const covered = Math.max(reach, cover.cover(view, x, x + half, y, y + half, 0, end, bound, wanted));
      if (covered >= wanted) {
        this.#doneReach = Math.min(this.#doneReach, covered);
      } else {
        const kept = cover.lists.slice(cover.kept, cover.listEnd);
        this.#push({ view, left: x, bottom: y, width: half, reach: covered, list: kept });
      }
      cover.dropLists(end);
    }
  }

  /** Traces the ray through the middle of a block and walks down from its exit, if that betters the upper bound. */
  #probe(union: UnionRays, separation: Separation, { view, left, bottom, width, list }: OpenCell, gap: number): void {
    writeDirection(this.#direction, view, left + width / 2, bottom + width / 2);
    const [dx, dy, dz] = this.#direction;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const best = separation.distance;
    const reach = union.trace(list, 0, list.length, dx, dy, dz, best / length);
    if (reach * length < best * (1 - WORTH_OF_GAP * gap)) {
      offerExit(union, this, this.#walk, separation, reach, dx, dy, dz);
    }
  }
}
