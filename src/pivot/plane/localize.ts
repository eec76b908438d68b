// Localization: which runs of edges of two shapes come near each other, by a descent through both hierarchies of boxes at
// once. Boxes are made only where the descent gets to.
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from './edge-set.js';

/** Layout: numbers of a pair on the stack: node, from, to of both. */
const ENTRY = 6;

export class Localizer {
  /** Whether each edge comes near an edge of the other shape. */
  nearA = new Uint8Array(64);
  nearB = new Uint8Array(64);
  /** A box of all places where both boundaries may be within reach; empty if nothing is. */
  minX = Infinity;
  minY = Infinity;
  maxX = -Infinity;
  maxY = -Infinity;
  /** Pairs of boxes compared since they were last counted. */
  boxPairs = 0;
  #stack = new Int32Array(64 * ENTRY);
  /** How many edges of each may be marked. */
  #markedA = 0;
  #markedB = 0;
  #edgesA = new EdgeBoxes();
  #edgesB = new EdgeBoxes();

  /**
   * Finds the edges that may be within `reach` of each other; no other edges are. Returns whether there are any. Runs for
   * every pair of boxes, so that all its values are locals of one function.
   */
  find(a: EdgeSet, b: EdgeSet, reach: number): boolean {
    this.#forget(a.count, b.count);
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
      const left = Math.max(boxesA[p], boxesB[q]) - reach;
      const low = Math.max(boxesA[p + 1], boxesB[q + 1]) - reach;
      const right = Math.min(boxesA[p + 2], boxesB[q + 2]) + reach;
      const high = Math.min(boxesA[p + 3], boxesB[q + 3]) + reach;
      if (left + reach > right || low + reach > high) continue;
      if (isLeafA && isLeafB) {
        // Only edges in what both boxes have in common can be near each other; then only those that reach the others.
        const edgesA = this.#edgesA;
        const edgesB = this.#edgesB;
        if (!edgesA.list(a, fromA, toA, left, low, right, high, reach)) continue;
        if (!edgesB.list(b, fromB, toB, edgesA.minX, edgesA.minY, edgesA.maxX, edgesA.maxY, 0)) continue;
        edgesA.keep(edgesB.minX, edgesB.minY, edgesB.maxX, edgesB.maxY);
        if (this.#compareEdges(a, b, reach)) any = true;
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
    if (any) {
      this.#markedA = a.count;
      this.#markedB = b.count;
    }
    return any;
  }

  /** Forgets the last answer and makes room. Marks are cleared only if there are any: most pairs have none. */
  #forget(countA: number, countB: number): void {
    if (this.#markedA > 0) {
      this.nearA.fill(0, 0, this.#markedA);
      this.nearB.fill(0, 0, this.#markedB);
      this.#markedA = 0;
      this.#markedB = 0;
      this.minX = Infinity;
      this.minY = Infinity;
      this.maxX = -Infinity;
      this.maxY = -Infinity;
    }
    if (this.nearA.length < countA) this.nearA = new Uint8Array(2 * countA);
    if (this.nearB.length < countB) this.nearB = new Uint8Array(2 * countB);
  }

  /** Marks the listed edges that are near each other. Returns whether there are any. */
  #compareEdges(a: EdgeSet, b: EdgeSet, reach: number): boolean {
    const { nearA, nearB } = this;
    const listA = this.#edgesA.edges;
    const listB = this.#edgesB.edges;
    const boxesA = this.#edgesA.boxes;
    const boxesB = this.#edgesB.boxes;
    const endA = 4 * this.#edgesA.count;
    const edgesA = a.edges;
    const edgesB = b.edges;
    let any = false;
    for (let j = 0, q = 0; j < this.#edgesB.count; j++, q += 4) {
      const minX = boxesB[q];
      const minY = boxesB[q + 1];
      const maxX = boxesB[q + 2];
      const maxY = boxesB[q + 3];
      for (let p = 0; p < endA; p += 4) {
        if (boxesA[p] > maxX || boxesA[p + 2] < minX || boxesA[p + 1] > maxY || boxesA[p + 3] < minY) continue;
        const edgeA = listA[p >> 2];
        const edgeB = listB[j];
        const k = 4 * edgeA;
        const o = 4 * edgeB;
        const ax = edgesA[k];
        const ay = edgesA[k + 1];
        const bx = edgesA[k + 2];
        const by = edgesA[k + 3];
        const cx = edgesB[o];
        const cy = edgesB[o + 1];
        const dx = edgesB[o + 2];
        const dy = edgesB[o + 3];
        if (isBeside(ax, ay, bx, by, cx, cy, dx, dy, reach)) continue;
        if (isBeside(cx, cy, dx, dy, ax, ay, bx, by, reach)) continue;
        nearA[edgeA] = 1;
        nearB[edgeB] = 1;
        any = true;
        this.#addStrip(ax, ay, bx, by, cx, cy, dx, dy, reach);
        this.#addStrip(cx, cy, dx, dy, ax, ay, bx, by, reach);
      }
    }
    return any;
  }

  /** Adds to the box what is near the line ab and the box of ab of the edge cd. Takes scalars, for inner loops. */
  #addStrip(
    ax: number,
    ay: number,
    bx: number,
    by: number,
    cx: number,
    cy: number,
    dx: number,
    dy: number,
    reach: number,
  ): void {
    const ux = bx - ax;
    const uy = by - ay;
    // A little more, for rounding: coordinates have at most 2³⁰ errors' length.
    const limit = 1.001 * reach * Math.sqrt(ux * ux + uy * uy);
    const c = ux * (cy - ay) - uy * (cx - ax);
    const rise = ux * (dy - ay) - uy * (dx - ax) - c;
    let from = 0;
    let to = 1;
    if (rise !== 0) {
      const s = (-limit - c) / rise;
      const t = (limit - c) / rise;
      from = Math.max(0, Math.min(s, t));
      to = Math.min(1, Math.max(s, t));
    }
    const x0 = cx + from * (dx - cx);
    const x1 = cx + to * (dx - cx);
    const y0 = cy + from * (dy - cy);
    const y1 = cy + to * (dy - cy);
    this.minX = Math.min(this.minX, Math.max(Math.min(x0, x1), Math.min(ax, bx) - reach));
    this.minY = Math.min(this.minY, Math.max(Math.min(y0, y1), Math.min(ay, by) - reach));
    this.maxX = Math.max(this.maxX, Math.min(Math.max(x0, x1), Math.max(ax, bx) + reach));
    this.maxY = Math.max(this.maxY, Math.min(Math.max(y0, y1), Math.max(ay, by) + reach));
  }
}

/** The edges of a run that reach into a box, with their boxes. */
class EdgeBoxes {
  edges = new Int32Array(64);
  /** x0, y0, x1, y1 of each. */
  boxes = new Float64Array(256);
  count = 0;
  /** The box of them all. */
  minX = 0;
  minY = 0;
  maxX = 0;
  maxY = 0;

