// Clusters of a body's elements: subtrees of its hierarchy. Each frame only the boxes of clusters are fitted, from their
// nodes; the boxes below are fitted when a search first goes there (lazy box trees; Fisher and Lin 2001, section 3.4).
import { NearfieldError } from '../../core/errors.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';
import { uniteBoxes } from '../../spatial/refit-bvh.js';

/** Chosen: the largest count of elements in a cluster. */
const MAX_CLUSTER = 192;

/** Lists of numbers, one after the other: list i is `items` from `start[i]` to `start[i + 1] − 1`. */
export interface Lists {
  readonly start: Int32Array;
  readonly items: Int32Array;
}

export class BodyClusters {
  readonly count: number;
  readonly tree: Bvh;
  /** Six numbers a cluster: the box of its nodes, wider by the reach. */
  readonly boxes: Float64Array;
  /** The cluster that begins at a node of the hierarchy; −1 for none. */
  readonly clusterAt: Int32Array;
  /** The node of the hierarchy where a cluster begins. */
  readonly roots: Int32Array;
  /** The cluster of each element. */
  readonly ofElement: Int32Array;
  readonly nodes: Lists;
  readonly #elements: Uint32Array;
  readonly #margins: Float64Array;
  readonly #reach: number;
  /** Nodes of the hierarchy above the clusters, and below each, children first. */
  readonly #above: Int32Array;
  readonly #below: Lists;
  /** The number of the last fit for each cluster, and of the last of all. */
  readonly #fitted: Int32Array;
  #fit = 0;
  #x: Float64Array = new Float64Array(0);
  #offset = 0;

  /** @param margins by how much the box of each element is wider; at most the reach. */
  constructor(positions: Float64Array, elements: Uint32Array, margins: Float64Array, reach: number) {
    this.#elements = elements;
    this.#margins = margins;
    this.#reach = reach;
    const boxes = new Float64Array(6 * margins.length);
    for (let e = 0; e < margins.length; e++) writeElementBox(elements, margins[e], e, positions, 0, boxes, 6 * e);
    const tree = buildBvh(boxes, { leafSize: 4 });
    this.tree = tree;
    this.clusterAt = new Int32Array(tree.nodeCount).fill(-1);
    const roots: number[] = [];
    const above: number[] = [];
    const below: number[][] = [];
    /** Which cluster each node of the hierarchy is in. */
    const owner = new Int32Array(tree.nodeCount).fill(-1);
    for (let at = 0; at < tree.nodeCount; at++) {
      if (owner[at] < 0 && tree.nodeItems[at] <= MAX_CLUSTER) {
        owner[at] = this.clusterAt[at] = roots.length;
        roots.push(at);
        below.push([]);
      }
      if (owner[at] < 0) above.push(at);
      else below[owner[at]].push(at);
      const left = tree.nodeLeft[at];
      if (left !== 0) owner[left] = owner[left + 1] = owner[at];
    }
    this.count = roots.length;
    this.roots = Int32Array.from(roots);
    this.#above = Int32Array.from(above.reverse());
    this.#below = toLists(below.map((list) => list.reverse()));
    this.boxes = new Float64Array(6 * this.count);
    this.#fitted = new Int32Array(this.count);
    this.ofElement = new Int32Array(margins.length);
    const sets = roots.map(() => new Set<number>());
    roots.forEach((root, cluster) => {
      const first = tree.nodeFirst[root];
      for (let slot = first; slot < first + tree.nodeItems[root]; slot++) {
        const element = tree.items[slot];
        this.ofElement[element] = cluster;
        for (let k = 4 * element; k < 4 * element + 4; k++) sets[cluster].add(elements[k]);
      }
    });
    this.nodes = toLists(sets.map((set) => [...set].sort((a, b) => a - b)));
    this.fit(positions, 0);
  }

