// The certified subdivision behind a Voronoi graph: a tree of rectangles, each with the features that may be nearest in
// it. A split walks the four half-lines from its point; the cells on both sides share the crossings found there, so
// pieces of boundaries join by construction. Cells whose border decides what is inside are leaves.
import { BoundaryPieces } from './boundary-pieces.js';
import { CandidatePool } from './candidate-pool.js';
import { CellArrays, EAST, LineArrays, NORTH, SIDE, SOUTH, WEST } from './cell-arrays.js';
import { CellBorder } from './cell-border.js';
import { featureExcess, featureValue, SCALE, STRIDE } from './feature-arrays.js';
import { LineEnvelope, type Segment } from './line-envelope.js';
import { CellResolver } from './resolve-cell.js';
import type { SiteFeatures } from './site-features.js';
import type { GraphCounters } from './voronoi-graph.js';

/**
 * Chosen: where a split divides a cell along x, as a share of its side. Splits are off the middle, differently in x and
 * y: sides of cells rarely run along boundaries of symmetric drawings.
 */
const SPLIT_X = 0.49319;
/** Chosen: the same along y. */
const SPLIT_Y = 0.50731;
/** Rounding: a cell smaller than this share of the box is not split: what crosses it meets in one vertex. */
const MIN_CELL = 2 ** -34;
/** Chosen: with weights that differ, regions need not be star-shaped; then cells are split to this share of the box. */
const WEIGHTED_CELL = 2 ** -8;
/** Chosen: a cell with more candidates is split at once. */
const MANY_CANDIDATES = 32;

/** Label: index of the cell that is the whole box. */
const ROOT = 0;
/** Chosen: a cell with this number of candidates or fewer is resolved anew by an update, with all cells in it. */
const FEW_CANDIDATES = 16;
/**
 * Rounding: a crossing of an update that is closer to an old one between the same features, in local lengths, is that
 * one.
 */
const SAME_CROSSING = 1e-12;
/** Layout: the bits of all four children of a cell. */
const EVERY_CHILD = 15;

/** A tree of cells over the local box, with the pieces of boundaries and the vertices in its leaves. */
export class CellTree {
  readonly pieces = new BoundaryPieces();
  cellCount = 0;
  leafCount = 0;
  /** Leaves that the limit of cells left without their boundaries. */
  unresolved = 0;
  /** Leaves resolved at the smallest size. */
  merged = 0;
  readonly #sites: SiteFeatures;
  readonly #envelope: LineEnvelope;
  readonly #resolver: CellResolver;
  readonly #border = new CellBorder();
  readonly #maxCells: number;
  #simple = true;
  #even = true;
  readonly #cells = new CellArrays();
  readonly #lines = new LineArrays();
  /** First cells and first lines of four that are not in use. */
  readonly #freeGroups: number[] = [];
  readonly #freeLines: number[] = [];
  readonly #pool: CandidatePool;
  #removed = new Uint8Array(64);
  #kept = new Int32Array(64);
  readonly #givenBox = new Float64Array(4);

  constructor(sites: SiteFeatures, maxCells: number) {
    this.#sites = sites;
    this.#envelope = new LineEnvelope(sites.arrays);
    this.#resolver = new CellResolver(sites, this.#envelope);
    this.#pool = new CandidatePool(sites.arrays);
    this.#maxCells = maxCells;
  }

  /** The cost of the graph so far. */
  get counters(): GraphCounters {
    return {
      features: this.#sites.arrays.count,
      cells: this.cellCount,
      leaves: this.leafCount,
      walkSteps: this.#envelope.steps,
      newtonSteps: this.#resolver.newtonSteps,
      merged: this.merged,
    };
  }

  /** The candidates of a cell. */
  candidates(cell: number): Int32Array {
    return this.#pool.list.subarray(this.#cells.listAt[cell], this.#cells.listAt[cell] + this.#cells.listCount[cell]);
  }

