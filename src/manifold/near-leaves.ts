// The pairs of leaves of two trees whose boxes are within a reach of each other, along the six directions of their faces.
// Both trees have boxes along the axes of their own frames, so a pair of boxes costs some thirty multiplications.
import { growTo } from '../core/grow-array.js';
import type { ContactKernel } from './contact-kernel.js';
import type { ContactFeatures } from './shape/contact-features.js';
import { type FeatureTree, NODE_STRIDE } from './shape/feature-tree.js';

/** Layout: where the frame has the absolute values of the rotation, by rows; the matrix is before them. */
const ABSOLUTE = 12;
/** Layout: where the frame has by how much boxes may be apart along the axes of A, and of B. */
const REACH = 21;
/** Layout: where the frame has half of the way that B moves, along the axes of A, and of B. */
const SHIFT = 27;
/** Layout: numbers of a frame. */
const FRAME = 33;

/** Collects pairs of items of two trees, for any two trees of two shapes at one placement. */
export class NearLeaves {
  /** The items found, of A and of B in turn. Valid until the next search of any that share the kernel. */
  items = new Int32Array(64);
  count = 0;
  readonly #kernel: ContactKernel | null;
  /** What a search reads of the placement, as the kernel takes it. */
  readonly #frame = new Float64Array(FRAME);
  /** Items found in TypeScript, and whether the kernel has the search at hand. */
  #own = this.items;
  #isInKernel = false;
  /** Copies of triangles in the kernel that planes may keep apart, and the distance; 0 for none. */
  #trianglesA = 0;
  #trianglesB = 0;
  #distance = 0;
  /** Pairs of nodes still to be searched. */
  #stack = new Int32Array(128);
  #top = 0;
  #tests = 0;

  /** @param kernel makes the searches where it can. */
  constructor(kernel: ContactKernel | null = null) {
    this.#kernel = kernel;
  }

