// The pairs of nodes of two hierarchies at a level of the descent: the children of the pairs above, except those
// farther apart than the depth known so far (Lemma 5.1 of Kim et al. 2002: their sums cannot hold the nearest point).
import { ConvexMarch } from '../../convex/closest/march.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { nodeLevels } from '../../decomposition/hierarchy/hierarchy.js';
import type { Solid } from '../solid.js';
import type { NodeBoxes } from './node-boxes.js';

/**
 * Chosen: the pairs of nodes kept. More occur only for large models that are nearly on top of each other; their sums
 * would take about a kilobyte and five microseconds each.
 */
const MAX_PAIRS = 1 << 16;

/** Chosen: pairs that are split between two looks at the signal. */
const PARENTS_BETWEEN = 64;

/** Pairs of nodes, level after level. */
export class NodePairs {
  level = 0;
  count = 1;
  /** Two per pair: the node of A and the node of B. */
  nodes = new Int32Array(2);
  /** How far apart the nodes of each pair are, 0 if they meet. */
  distances = new Float64Array(1);
  readonly #march = new ConvexMarch();
  /** Nodes of each level, including the leaves above it. */
  readonly #widthA: readonly number[];
  readonly #widthB: readonly number[];
  readonly #a: Solid;
  readonly #b: Solid;
  readonly #placement: Float64Array;
  readonly #boxes: NodeBoxes;
  readonly #most;
  readonly #signal: ProgressOptions['signal'];

  constructor(
    a: Solid,
    b: Solid,
    placement: Float64Array,
    boxes: NodeBoxes,
    /** The largest number of pairs kept per level. */
    most = MAX_PAIRS,
    progress?: ProgressOptions,
  ) {
    this.#signal = progress?.signal;
    this.#a = a;
    this.#b = b;
    this.#placement = placement;
    this.#boxes = boxes;
    this.#most = most;
    this.#widthA = countNodes(a);
    this.#widthB = countNodes(b);
  }

  /** The number of levels: the deeper tree's. */
  get levels(): number {
    return Math.max(this.#widthA.length, this.#widthB.length);
  }

  /** The number of pairs of the level without culling. */
  get whole(): number {
    const { level } = this;
    return (
      this.#widthA[Math.min(level, this.#widthA.length - 1)] * this.#widthB[Math.min(level, this.#widthB.length - 1)]
    );
  }

  /** Descends by a level; leaves stay. Pairs farther apart than the bound are culled. */
  descend(bound: number): void {
    const parents = this.nodes;
    const parentCount = this.count;
    const childrenA = this.#a.hulls.children;
    const childrenB = this.#b.hulls.children;
    this.level++;
    this.count = 0;
    this.nodes = new Int32Array(2 * Math.max(16, parentCount));
    this.distances = new Float64Array(Math.max(16, parentCount));
    for (let i = 0; i < parentCount; i++) {
      if (i % PARENTS_BETWEEN === 0) reportProgress({ signal: this.#signal }, 0, 'penetration');
      const parentA = parents[2 * i];
      const parentB = parents[2 * i + 1];
      const splitA = childrenA[2 * parentA] >= 0;
      const splitB = childrenB[2 * parentB] >= 0;
      for (let k = 0; k < (splitA ? 2 : 1); k++) {
        const nodeA = splitA ? childrenA[2 * parentA + k] : parentA;
        for (let l = 0; l < (splitB ? 2 : 1); l++) {
          this.#offer(nodeA, splitB ? childrenB[2 * parentB + l] : parentB, bound);
        }
      }
      if (this.count > 2 * this.#most) this.#trim();
    }
    if (this.count > this.#most) this.#trim();
  }

  /**
   * Keeps the pairs that cover most around the origin: near ones with sums that are wide in all directions. Missing
   * pairs can only make a proof weaker and a ray end too soon, which the exact test then finds.
   */
  #trim(): void {
    const { a, b } = this.#boxes;
    const worth = new Float64Array(this.count);
    for (let i = 0; i < this.count; i++) {
      const j = 6 * this.nodes[2 * i];
      const k = 6 * this.nodes[2 * i + 1];
      let least = Infinity;
      for (let axis = 0; axis < 3; axis++) {
        least = Math.min(least, b[k + axis + 3] - b[k + axis] + a[j + axis + 3] - a[j + axis]);
      }
      worth[i] = least - this.distances[i];
    }
    const limit = worth.slice().sort()[this.count - this.#most];
    let kept = 0;
    for (let i = 0; i < this.count && kept < this.#most; i++) {
      if (worth[i] < limit) continue;
      this.nodes[2 * kept] = this.nodes[2 * i];
      this.nodes[2 * kept + 1] = this.nodes[2 * i + 1];
      this.distances[kept++] = this.distances[i];
    }
    this.count = kept;
  }

  /** Selects every pair of leaves, however far apart: the basic algorithm of Kim et al. 2002. */
  takeAllLeaves(): void {
    this.level = this.levels - 1;
    this.count = 0;
    const leavesOf = ({ hulls }: Solid): number[] => {
      const leaves: number[] = [];
      for (let node = 0; node < hulls.nodePieces.length; node++) if (hulls.children[2 * node] < 0) leaves.push(node);
      return leaves;
    };
    const leavesB = leavesOf(this.#b);
    for (const nodeA of leavesOf(this.#a)) for (const nodeB of leavesB) this.#offer(nodeA, nodeB, Infinity);
  }

  #offer(nodeA: number, nodeB: number, bound: number): void {
    if (this.#boxes.distanceSquared(nodeA, nodeB) > bound * bound) return;
    const distance = this.#march.query(this.#a.set, nodeA, this.#b.set, nodeB, this.#placement, -1, -1);
    if (distance > bound) return;
    if (this.count === this.distances.length) this.#grow();
    this.nodes[2 * this.count] = nodeA;
    this.nodes[2 * this.count + 1] = nodeB;
    this.distances[this.count++] = distance;
  }

  #grow(): void {
    const nodes = new Int32Array(2 * this.nodes.length);
    nodes.set(this.nodes);
    this.nodes = nodes;
    const distances = new Float64Array(2 * this.distances.length);
    distances.set(this.distances);
    this.distances = distances;
  }
}

function countNodes({ hulls }: Solid): number[] {
  const { children } = hulls;
  const levels = nodeLevels(hulls);
  const inner: number[] = [];
  const leaves: number[] = [];
  for (let node = 0; node < levels.length; node++) {
    const counts = children[2 * node] < 0 ? leaves : inner;
    counts[levels[node]] = (counts[levels[node]] ?? 0) + 1;
  }
  const widths: number[] = [];
  let waiting = 0;
  for (let level = 0; level < Math.max(inner.length, leaves.length); level++) {
    waiting += leaves[level] ?? 0;
    widths.push((inner[level] ?? 0) + waiting);
  }
  return widths;
}
