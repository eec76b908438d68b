// The point of one boundary that is nearest to another: a descent through the lazy boxes of A by spheres around them
// (Quinlan 1994) with exact distances to B, then samples along the edges that remain. The distance changes by no more than
// the way along an edge, so stretches that cannot be nearer are passed over.
import { exactTurn } from '../../core/exact/orientation.js';
import { growTo } from '../../core/grow-array.js';
import type { EdgeSet } from './edge-set.js';
import { NearestEdge } from './nearest-edge.js';
import { assertPixels, MAX_PIXELS, pixelSize } from './pixel-lattice.js';

/** Rounding: the next sample is taken this far past the end of a pixel, in pixels: more than rounding. */
const STEP = 1e-6;

export class ClosestSearch {
  /** The best sample so far, the nearest point of the other boundary, and their distance. */
  distance = Infinity;
  x = 0;
  y = 0;
  otherX = 0;
  otherY = 0;
  /** Samples looked at since they were last counted. */
  samples = 0;
  readonly nearest = new NearestEdge();
  /** Samples before this search. */
  #firstSample = 0;
  #nodes = new Int32Array(192);
  #bounds = new Float64Array(64);
  #stack = new Int32Array(192);

  /**
   * Finds the sample near A's boundary that is nearest to B's. Its distance is within the error of the least, its place
   * within the error of A's boundary.
   */
  find(a: EdgeSet, b: EdgeSet, error: number): void {
    this.distance = Infinity;
    const size = pixelSize(error);
    this.nearest.bind(b, size);
    this.#firstSample = this.samples;
    this.#descend(a, Infinity, (from, to) => {
      for (let edge = from; edge < to; edge++) this.#walk(a, edge, error, size);
      return this.distance;
    });
  }

  /**
   * Makes the distance exact: compares all pairs of edges that are within the bound, in double precision. Whether edges
   * touch or cross is decided exactly; the distance is then 0.
   */
  refine(a: EdgeSet, b: EdgeSet, bound: number): void {
    this.distance = bound * (1 + 1e-12);
    this.#descend(a, this.distance, (from, to) => {
      for (let edge = from; edge < to && this.distance > 0; edge++) this.#refineEdge(a, edge, b);
      return this.distance;
    });
  }

  /** Visits the leaves of A that can come within the bound of the shape at hand, nearer ones first. */
  #descend(a: EdgeSet, bound: number, visit: (from: number, to: number) => number): void {
    let limit = bound;
    let nodes = this.#nodes;
    let bounds = this.#bounds;
    const leaf = 1 << a.levels;
    nodes[0] = 1;
    nodes[1] = 0;
    nodes[2] = a.count;
    bounds[0] = 0;
    let top = 1;
    while (top > 0) {
      top--;
      if (bounds[top] > limit) continue;
      const node = nodes[3 * top];
      const from = nodes[3 * top + 1];
      const to = nodes[3 * top + 2];
      if (node >= leaf) {
        limit = Math.min(limit, visit(from, to));
        continue;
      }
      const middle = (from + to) >> 1;
      const first = this.#lowerBound(a, 2 * node, from, middle);
      const second = this.#lowerBound(a, 2 * node + 1, middle, to);
      if (3 * top + 6 > nodes.length) {
        nodes = this.#nodes = growTo(nodes, 3 * top + 6);
        bounds = this.#bounds = growTo(bounds, top + 2);
      }
      for (let k = 0; k < 2; k++) {
        // The nearer one last, so that it comes first.
        const child = (k === 0) === first > second ? 0 : 1;
        nodes[3 * top] = 2 * node + child;
        nodes[3 * top + 1] = child === 0 ? from : middle;
        nodes[3 * top + 2] = child === 0 ? middle : to;
        bounds[top] = child === 0 ? first : second;
        top++;
      }
    }
  }

  /** No point of the box of a node is nearer to the other boundary than this. */
  #lowerBound(a: EdgeSet, node: number, from: number, to: number): number {
    const at = a.boxOf(node, from, to);
    const { boxes } = a;
    const radius = 0.5 * Math.hypot(boxes[at + 2] - boxes[at], boxes[at + 3] - boxes[at + 1]);
    this.samples++;
    return (
      this.nearest.find(0.5 * (boxes[at] + boxes[at + 2]), 0.5 * (boxes[at + 1] + boxes[at + 3])) - radius * (1 + 1e-12)
    );
  }

  /** Samples the pixels that an edge passes through, except those that cannot be nearer than the best. */
  #walk(a: EdgeSet, edge: number, error: number, size: number): void {
    const { edges } = a;
    const ax = edges[4 * edge];
    const ay = edges[4 * edge + 1];
    const dx = edges[4 * edge + 2] - ax;
    const dy = edges[4 * edge + 3] - ay;
    const length = Math.hypot(dx, dy);
    const ux = length > 0 ? dx / length : 0;
    const uy = length > 0 ? dy / length : 0;
    // Every step is at least STEP pixels long and every second one leaves a pixel.
    for (let way = 0; way <= length; ) {
      const x = ax + ux * way;
      const y = ay + uy * way;
      const column = Math.floor(x / size);
      const row = Math.floor(y / size);
      const px = (column + 0.5) * size;
      const py = (row + 0.5) * size;
      const distance = this.nearest.find(px, py);
      this.samples++;
      const taken = this.samples - this.#firstSample;
      if (taken > MAX_PIXELS) assertPixels(taken + (length - way) / size, error);
      if (distance < this.distance) {
        this.distance = distance;
        this.x = px;
        this.y = py;
        this.otherX = this.nearest.x;
        this.otherY = this.nearest.y;
      }
      const exitX = ux > 0 ? ((column + 1) * size - x) / ux : ux < 0 ? (column * size - x) / ux : Infinity;
      const exitY = uy > 0 ? ((row + 1) * size - y) / uy : uy < 0 ? (row * size - y) / uy : Infinity;
      const exit = Math.max(0, Math.min(exitX, exitY)) + STEP * size;
      way += Math.max(exit, distance - 2 * error - this.distance);
      if (!(ux !== 0 || uy !== 0)) return;
    }
  }

  /** Compares one edge of A with the edges of B that may be nearer than the best. */
  #refineEdge(a: EdgeSet, edge: number, b: EdgeSet): void {
    const at = 4 * edge;
    const ax = a.edges[at];
    const ay = a.edges[at + 1];
    const bx = a.edges[at + 2];
    const by = a.edges[at + 3];
    const minX = Math.min(ax, bx);
    const maxX = Math.max(ax, bx);
    const minY = Math.min(ay, by);
    const maxY = Math.max(ay, by);
    const leaf = 1 << b.levels;
    let stack = this.#stack;
    stack[0] = 1;
    stack[1] = 0;
    stack[2] = b.count;
    let top = 3;
    while (top > 0) {
      top -= 3;
      const node = stack[top];
      const from = stack[top + 1];
      const to = stack[top + 2];
      const k = b.boxOf(node, from, to);
      const { boxes } = b;
      const gapX = Math.max(0, boxes[k] - maxX, minX - boxes[k + 2]);
      const gapY = Math.max(0, boxes[k + 1] - maxY, minY - boxes[k + 3]);
      if (gapX * gapX + gapY * gapY > this.distance * this.distance) continue;
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
      for (let other = from; other < to; other++) {
        const o = 4 * other;
        const { edges } = b;
        this.nearest.distances++;
        if (edgesMeet(ax, ay, bx, by, edges[o], edges[o + 1], edges[o + 2], edges[o + 3])) {
          this.distance = 0;
          return;
        }
        this.#tryPoint(ax, ay, edges, o, false);
        this.#tryPoint(bx, by, edges, o, false);
        this.#tryPoint(edges[o], edges[o + 1], a.edges, at, true);
        this.#tryPoint(edges[o + 2], edges[o + 3], a.edges, at, true);
      }
    }
  }

  /** Keeps the pair of a point and its nearest point on an edge if it is the nearest so far. */
  #tryPoint(px: number, py: number, edges: Float64Array, at: number, isOther: boolean): void {
    const ax = edges[at];
    const ay = edges[at + 1];
    const dx = edges[at + 2] - ax;
    const dy = edges[at + 3] - ay;
    const square = dx * dx + dy * dy;
    const along = (px - ax) * dx + (py - ay) * dy;
    const t = along <= 0 ? 0 : along >= square ? 1 : along / square;
    // From the nearer end, so that a foot at an end is that end.
    const x = t < 0.5 ? ax + t * dx : edges[at + 2] - (1 - t) * dx;
    const y = t < 0.5 ? ay + t * dy : edges[at + 3] - (1 - t) * dy;
    const distance = Math.hypot(px - x, py - y);
    if (distance >= this.distance) return;
    this.distance = distance;
    this.x = isOther ? x : px;
    this.y = isOther ? y : py;
    this.otherX = isOther ? px : x;
    this.otherY = isOther ? py : y;
  }
}

/** Whether two closed segments have a point in common, exactly. Takes scalars, for inner loops. */
function edgesMeet(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): boolean {
  if (Math.max(ax, bx) < Math.min(cx, dx) || Math.max(cx, dx) < Math.min(ax, bx)) return false;
  if (Math.max(ay, by) < Math.min(cy, dy) || Math.max(cy, dy) < Math.min(ay, by)) return false;
  // With boxes that overlap, no end of either strictly on one side of the other is all it takes, also on one line.
  return (
    exactTurn(ax, ay, bx, by, cx, cy) * exactTurn(ax, ay, bx, by, dx, dy) <= 0 &&
    exactTurn(cx, cy, dx, dy, ax, ay) * exactTurn(cx, cy, dx, dy, bx, by) <= 0
  );
}