  /** x0, y0, x1, y1 of a cell, valid until the next call. */
  cellBox(cell: number): Float64Array {
    for (let i = 0; i < 4; i++) this.#givenBox[i] = this.#cells.box[4 * cell + i];
    return this.#givenBox;
  }

  /** Divides the box from −halfX, −halfY to halfX, halfY. */
  build(halfX: number, halfY: number, features: readonly number[]): void {
    this.#simple = this.#sites.oneClass;
    this.#even = this.#sites.evenlyWeighted;
    this.#setCell(ROOT, -halfX, -halfY, halfX, halfY);
    this.#lines.addFour();
    this.#filter(Int32Array.from(features), 0, features.length, ROOT);
    this.#walkBorder(null);
    this.#grow(ROOT);
  }

  /** Takes in a change of features; the list has all that there are now. */
  update(removed: readonly number[], added: readonly number[], features: Int32Array): void {
    this.#simple = this.#sites.oneClass;
    this.#even = this.#sites.evenlyWeighted;
    const { end } = this.#sites.arrays;
    if (this.#removed.length < end) this.#removed = new Uint8Array(2 * end);
    for (const feature of removed) this.#removed[feature] = 1;
    this.#filter(features, 0, features.length, ROOT);
    this.#walkBorder(added);
    this.#updateCell(ROOT, added);
    for (const feature of removed) this.#removed[feature] = 0;
  }

  /** The memory that was ever used, as a multiple of what a new tree of the same sites would use. */
  get entries(): number {
    return this.#lines.entryEnd + this.#pool.end;
  }

  /** Brings a cell up to date whose candidates and sides are so already. */
  #updateCell(cell: number, added: readonly number[]): void {
    const first = this.#cells.child[cell];
    if (first < 0 || this.#cells.listCount[cell] <= FEW_CANDIDATES) {
      this.#clear(cell);
      this.#grow(cell);
      return;
    }
    let touched = 0;
    for (let i = 0; i < 4; i++) {
      if (!this.#isTouched(first + i, added)) continue;
      touched |= 1 << i;
      this.#refilter(first + i, cell, added);
    }
    this.#walkSplit(cell, touched, added);
    for (let i = 0; i < 4; i++) if (touched & (1 << i)) this.#updateCell(first + i, added);
  }

  /** Whether a candidate of the cell is gone, or an added feature may be nearest in it. */
  #isTouched(cell: number, added: readonly number[]): boolean {
    const pool = this.#pool.list;
    const removed = this.#removed;
    const start = this.#cells.listAt[cell];
    for (let i = start; i < start + this.#cells.listCount[cell]; i++) if (removed[pool[i]] === 1) return true;
    const box = this.#cells.box;
    const x = (box[4 * cell] + box[4 * cell + 2]) / 2;
    const y = (box[4 * cell + 1] + box[4 * cell + 3]) / 2;
    const radius = Math.hypot(box[4 * cell + 2] - x, box[4 * cell + 3] - y) + 1e-12;
    const features = this.#sites.arrays;
    for (const feature of added) {
      if (featureExcess(features, feature, x, y) > radius) continue;
      const reach = radius * features.data[STRIDE * feature + SCALE];
      if (featureValue(features, feature, x, y) - reach <= this.#cells.bound[cell]) return true;
    }
    return false;
  }

  /** Makes the cell a leaf without anything in it. */
  #clear(cell: number): void {
    const first = this.#cells.child[cell];
    if (first < 0) {
      this.#clearLeaf(cell);
      return;
    }
    for (let i = 0; i < 4; i++) this.#clear(first + i);
    this.#freeGroups.push(first);
    this.#freeLines.push(this.#cells.firstLine[cell]);
    this.cellCount -= 4;
    this.#cells.child[cell] = -1;
  }

  #setCell(cell: number, x0: number, y0: number, x1: number, y1: number): void {
    this.#cells.set(cell, x0, y0, x1, y1);
    this.cellCount++;
  }

