// The sums that a segment runs into, made when first met, like LeafSums, but fewer. The distance between two pieces
// tells whether their sum is met before it is made, in a tenth of the time, and bounds the distances from points
// nearby. The segment is followed only until it is inside a sum: beyond that nothing matters to a walk.

import { ConvexMarch } from '../../convex/closest/march.js';
import { doubled } from '../../core/grow-array.js';
import type { SegmentSums } from '../union/boundary-walk.js';
import type { LeafSums } from '../union/leaf-sums.js';
import type { NodeBoxes } from '../union/node-boxes.js';

/** Rounding: distances and sums are reduced by this share of the sizes. */
const SLACK = 1e-9;
/** Chosen: the first stretch of a segment, as a share of the sizes. Each stretch is twice as long as the last. */
const FIRST_STRETCH = 1 / 256;

/** Layout: numbers of a pair of leaves met: a translation of A and the distance to B there. */
const KNOWN = 4;

/** The sums of two solids at one placement. */
export class CloseSums implements SegmentSums {
  /** The sums that the last call of {@link gather} found. */
  list = new Int32Array(64);
  /** A segment is not followed farther from the origin than this: a walk that goes there cannot improve the answer. */
  limit = Infinity;
  #count = 0;
  readonly #march = new ConvexMarch();
  readonly #shifted: Float64Array;
  readonly #places = new Map<number, number>();
  readonly #nodesB: number;
  #known = new Float64Array(KNOWN * 64);
  /** A pair's sum, −1 until it is made, and the call that listed it last. */
  #sums = new Int32Array(64);
  #listed = new Int32Array(64);
  #calls = 0;
  readonly #from = new Float64Array(3);
  readonly #way = new Float64Array(3);
  #stack = new Int32Array(512);
  readonly #placement: Float64Array;
  readonly #boxes: NodeBoxes;
  readonly #size: number;

  /** @param placement B in A's frame, row-major 3 × 4. */
  constructor(
    readonly leaves: LeafSums,
    placement: Float64Array,
    boxes: NodeBoxes,
    size: number,
  ) {
    this.#placement = placement;
    this.#boxes = boxes;
    this.#size = size;
    this.#shifted = Float64Array.from(placement);
    this.#nodesB = leaves.b.hulls.nodePieces.length;
  }

