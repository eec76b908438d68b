// The pairs of features of two solids that may touch within a reach, and whether the surfaces cross, from their trees.
// Both trees have boxes along the axes of their own frames, so a pair of boxes costs some forty multiplications.
import { growTo } from '../../core/grow-array.js';
import { trianglesMeet } from '../../proximity/triangle/triangles-meet.js';
import type { ContactFeatures } from '../shape/contact-features.js';
import { type FeatureTree, NODE_STRIDE } from '../shape/feature-tree.js';
import { EDGE_EDGE, EDGE_VERTEX, FACE_VERTEX, VERTEX_EDGE, VERTEX_FACE, VERTEX_VERTEX } from './feature-pairs.js';

/** Rounding of a bound, as a share of the largest coordinate in it. */
const ROUNDING = 1e-14;

/** Searches two solids for pairs of features. */
export class CandidateSearch {
  /** Kind, feature of A, feature of B of each pair found: three numbers each, as `FeaturePairs.measure` takes them. */
  pairs = new Int32Array(3 * 32);
  count = 0;
  /** The triangles that crossed in the last search for a crossing, −1 for none. */
  crossedA = -1;
  crossedB = -1;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  readonly #treeA: FeatureTree;
  readonly #treeB: FeatureTree;
  readonly #m = new Float64Array(12);
  readonly #absolute = new Float64Array(9);
  #reach = 0;
  #stack = new Int32Array(256);
  /** The corners of a triangle of B in A's frame. */
  readonly #q = new Float64Array(9);

  constructor(a: ContactFeatures, treeA: FeatureTree, b: ContactFeatures, treeB: FeatureTree) {
    this.#a = a;
    this.#b = b;
    this.#treeA = treeA;
    this.#treeB = treeB;
  }

  /** Collects the pairs of features that are within the reach of each other, and some more. */
  findPairs(bInA: Float64Array, reach: number): void {
    this.count = 0;
    this.#place(bInA, reach);
    this.#traverse(false);
  }