  /** Gives the cell those of a part of the list that may be nearest somewhere in it. */
  #filter(list: Int32Array, from: number, count: number, cell: number): void {
    const { box } = this.#cells;
    const pool = this.#pool;
    const start = pool.end;
    pool.add(list, from, count, box[4 * cell], box[4 * cell + 1], box[4 * cell + 2], box[4 * cell + 3]);
    this.#takeList(cell, start);
  }

  /** Gives the cell the list at the end of the pool, in its old place if it has room there. */
  #takeList(cell: number, start: number): void {
    const cells = this.#cells;
    const pool = this.#pool;
    const count = pool.end - start;
    if (count <= cells.listRoom[cell]) {
      pool.list.copyWithin(cells.listAt[cell], start, pool.end);
      pool.end = start;
    } else {
      cells.listAt[cell] = start;
      cells.listRoom[cell] = count;
    }
    cells.listCount[cell] = count;
    cells.bound[cell] = pool.bound;
  }

  /**
   * Brings the candidates of a cell up to date after a change. What its bound excluded stays excluded if the bound of
   * what is left is no larger; otherwise the candidates of its parent are examined again.
   */
  #refilter(cell: number, parent: number, added: readonly number[]): void {
    const { box, listAt, listCount, bound } = this.#cells;
    const pool = this.#pool;
    const removed = this.#removed;
    if (this.#kept.length < listCount[cell] + added.length) {
      this.#kept = new Int32Array(2 * (listCount[cell] + added.length));
    }
    const kept = this.#kept;
    let count = 0;
    for (let i = listAt[cell]; i < listAt[cell] + listCount[cell]; i++) {
      if (removed[pool.list[i]] === 0) kept[count++] = pool.list[i];
    }
    for (let i = 0; i < added.length; i++) kept[count++] = added[i];
    const start = pool.end;
    pool.add(kept, 0, count, box[4 * cell], box[4 * cell + 1], box[4 * cell + 2], box[4 * cell + 3]);
    if (pool.bound <= bound[cell]) {
      this.#takeList(cell, start);
      return;
    }
    pool.end = start;
    this.#filter(pool.list, listAt[parent], listCount[parent], cell);
  }

  /** Walks the sides of the box, counter-clockwise from its lower left corner; after a change those that it touches. */
  #walkBorder(added: readonly number[] | null): void {
    const [x0, y0, x1, y1] = this.#cells.box;
    const list = this.candidates(ROOT);
    const xs = [x0, x1, x1, x0];
    const ys = [y0, y0, y1, y1];
    const lines = this.#lines;
    for (let side = 0; side < 4; side++) {
      const next = (side + 1) % 4;
      const start = this.#envelope.nearest(list, list.length, xs[side], ys[side]);
      const end = this.#envelope.nearest(list, list.length, xs[next], ys[next]);
      if (added !== null && !this.#isLineTouched(side, [xs[side], ys[side]], [xs[next], ys[next]], start, end, added)) {
        continue;
      }
      const length = side === EAST || side === WEST ? x1 - x0 : y1 - y0;
      this.#walkLine(side, list, directed(side, xs[side], ys[side], length), start, end);
      this.#cells.setSide(ROOT, side, side, lines.at[side], lines.at[side] + lines.count[side]);
    }
  }

  /** Whether a line has other ends, a feature that is nearest on it is gone, or an added one may be nearest there. */
  #isLineTouched(
    line: number,
    [ax, ay]: readonly [number, number],
    [bx, by]: readonly [number, number],
    start: number,
    end: number,
    added: readonly number[],
  ): boolean {
    const features = this.#sites.arrays;
    const lines = this.#lines;
    const level = lines.direction[line] === EAST || lines.direction[line] === WEST;
    const from = lines.at[line];
    const to = from + lines.count[line];
    if (lines.first[line] !== start || (to > from ? lines.after[to - 1] : start) !== end) return true;
    let last = level ? ax : ay;
    for (let i = from; i <= to; i++) {
      const nearest = i === from ? start : lines.after[i - 1];
      if (this.#removed[nearest] === 1 || (i < to && this.#removed[lines.before[i]] === 1)) return true;
      const next = i < to ? lines.place[i] : level ? bx : by;
      const half = Math.abs(next - last) / 2 + SAME_CROSSING;
      const x = level ? (last + next) / 2 : ax;
      const y = level ? ay : (last + next) / 2;
      const most = featureValue(features, nearest, x, y) + half * features.data[STRIDE * nearest + SCALE];
      for (let j = 0; j < added.length; j++) {
        if (featureExcess(features, added[j], x, y) > half) continue;
        const reach = half * features.data[STRIDE * added[j] + SCALE];
        if (featureValue(features, added[j], x, y) - reach <= most) return true;
      }
      last = next;
    }
    return false;
  }

  #walkLine(line: number, list: Int32Array, segment: DirectedSegment, start: number, end: number): void {
    const envelope = this.#envelope;
    const { direction, x, y, dx, dy, length } = segment;
    const last = envelope.walk(list, start, segment, this.#simple);
    const { label } = this.#sites.arrays;
    const lines = this.#lines;
    const first = lines.entryEnd;
    let old = this.#lines.at[line];
    const oldEnd = old + this.#lines.count[line];
    this.#lines.at[line] = first;
    this.#lines.first[line] = start;
    this.#lines.direction[line] = direction;
    const count = envelope.at.length;
    for (let i = 0; i <= count; i++) {
      const before = i < count ? envelope.before[i] : last;
      const after = i < count ? envelope.after[i] : end;
      if (before === after) continue;
      const t = i < count ? envelope.at[i] : length;
      const px = x + t * dx;
      const py = y + t * dy;
      const place = dx === 0 ? py : px;
      let node = -1;
      if (label[before] !== label[after]) {
        // A crossing that an update does not change stays the same, so that cells beyond the line can stay as they are.
        for (let j = old; j < oldEnd && node < 0; j++) {
          if (lines.before[j] !== before || lines.after[j] !== after) continue;
          if (Math.abs(lines.place[j] - place) > SAME_CROSSING || lines.node[j] < 0) continue;
          node = lines.node[j];
          old = j + 1;
        }
        if (node < 0) node = this.pieces.addNode(px, py);
      }
      lines.addEntry(place, before, after, node);
    }
    lines.count[line] = lines.entryEnd - first;
  }

  /** Splits the cell and its parts until every leaf is resolved. */
  #grow(root: number): void {
    const stack = [root];
    while (stack.length > 0) {
      const cell = stack.pop() as number;
      if (this.#resolve(cell)) {
        this.leafCount++;
        continue;
      }
      this.#split(cell);
      const first = this.#cells.child[cell];
      for (let i = 3; i >= 0; i--) stack.push(first + i);
    }
  }

  #split(cell: number): void {
    const box = this.#cells.box;
    const x0 = box[4 * cell];
    const y0 = box[4 * cell + 1];
    const x1 = box[4 * cell + 2];
    const y1 = box[4 * cell + 3];
    const sx = x0 + SPLIT_X * (x1 - x0);
    const sy = y0 + SPLIT_Y * (y1 - y0);
    const first = this.#freeGroups.pop() ?? this.#cells.end;
    this.#setCell(first, x0, y0, sx, sy);
    this.#setCell(first + 1, sx, y0, x1, sy);
    this.#setCell(first + 2, sx, sy, x1, y1);
    this.#setCell(first + 3, x0, sy, sx, y1);
    this.#cells.child[cell] = first;
    const firstLine = this.#freeLines.pop() ?? this.#lines.addFour();
    // A line of an earlier cell keeps no entry.
    for (let i = 0; i < 4; i++) this.#lines.count[firstLine + i] = 0;
    this.#cells.firstLine[cell] = firstLine;
    for (let i = 0; i < 4; i++)
      this.#filter(this.#pool.list, this.#cells.listAt[cell], this.#cells.listCount[cell], first + i);
    this.#walkSplit(cell, EVERY_CHILD, null);
  }

  /**
   * Walks the half-lines of a split cell that are beside a touched child, and gives its children their sides. The
   * candidates of the children are up to date: those of either child beside a half-line are enough for it.
   * @param touched bits by child.
   * @param added the features of a change, or null for a new split. Lines that a change does not touch stay.
   */
  #walkSplit(cell: number, touched: number, added: readonly number[] | null): void {
    const box = this.#cells.box;
    const first = this.#cells.child[cell];
    const firstLine = this.#cells.firstLine[cell];
    const x0 = box[4 * cell];
    const y0 = box[4 * cell + 1];
    const x1 = box[4 * cell + 2];
    const y1 = box[4 * cell + 3];
    const sx = box[4 * first + 2];
    const sy = box[4 * first + 3];
    const list = this.candidates(first);
    const center = this.#envelope.nearest(list, list.length, sx, sy);
    for (let side = 0; side < 4; side++) {
      // The side that the half-line ends on: the one to the east for the half-line to the east.
      const at = SIDE * (4 * cell + ((side + 1) % 4));
      const line = this.#cells.sides[at];
      const cut = this.#cutSide(
        line,
        this.#cells.sides[at + 1],
        this.#cells.sides[at + 2],
        side === EAST || side === WEST ? sy : sx,
      );
      const end = cut > this.#lines.at[line] ? this.#lines.after[cut - 1] : this.#lines.first[line];
      const length = side === EAST ? x1 - sx : side === NORTH ? y1 - sy : side === WEST ? sx - x0 : sy - y0;
      // The parts of that side below and above the cut belong to two children, which are also beside the half-line.
      const [low, high] = PARTS[side];
      const dx = side === EAST ? length : side === WEST ? -length : 0;
      const dy = side === NORTH ? length : side === SOUTH ? -length : 0;
      if (
        touched & ((1 << low) | (1 << high)) &&
        (added === null || this.#isLineTouched(firstLine + side, [sx, sy], [sx + dx, sy + dy], center, end, added))
      ) {
        const shorter = this.#cells.listCount[first + low] < this.#cells.listCount[first + high] ? low : high;
        const near = this.candidates(first + shorter);
        this.#walkLine(firstLine + side, near, directed(side, sx, sy, length), center, end);
      }
      const from = this.#cells.sides[at + 1];
      const to = this.#cells.sides[at + 2];
      const direction = this.#lines.direction[line];
      const rising = direction === EAST || direction === NORTH;
      const sideOfCell = (side + 1) % 4;
      this.#cells.setSide(first + low, sideOfCell, line, rising ? from : cut, rising ? cut : to);
      this.#cells.setSide(first + high, sideOfCell, line, rising ? cut : from, rising ? to : cut);
    }
    for (let side = 0; side < 4; side++) {
      const line = firstLine + side;
      const from = this.#lines.at[line];
      const to = from + this.#lines.count[line];
      for (const [child, sideOfChild] of INNER[side]) this.#cells.setSide(first + child, sideOfChild, line, from, to);
    }
  }

  /** The index of the first entry of the range beyond the coordinate, in the order of the line. */
  #cutSide(line: number, from: number, to: number, coordinate: number): number {
    const direction = this.#lines.direction[line];
    const rising = direction === EAST || direction === NORTH;
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >> 1;
      const beyond = rising ? this.#lines.place[middle] >= coordinate : this.#lines.place[middle] < coordinate;
      if (beyond) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** Makes the cell a leaf if its border decides what is inside; returns whether it does. */
  #resolve(cell: number): boolean {
    const cells = this.#cells;
    const { box } = cells;
    const size = Math.max(box[4 * cell + 2] - box[4 * cell], box[4 * cell + 3] - box[4 * cell + 1]);
    const full = this.cellCount >= this.#maxCells;
    const smallest = size < MIN_CELL;
    const forced = full || smallest;
    if (cells.listCount[cell] > MANY_CANDIDATES && !forced) return false;
    const resolver = this.#resolver;
    const list = this.candidates(cell);
    const mixed = !this.#even && size > WEIGHTED_CELL && resolver.mixesWeights(list);
    if (mixed && !forced) return false;
    this.#border.read(cell, cells, this.#lines);
    resolver.enter(cell, cells, this.#border, list);
    // Regions inside of the cell, of which its border shows nothing.
    const hidden = !smallest && (mixed || resolver.hasUnseen());
    if (hidden && !forced) return false;
    if (!resolver.resolve(this.#even)) {
      if (!forced) return false;
      if (smallest) {
        this.merged++;
        resolver.takeCenter();
      } else {
        this.unresolved++;
        resolver.takeNothing();
      }
    } else if (hidden) {
      this.unresolved++;
      resolver.takeNothing();
    }
    resolver.commit(cell, cells, this.pieces);
    return true;
  }

  /**
   * Splits leaves once more, where they are not of the smallest size. Those that may not be split, because of the limit of
   * cells or `last`, keep no boundary.
   */
  refine(leaves: readonly number[], last: boolean): void {
    for (const cell of new Set(leaves)) {
      const at = 4 * cell;
      const size = Math.max(
        this.#cells.box[at + 2] - this.#cells.box[at],
        this.#cells.box[at + 3] - this.#cells.box[at + 1],
      );
      if (size < MIN_CELL || this.#cells.child[cell] >= 0) continue;
      this.#clearLeaf(cell);
      if (last || this.cellCount >= this.#maxCells) {
        this.leafCount++;
        this.unresolved++;
        continue;
      }
      this.#split(cell);
      for (let i = 0; i < 4; i++) this.#grow(this.#cells.child[cell] + i);
    }
  }

  /** Removes the pieces and vertices of a leaf. */
  #clearLeaf(cell: number): void {
    const cells = this.#cells;
    for (let i = 0; i < cells.pieceCount[cell]; i++) this.pieces.removePiece(cells.firstPiece[cell] + i);
    for (let i = 0; i < cells.vertexCount[cell]; i++) this.pieces.removeVertex(cells.firstVertex[cell] + i);
    cells.pieceCount[cell] = 0;
    cells.vertexCount[cell] = 0;
    this.leafCount--;
  }
}

/** By half-line: the children below and above the place where it ends. Children: 0 lower left, then counter-clockwise. */
const PARTS: readonly (readonly [number, number])[] = [
  [1, 2],
  [3, 2],
  [0, 3],
  [0, 1],
];

/** By half-line: the two children beside it, and which of their sides it is. */
const INNER: readonly (readonly (readonly [number, number])[])[] = [
  [
    [1, WEST],
    [2, EAST],
  ],
  [
    [2, SOUTH],
    [3, NORTH],
  ],
  [
    [0, WEST],
    [3, EAST],
  ],
  [
    [0, NORTH],
    [1, SOUTH],
  ],
];

/** A segment along an axis. */
interface DirectedSegment extends Segment {
  /** {@link EAST}, {@link NORTH}, {@link WEST} or {@link SOUTH}. */
  readonly direction: number;
}

function directed(direction: number, x: number, y: number, length: number): DirectedSegment {
  const dx = direction === EAST ? 1 : direction === WEST ? -1 : 0;
  const dy = direction === NORTH ? 1 : direction === SOUTH ? -1 : 0;
  return { direction, x, y, dx, dy, length };
}
