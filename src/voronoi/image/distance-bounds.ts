// How far the nearest element can be from the samples of large tiles: an element near each cell of a grid, found from
// those in the cell and those near its neighbors, as distance transforms pass them on (Danielsson 1980).
import { ARC, SHAPE_A, SHAPE_B, SHAPE_CENTER, SHAPE_STRIDE } from '../sites/plane-elements.js';
import { type Candidates, distanceSquared } from './candidates.js';

/** Chosen: the largest number of cells along a side, as a power of two. */
const MAX_BITS = 8;

/** Upper bounds for square tiles of samples, whose sides are powers of two. */
export class DistanceBounds {
  /** Samples along a side of the smallest tiles with a bound. */
  readonly smallest: number;
  readonly #candidates: Candidates;
  readonly #xs: Float64Array;
  readonly #ys: Float64Array;
  readonly #cells: number;
  /** By cell: an element, −1 for none yet, and its weighted distance from the center. */
  readonly #elements: Int32Array;
  readonly #values: Float64Array;
  /** Bounds by the number of cells along a side: those of all cells, of squares of four, and so on. */
  readonly #levels = new Map<number, Float64Array>();

  /**
   * @param side samples along a side of the tile that covers the image, a power of two.
   * @param leaf samples along a side of the smallest tiles there are.
   */
  constructor(candidates: Candidates, xs: Float64Array, ys: Float64Array, side: number, leaf: number) {
    this.#candidates = candidates;
    this.#xs = xs;
    this.#ys = ys;
    // One cell for each element, about.
    const bits = Math.min(MAX_BITS, Math.ceil(Math.log2(Math.max(1, candidates.count)) / 2));
    this.smallest = Math.max(leaf, side >> bits);
    const cells = side / this.smallest;
    this.#cells = cells;
    this.#elements = new Int32Array(cells * cells).fill(-1);
    this.#values = new Float64Array(cells * cells).fill(Infinity);
    if (cells === 1) return;
    for (let element = 0; element < candidates.count; element++) this.#enter(element);
    this.#passOn();
    this.#bound();
  }

  /** No sample of the tile is farther from its nearest element; Infinity where that is not known. */
  of(left: number, top: number, side: number): number {
    const level = this.#levels.get(side);
    if (level === undefined) return Infinity;
    return level[(top / side) * (this.#cells * (this.smallest / side)) + left / side];
  }

  /** Offers an element to the cells along it. */
  #enter(element: number): void {
    const { kinds, shapes } = this.#candidates;
    const at = SHAPE_STRIDE * element;
    const ax = this.#column(shapes[at + SHAPE_A]);
    const ay = this.#row(shapes[at + SHAPE_A + 1]);
    const bx = this.#column(shapes[at + SHAPE_B]);
    const by = this.#row(shapes[at + SHAPE_B + 1]);
    if (kinds[element] === ARC) {
      const center = at + SHAPE_CENTER;
      this.#offer(this.#column(shapes[center]), this.#row(shapes[center + 1]), element);
      this.#offer(ax, ay, element);
      this.#offer(bx, by, element);
      return;
    }
    const steps = Math.max(Math.abs(bx - ax), Math.abs(by - ay));
    for (let step = 0; step <= steps; step++) {
      const t = steps === 0 ? 0 : step / steps;
      this.#offer(Math.round(ax + t * (bx - ax)), Math.round(ay + t * (by - ay)), element);
    }
  }

  /** The column of cells that x is in, or the one nearest to it. */
  #column(x: number): number {
    return this.#cellOf(x, this.#xs);
  }

  #row(y: number): number {
    return this.#cellOf(y, this.#ys);
  }

  #cellOf(value: number, samples: Float64Array): number {
    const last = samples.length - 1;
    const spacing = last === 0 ? 1 : (samples[last] - samples[0]) / last;
    const sample = Math.max(0, Math.min(last, (value - samples[0]) / spacing));
    return Math.floor(sample / this.smallest);
  }

  /** Gives the element to the cell if it is nearer than what is there. */
  #offer(column: number, row: number, element: number): void {
    const candidates = this.#candidates;
    const cell = row * this.#cells + column;
    if (element < 0 || this.#elements[cell] === element) return;
    const [x, y] = [this.#middle(this.#xs, column), this.#middle(this.#ys, row)];
    const distance = Math.sqrt(distanceSquared(candidates, element, x, y)) + candidates.slack[element];
    const value = distance / candidates.weights[element] - candidates.offsets[element];
    if (value >= this.#values[cell]) return;
    this.#values[cell] = value;
    this.#elements[cell] = element;
  }

  /** The middle of the samples of a column or row of cells. */
  #middle(samples: Float64Array, cell: number): number {
    const first = cell * this.smallest;
    return (samples[first] + samples[Math.min(first + this.smallest, samples.length) - 1]) / 2;
  }

  /** Offers the elements of cells to their neighbors, forth and back over the grid. */
  #passOn(): void {
    const elements = this.#elements;
    const cells = this.#cells;
    const columns = Math.ceil(this.#xs.length / this.smallest);
    const rows = Math.ceil(this.#ys.length / this.smallest);
    for (let pass = 0; pass < 2; pass++) {
      const step = pass === 0 ? -1 : 1;
      for (let i = 0; i < rows; i++) {
        const row = pass === 0 ? i : rows - 1 - i;
        for (let j = 0; j < columns; j++) {
          const column = pass === 0 ? j : columns - 1 - j;
          const before = column + step >= 0 && column + step < columns;
          if (before) this.#offer(column, row, elements[row * cells + column + step]);
          if (row + step < 0 || row + step >= rows) continue;
          const above = (row + step) * cells + column;
          this.#offer(column, row, elements[above]);
          if (before) this.#offer(column, row, elements[above + step]);
          if (column - step >= 0 && column - step < columns) this.#offer(column, row, elements[above - step]);
        }
      }
    }
  }

  /** The bounds of cells and of squares of cells. */
  #bound(): void {
    const { weights } = this.#candidates;
    let cells = this.#cells;
    let level: Float64Array = new Float64Array(cells * cells).fill(-Infinity);
    const xs = this.#xs;
    const ys = this.#ys;
    for (let row = 0; row * this.smallest < ys.length; row++) {
      const halfY = this.#middle(ys, row) - ys[row * this.smallest];
      for (let column = 0; column * this.smallest < xs.length; column++) {
        const halfX = this.#middle(xs, column) - xs[column * this.smallest];
        const cell = row * cells + column;
        const element = this.#elements[cell];
        const radius = Math.sqrt(halfX * halfX + halfY * halfY);
        level[cell] = element < 0 ? Infinity : this.#values[cell] + radius / weights[element];
      }
    }
    for (let side = this.smallest; ; side *= 2) {
      this.#levels.set(side, level);
      if (cells === 1) return;
      cells /= 2;
      const larger = new Float64Array(cells * cells);
      for (let i = 0; i < larger.length; i++) {
        const at = 4 * cells * Math.floor(i / cells) + 2 * (i % cells);
        larger[i] = Math.max(level[at], level[at + 1], level[at + 2 * cells], level[at + 2 * cells + 1]);
      }
      level = larger;
    }
  }
}