  /** Whether two triangles have a point in common, decided exactly. */
  findCrossing(bInA: Float64Array): boolean {
    this.#place(bInA, 0);
    if (this.crossedA >= 0 && this.#cross(this.crossedA, this.crossedB)) return true;
    this.crossedA = -1;
    this.crossedB = -1;
    return this.#traverse(true);
  }

  #place(bInA: Float64Array, reach: number): void {
    const m = this.#m;
    m.set(bInA);
    const shift = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]);
    this.#reach = reach + ROUNDING * (this.#a.magnitude + this.#b.magnitude + shift);
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) this.#absolute[3 * row + k] = Math.abs(m[4 * row + k]);
    }
  }

  #traverse(crossing: boolean): boolean {
    const linksA = this.#treeA.links;
    const linksB = this.#treeB.links;
    let top = 0;
    if (!this.#isNear(0, 0)) return false;
    this.#stack[top++] = 0;
    this.#stack[top++] = 0;
    while (top > 0) {
      const nodeB = this.#stack[--top];
      const nodeA = this.#stack[--top];
      const linkA = linksA[nodeA];
      const linkB = linksB[nodeB];
      if (linkA < 0 && linkB < 0) {
        if (!crossing) this.#collect(~linkA, ~linkB);
        else if (this.#cross(~linkA, ~linkB)) return true;
        continue;
      }
      this.#stack = growTo(this.#stack, top + 4);
      const splitsA = linkB < 0 || (linkA >= 0 && this.#sizeA(nodeA) >= this.#sizeB(nodeB));
      for (let child = 1; child >= 0; child--) {
        const childA = splitsA ? linkA + child : nodeA;
        const childB = splitsA ? nodeB : linkB + child;
        if (!this.#isNear(childA, childB)) continue;
        this.#stack[top++] = childA;
        this.#stack[top++] = childB;
      }
    }
    return false;
  }

  #sizeA(node: number): number {
    const { boxes } = this.#treeA;
    const i = NODE_STRIDE * node;
    return boxes[i + 3] + boxes[i + 4] + boxes[i + 5];
  }

  #sizeB(node: number): number {
    const { boxes } = this.#treeB;
    const i = NODE_STRIDE * node;
    return boxes[i + 3] + boxes[i + 4] + boxes[i + 5];
  }

  /** Whether two boxes may be within the reach: false if one of the six directions of their faces shows that they are not. */
  #isNear(nodeA: number, nodeB: number): boolean {
    const m = this.#m;
    const r = this.#absolute;
    const reach = this.#reach;
    const boxesA = this.#treeA.boxes;
    const boxesB = this.#treeB.boxes;
    const i = NODE_STRIDE * nodeA;
    const j = NODE_STRIDE * nodeB;
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
    if (Math.abs(dx) > ax + r[0] * hx + r[1] * hy + r[2] * hz + reach) return false;
    const dy = m[4] * bx + m[5] * by + m[6] * bz + m[7] - boxesA[i + 1];
    if (Math.abs(dy) > ay + r[3] * hx + r[4] * hy + r[5] * hz + reach) return false;
    const dz = m[8] * bx + m[9] * by + m[10] * bz + m[11] - boxesA[i + 2];
    if (Math.abs(dz) > az + r[6] * hx + r[7] * hy + r[8] * hz + reach) return false;
    if (Math.abs(m[0] * dx + m[4] * dy + m[8] * dz) > hx + r[0] * ax + r[3] * ay + r[6] * az + reach) return false;
    if (Math.abs(m[1] * dx + m[5] * dy + m[9] * dz) > hy + r[1] * ax + r[4] * ay + r[7] * az + reach) return false;
    return Math.abs(m[2] * dx + m[6] * dy + m[10] * dz) <= hz + r[2] * ax + r[5] * ay + r[8] * az + reach;
  }

  /** All pairs of a feature that the one triangle owns, or its face, with a feature that the other owns. */
  #collect(triangleA: number, triangleB: number): void {
    const { ownVertices: verticesA, ownEdges: edgesA } = this.#a;
    const { ownVertices: verticesB, ownEdges: edgesB } = this.#b;
    for (let k = 3 * triangleB; k < 3 * triangleB + 3; k++) {
      const v = verticesB[k];
      if (v < 0) continue;
      this.#add(FACE_VERTEX, triangleA, v);
      for (let i = 3 * triangleA; i < 3 * triangleA + 3; i++) {
        if (edgesA[i] >= 0) this.#add(EDGE_VERTEX, edgesA[i], v);
        if (verticesA[i] >= 0) this.#add(VERTEX_VERTEX, verticesA[i], v);
      }
    }
    for (let i = 3 * triangleA; i < 3 * triangleA + 3; i++) {
      if (verticesA[i] >= 0) {
        this.#add(VERTEX_FACE, verticesA[i], triangleB);
        for (let k = 3 * triangleB; k < 3 * triangleB + 3; k++) {
          if (edgesB[k] >= 0) this.#add(VERTEX_EDGE, verticesA[i], edgesB[k]);
        }
      }
      if (edgesA[i] < 0) continue;
      for (let k = 3 * triangleB; k < 3 * triangleB + 3; k++) {
        if (edgesB[k] >= 0) this.#add(EDGE_EDGE, edgesA[i], edgesB[k]);
      }
    }
  }

  #add(kind: number, featureA: number, featureB: number): void {
    const at = 3 * this.count++;
    this.pairs = growTo(this.pairs, at + 3);
    this.pairs[at] = kind;
    this.pairs[at + 1] = featureA;
    this.pairs[at + 2] = featureB;
  }

  #cross(triangleA: number, triangleB: number): boolean {
    const m = this.#m;
    const q = this.#q;
    const { positions: p, corners: cornersA } = this.#a;
    const { positions, corners } = this.#b;
    for (let k = 0; k < 3; k++) {
      const v = 3 * corners[3 * triangleB + k];
      const x = positions[v];
      const y = positions[v + 1];
      const z = positions[v + 2];
      q[3 * k] = m[0] * x + m[1] * y + m[2] * z + m[3];
      q[3 * k + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
      q[3 * k + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    }
    const i = 3 * triangleA;
    if (!trianglesMeet(p, 3 * cornersA[i], 3 * cornersA[i + 1], 3 * cornersA[i + 2], q, 0, 3, 6)) return false;
    this.crossedA = triangleA;
    this.crossedB = triangleB;
    return true;
  }
}