  /**
   * Lists the edges. Returns whether there are any.
   * Takes scalars, for inner loops.
   * @param margin by which their boxes are made larger after that.
   */
  list(
    shape: EdgeSet,
    from: number,
    to: number,
    left: number,
    low: number,
    right: number,
    high: number,
    margin: number,
  ): boolean {
    if (this.edges.length < to - from) {
      this.edges = new Int32Array(2 * (to - from));
      this.boxes = new Float64Array(8 * (to - from));
    }
    const list = this.edges;
    const { boxes } = this;
    const { edges } = shape;
    let at = 0;
    let minX = Infinity;
    let minY = Infinity;
    let maxX = -Infinity;
    let maxY = -Infinity;
    for (let k = 4 * from, end = 4 * to; k < end; k += 4) {
      const ax = edges[k];
      const bx = edges[k + 2];
      if ((ax > right && bx > right) || (ax < left && bx < left)) continue;
      const ay = edges[k + 1];
      const by = edges[k + 3];
      if ((ay > high && by > high) || (ay < low && by < low)) continue;
      const x0 = Math.min(ax, bx) - margin;
      const y0 = Math.min(ay, by) - margin;
      const x1 = Math.max(ax, bx) + margin;
      const y1 = Math.max(ay, by) + margin;
      list[at >> 2] = k >> 2;
      boxes[at] = x0;
      boxes[at + 1] = y0;
      boxes[at + 2] = x1;
      boxes[at + 3] = y1;
      at += 4;
      if (x0 < minX) minX = x0;
      if (y0 < minY) minY = y0;
      if (x1 > maxX) maxX = x1;
      if (y1 > maxY) maxY = y1;
    }
    this.count = at >> 2;
    this.minX = Math.max(minX, left);
    this.minY = Math.max(minY, low);
    this.maxX = Math.min(maxX, right);
    this.maxY = Math.min(maxY, high);
    return at > 0;
  }

  /** Drops those that do not reach into a box. */
  keep(left: number, low: number, right: number, high: number): void {
    const { edges, boxes, count } = this;
    let kept = 0;
    for (let i = 0, p = 0; i < count; i++, p += 4) {
      if (boxes[p] > right || boxes[p + 2] < left || boxes[p + 1] > high || boxes[p + 3] < low) continue;
      if (kept < i) {
        edges[kept] = edges[i];
        const at = 4 * kept;
        boxes[at] = boxes[p];
        boxes[at + 1] = boxes[p + 1];
        boxes[at + 2] = boxes[p + 2];
        boxes[at + 3] = boxes[p + 3];
      }
      kept++;
    }
    this.count = kept;
  }
}

/**
 * Whether the edge cd lies on one side of the line ab, farther from it than the reach.
 * Takes scalars, for inner loops.
 */
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
