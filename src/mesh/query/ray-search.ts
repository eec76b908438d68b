// The triangles of a mesh that a ray meets: depth-first over the hierarchy, near-first when only the first one counts.
// Boxes are tested against slabs widened by the rounding of the triangle test (Ize 2013, "Robust BVH ray traversal"),
// so that no box is skipped whose triangle would have been hit.
import type { Bvh } from '../../spatial/bvh.js';
import { ShearedRay } from '../triangle/ray-triangle.js';
import type { TriangleTable } from '../triangle/triangle-table.js';

/** Rounding: shears and distances are off by at most this fraction of the largest number in them, 16 roundings. */
const RAY_ROUNDING = 16 * Number.EPSILON;

/** Which sides of a triangle count. */
export type RaySide = 'both' | 'front' | 'back';

/** One hit of the ray, by the slot of the triangle. */
export interface SlotHit {
  readonly slot: number;
  readonly distance: number;
  readonly front: boolean;
}

export class RaySearch {
  readonly ray = new ShearedRay();
  /** Nodes visited since this object was made. */
  nodesVisited = 0;

  readonly #bvh: Bvh;
  readonly #table: TriangleTable;
  readonly #waiting: Uint32Array;
  readonly #entries: Float64Array;
  #side: RaySide = 'both';
  #limit = Infinity;
  // Per axis: one over the direction, and the origin moved outwards for the near and the far face of a slab.
  readonly #inverse = new Float64Array(3);
  readonly #nearOrigin = new Float64Array(3);
  readonly #farOrigin = new Float64Array(3);
  // Which number of a box is its near face: 0 or 3, 1 or 4, 2 or 5; the far one is the other.
  #nearX = 0;
  #nearY = 1;
  #nearZ = 2;

  constructor(bvh: Bvh, table: TriangleTable) {
    this.#bvh = bvh;
    this.#table = table;
    this.#waiting = new Uint32Array(bvh.depth + 1);
    this.#entries = new Float64Array(bvh.depth + 1);
  }

