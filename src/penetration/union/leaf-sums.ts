// The Minkowski sums of pairs of pieces, each made when a segment first meets it. The search descends both hierarchies
// with a box around the sum of each pair of nodes. So a ray can be followed through the union of all sums to its exact
// exit at the cost of the sums along it.

import type { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import { doubled } from '../../core/grow-array.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Solid } from '../solid.js';
import type { NodeBoxes } from './node-boxes.js';

/**
 * Chosen: the sums that segments may make. Rays through large models nearly on top of each other meet millions. A
 * missing sum can only make a ray end too soon, which the exact test then finds.
 */
const MAX_SUMS = 1 << 15;

/** Chosen: sums made between two looks at the signal: some milliseconds. */
export const SUMS_BETWEEN = 64;

/** The sums of two solids at one placement. */
export class LeafSums {
  /** The sums that the last call of {@link gather} found. */
  list = new Int32Array(256);
  /** Two per sum: its leaves of A and of B. */
  nodes = new Int32Array(512);
  readonly #known = new Map<number, number>();
  readonly #nodesB: number;
  #stack = new Int32Array(512);
  readonly #from = new Float64Array(3);
  readonly #way = new Float64Array(3);
  readonly #placement: Float64Array;
  readonly #boxes: NodeBoxes;
  readonly #progress: ProgressOptions | undefined;

  constructor(
    readonly a: Solid,
    readonly b: Solid,
    placement: Float64Array,
    readonly sums: MinkowskiSums,
    boxes: NodeBoxes,
    progress?: ProgressOptions,
  ) {
    this.#placement = placement;
    this.#progress = progress;
    this.#boxes = boxes;
    this.#nodesB = b.hulls.nodePieces.length;
  }

  /** The sum of two leaves, made if it does not exist yet. */
  sumOf(nodeA: number, nodeB: number): number {
    const key = nodeA * this.#nodesB + nodeB;
    let sum = this.#known.get(key);
    if (sum === undefined) {
      if (this.#known.size % SUMS_BETWEEN === 0)
        reportProgress(this.#progress && { signal: this.#progress.signal }, 0, 'sums');
      sum = this.sums.add(this.a.set, nodeA, this.b.set, nodeB, this.#placement);
      this.#known.set(key, sum);
      if (2 * sum + 2 > this.nodes.length) this.nodes = doubled(this.nodes);
      this.nodes[2 * sum] = nodeA;
      this.nodes[2 * sum + 1] = nodeB;
    }
    return sum;
  }

  /** Lists every sum that the segment from p to q may meet, and returns their count. */
  gather(px: number, py: number, pz: number, qx: number, qy: number, qz: number): number {
    const childrenA = this.a.hulls.children;
    const childrenB = this.b.hulls.children;
    const boxes = this.#boxes;
    const from = this.#from;
    const way = this.#way;
    from[0] = px;
    from[1] = py;
    from[2] = pz;
    way[0] = qx - px;
    way[1] = qy - py;
    way[2] = qz - pz;
    let count = 0;
    let top = 2;
    this.#stack[0] = 0;
    this.#stack[1] = 0;
    while (top > 0) {
      const nodeB = this.#stack[--top];
      const nodeA = this.#stack[--top];
      if (!boxes.meetsSegment(nodeA, nodeB, from, way)) continue;
      const splitA = childrenA[2 * nodeA] >= 0;
      const splitB = childrenB[2 * nodeB] >= 0;
      if (!splitA && !splitB) {
        if (this.sums.count >= MAX_SUMS && !this.#known.has(nodeA * this.#nodesB + nodeB)) continue;
        if (count === this.list.length) this.list = doubled(this.list);
        this.list[count++] = this.sumOf(nodeA, nodeB);
        continue;
      }
      if (top + 4 > this.#stack.length) this.#stack = doubled(this.#stack);
      const stack = this.#stack;
      // Parents have smaller ids: the node nearer to its root is split.
      if (splitA && (!splitB || nodeA <= nodeB)) {
        stack[top++] = childrenA[2 * nodeA];
        stack[top++] = nodeB;
        stack[top++] = childrenA[2 * nodeA + 1];
        stack[top++] = nodeB;
      } else {
        stack[top++] = nodeA;
        stack[top++] = childrenB[2 * nodeB];
        stack[top++] = nodeA;
        stack[top++] = childrenB[2 * nodeB + 1];
      }
    }
    return count;
  }
}
