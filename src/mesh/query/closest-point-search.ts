// The point of a mesh nearest to a point: near-first depth-first search, nodes skipped when their box is farther than
// the best so far. The result is that of comparing all triangles one by one, bit for bit, ties to the lowest triangle.
import { pointBoxDistanceSquared } from '../../spatial/box-relations.js';
import type { Bvh } from '../../spatial/bvh.js';
import { nearestOnTriangle, TrianglePoint } from '../triangle/closest-point.js';
import type { TriangleTable } from '../triangle/triangle-table.js';

/**
 * Rounding: two computations of one distance differ by at most this fraction of the largest coordinate, 16 roundings.
 */
const DISTANCE_ROUNDING = 16 * Number.EPSILON;

export class ClosestPointSearch {
  /** The answer of the last search; its slot is -1 when nothing was near enough. */
  readonly best = new TrianglePoint();
  slot = -1;
  /** Nodes visited since this object was made. */
  nodesVisited = 0;

  readonly #bvh: Bvh;
  readonly #table: TriangleTable;
  readonly #extent: number;
  readonly #candidate = new TrianglePoint();
  readonly #waiting: Uint32Array;
  readonly #bounds: Float64Array;
  #slack = 0;
  #cutoff = Infinity;

  constructor(bvh: Bvh, table: TriangleTable) {
    this.#bvh = bvh;
    this.#table = table;
    this.#extent = Math.max(...Array.from(bvh.nodeBoxes.subarray(0, 6), Math.abs));
    this.#waiting = new Uint32Array(bvh.depth + 1);
    this.#bounds = new Float64Array(bvh.depth + 1);
  }

  /**
   * Finds the nearest point at most `maxDistance` away.
   * @param guess a slot to try first, -1 for none. A near one shortens the search; the answer does not depend on it.
   */
  find(px: number, py: number, pz: number, maxDistance: number, guess: number): void {
    const { nodeBoxes, nodeLeft, nodeFirst, nodeItems } = this.#bvh;
    const waiting = this.#waiting;
    const bounds = this.#bounds;
    this.#slack = DISTANCE_ROUNDING * Math.max(this.#extent, Math.abs(px), Math.abs(py), Math.abs(pz));
    this.#cutoff = (maxDistance + this.#slack) ** 2;
    this.best.distanceSquared = Infinity;
    this.slot = -1;
    if (guess >= 0) this.#try(guess, px, py, pz);
    let visited = 1;
    let top = 0;
    waiting[top] = 0;
    bounds[top++] = 0;
    while (top > 0) {
      const node = waiting[--top];
      if (bounds[top] > this.#cutoff) continue;
      const left = nodeLeft[node];
      if (left === 0) {
        const end = nodeFirst[node] + nodeItems[node];
        for (let slot = nodeFirst[node]; slot < end; slot++) this.#try(slot, px, py, pz);
        continue;
      }
      visited += 2;
      const leftBound = pointBoxDistanceSquared(px, py, pz, nodeBoxes, 6 * left);
      const rightBound = pointBoxDistanceSquared(px, py, pz, nodeBoxes, 6 * left + 6);
      const leftIsNear = leftBound <= rightBound;
      const nearBound = leftIsNear ? leftBound : rightBound;
      const farBound = leftIsNear ? rightBound : leftBound;
      if (farBound <= this.#cutoff) {
        waiting[top] = leftIsNear ? left + 1 : left;
        bounds[top++] = farBound;
      }
      if (nearBound <= this.#cutoff) {
        waiting[top] = leftIsNear ? left : left + 1;
        bounds[top++] = nearBound;
      }
    }
    this.nodesVisited += visited;
    if (this.slot >= 0 && Math.sqrt(this.best.distanceSquared) > maxDistance) this.slot = -1;
  }

  #try(slot: number, px: number, py: number, pz: number): void {
    const candidate = this.#candidate;
    const best = this.best;
    nearestOnTriangle(this.#table.corners, 9 * slot, px, py, pz, candidate);
    const distanceSquared = candidate.distanceSquared;
    if (distanceSquared > best.distanceSquared) return;
    const items = this.#bvh.items;
    if (distanceSquared === best.distanceSquared && this.slot >= 0 && items[slot] >= items[this.slot]) return;
    best.x = candidate.x;
    best.y = candidate.y;
    best.z = candidate.z;
    best.distanceSquared = distanceSquared;
    best.region = candidate.region;
    this.slot = slot;
    // Boxes farther by no more than rounding are still searched, so that ties depend on neither tree nor order.
    const cutoff = (Math.sqrt(distanceSquared) + this.#slack) ** 2;
    if (cutoff < this.#cutoff) this.#cutoff = cutoff;
  }
}
