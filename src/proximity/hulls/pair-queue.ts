// The bounded queue of priority directed search (Ehmann and Lin 2001, section 7.2): pairs of nodes ordered by a bound
// on their distance, in a binary heap of flat arrays.
import { copyInto } from '../../core/grow-array.js';

/** Pairs of nodes, the smallest bound first. */
export class PairQueue {
  size = 0;
  #bounds: Float64Array;
  #nodesA: Int32Array;
  #nodesB: Int32Array;
  readonly #limit: number;

  /** @param limit the most pairs the queue may hold. */
  constructor(limit: number) {
    this.#limit = limit;
    const room = Math.min(limit, 64);
    this.#bounds = new Float64Array(room);
    this.#nodesA = new Int32Array(room);
    this.#nodesB = new Int32Array(room);
  }

  /** The smallest bound, and its nodes. */
  get least(): number {
    return this.#bounds[0];
  }

  get leastA(): number {
    return this.#nodesA[0];
  }

  get leastB(): number {
    return this.#nodesB[0];
  }

  clear(): void {
    this.size = 0;
  }

  /** Adds a pair; false when the queue is full. */
  push(bound: number, nodeA: number, nodeB: number): boolean {
    if (this.size === this.#bounds.length && !this.#grow()) return false;
    const bounds = this.#bounds;
    const nodesA = this.#nodesA;
    const nodesB = this.#nodesB;
    let at = this.size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (bounds[parent] <= bound) break;
      bounds[at] = bounds[parent];
      nodesA[at] = nodesA[parent];
      nodesB[at] = nodesB[parent];
      at = parent;
    }
    bounds[at] = bound;
    nodesA[at] = nodeA;
    nodesB[at] = nodeB;
    return true;
  }

  /** Removes the pair with the smallest bound. */
  pop(): void {
    const bounds = this.#bounds;
    const nodesA = this.#nodesA;
    const nodesB = this.#nodesB;
    const last = --this.size;
    const bound = bounds[last];
    let at = 0;
    while (true) {
      let child = 2 * at + 1;
      if (child >= last) break;
      if (child + 1 < last && bounds[child + 1] < bounds[child]) child++;
      if (bounds[child] >= bound) break;
      bounds[at] = bounds[child];
      nodesA[at] = nodesA[child];
      nodesB[at] = nodesB[child];
      at = child;
    }
    bounds[at] = bound;
    nodesA[at] = nodesA[last];
    nodesB[at] = nodesB[last];
  }

  #grow(): boolean {
    const room = Math.min(2 * this.#bounds.length, this.#limit);
    if (room === this.#bounds.length) return false;
    this.#bounds = copyInto(this.#bounds, new Float64Array(room));
    this.#nodesA = copyInto(this.#nodesA, new Int32Array(room));
    this.#nodesB = copyInto(this.#nodesB, new Int32Array(room));
    return true;
  }
}
