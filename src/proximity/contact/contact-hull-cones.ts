// Cones of normals around the patches below each hull of two hierarchies, and whether those of two hulls face each
// other: if not, there is no contact below the pair. Made once per hierarchy, O(triangles × depth).
import type { HullSurface } from '../hulls/hull-surface.js';
import { boundNormals, mayHoldMinimum } from './contact-cones.js';
import type { ContactSurface } from './contact-surface.js';

/** The cones of two hierarchies, their hulls and triangles, for one placement after another. */
export class HullCones {
  #placement: Float64Array = new Float64Array(12);
  #slack = 0;
  #hullsA: Float64Array = new Float64Array(0);
  #hullsB: Float64Array = new Float64Array(0);
  #trianglesA: Float64Array = new Float64Array(0);
  #trianglesB: Float64Array = new Float64Array(0);
  readonly #a: HullSurface;
  readonly #b: HullSurface;

  constructor(a: HullSurface, b: HullSurface) {
    this.#a = a;
    this.#b = b;
  }

  /** Begins a query. */
  place(placement: Float64Array, slack: number, [a, b]: readonly [ContactSurface, ContactSurface]): void {
    this.#placement = placement;
    this.#slack = slack;
    this.#hullsA = hullConesOf(this.#a, a);
    this.#hullsB = hullConesOf(this.#b, b);
    this.#trianglesA = a.cones;
    this.#trianglesB = b.cones;
  }

  /** Whether there may be a contact below two hulls. */
  hullsFace(nodeA: number, nodeB: number): boolean {
    return this.#face(this.#hullsA, this.#a.nodeSpheres, nodeA, this.#hullsB, this.#b.nodeSpheres, nodeB);
  }

  /** Keeps only the triangles that may have a contact with something below a hull of B; returns their number. */
  filterA(triangles: Uint32Array, count: number, nodeB: number): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const triangle = triangles[i];
      if (this.#face(this.#trianglesA, this.#a.triangleSpheres, triangle, this.#hullsB, this.#b.nodeSpheres, nodeB)) {
        triangles[kept++] = triangle;
      }
    }
    return kept;
  }

  /** As above, for triangles of B. */
  filterB(triangles: Uint32Array, count: number, nodeA: number): number {
    let kept = 0;
    for (let i = 0; i < count; i++) {
      const triangle = triangles[i];
      if (this.#face(this.#hullsA, this.#a.nodeSpheres, nodeA, this.#trianglesB, this.#b.triangleSpheres, triangle)) {
        triangles[kept++] = triangle;
      }
    }
    return kept;
  }

  #face(
    conesA: Float64Array,
    spheresA: Float64Array,
    a: number,
    conesB: Float64Array,
    spheresB: Float64Array,
    b: number,
  ): boolean {
    const m = this.#placement;
    const i = 4 * a;
    const j = 4 * b;
    const x = spheresB[j];
    const y = spheresB[j + 1];
    const z = spheresB[j + 2];
    const vx = m[0] * x + m[1] * y + m[2] * z + m[3] - spheresA[i];
    const vy = m[4] * x + m[5] * y + m[6] * z + m[7] - spheresA[i + 1];
    const vz = m[8] * x + m[9] * y + m[10] * z + m[11] - spheresA[i + 2];
    const radius = spheresA[i + 3] + spheresB[j + 3] + this.#slack;
    return mayHoldMinimum(conesA, a, conesB, b, m, vx, vy, vz, radius);
  }
}

function hullConesOf(hulls: HullSurface, surface: ContactSurface): Float64Array {
  return surface.nodeCones.of(hulls.hierarchy, () => buildHullCones(hulls, surface));
}

function buildHullCones({ hierarchy, patchStart, patchTriangles }: HullSurface, surface: ContactSurface): Float64Array {
  const { children } = hierarchy;
  // Triangles ordered so that those below a node are consecutive.
  const order = new Uint32Array(patchTriangles.length);
  const first = new Uint32Array(children.length / 2);
  const end = new Uint32Array(children.length / 2);
  let count = 0;
  const visit = (node: number): void => {
    first[node] = count;
    for (let i = patchStart[node]; i < patchStart[node + 1]; i++) order[count++] = patchTriangles[i];
    if (children[2 * node] >= 0) {
      visit(children[2 * node]);
      visit(children[2 * node + 1]);
    }
    end[node] = count;
  };
  visit(0);
  return boundNormals(surface, order, first, end);
}
