// A binary tree of oriented boxes around the triangles of a mesh, one triangle per leaf, in flat arrays. A node is
// split at the mean along its longest side when a search first visits it: a first answer pays only for what it visits.
// The tree does not depend on the order of visits. O(n log n) in total.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { BOX_AXES, BOX_HALF, BOX_RADIUS, BOX_STRIDE, BoxFit } from './box-fit.js';

export { BOX_AXES, BOX_HALF, BOX_RADIUS, BOX_STRIDE } from './box-fit.js';

/** Label: the entry of {@link BoxTree.links} for a node whose children have not been made yet. */
export const UNOPENED = 0;

/** What a complete tree consists of, besides its mesh. */
export type TreeArrays = Pick<BoxTree, 'boxes' | 'links'>;

/**
 * A tree of oriented boxes. The root is node 0, the first child of an inner node is the node after it, and nodes are in
 * preorder.
 */
export class BoxTree {
  readonly mesh: Mesh;
  /**
   * `BOX_STRIDE` (16) numbers per node: center, three axes, three half-lengths, radius. In the mesh's frame. Valid for
   * the root and for children of opened nodes.
   */
  readonly boxes: Float64Array;
  /** The second child of an inner node, or {@link UNOPENED}; the complement (`~t`) of the triangle of a leaf. */
  readonly links: Int32Array;
  /** The largest absolute value of any coordinate. */
  readonly magnitude: number;
  readonly #fit: BoxFit;
  /** Triangles in the order of leaves, final as far as nodes are opened; null when all are. */
  #order: Uint32Array | null;
  /** The positions of triangles along the side that is split. */
  #key: Float64Array | null;
  /** Inner nodes that are not opened yet. */
  #unopened: number;

  /** @param made the arrays of a complete tree of the same mesh, which are then not made again: of another thread's. */
  constructor(mesh: Mesh, made?: TreeArrays) {
    const count = mesh.indices.length / 3;
    this.mesh = mesh;
    this.boxes = made?.boxes ?? new Float64Array(BOX_STRIDE * (2 * count - 1));
    this.links = made?.links ?? new Int32Array(2 * count - 1);
    this.magnitude = largest(mesh.positions);
    this.#fit = new BoxFit(mesh, this.boxes);
    if (made !== undefined) {
      this.#order = null;
      this.#key = null;
      this.#unopened = 0;
      return;
    }
    const order = new Uint32Array(count);
    for (let t = 0; t < count; t++) order[t] = t;
    this.#order = order;
    this.#key = new Float64Array(count);
    this.#unopened = count - 1;
    this.#add(order, 0, 0, count);
  }

  /** The bytes of the tree, without its mesh. */
  get bytes(): number {
    return (
      this.boxes.byteLength + this.links.byteLength + (this.#order?.byteLength ?? 0) + (this.#key?.byteLength ?? 0)
    );
  }

  /** Whether all nodes are opened: nothing changes the arrays any more. */
  get isComplete(): boolean {
    return this.#unopened === 0;
  }

  /** Makes the children of an inner node whose link is {@link UNOPENED}; returns its new link. */
  open(node: number): number {
    const { links } = this;
    const order = this.#order;
    if (order === null || links[node] !== UNOPENED) return links[node];
    // The range of triangles of an unopened node is stored in the links of the two nodes after it, which are below it.
    const start = links[node + 1];
    const end = links[node + 2];
    const middle = this.#split(order, node, start, end);
    const second = node + 2 * (middle - start);
    links[node] = second;
    this.#add(order, node + 1, start, middle);
    this.#add(order, second, middle, end);
    if (--this.#unopened === 0) {
      this.#order = null;
      this.#key = null;
    }
    return second;
  }

  /** Opens all nodes. */
  complete(options?: ProgressOptions): this {
    const { links } = this;
    for (let node = 0; this.#unopened > 0; node++) {
      if ((node & 4095) === 0) reportProgress(options, node / links.length, 'fitting boxes');
      if (links[node] === UNOPENED) this.open(node);
    }
    return this;
  }

  #add(order: Uint32Array, node: number, start: number, end: number): void {
    const { links } = this;
    if (end - start === 1) {
      links[node] = ~order[start];
      this.#fit.fitTriangle(order[start], node);
      return;
    }
    links[node] = UNOPENED;
    links[node + 1] = start;
    links[node + 2] = end;
    this.#fit.fitTriangles(order, start, end, node);
  }

  /** Partitions a node's triangles at the mean of their centers along the longest side; returns where to cut. */
  #split(order: Uint32Array, node: number, start: number, end: number): number {
    const { boxes } = this;
    const { positions, indices } = this.mesh;
    const key = this.#key as Float64Array;
    const base = BOX_STRIDE * node;
    let longest = 0;
    for (let k = 1; k < 3; k++) if (boxes[base + BOX_HALF + k] > boxes[base + BOX_HALF + longest]) longest = k;
    const axis = base + BOX_AXES + 3 * longest;
    const x = boxes[axis];
    const y = boxes[axis + 1];
    const z = boxes[axis + 2];
    let mean = 0;
    for (let i = start; i < end; i++) {
      const t = 3 * order[i];
      const a = 3 * indices[t];
      const b = 3 * indices[t + 1];
      const c = 3 * indices[t + 2];
      const along =
        x * (positions[a] + positions[b] + positions[c]) +
        y * (positions[a + 1] + positions[b + 1] + positions[c + 1]) +
        z * (positions[a + 2] + positions[b + 2] + positions[c + 2]);
      key[i] = along;
      mean += along;
    }
    mean /= end - start;
    let low = start;
    let high = end - 1;
    while (low <= high) {
      if (key[low] <= mean) {
        low++;
        continue;
      }
      const triangle = order[low];
      order[low] = order[high];
      order[high] = triangle;
      const value = key[low];
      key[low] = key[high];
      key[high] = value;
      high--;
    }
    // All in one group: the triangles have the same center. Any half will do.
    return low === start || low === end ? (start + end) >> 1 : low;
  }
}

/** Whether a search splits A's node: the larger of the two, unless one is a leaf. */
export function splitsA(a: BoxTree, nodeA: number, b: BoxTree, nodeB: number): boolean {
  if (a.links[nodeA] < 0 || b.links[nodeB] < 0) return b.links[nodeB] < 0;
  return a.boxes[BOX_STRIDE * nodeA + BOX_RADIUS] >= b.boxes[BOX_STRIDE * nodeB + BOX_RADIUS];
}

/** The whole tree of a mesh's triangles. */
export function buildBoxTree(mesh: Mesh, options?: ProgressOptions): BoxTree {
  return new BoxTree(mesh).complete(options);
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i++) {
    const value = Math.abs(values[i]);
    if (value > most) most = value;
  }
  return most;
}
