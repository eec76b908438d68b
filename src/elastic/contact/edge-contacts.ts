// Contact between edges, which nodes miss: a sharp edge of one surface across an edge of another.

import { boxesOverlap } from '../../spatial/box-relations.js';
import type { Bvh } from '../../spatial/bvh.js';

/** Chosen: edges with a smaller sine between them are too near to parallel to have a normal. */
const MIN_SINE = 0.1;

/** Chosen: the sine of the angle by which the normal may lean out of the cone between the two faces of an edge. */
const LEAN = 0.3;

/** Chosen: an overlap deeper than this share of the shorter edge is not one of edges. */
const MAX_DEPTH = 0.5;

/** Two ends, and the far corners of the faces to the left and right: 12 numbers. */
export type EdgeCorners = Float64Array;

export class EdgePair {
  /** Which way the cross product of both edges, the second last, goes out of the second solid: 1 or −1. */
  sign = 0;
  readonly #n = new Float64Array(3);

  /** Whether two edges overlap, or are apart by less than `reach`, with the point of both between their ends. */
  test(a: EdgeCorners, b: EdgeCorners, reach: number): boolean {
    const n = this.#n;
    const [ax, ay, az] = [a[3] - a[0], a[4] - a[1], a[5] - a[2]];
    const [bx, by, bz] = [b[3] - b[0], b[4] - b[1], b[5] - b[2]];
    n[0] = ay * bz - az * by;
    n[1] = az * bx - ax * bz;
    n[2] = ax * by - ay * bx;
    const square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
    const [aa, bb] = [ax * ax + ay * ay + az * az, bx * bx + by * by + bz * bz];
    if (!(square > MIN_SINE * MIN_SINE * aa * bb)) return false;
    const [dx, dy, dz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const s = ((dy * bz - dz * by) * n[0] + (dz * bx - dx * bz) * n[1] + (dx * by - dy * bx) * n[2]) / square;
    const t = ((dy * az - dz * ay) * n[0] + (dz * ax - dx * az) * n[1] + (dx * ay - dy * ax) * n[2]) / square;
    if (!(s > 0 && s < 1 && t > 0 && t < 1)) return false;
    const length = Math.sqrt(square);
    const side = (dx * n[0] + dy * n[1] + dz * n[2]) / length;
    for (const sign of [1, -1]) {
      for (let k = 0; k < 3; k++) n[k] = (sign * n[k]) / (sign === 1 ? length : 1);
      // Out of the second solid and into the first: both faces of either edge must fall away.
      const depth = sign * side;
      if (depth < -reach || depth > MAX_DEPTH * Math.sqrt(Math.min(aa, bb))) continue;
      if (!this.#fallsAway(b, bx, by, bz, bb, 1) || !this.#fallsAway(a, ax, ay, az, aa, -1)) continue;
      this.sign = sign;
      return true;
    }
    return false;
  }

  /** Whether the faces of an edge go down from it, seen along ±n. */
  #fallsAway(e: EdgeCorners, ex: number, ey: number, ez: number, ee: number, side: number): boolean {
    const n = this.#n;
    for (let f = 6; f < 12; f += 3) {
      const [x, y, z] = [e[f] - e[0], e[f + 1] - e[1], e[f + 2] - e[2]];
      const along = (x * ex + y * ey + z * ez) / ee;
      const [px, py, pz] = [x - along * ex, y - along * ey, z - along * ez];
      const height = side * (px * n[0] + py * n[1] + pz * n[2]);
      if (height > LEAN * Math.sqrt(px * px + py * py + pz * pz)) return false;
    }
    return true;
  }
}

/** Writes the items of a hierarchy whose boxes meet a box into a list; returns their number. */
export function itemsInBox(bvh: Bvh, box: Float64Array, out: { list: Int32Array }): number {
  const { nodeBoxes, nodeLeft, nodeFirst, nodeItems, items, slotBoxes } = bvh;
  let count = 0;
  const stack: number[] = bvh.nodeCount > 0 ? [0] : [];
  while (stack.length > 0) {
    const node = stack.pop()!;
    if (!boxesOverlap(nodeBoxes, 6 * node, box, 0)) continue;
    const left = nodeLeft[node];
    if (left !== 0) {
      stack.push(left, left + 1);
      continue;
    }
    const end = nodeFirst[node] + nodeItems[node];
    for (let slot = nodeFirst[node]; slot < end; slot++) {
      if (!boxesOverlap(slotBoxes, 6 * slot, box, 0)) continue;
      if (count === out.list.length) {
        const longer = new Int32Array(2 * count);
        longer.set(out.list);
        out.list = longer;
      }
      out.list[count++] = items[slot];
    }
  }
  return count;
}
