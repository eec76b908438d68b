// The part of a placed outline near a box: edges whose boxes meet it, their corners, and the box of those edges.
import { growTo } from '../../core/grow-array.js';
import type { PlacedOutline } from './outline.js';

export class NearPart {
  edges = new Int32Array(16);
  edgeCount = 0;
  corners = new Int32Array(16);
  cornerCount = 0;
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;
  #seen = new Int32Array(16);
  #round = 0;

  /** The edges whose boxes meet a box, and their corners. */
  select(placed: PlacedOutline, x0: number, y0: number, x1: number, y1: number): boolean {
    const { points, outline } = placed;
    this.edgeCount = this.cornerCount = 0;
    if (!outline.hasEdges) {
      this.corners[0] = 0;
      this.cornerCount = 1;
      this.minX = placed.minX;
      this.minY = placed.minY;
      this.maxX = placed.maxX;
      this.maxY = placed.maxY;
      return !(placed.minX > x1 || placed.maxX < x0 || placed.minY > y1 || placed.maxY < y0);
    }
    const { next } = outline;
    const count = next.length;
    if (this.#seen.length < count) {
      this.#seen = new Int32Array(count);
      this.edges = growTo(this.edges, count);
      this.corners = growTo(this.corners, count);
    }
    const seen = this.#seen;
    const round = ++this.#round;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let i = 0; i < count; i++) {
      const j = next[i];
      const ax = points[2 * i];
      const bx = points[2 * j];
      if (ax < x0 ? bx < x0 : ax > x1 && bx > x1) continue;
      const ay = points[2 * i + 1];
      const by = points[2 * j + 1];
      if (ay < y0 ? by < y0 : ay > y1 && by > y1) continue;
      this.edges[this.edgeCount++] = i;
      if (seen[i] !== round) {
        seen[i] = round;
        this.corners[this.cornerCount++] = i;
      }
      if (seen[j] !== round) {
        seen[j] = round;
        this.corners[this.cornerCount++] = j;
      }
      if (ax < minX) minX = ax;
      if (ax > maxX) maxX = ax;
      if (bx < minX) minX = bx;
      if (bx > maxX) maxX = bx;
      if (ay < minY) minY = ay;
      if (ay > maxY) maxY = ay;
      if (by < minY) minY = by;
      if (by > maxY) maxY = by;
    }
    this.minX = minX;
    this.minY = minY;
    this.maxX = maxX;
    this.maxY = maxY;
    return this.edgeCount > 0;
  }
}
