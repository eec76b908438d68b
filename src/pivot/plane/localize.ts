// Localization: which runs of edges of two shapes come near each other, by a descent through both hierarchies of boxes at
// once. Boxes are made only where the descent gets to.
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from './edge-set.js';

/** Numbers of a pair on the stack: node, from, to of both. */
const ENTRY = 6;

export class Localizer {
  /** Whether each edge comes near an edge of the other shape. */
  nearA = new Uint8Array(64);
  nearB = new Uint8Array(64);
  /** Pairs of boxes compared since they were last counted. */
  boxPairs = 0;
  #stack = new Int32Array(64 * ENTRY);
  /** Edges of B. */
  #list = new Int32Array(64);

  /** Finds the edges that may be within `reach` of each other; no other edges are. Returns whether there are any. */
  find(a: EdgeSet, b: EdgeSet, reach: number): boolean {
    if (this.nearA.length < a.count) this.nearA = new Uint8Array(2 * a.count);
    if (this.nearB.length < b.count) this.nearB = new Uint8Array(2 * b.count);
    const { nearA, nearB } = this;
    nearA.fill(0, 0, a.count);
    nearB.fill(0, 0, b.count);
    const leafA = 1 << a.levels;
    const leafB = 1 << b.levels;
    let stack = this.#stack;
    let any = false;
    let pairs = 0;
    stack[0] = stack[3] = 1;
    stack[1] = stack[4] = 0;
    stack[2] = a.count;
    stack[5] = b.count;
    let top = ENTRY;
    while (top > 0) {
      top -= ENTRY;
      const nodeA = stack[top];
      const fromA = stack[top + 1];
      const toA = stack[top + 2];
      const nodeB = stack[top + 3];
      const fromB = stack[top + 4];
      const toB = stack[top + 5];
      const isLeafA = nodeA >= leafA;
      const isLeafB = nodeB >= leafB;
      pairs++;
      const p = a.boxOf(nodeA, fromA, toA);
      const q = b.boxOf(nodeB, fromB, toB);
      const boxesA = a.boxes;
      const boxesB = b.boxes;
      if (
        boxesA[p] > boxesB[q + 2] + reach ||
        boxesB[q] > boxesA[p + 2] + reach ||
        boxesA[p + 1] > boxesB[q + 3] + reach ||
        boxesB[q + 1] > boxesA[p + 3] + reach
      ) {
        continue;
      }
      if (isLeafA && isLeafB) {
        // Only edges in what both boxes have in common can be near each other.
        const left = Math.max(boxesA[p], boxesB[q]) - reach;
        const low = Math.max(boxesA[p + 1], boxesB[q + 1]) - reach;
        const right = Math.min(boxesA[p + 2], boxesB[q + 2]) + reach;
        const high = Math.min(boxesA[p + 3], boxesB[q + 3]) + reach;
        const listed = this.#listEdges(b, fromB, toB, left, low, right, high);
        if (listed > 0 && this.#compareEdges(a, fromA, toA, b, listed, left, low, right, high, reach)) any = true;
        continue;
      }
      if (stack.length < top + 2 * ENTRY) stack = this.#stack = growTo(stack, top + 2 * ENTRY);
      const divideA = isLeafB || (!isLeafA && toA - fromA >= toB - fromB);
      const middle = divideA ? (fromA + toA) >> 1 : (fromB + toB) >> 1;
      for (let child = 0; child < 2; child++) {
        stack[top] = divideA ? 2 * nodeA + child : nodeA;
        stack[top + 1] = divideA && child === 1 ? middle : fromA;
        stack[top + 2] = divideA && child === 0 ? middle : toA;
        stack[top + 3] = divideA ? nodeB : 2 * nodeB + child;
        stack[top + 4] = !divideA && child === 1 ? middle : fromB;
        stack[top + 5] = !divideA && child === 0 ? middle : toB;
        top += ENTRY;
      }
    }
    this.boxPairs += pairs;
    return any;
  }

  /** Lists the edges of a run that reach into a box. Returns how many there are. */
  #listEdges(b: EdgeSet, from: number, to: number, left: number, low: number, right: number, high: number): number {
    if (this.#list.length < to - from) this.#list = new Int32Array(2 * (to - from));
    const list = this.#list;
    const { edges } = b;
    let listed = 0;
    for (let j = from, k = 4 * from; j < to; j++, k += 4) {
      const cx = edges[k];
      const dx = edges[k + 2];
      if ((cx > right && dx > right) || (cx < left && dx < left)) continue;
      const cy = edges[k + 1];
      const dy = edges[k + 3];
      if ((cy > high && dy > high) || (cy < low && dy < low)) continue;
      list[listed++] = j;
    }
    return listed;
  }

  /** Marks the edges of a run of A and the listed ones of B that are near each other. Returns whether there are any. */
  #compareEdges(
    a: EdgeSet,
    from: number,
    to: number,
    b: EdgeSet,
    listed: number,
    left: number,
    low: number,
    right: number,
    high: number,
    reach: number,
  ): boolean {
    const { nearA, nearB } = this;
    const list = this.#list;
    const edgesA = a.edges;
    const edgesB = b.edges;
    let any = false;
    for (let i = from, k = 4 * from; i < to; i++, k += 4) {
      const ax = edgesA[k];
      const bx = edgesA[k + 2];
      const minX = Math.min(ax, bx);
      const maxX = Math.max(ax, bx);
      if (minX > right || maxX < left) continue;
      const ay = edgesA[k + 1];
      const by = edgesA[k + 3];
      const minY = Math.min(ay, by);
      const maxY = Math.max(ay, by);
      if (minY > high || maxY < low) continue;
      for (let l = 0; l < listed; l++) {
        const o = 4 * list[l];
        const cx = edgesB[o];
        const dx = edgesB[o + 2];
        if (Math.min(cx, dx) - reach > maxX || Math.max(cx, dx) + reach < minX) continue;
        const cy = edgesB[o + 1];
        const dy = edgesB[o + 3];
        if (Math.min(cy, dy) - reach > maxY || Math.max(cy, dy) + reach < minY) continue;
        if (nearA[i] === 1 && nearB[list[l]] === 1) continue;
        if (isBeside(ax, ay, bx, by, cx, cy, dx, dy, reach)) continue;
        if (isBeside(cx, cy, dx, dy, ax, ay, bx, by, reach)) continue;
        nearA[i] = 1;
        nearB[list[l]] = 1;
        any = true;
      }
    }
    return any;
  }
}

/** Whether the edge cd lies on one side of the line ab, farther from it than the reach. */
function isBeside(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
  reach: number,
): boolean {
  const ux = bx - ax;
  const uy = by - ay;
  const limit2 = reach * reach * (ux * ux + uy * uy) * (1 + 1e-9);
  const c = ux * (cy - ay) - uy * (cx - ax);
  const d = ux * (dy - ay) - uy * (dx - ax);
  return c > 0 === d > 0 && c * c > limit2 && d * d > limit2;
}
