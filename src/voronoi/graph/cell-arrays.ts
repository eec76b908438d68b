// The cells of a subdivision and the lines that divide them, as flat arrays that grow.
import { growTo } from '../../core/grow-array.js';

/** Label: number of the lower side of a cell, by the direction in which the border runs along it, counter-clockwise. */
export const EAST = 0;
/** Label: number of the side to the right. */
export const NORTH = 1;
/** Label: number of the upper side. */
export const WEST = 2;
/** Label: number of the side to the left. */
export const SOUTH = 3;

/** Layout: numbers per side of a cell: the line, and the range of its entries. */
export const SIDE = 3;

/** Arrays by cell. */
export class CellArrays {
  /** One more than the highest cell so far. */
  end = 0;
  /** x0, y0, x1, y1. */
  box = new Float64Array(256);
  /** The first of four children, or -1. */
  child = new Int32Array(64);
  sides = new Int32Array(64 * 4 * SIDE);
  /** Where its candidates are in the pool. */
  listAt = new Int32Array(64);
  listCount = new Int32Array(64);
  /** How many candidates have room there. It stays with a cell that is used again. */
  listRoom = new Int32Array(64);
  /** No point of the cell is farther from the nearest feature. */
  bound = new Float64Array(64);
  firstLine = new Int32Array(64);
  /** Pieces and vertices of a leaf have consecutive indices. */
  firstPiece = new Int32Array(64);
  pieceCount = new Int32Array(64);
  firstVertex = new Int32Array(64);
  vertexCount = new Int32Array(64);

  /** Makes a cell a leaf with nothing in it. */
  set(cell: number, x0: number, y0: number, x1: number, y1: number): void {
    if (cell >= this.end) {
      this.end = cell + 1;
      if (cell >= this.child.length) this.#grow();
    }
    const { box } = this;
    box[4 * cell] = x0;
    box[4 * cell + 1] = y0;
    box[4 * cell + 2] = x1;
    box[4 * cell + 3] = y1;
    this.child[cell] = -1;
    this.firstLine[cell] = -1;
    this.pieceCount[cell] = 0;
    this.vertexCount[cell] = 0;
    this.bound[cell] = Infinity;
    this.listCount[cell] = 0;
  }

  setSide(cell: number, side: number, line: number, from: number, to: number): void {
    const at = SIDE * (4 * cell + side);
    this.sides[at] = line;
    this.sides[at + 1] = from;
    this.sides[at + 2] = to;
  }

  #grow(): void {
    const length = 2 * this.child.length;
    this.box = growTo(this.box, 4 * length);
    this.child = growTo(this.child, length);
    this.sides = growTo(this.sides, 4 * SIDE * length);
    this.listAt = growTo(this.listAt, length);
    this.listCount = growTo(this.listCount, length);
    this.listRoom = growTo(this.listRoom, length);
    this.bound = growTo(this.bound, length);
    this.firstLine = growTo(this.firstLine, length);
    this.firstPiece = growTo(this.firstPiece, length);
    this.pieceCount = growTo(this.pieceCount, length);
    this.firstVertex = growTo(this.firstVertex, length);
    this.vertexCount = growTo(this.vertexCount, length);
  }
}

/** Arrays by line, and by entry of a line: a change of the nearest feature. */
export class LineArrays {
  /** Lines and entries so far. */
  end = 0;
  entryEnd = 0;
  /** Where a line's entries are. */
  at = new Int32Array(64);
  count = new Int32Array(64);
  /** The nearest feature where it begins. */
  first = new Int32Array(64);
  direction = new Int32Array(64);
  /** By entry: its coordinate along the line, the features before and after, and its crossing or -1. */
  place = new Float64Array(256);
  before = new Int32Array(256);
  after = new Int32Array(256);
  node = new Int32Array(256);

  /** The first of four new lines. */
  addFour(): number {
    const first = this.end;
    this.end += 4;
    if (this.end > this.at.length) {
      this.at = growTo(this.at, this.end);
      this.count = growTo(this.count, this.end);
      this.first = growTo(this.first, this.end);
      this.direction = growTo(this.direction, this.end);
    }
    return first;
  }

  addEntry(place: number, before: number, after: number, node: number): void {
    const entry = this.entryEnd++;
    if (entry === this.place.length) {
      this.place = growTo(this.place, entry + 1);
      this.before = growTo(this.before, entry + 1);
      this.after = growTo(this.after, entry + 1);
      this.node = growTo(this.node, entry + 1);
    }
    this.place[entry] = place;
    this.before[entry] = before;
    this.after[entry] = after;
    this.node[entry] = node;
  }
}
