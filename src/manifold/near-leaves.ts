// The pairs of leaves of two trees whose boxes are within a reach of each other, along the six directions of their faces.
// Both trees have boxes along the axes of their own frames, so a pair of boxes costs some thirty multiplications.
import { growTo } from '../core/grow-array.js';
import { type FeatureTree, NODE_STRIDE } from './shape/feature-tree.js';

/** Collects pairs of items of two trees, for any two trees of two shapes at one placement. */
export class NearLeaves {
  /** The items found, of A and of B in turn. */
  items = new Int32Array(64);
  count = 0;
  /** Pairs of boxes tested since the placement was set. */
  tests = 0;
  readonly #m = new Float64Array(12);
  /** The absolute values of the rotation, by rows. */
  readonly #absolute = new Float64Array(9);
  /** By how much boxes may be apart along the axes of A, and of B; and half of the way that B moves, in both frames. */
  readonly #reach = new Float64Array(6);
  readonly #shift = new Float64Array(6);
  /** Pairs of nodes still to be searched. */
  #stack = new Int32Array(128);
  #top = 0;

  /**
   * Sets where B is in A's frame, and how far apart boxes may be.
   * @param way boxes count as near if they are within the reach anywhere on this way of B, in A's frame.
   */
  place(bInA: Float64Array, reach: number, way: Float64Array | null = null): void {
    this.#m.set(bInA);
    this.tests = 0;
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) this.#absolute[3 * row + k] = Math.abs(bInA[4 * row + k]);
    }
    this.#reach.fill(reach);
    this.#shift.fill(0);
    if (way === null) return;
    for (let k = 0; k < 3; k++) {
      const along = way[0] * bInA[k] + way[1] * bInA[4 + k] + way[2] * bInA[8 + k];
      this.#shift[k] = way[k] / 2;
      this.#shift[3 + k] = along / 2;
      this.#reach[k] += Math.abs(way[k]) / 2;
      this.#reach[3 + k] += Math.abs(along) / 2;
    }
  }

  /** Finds all pairs of items of two trees. */
  find(treeA: FeatureTree, treeB: FeatureTree): void {
    this.begin(treeA, treeB);
    this.findMore(treeA, treeB, Infinity);
  }

  /** Begins to find pairs of items of two trees. */
  begin(treeA: FeatureTree, treeB: FeatureTree): void {
    this.count = 0;
    this.#top = 0;
    if (treeA.links.length === 0 || treeB.links.length === 0) return;
    if (!this.#isNear(treeA.boxes, 0, treeB.boxes, 0)) return;
    this.#stack[0] = 0;
    this.#stack[1] = 0;
    this.#top = 2;
  }

  /** Finds some more pairs, which replace those found before; returns false at the end. */
  findMore(treeA: FeatureTree, treeB: FeatureTree, most: number): boolean {
    const { links: linksA, boxes: boxesA } = treeA;
    const { links: linksB, boxes: boxesB } = treeB;
    let stack = this.#stack;
    let top = this.#top;
    this.count = 0;
    while (top > 0 && this.count < most) {
      const nodeB = stack[--top];
      const nodeA = stack[--top];
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if (linkA < 0 && linkB < 0) {
        if (2 * this.count + 2 > this.items.length) this.items = growTo(this.items, 2 * this.count + 2);
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
    const m = this.#m;
    const r = this.#absolute;
    const reach = this.#reach;
    const shift = this.#shift;
    const i = NODE_STRIDE * nodeA;
    const j = NODE_STRIDE * nodeB;
    this.tests++;
    const bx = boxesB[j];
    const by = boxesB[j + 1];
    const bz = boxesB[j + 2];
    const hx = boxesB[j + 3];
    const hy = boxesB[j + 4];
    const hz = boxesB[j + 5];
    const ax = boxesA[i + 3];
    const ay = boxesA[i + 4];
    const az = boxesA[i + 5];
    const dx = m[0] * bx + m[1] * by + m[2] * bz + m[3] - boxesA[i];
    if (Math.abs(dx + shift[0]) > ax + r[0] * hx + r[1] * hy + r[2] * hz + reach[0]) return false;
    const dy = m[4] * bx + m[5] * by + m[6] * bz + m[7] - boxesA[i + 1];
    if (Math.abs(dy + shift[1]) > ay + r[3] * hx + r[4] * hy + r[5] * hz + reach[1]) return false;
    const dz = m[8] * bx + m[9] * by + m[10] * bz + m[11] - boxesA[i + 2];
    if (Math.abs(dz + shift[2]) > az + r[6] * hx + r[7] * hy + r[8] * hz + reach[2]) return false;
    const u = m[0] * dx + m[4] * dy + m[8] * dz + shift[3];
    if (Math.abs(u) > hx + r[0] * ax + r[3] * ay + r[6] * az + reach[3]) return false;
    const v = m[1] * dx + m[5] * dy + m[9] * dz + shift[4];
    if (Math.abs(v) > hy + r[1] * ax + r[4] * ay + r[7] * az + reach[4]) return false;
    const w = m[2] * dx + m[6] * dy + m[10] * dz + shift[5];
    return Math.abs(w) <= hz + r[2] * ax + r[5] * ay + r[8] * az + reach[5];
  }
}

function sizeOf(boxes: Float64Array, node: number): number {
  const i = NODE_STRIDE * node;
  return boxes[i + 3] + boxes[i + 4] + boxes[i + 5];
}