  /** Prepares a search for hits from 0 to `limit` along the ray. The direction need not have unit length. */
  aim(origin: ArrayLike<number>, direction: ArrayLike<number>, limit: number, side: RaySide): void {
    const ray = this.ray;
    ray.set(origin[0], origin[1], origin[2], direction[0], direction[1], direction[2]);
    this.#limit = limit;
    this.#side = side;
    let reach = 0;
    for (let k = 0; k < 6; k++) reach = Math.max(reach, Math.abs(this.#bvh.nodeBoxes[k] - origin[k % 3]));
    const margin = RAY_ROUNDING * reach;
    this.#aimAxis(0, origin[0], ray.directionX, margin);
    this.#aimAxis(1, origin[1], ray.directionY, margin);
    this.#aimAxis(2, origin[2], ray.directionZ, margin);
    this.#nearX = this.#inverse[0] > 0 ? 0 : 3;
    this.#nearY = this.#inverse[1] > 0 ? 1 : 4;
    this.#nearZ = this.#inverse[2] > 0 ? 2 : 5;
  }

  #aimAxis(axis: number, origin: number, direction: number, margin: number): void {
    // ±∞ for ±0.
    const inverse = 1 / direction;
    const outwards = inverse > 0 ? margin : -margin;
    this.#inverse[axis] = inverse;
    this.#nearOrigin[axis] = origin + outwards;
    this.#farOrigin[axis] = origin - outwards;
  }

  /** The first hit, on a tie that of the lowest triangle, or `null`. */
  findFirst(): SlotHit | null {
    const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items } = this.#bvh;
    const waiting = this.#waiting;
    const entries = this.#entries;
    const ray = this.ray;
    let best = this.#limit;
    let bestSlot = -1;
    let bestFront = true;
    let top = 0;
    waiting[top] = 0;
    entries[top] = this.#enter(nodeBoxes, 0, best);
    if (entries[top] < Infinity) top++;
    while (top > 0) {
      const node = waiting[--top];
      if (entries[top] > best) continue;
      this.nodesVisited++;
      const left = nodeLeft[node];
      if (left !== 0) {
        const leftEntry = this.#enter(nodeBoxes, 6 * left, best);
        const rightEntry = this.#enter(nodeBoxes, 6 * left + 6, best);
        const leftIsNear = leftEntry <= rightEntry;
        const nearEntry = leftIsNear ? leftEntry : rightEntry;
        const farEntry = leftIsNear ? rightEntry : leftEntry;
        if (farEntry < Infinity) {
          waiting[top] = leftIsNear ? left + 1 : left;
          entries[top++] = farEntry;
        }
        if (nearEntry < Infinity) {
          waiting[top] = leftIsNear ? left : left + 1;
          entries[top++] = nearEntry;
        }
        continue;
      }
      const end = nodeFirst[node] + nodeItems[node];
      for (let slot = nodeFirst[node]; slot < end; slot++) {
        if (!this.#meets(slot) || ray.distance > best) continue;
        if (ray.distance === best && bestSlot >= 0 && items[slot] > items[bestSlot]) continue;
        best = ray.distance;
        bestSlot = slot;
        bestFront = this.#isFront(slot);
      }
    }
    return bestSlot < 0 ? null : { slot: bestSlot, distance: best, front: bestFront };
  }

  /** All hits by distance, then by triangle. */
  findAll(): SlotHit[] {
    const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items } = this.#bvh;
    const waiting = this.#waiting;
    const hits: SlotHit[] = [];
    let top = 0;
    waiting[top++] = 0;
    while (top > 0) {
      const node = waiting[--top];
      this.nodesVisited++;
      if (this.#enter(nodeBoxes, 6 * node, this.#limit) === Infinity) continue;
      const left = nodeLeft[node];
      if (left !== 0) {
        waiting[top++] = left + 1;
        waiting[top++] = left;
        continue;
      }
      const end = nodeFirst[node] + nodeItems[node];
      for (let slot = nodeFirst[node]; slot < end; slot++) {
        if (this.#meets(slot)) hits.push({ slot, distance: this.ray.distance, front: this.#isFront(slot) });
      }
    }
    return hits.sort((p, q) => p.distance - q.distance || items[p.slot] - items[q.slot]);
  }

  #meets(slot: number): boolean {
    const ray = this.ray;
    if (!ray.hits(this.#table.corners, 9 * slot)) return false;
    if (!(ray.distance >= 0 && ray.distance <= this.#limit)) return false;
    return this.#side === 'both' || (this.#side === 'front') === this.#isFront(slot);
  }

  /** The corners in the table may run backwards. */
  #isFront(slot: number): boolean {
    return this.ray.front === this.#table.turns[slot] > 0;
  }

  /** Where the ray enters a box, infinity when it misses it or enters beyond `limit`. */
  #enter(boxes: Float64Array, o: number, limit: number): number {
    const near = this.#nearOrigin;
    const far = this.#farOrigin;
    const inverse = this.#inverse;
    // 0 · ∞ is NaN, for a ray in the plane of a face; the comparisons are then false, as they should be.
    let enter = 0;
    let leave = limit;
    let t = (boxes[o + this.#nearX] - near[0]) * inverse[0];
    if (t > enter) enter = t;
    t = (boxes[o + this.#nearY] - near[1]) * inverse[1];
    if (t > enter) enter = t;
    t = (boxes[o + this.#nearZ] - near[2]) * inverse[2];
    if (t > enter) enter = t;
    t = (boxes[o + 3 - this.#nearX] - far[0]) * inverse[0];
    if (t < leave) leave = t;
    t = (boxes[o + 5 - this.#nearY] - far[1]) * inverse[1];
    if (t < leave) leave = t;
    t = (boxes[o + 7 - this.#nearZ] - far[2]) * inverse[2];
    if (t < leave) leave = t;
    enter *= 1 - RAY_ROUNDING;
    return enter <= leave * (1 + RAY_ROUNDING) ? enter : Infinity;
  }
}
