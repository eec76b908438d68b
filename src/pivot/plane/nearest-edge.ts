// The nearest edge of a shape at points that follow one another: exact distances in double precision. Distance changes by
// no more than the way between two points, so the edges that can be nearest within a radius of one point are found once,
// by a descent through the lazy boxes, and serve all points within that radius.
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from './edge-set.js';

/** Chosen: a part of the radius within which a list of edges serves, in pixels. */
const LIST_PIXELS = 8;
/** Chosen: the other part of that radius, as a share of the distance. */
const LIST_SHARE = 0.25;
/** Chosen: longer lists are not sorted. */
const SORTED = 64;

export class NearestEdge {
  /** Of the last point: its distance, the nearest point, the edge. */
  distance = 0;
  x = 0;
  y = 0;
  edge = 0;
  /** Distances to edges computed since they were last counted. */
  distances = 0;
  #shape: EdgeSet | null = null;
  #size = 0;
  #cutoff = Infinity;
  #listX = 0;
  #listY = 0;
  /** Not a number when there is no list. */
  #radius = Number.NaN;
  #list = new Int32Array(64);
  #gaps = new Float64Array(64);
  #listed = 0;
  #stack = new Int32Array(192);

  /** Asks about a shape from now on. Distances beyond the cut-off need not be exact, but are not below it. */
  bind(shape: EdgeSet, pixelSize: number, cutoff = Infinity): void {
    this.#shape = shape;
    this.#size = pixelSize;
    this.#cutoff = cutoff;
    this.#radius = Number.NaN;
    this.edge = 0;
  }

  /** Finds the edge nearest to a point and returns its distance. */
  find(px: number, py: number): number {
    let fromX = px - this.#listX;
    let fromY = py - this.#listY;
    let moved = fromX * fromX + fromY * fromY;
    if (!(moved <= this.#radius * this.#radius)) {
      this.#gather(px, py);
      fromX = fromY = moved = 0;
    }
    moved = Math.sqrt(moved) * (1 + 1e-12);
    const { edges } = this.#shape!;
    const list = this.#list;
    const gaps = this.#gaps;
    const listed = this.#listed;
    let best = Infinity;
    let k = 0;
    for (; k < listed; k++) {
      // The list is sorted by distance from where it was made; those farther there by more than the way are farther here.
      const least = gaps[k] - moved;
      if (least > 0 && least * least > best) break;
      const at = 4 * list[k];
      const ax = edges[at];
      const ay = edges[at + 1];
      const dx = edges[at + 2] - ax;
      const dy = edges[at + 3] - ay;
      let qx = px - ax;
      let qy = py - ay;
      const along = qx * dx + qy * dy;
      if (along > 0) {
        const square = dx * dx + dy * dy;
        const t = along >= square ? 1 : along / square;
        qx -= t * dx;
        qy -= t * dy;
      }
      const square = qx * qx + qy * qy;
      if (square < best) {
        best = square;
        this.x = px - qx;
        this.y = py - qy;
        this.edge = list[k];
      }
    }
    this.distances += k;
    this.distance = Math.sqrt(best);
    return this.distance;
  }

  /**
   * Lists the edges that can be nearest to some point within a radius of this one. Edges share the terms of the point, so
   * that all of them are locals of one function.
   */
  #gather(px: number, py: number): void {
    const shape = this.#shape!;
    const { edges, count, levels } = shape;
    const leaf = 1 << levels;
    const cutoff = this.#cutoff;
    let best = Math.sqrt(squareTo(edges, 4 * this.edge, px, py));
    let radius = this.#radiusAt(best);
    // An edge that is farther cannot be nearest within the radius, or is beyond the cut-off there.
    let limit = Math.min(best + 2 * radius, cutoff + radius);
    let listed = 0;
    let stack = this.#stack;
    stack[0] = 1;
    stack[1] = 0;
    stack[2] = count;
    let top = 3;
    while (top > 0) {
      top -= 3;
      const node = stack[top];
      const from = stack[top + 1];
      const to = stack[top + 2];
      const b = shape.boxOf(node, from, to);
      const { boxes } = shape;
      const gapX = px < boxes[b] ? boxes[b] - px : px > boxes[b + 2] ? px - boxes[b + 2] : 0;
      const gapY = py < boxes[b + 1] ? boxes[b + 1] - py : py > boxes[b + 3] ? py - boxes[b + 3] : 0;
      if (gapX * gapX + gapY * gapY > limit * limit) continue;
      if (node < leaf) {
        const middle = (from + to) >> 1;
        if (stack.length < top + 6) stack = this.#stack = growTo(stack, top + 6);
        stack[top] = 2 * node;
        stack[top + 1] = from;
        stack[top + 2] = middle;
        stack[top + 3] = 2 * node + 1;
        stack[top + 4] = middle;
        stack[top + 5] = to;
        top += 6;
        continue;
      }
      if (listed + to - from > this.#list.length) {
        this.#list = growTo(this.#list, listed + to - from);
        this.#gaps = growTo(this.#gaps, listed + to - from);
      }
      const list = this.#list;
      const gaps = this.#gaps;
      this.distances += to - from;
      for (let edge = from; edge < to; edge++) {
        const square = squareTo(edges, 4 * edge, px, py);
        if (square > limit * limit) continue;
        list[listed] = edge;
        const gap = Math.sqrt(square);
        gaps[listed++] = gap;
        if (gap < best) {
          best = gap;
          this.edge = edge;
          radius = this.#radiusAt(best);
          limit = Math.min(best + 2 * radius, cutoff + radius);
        }
      }
    }
    const list = this.#list;
    const gaps = this.#gaps;
    // Rounding may not lose an edge at the border of the list.
    const last = limit * (1 + 1e-12);
    let kept = 0;
    for (let k = 0; k < listed; k++) {
      const gap = gaps[k];
      if (gap > last) continue;
      const edge = list[k];
      let at = kept++;
      for (; kept <= SORTED && at > 0 && gaps[at - 1] > gap; at--) {
        gaps[at] = gaps[at - 1];
        list[at] = list[at - 1];
      }
      gaps[at] = gap;
      list[at] = edge;
    }
    // A long list is not sorted: each of its edges counts as near.
    if (kept > SORTED) gaps.fill(0, 0, kept);
    this.#listed = kept;
    this.#listX = px;
    this.#listY = py;
    this.#radius = radius;
  }

  #radiusAt(best: number): number {
    return Math.max(LIST_PIXELS * this.#size + LIST_SHARE * best, best - this.#cutoff);
  }
}

/** The squared distance of a point from an edge. */
function squareTo(edges: Float64Array, at: number, px: number, py: number): number {
  const ax = edges[at];
  const ay = edges[at + 1];
  const dx = edges[at + 2] - ax;
  const dy = edges[at + 3] - ay;
  const square = dx * dx + dy * dy;
  const along = (px - ax) * dx + (py - ay) * dy;
  const t = along <= 0 ? 0 : along >= square ? 1 : along / square;
  const qx = px - ax - t * dx;
  const qy = py - ay - t * dy;
  return qx * qx + qy * qy;
}
