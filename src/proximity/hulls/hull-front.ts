// The tree of pair tests that generalized front tracking keeps between queries (Ehmann and Lin 2001, section 7.3). A
// node is a pair of hulls, its children are the pairs made by splitting one of the two, and its leaves are the front.
// Flat growing arrays; siblings are adjacent: node 0 is the root, first children are odd, second children are even.
import { bytesOf } from '../../core/derived-parts.js';
import { growTo } from '../../core/grow-array.js';

/**
 * Chosen: a pair that was split again soon after it was raised waits up to this many queries before it is raised again.
 */
const MAX_WAIT = 64;

/** A tree of pairs of hulls. Node ids stay valid until the node's parent is joined. */
export class HullFront {
  /** The two hulls. */
  nodeA = new Int32Array(64);
  nodeB = new Int32Array(64);
  parent = new Int32Array(64);
  /** The first child, or 0 for a leaf. */
  child = new Int32Array(64);
  /** The closest features found last; −1 if no test was made. */
  seedA = new Int32Array(64);
  seedB = new Int32Array(64);
  /** The distance of the hulls at their last test. */
  distance = new Float64Array(64);
  /**
   * A lower bound on the distance of all surfaces below the pair, plus the motion when it was found: subtract the
   * current motion to bound the current distance. For an inner node the minimum over its children, once settled.
   */
  reach = new Float64Array(64);
  /** Leaves below the node, including itself; correct once settled. */
  leaves = new Int32Array(64);
  /** The last query that visited the node, and the last one that tested its hulls. */
  visited = new Int32Array(64);
  tested = new Int32Array(64);
  /** The next step according to the last test. */
  action = new Uint8Array(64);
  /** The first query at which the node's children may be joined, and the number of queries that it waited for this. */
  #joinFrom = new Int32Array(64);
  #wait = new Uint8Array(64);
  /** One above the last id in use; some ids below may be free. */
  #end = 1;
  /** The first of two free ids; its `parent` is the next free pair; 0 for none. */
  #free = 0;
  #freePairs = 0;

  constructor() {
    this.reset();
  }

  /** Nodes in use. */
  get size(): number {
    return this.#end - 2 * this.#freePairs;
  }

  get bytes(): number {
    return bytesOf({ ...this });
  }

  /** Only the root, never tested. */
  reset(): void {
    this.#end = 1;
    this.#free = 0;
    this.#freePairs = 0;
    this.#clearNode(0, 0, 0, 0, -Infinity);
  }

  /** Discards all bounds on distances, but keeps the pairs. */
  forgetDistances(): void {
    this.reach.fill(-Infinity, 0, this.#end);
  }

  /** Subtracts from all bounds, so that they do not lose digits as the total motion grows. */
  rebase(motion: number): void {
    for (let node = 0; node < this.#end; node++) this.reach[node] -= motion;
  }

  /** Makes a leaf an inner node; returns the first of its two children. */
  split(node: number, firstA: number, firstB: number, secondA: number, secondB: number, query: number): number {
    let first = this.#free;
    if (first !== 0) {
      this.#free = this.parent[first];
      this.#freePairs--;
    } else {
      first = this.#end;
      if (first + 2 > this.nodeA.length) this.#grow();
      this.#end += 2;
    }
    const reach = this.reach[node];
    this.#clearNode(first, firstA, firstB, node, reach);
    this.#clearNode(first + 1, secondA, secondB, node, reach);
    this.child[node] = first;
    // The wait ended only recently: raising the node was a mistake, so it waits twice as long the next time.
    const wait = this.#wait[node];
    const mistaken = wait > 0 && query - this.#joinFrom[node] <= wait;
    this.#wait[node] = mistaken ? Math.min(2 * wait, MAX_WAIT) : 1;
    this.#joinFrom[node] = query + this.#wait[node];
    return first;
  }

  /** Makes a node whose children are leaves a leaf. Keeps the bound on their distances. */
  join(node: number, query: number): void {
    const first = this.child[node];
    this.child[node] = 0;
    this.leaves[node] = 1;
    this.reach[node] = Math.min(this.reach[first], this.reach[first + 1]);
    this.#joinFrom[node] = query;
    this.parent[first] = this.#free;
    this.#free = first;
    this.#freePairs++;
  }

  /** Whether there are more than this many leaves. */
  exceeds(leaves: number): boolean {
    return this.size >= 2 * leaves;
  }

  /**
   * After a query, updates the inner nodes that the query visited from their leaves. Raises the front by one level
   * where both leaves of a node are farther than `far`, or by as many levels as reduce it to its `capacity`.
   */
  settle(query: number, far: number, capacity: number): void {
    const { child, parent, visited, reach, leaves } = this;
    let node = 0;
    let raised = 0;
    for (;;) {
      if (child[node] !== 0 && visited[node] === query) {
        node = child[node];
        continue;
      }
      while (node !== 0 && (node & 1) === 0) {
        node = parent[node];
        const first = child[node];
        reach[node] = Math.min(reach[first], reach[first + 1]);
        leaves[node] = leaves[first] + leaves[first + 1];
        if (leaves[node] !== 2) continue;
        const isFar = reach[node] > far && raised !== first && raised !== first + 1;
        if ((isFar && query >= this.#joinFrom[node]) || this.exceeds(capacity)) {
          this.join(node, query);
          raised = node;
        }
      }
      if (node === 0) return;
      node++;
    }
  }

  #clearNode(node: number, nodeA: number, nodeB: number, parent: number, reach: number): void {
    this.nodeA[node] = nodeA;
    this.nodeB[node] = nodeB;
    this.parent[node] = parent;
    this.child[node] = 0;
    this.seedA[node] = -1;
    this.seedB[node] = -1;
    this.distance[node] = 0;
    this.reach[node] = reach;
    this.leaves[node] = 1;
    this.visited[node] = 0;
    this.tested[node] = 0;
    this.#wait[node] = 0;
    this.#joinFrom[node] = 0;
  }

  #grow(): void {
    const length = 2 * this.nodeA.length;
    this.nodeA = growTo(this.nodeA, length);
    this.nodeB = growTo(this.nodeB, length);
    this.parent = growTo(this.parent, length);
    this.child = growTo(this.child, length);
    this.seedA = growTo(this.seedA, length);
    this.seedB = growTo(this.seedB, length);
    this.distance = growTo(this.distance, length);
    this.reach = growTo(this.reach, length);
    this.leaves = growTo(this.leaves, length);
    this.visited = growTo(this.visited, length);
    this.tested = growTo(this.tested, length);
    this.#joinFrom = growTo(this.#joinFrom, length);
    this.action = growTo(this.action, length);
    this.#wait = growTo(this.#wait, length);
  }
}