  /**
   * Sets where B is in A's frame, and how far apart boxes may be.
   * @param way boxes count as near if they are within the reach anywhere on this way of B, in A's frame.
   */
  place(bInA: Float64Array, reach: number, way: Float64Array | null = null): void {
    const f = this.#frame;
    for (let k = 0; k < 12; k++) f[k] = bInA[k];
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) f[ABSOLUTE + 3 * row + k] = Math.abs(bInA[4 * row + k]);
    }
    for (let k = 0; k < 6; k++) {
      f[REACH + k] = reach;
      f[SHIFT + k] = 0;
    }
    if (way === null) return;
    for (let k = 0; k < 3; k++) {
      const along = way[0] * bInA[k] + way[1] * bInA[4 + k] + way[2] * bInA[8 + k];
      f[SHIFT + k] = way[k] / 2;
      f[SHIFT + 3 + k] = along / 2;
      f[REACH + k] += Math.abs(way[k]) / 2;
      f[REACH + 3 + k] += Math.abs(along) / 2;
    }
  }

  /** Finds all pairs of items of two trees. */
  find(treeA: FeatureTree, treeB: FeatureTree): void {
    this.begin(treeA, treeB);
    this.findMore(treeA, treeB, Infinity);
  }

  /**
   * Begins to find pairs of items of two trees.
   * @param a and b if the items are their triangles: the kernel leaves out pairs that a plane of one keeps apart by more than
   * `distance`; in TypeScript the caller tests for that.
   */
  begin(
    treeA: FeatureTree,
    treeB: FeatureTree,
    a: ContactFeatures | null = null,
    b: ContactFeatures | null = null,
    distance = 0,
  ): void {
    this.count = 0;
    this.#top = 0;
    this.#isInKernel = false;
    if (treeA.links.length === 0 || treeB.links.length === 0) return;
    if (this.#beginInKernel(treeA, treeB, a, b, distance)) return;
    if (!this.#isNear(treeA.boxes, 0, treeB.boxes, 0)) return;
    this.#stack[0] = 0;
    this.#stack[1] = 0;
    this.#top = 2;
  }

  #beginInKernel(
    treeA: FeatureTree,
    treeB: FeatureTree,
    a: ContactFeatures | null,
    b: ContactFeatures | null,
    distance: number,
  ): boolean {
    const kernel = this.#kernel;
    if (kernel === null) return false;
    kernel.earn(this.#tests);
    this.#tests = 0;
    const rootA = kernel.rootOf(treeA);
    const rootB = rootA === 0 ? 0 : kernel.rootOf(treeB);
    if (rootB === 0) return false;
    this.#trianglesA = a === null ? 0 : kernel.trianglesOf(a);
    this.#trianglesB = b === null || this.#trianglesA === 0 ? 0 : kernel.trianglesOf(b);
    if (this.#trianglesB === 0) this.#trianglesA = 0;
    this.#distance = distance;
    const { frame } = kernel;
    for (let k = 0; k < FRAME; k++) frame[k] = this.#frame[k];
    kernel.begin(rootA, rootB);
    this.#isInKernel = true;
    return true;
  }

  /** Finds some more pairs, which replace those found before; returns false at the end. */
  findMore(treeA: FeatureTree, treeB: FeatureTree, most: number): boolean {
    if (!this.#isInKernel) return this.#findMoreHere(treeA, treeB, most);
    const kernel = this.#kernel!;
    this.items = kernel.items;
    this.count = kernel.findMore(most, this.#trianglesA, this.#trianglesB, this.#distance);
    if (this.count < most && 2 * this.count === this.items.length) this.#collectRest(most);
    return this.count > 0;
  }

  /** Goes on where more pairs were found than the kernel has room for. */
  #collectRest(most: number): void {
    const kernel = this.#kernel!;
    let found = this.count;
    this.count = 0;
    while (found > 0) {
      this.#own = growTo(this.#own, 2 * (this.count + found));
      this.#own.set(kernel.items.subarray(0, 2 * found), 2 * this.count);
      this.count += found;
      found = kernel.findMore(most - this.count, this.#trianglesA, this.#trianglesB, this.#distance);
    }
    this.items = this.#own;
  }

  #findMoreHere(treeA: FeatureTree, treeB: FeatureTree, most: number): boolean {
    const { links: linksA, boxes: boxesA } = treeA;
    const { links: linksB, boxes: boxesB } = treeB;
    let stack = this.#stack;
    let top = this.#top;
    this.items = this.#own;
    this.count = 0;
    while (top > 0 && this.count < most) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if (linkA < 0 && linkB < 0) {
        if (2 * this.count + 2 > this.items.length) this.items = this.#own = growTo(this.items, 2 * this.count + 2);
        this.items[2 * this.count] = ~linkA;
        this.items[2 * this.count++ + 1] = ~linkB;
        continue;
      }
      if (top + 4 > stack.length) {
        this.#stack = growTo(stack, top + 4);
        stack = this.#stack;
      }
      if (linkB < 0 || (linkA >= 0 && sizeOf(boxesA, nodeA) >= sizeOf(boxesB, nodeB))) {
        if (this.#isNear(boxesA, linkA + 1, boxesB, nodeB)) {
          stack[top++] = linkA + 1;
          stack[top++] = nodeB;
        }
        if (this.#isNear(boxesA, linkA, boxesB, nodeB)) {
          stack[top++] = linkA;
          stack[top++] = nodeB;
        }
      } else {
        if (this.#isNear(boxesA, nodeA, boxesB, linkB + 1)) {
          stack[top++] = nodeA;
          stack[top++] = linkB + 1;
        }
        if (this.#isNear(boxesA, nodeA, boxesB, linkB)) {
          stack[top++] = nodeA;
          stack[top++] = linkB;
        }
      }
    }
    this.#top = top;
    return this.count > 0;
  }

  /** False if one of the six directions of their faces shows that two boxes are beyond the reach. */
  #isNear(boxesA: Float64Array, nodeA: number, boxesB: Float64Array, nodeB: number): boolean {
    const m = this.#frame;
    const i = NODE_STRIDE * nodeA;
    const j = NODE_STRIDE * nodeB;
    this.#tests++;
    const bx = boxesB[j];
    const by = boxesB[j + 1];
    const bz = boxesB[j + 2];
    const hx = boxesB[j + 3];
    const hy = boxesB[j + 4];
    const hz = boxesB[j + 5];
    const ax = boxesA[i + 3];
    const ay = boxesA[i + 4];
    const az = boxesA[i + 5];
    const r = ABSOLUTE;
    const dx = m[0] * bx + m[1] * by + m[2] * bz + m[3] - boxesA[i];
    if (Math.abs(dx + m[SHIFT]) > ax + m[r] * hx + m[r + 1] * hy + m[r + 2] * hz + m[REACH]) return false;
    const dy = m[4] * bx + m[5] * by + m[6] * bz + m[7] - boxesA[i + 1];
    if (Math.abs(dy + m[SHIFT + 1]) > ay + m[r + 3] * hx + m[r + 4] * hy + m[r + 5] * hz + m[REACH + 1]) return false;
    const dz = m[8] * bx + m[9] * by + m[10] * bz + m[11] - boxesA[i + 2];
    if (Math.abs(dz + m[SHIFT + 2]) > az + m[r + 6] * hx + m[r + 7] * hy + m[r + 8] * hz + m[REACH + 2]) return false;
    const u = m[0] * dx + m[4] * dy + m[8] * dz + m[SHIFT + 3];
    if (Math.abs(u) > hx + m[r] * ax + m[r + 3] * ay + m[r + 6] * az + m[REACH + 3]) return false;
    const v = m[1] * dx + m[5] * dy + m[9] * dz + m[SHIFT + 4];
    if (Math.abs(v) > hy + m[r + 1] * ax + m[r + 4] * ay + m[r + 7] * az + m[REACH + 4]) return false;
    const w = m[2] * dx + m[6] * dy + m[10] * dz + m[SHIFT + 5];
    return Math.abs(w) <= hz + m[r + 2] * ax + m[r + 5] * ay + m[r + 8] * az + m[REACH + 5];
  }
}

function sizeOf(boxes: Float64Array, node: number): number {
  const i = NODE_STRIDE * node;
  return boxes[i + 3] + boxes[i + 4] + boxes[i + 5];
}
