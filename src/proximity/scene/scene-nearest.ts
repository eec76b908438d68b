// Pairs of boxes in order of distance, found on demand: a heap of pairs of nodes and of items over one hierarchy, from
// which the nearest is opened first (Hjaltason and Samet 1998, incremental distance join).

import { growTo } from '../../core/grow-array.js';
import { boxDistanceSquared } from '../../spatial/box-relations.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';

/**
 * Layout: numbers per waiting pair: squared distance, first, second. Nodes are complemented (`~node`), items are not.
 */
const STRIDE = 3;

/** Returns the pairs of boxes in order of distance; at equal distances by (a, b). */
export class NearestBoxPairs {
  readonly #bvh: Bvh;
  #heap = new Float64Array(STRIDE * 64);
  #size = 0;
  /** The pair that {@link next} found: item numbers, a < b. */
  a = -1;
  b = -1;
  /** Squared distance of the two boxes. */
  distanceSquared = 0;
  nodePairs = 0;

  /** @param boxes six numbers per item, minimum first. */
  constructor(boxes: Float64Array) {
    this.#bvh = buildBvh(boxes);
    if (this.#bvh.nodeCount > 0) this.#push(0, ~0, ~0);
  }

  /** Advances to the next pair; false when there are no more. */
  next(): boolean {
    while (this.#size > 0) {
      const [squared, first, second] = this.#heap;
      this.#pop();
      if (first >= 0) {
        this.a = first;
        this.b = second;
        this.distanceSquared = squared;
        return true;
      }
      this.#open(~first, ~second);
    }
    return false;
  }

  #open(m: number, n: number): void {
    const { nodeLeft, nodeItems } = this.#bvh;
    this.nodePairs++;
    if (nodeLeft[m] === 0 && nodeLeft[n] === 0) {
      this.#openLeaves(m, n);
    } else if (m === n) {
      const left = nodeLeft[m];
      this.#pushNodes(left, left);
      this.#pushNodes(left, left + 1);
      this.#pushNodes(left + 1, left + 1);
    } else if (nodeLeft[n] === 0 || (nodeLeft[m] !== 0 && nodeItems[m] >= nodeItems[n])) {
      this.#pushNodes(nodeLeft[m], n);
      this.#pushNodes(nodeLeft[m] + 1, n);
    } else {
      this.#pushNodes(m, nodeLeft[n]);
      this.#pushNodes(m, nodeLeft[n] + 1);
    }
  }

  #pushNodes(m: number, n: number): void {
    const { nodeBoxes } = this.#bvh;
    this.#push(m === n ? 0 : boxDistanceSquared(nodeBoxes, 6 * m, nodeBoxes, 6 * n), ~m, ~n);
  }

  #openLeaves(m: number, n: number): void {
    const { nodeFirst, nodeItems, items, slotBoxes } = this.#bvh;
    for (let p = nodeFirst[m]; p < nodeFirst[m] + nodeItems[m]; p++) {
      for (let q = m === n ? p + 1 : nodeFirst[n]; q < nodeFirst[n] + nodeItems[n]; q++) {
        const squared = boxDistanceSquared(slotBoxes, 6 * p, slotBoxes, 6 * q);
        this.#push(squared, Math.min(items[p], items[q]), Math.max(items[p], items[q]));
      }
    }
  }

  /** Nodes are negative, so that at equal distances they are opened before an item pair is returned. */
  #before(i: number, j: number): boolean {
    const heap = this.#heap;
    for (let k = 0; k < STRIDE; k++) {
      if (heap[i + k] !== heap[j + k]) return heap[i + k] < heap[j + k];
    }
    return false;
  }

  #swap(i: number, j: number): void {
    for (let k = 0; k < STRIDE; k++) {
      const value = this.#heap[i + k];
      this.#heap[i + k] = this.#heap[j + k];
      this.#heap[j + k] = value;
    }
  }

  #push(squared: number, first: number, second: number): void {
    if (STRIDE * this.#size === this.#heap.length) this.#heap = growTo(this.#heap, STRIDE * (this.#size + 1));
    let slot = this.#size++;
    this.#heap.set([squared, first, second], STRIDE * slot);
    while (slot > 0) {
      const parent = (slot - 1) >> 1;
      if (!this.#before(STRIDE * slot, STRIDE * parent)) break;
      this.#swap(STRIDE * slot, STRIDE * parent);
      slot = parent;
    }
  }

  #pop(): void {
    this.#swap(0, STRIDE * --this.#size);
    for (let slot = 0; ; ) {
      let child = 2 * slot + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#before(STRIDE * (child + 1), STRIDE * child)) child++;
      if (!this.#before(STRIDE * child, STRIDE * slot)) break;
      this.#swap(STRIDE * child, STRIDE * slot);
      slot = child;
    }
  }
}