  /** Lists every sum that the segment from p to q may meet before it is inside one, and returns their count. */
  gather(px: number, py: number, pz: number, qx: number, qy: number, qz: number): number {
    this.#calls++;
    this.#count = 0;
    const [dx, dy, dz] = [qx - px, qy - py, qz - pz];
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    let share = length > 0 ? Math.min(1, (FIRST_STRETCH * this.#size) / length) : 1;
    for (let begin = 0; begin < 1; share *= 2) {
      const end = Math.min(1, begin + share);
      const from = this.#from;
      const way = this.#way;
      from[0] = px + begin * dx;
      from[1] = py + begin * dy;
      from[2] = pz + begin * dz;
      way[0] = (end - begin) * dx;
      way[1] = (end - begin) * dy;
      way[2] = (end - begin) * dz;
      this.#addStretch();
      const [x, y, z] = [px + end * dx, py + end * dy, pz + end * dz];
      if (x * x + y * y + z * z > this.limit * this.limit) break;
      if (end < 1 && this.#enters(px, py, pz, dx, dy, dz, end)) break;
      begin = end;
    }
    return this.#count;
  }

  #addStretch(): void {
    const boxes = this.#boxes;
    const childrenA = this.leaves.a.hulls.children;
    const childrenB = this.leaves.b.hulls.children;
    let top = 2;
    this.#stack[0] = 0;
    this.#stack[1] = 0;
    while (top > 0) {
      const nodeB = this.#stack[--top];
      const nodeA = this.#stack[--top];
      if (!boxes.meetsSegment(nodeA, nodeB, this.#from, this.#way)) continue;
      const splitA = childrenA[2 * nodeA] >= 0;
      const splitB = childrenB[2 * nodeB] >= 0;
      if (!splitA && !splitB) {
        this.#addPair(nodeA, nodeB);
        continue;
      }
      if (top + 4 > this.#stack.length) this.#stack = doubled(this.#stack);
      // Parents have smaller ids: the node nearer to its root is split.
      const downA = splitA && (!splitB || nodeA <= nodeB);
      for (let k = 0; k < 2; k++) {
        this.#stack[top++] = downA ? childrenA[2 * nodeA + k] : nodeA;
        this.#stack[top++] = downA ? nodeB : childrenB[2 * nodeB + k];
      }
    }
  }

  /** Lists the sum of two leaves if the stretch may meet it. */
  #addPair(nodeA: number, nodeB: number): void {
    const place = this.#placeOf(nodeA, nodeB);
    if (this.#listed[place] === this.#calls) return;
    if (this.#sums[place] < 0) {
      if (this.#isBeyond(place, nodeA, nodeB)) return;
      this.#sums[place] = this.leaves.sumOf(nodeA, nodeB);
    }
    this.#listed[place] = this.#calls;
    if (this.#count === this.list.length) this.list = doubled(this.list);
    this.list[this.#count++] = this.#sums[place];
  }

  /** Whether A at the middle of the stretch is farther from B than the stretch's ends are from its middle. */
  #isBeyond(place: number, nodeA: number, nodeB: number): boolean {
    const known = this.#known;
    const at = KNOWN * place;
    const [x, y, z] = this.#from.map((value, axis) => value + this.#way[axis] / 2);
    const reach = Math.hypot(this.#way[0], this.#way[1], this.#way[2]) / 2 + SLACK * this.#size;
    // A distance changes by at most the length that A moves.
    if (known[at + 3] - Math.hypot(known[at] - x, known[at + 1] - y, known[at + 2] - z) > reach) return true;
    // Moving A is the same as moving B the opposite way.
    this.#shifted[3] = this.#placement[3] - x;
    this.#shifted[7] = this.#placement[7] - y;
    this.#shifted[11] = this.#placement[11] - z;
    const { a, b } = this.leaves;
    const distance = this.#march.query(a.set, nodeA, b.set, nodeB, this.#shifted, -1, -1);
    known[at] = x;
    known[at + 1] = y;
    known[at + 2] = z;
    known[at + 3] = distance;
    return distance > reach;
  }

  #placeOf(nodeA: number, nodeB: number): number {
    const key = nodeA * this.#nodesB + nodeB;
    let place = this.#places.get(key);
    if (place === undefined) {
      place = this.#places.size;
      this.#places.set(key, place);
      if (place === this.#sums.length) {
        this.#sums = doubled(this.#sums);
        this.#listed = doubled(this.#listed);
        const known = new Float64Array(2 * this.#known.length);
        known.set(this.#known);
        this.#known = known;
      }
      this.#sums[place] = -1;
      this.#known[KNOWN * place + 3] = -Infinity;
    }
    return place;
  }

  /** Whether the segment enters a listed sum, not where it began, before the given share of it. */
  #enters(px: number, py: number, pz: number, dx: number, dy: number, dz: number, end: number): boolean {
    const { planes, planeStart } = this.leaves.sums;
    const skin = SLACK * this.#size;
    for (let i = 0; i < this.#count; i++) {
      const sum = this.list[i];
      let near = -Infinity;
      let far = end;
      for (let p = planeStart[sum]; p < planeStart[sum + 1] && near < far; p++) {
        const slope = planes[4 * p] * dx + planes[4 * p + 1] * dy + planes[4 * p + 2] * dz;
        const room = planes[4 * p + 3] - skin - (planes[4 * p] * px + planes[4 * p + 1] * py + planes[4 * p + 2] * pz);
        if (slope > 0) far = Math.min(far, room / slope);
        else if (slope < 0) near = Math.max(near, room / slope);
        else if (room < 0) far = -Infinity;
      }
      if (near < far && far > 0) return true;
    }
    return false;
  }
}
