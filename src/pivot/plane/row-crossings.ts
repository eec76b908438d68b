// Scan conversion of a filled shape: where the rows of pixels cross its edges. Rows are half-open in y by one rounded rule
// for both ends of an edge, so that closed rings cross every row an even number of times, whatever the rounding.
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from './edge-set.js';

/** Measured where it was tuned: up to this many crossings, insertion is the fastest way to sort them. */
const SHORT_LIST = 32;

export class RowCrossings {
  /** The first row, and the count of rows. */
  first = 0;
  count = 0;
  #heads = new Int32Array(256);
  /** Crossings beyond the right side: their parity. */
  #beyond = new Uint8Array(256);
  #next = new Int32Array(256);
  #x = new Float64Array(256);
  #sorted = new Float64Array(16);

  /**
   * Finds the crossings of rows `first` to `last`, between the two sides. Rows share the terms of an edge, so that all of
   * them are locals of one function.
   * @param size of a pixel.
   */
  build(shape: EdgeSet, first: number, last: number, left: number, right: number, size: number): void {
    const count = Math.max(0, last - first + 1);
    this.first = first;
    this.count = count;
    if (this.#heads.length < count) {
      this.#heads = new Int32Array(2 * count);
      this.#beyond = new Uint8Array(2 * count);
    }
    const heads = this.#heads;
    const beyond = this.#beyond;
    heads.fill(-1, 0, count);
    beyond.fill(0, 0, count);
    const inverse = 1 / size;
    const { edges } = shape;
    let used = 0;
    let next = this.#next;
    let xs = this.#x;
    const bottom = (first + 0.25) * size;
    const top = (last + 0.75) * size;
    for (let k = 0, end = 4 * shape.count; k < end; k += 4) {
      let ay = edges[k + 1];
      let by = edges[k + 3];
      if ((ay < bottom && by < bottom) || (ay > top && by > top)) continue;
      let ax = edges[k];
      let bx = edges[k + 2];
      if (ax < left && bx < left) continue;
      if (by < ay) {
        const y = ay;
        ay = by;
        by = y;
        const x = ax;
        ax = bx;
        bx = x;
      }
      let from = Math.ceil(ay * inverse - 0.5) - first;
      let to = Math.ceil(by * inverse - 0.5) - first;
      if (from < 0) from = 0;
      if (to > count) to = count;
      if (from >= to) continue;
      if (ax > right && bx > right) {
        for (let row = from; row < to; row++) beyond[row] ^= 1;
        continue;
      }
      if (used + to - from > next.length) {
        next = this.#next = growTo(next, used + to - from);
        xs = this.#x = growTo(xs, used + to - from);
      }
      const slope = (bx - ax) / (by - ay);
      const low = Math.min(ax, bx);
      const high = Math.max(ax, bx);
      for (let row = from; row < to; row++) {
        const rise = (first + row + 0.5) * size - ay;
        let x = ax + rise * slope;
        // Rounding, and slopes that overflow, stay within the edge.
        if (!(x >= low)) x = low;
        if (x > high) x = high;
        if (x > right) beyond[row] ^= 1;
        else if (x >= left) {
          xs[used] = x;
          next[used] = heads[row];
          heads[row] = used++;
        }
      }
    }
  }

  /** Whether all of a row (counted from the first) is outside. */
  isOutside(row: number): boolean {
    return this.#heads[row] < 0 && this.#beyond[row] === 0;
  }

  /** Whether the point x in a row (counted from the first) is inside. */
  inside(row: number, x: number): boolean {
    let parity = this.#beyond[row];
    for (let k = this.#heads[row]; k >= 0; k = this.#next[k]) if (this.#x[k] > x) parity ^= 1;
    return parity === 1;
  }

  /** Sorts the crossings of a row into {@link sorted}, rising; returns their count. */
  sortRow(row: number): number {
    let count = 0;
    for (let k = this.#heads[row]; k >= 0; k = this.#next[k]) {
      if (count === this.#sorted.length) this.#sorted = growTo(this.#sorted, count + 1);
      const sorted = this.#sorted;
      const x = this.#x[k];
      let at = count++;
      // Short lists are sorted as they come; long ones below, in O(k log k).
      if (count <= SHORT_LIST) for (; at > 0 && sorted[at - 1] > x; at--) sorted[at] = sorted[at - 1];
      sorted[at] = x;
    }
    if (count > SHORT_LIST) this.#sorted.subarray(0, count).sort();
    return count;
  }

  /** What `sortRow` sorted. */
  get sorted(): Float64Array {
    return this.#sorted;
  }

  /** Whether the left side of a row is inside, given its count of crossings. */
  startsInside(row: number, crossings: number): boolean {
    return ((this.#beyond[row] + crossings) & 1) === 1;
  }
}
