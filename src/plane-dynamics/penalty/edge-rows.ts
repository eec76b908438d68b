// The edges of a shape near a box, in rows along y: what a segment may cross and whether a point is inside take only the edges
// of a row or two.
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from '../../pivot/plane/edge-set.js';

/** Chosen: rows of a box. */
const ROWS = 16;
/** Chosen: up to this many edges, rows cost more than they save. */
const FEW = 20;

export class EdgeRows {
  #edges = new Float64Array(0);
  /** Where the edges of each row begin in the items; one more at the end. */
  readonly #starts = new Int32Array(ROWS + 1);
  readonly #ends = new Int32Array(ROWS);
  /** Four times the number of an edge. */
  #items = new Int32Array(64);
  #listed = new Int32Array(64);
  #minY = 0;
  #scale = 0;

  /** Lists the edges of a shape that segments and rays to the right from within a box can meet. O(edges). */
  list(set: EdgeSet, minX: number, minY: number, maxY: number): void {
    const { edges, count } = set;
    this.#edges = edges;
    this.#minY = minY;
    this.#listed = growTo(this.#listed, count);
    const listed = this.#listed;
    let total = 0;
    for (let k = 0; k < 4 * count; k += 4) {
      const ay = edges[k + 1];
      const by = edges[k + 3];
      if (ay < minY ? by < minY : ay > maxY && by > maxY) continue;
      if (edges[k] < minX && edges[k + 2] < minX) continue;
      listed[total++] = k;
    }
    const starts = this.#starts.fill(0);
    if (total <= FEW) {
      // One row.
      this.#scale = 0;
      this.#items = growTo(this.#items, total);
      for (let n = 0; n < total; n++) this.#items[n] = listed[n];
      starts[1] = total;
      return;
    }
    this.#scale = maxY > minY ? ROWS / (maxY - minY) : 0;
    for (let n = 0; n < total; n++) {
      const ay = edges[listed[n] + 1];
      const by = edges[listed[n] + 3];
      const last = this.#row(ay < by ? by : ay);
      for (let row = this.#row(ay < by ? ay : by); row <= last; row++) starts[row + 1]++;
    }
    for (let row = 0; row < ROWS; row++) {
      this.#ends[row] = starts[row];
      starts[row + 1] += starts[row];
    }
    this.#items = growTo(this.#items, starts[ROWS]);
    for (let n = 0; n < total; n++) {
      const k = listed[n];
      const ay = edges[k + 1];
      const by = edges[k + 3];
      const last = this.#row(ay < by ? by : ay);
      for (let row = this.#row(ay < by ? ay : by); row <= last; row++) this.#items[this.#ends[row]++] = k;
    }
  }

  #row(y: number): number {
    const row = (y - this.#minY) * this.#scale;
    return row < 0 ? 0 : row >= ROWS ? ROWS - 1 : Math.trunc(row);
  }

  /** Whether the box of a listed edge meets that of a segment within the box. */
  mayCross(ax: number, ay: number, bx: number, by: number): boolean {
    const edges = this.#edges;
    const items = this.#items;
    const minX = ax < bx ? ax : bx;
    const maxX = ax < bx ? bx : ax;
    const minY = ay < by ? ay : by;
    const maxY = ay < by ? by : ay;
    const end = this.#starts[this.#row(maxY) + 1];
    for (let n = this.#starts[this.#row(minY)]; n < end; n++) {
      const k = items[n];
      const cx = edges[k];
      const dx = edges[k + 2];
      if (cx < minX ? dx < minX : cx > maxX && dx > maxX) continue;
      const cy = edges[k + 1];
      const dy = edges[k + 3];
      if (cy < minY ? dy < minY : cy > maxY && dy > maxY) continue;
      return true;
    }
    return false;
  }

  /** Whether a point of the box is inside the shape: the parity of the edges to its right. */
  contains(x: number, y: number): boolean {
    const edges = this.#edges;
    const items = this.#items;
    const row = this.#row(y);
    const end = this.#starts[row + 1];
    let isInside = false;
    for (let n = this.#starts[row]; n < end; n++) {
      const k = items[n];
      const ay = edges[k + 1];
      const by = edges[k + 3];
      if (ay > y === by > y) continue;
      const ax = edges[k];
      if (ax + ((y - ay) / (by - ay)) * (edges[k + 2] - ax) > x) isInside = !isInside;
    }
    return isInside;
  }
}