  /** Fits the boxes of clusters to where the nodes are; node 0 is at `offset`. */
  fit(x: Float64Array, offset: number): void {
    this.#x = x;
    this.#offset = offset;
    this.#fit++;
    const { nodeBoxes } = this.tree;
    const { start, items } = this.nodes;
    for (let c = 0; c < this.count; c++) {
      let [lowX, lowY, lowZ] = [Infinity, Infinity, Infinity];
      let [highX, highY, highZ] = [-Infinity, -Infinity, -Infinity];
      // A sum is finite only if all its terms are.
      let sum = 0;
      for (let k = start[c]; k < start[c + 1]; k++) {
        const at = offset + 3 * items[k];
        const px = x[at];
        const py = x[at + 1];
        const pz = x[at + 2];
        sum += px + py + pz;
        if (px < lowX) lowX = px;
        if (px > highX) highX = px;
        if (py < lowY) lowY = py;
        if (py > highY) highY = py;
        if (pz < lowZ) lowZ = pz;
        if (pz > highZ) highZ = pz;
      }
      if (!Number.isFinite(sum)) {
        throw new NearfieldError(
          'non-finite',
          'Positions of a body are not finite or too large; check what moves the body, or take smaller steps.',
        );
      }
      const reach = this.#reach;
      const o = 6 * c;
      this.boxes[o] = lowX - reach;
      this.boxes[o + 1] = lowY - reach;
      this.boxes[o + 2] = lowZ - reach;
      this.boxes[o + 3] = highX + reach;
      this.boxes[o + 4] = highY + reach;
      this.boxes[o + 5] = highZ + reach;
      for (let k = 0; k < 6; k++) nodeBoxes[6 * this.roots[c] + k] = this.boxes[o + k];
    }
    for (const node of this.#above) uniteBoxes(nodeBoxes, this.tree.nodeLeft[node], 2, nodeBoxes, 6 * node);
  }

  /** Fits the boxes of a cluster's elements, once after each {@link fit}. */
  open(cluster: number): void {
    if (this.#fitted[cluster] === this.#fit) return;
    this.#fitted[cluster] = this.#fit;
    const { items, slotBoxes, nodeBoxes, nodeLeft, nodeFirst, nodeItems } = this.tree;
    const root = this.roots[cluster];
    const end = nodeFirst[root] + nodeItems[root];
    for (let slot = nodeFirst[root]; slot < end; slot++) {
      const e = items[slot];
      writeElementBox(this.#elements, this.#margins[e], e, this.#x, this.#offset, slotBoxes, 6 * slot);
    }
    for (let k = this.#below.start[cluster]; k < this.#below.start[cluster + 1]; k++) {
      const node = this.#below.items[k];
      const left = nodeLeft[node];
      if (left === 0) uniteBoxes(slotBoxes, nodeFirst[node], nodeItems[node], nodeBoxes, 6 * node);
      else uniteBoxes(nodeBoxes, left, 2, nodeBoxes, 6 * node);
    }
  }

  openAll(): void {
    for (let cluster = 0; cluster < this.count; cluster++) this.open(cluster);
  }
}

export function toLists(lists: readonly (readonly number[])[]): Lists {
  const start = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => {
    start[i + 1] = start[i] + list.length;
  });
  return { start, items: Int32Array.from(lists.flat()) };
}

function writeElementBox(
  elements: Uint32Array,
  margin: number,
  e: number,
  x: Float64Array,
  offset: number,
  out: Float64Array,
  o: number,
): void {
  const a = offset + 3 * elements[4 * e];
  const b = offset + 3 * elements[4 * e + 1];
  const c = offset + 3 * elements[4 * e + 2];
  const d = offset + 3 * elements[4 * e + 3];
  for (let k = 0; k < 3; k++) {
    const p = x[a + k];
    const q = x[b + k];
    const r = x[c + k];
    const s = x[d + k];
    const low = p < q ? p : q;
    const high = p < q ? q : p;
    const low2 = r < s ? r : s;
    const high2 = r < s ? s : r;
    out[o + k] = (low < low2 ? low : low2) - margin;
    out[o + 3 + k] = (high > high2 ? high : high2) + margin;
  }
}
