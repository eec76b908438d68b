// Whether the surfaces of two solids cross, decided exactly, from their trees of triangles. Two triangles that crossed are
// tried first the next time.

import { growTo } from '../core/grow-array.js';
import { trianglesMeet } from '../mesh/triangle/triangles-meet.js';
import type { ContactKernel } from './contact-kernel.js';
import { NearLeaves } from './near-leaves.js';
import { COORDINATE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';
import type { FeatureTree } from './shape/feature-tree.js';

/** Chosen: pairs of triangles that are found before they are tested: the first that crosses ends the search. */
const BATCH = 16;

/** Chosen: pairs of triangles that are kept: to test more takes longer than a search. */
const MAX_KEPT = 400;

/** Searches two solids for triangles that have a point in common. */
export class CrossingSearch {
  /** The last search proved that the surfaces are beyond its reach. */
  clear = false;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  readonly #treeA: FeatureTree;
  readonly #treeB: FeatureTree;
  readonly #kernel: ContactKernel | null;
  readonly #leaves: NearLeaves;
  /** The corners of a triangle of B in A's frame. */
  readonly #q = new Float64Array(9);
  /** The corners of a triangle of A, and the plane of one of B in A's frame. */
  readonly #p = new Float64Array(9);
  readonly #plane = new Float64Array(4);
  #rounding = 0;
  #lastA = -1;
  #lastB = -1;
  /** Pairs of triangles, of A and B in turn. */
  #kept = new Int32Array(32);
  #keptCount = 0;

  /** @param kernel makes the searches where it can. */
  constructor(
    a: ContactFeatures,
    treeA: FeatureTree,
    b: ContactFeatures,
    treeB: FeatureTree,
    kernel: ContactKernel | null = null,
  ) {
    this.#kernel = kernel;
    this.#leaves = new NearLeaves(kernel);
    this.#a = a;
    this.#b = b;
    this.#treeA = treeA;
    this.#treeB = treeB;
  }

  /** Forgets the triangles that crossed. */
  reset(): void {
    this.#lastA = -1;
  }

  /**
   * Whether two triangles have a point in common.
   * @param reach if no triangles are within it, on the way of B in A's frame if there is one, {@link clear} tells so. Negative
   * where some surely are.
   */
  find(bInA: Float64Array, reach = 0, way: Float64Array | null = null): boolean {
    this.clear = false;
    this.#setRounding(bInA);
    if (this.#lastA >= 0 && this.#cross(bInA, this.#lastA, this.#lastB)) return true;
    const leaves = this.#leaves;
    this.#lastA = -1;
    this.clear = reach >= 0 && this.#isClear(bInA, reach, way);
    if (this.clear) return false;
    // One pair within the reach is enough to know; only those whose boxes meet can cross.
    leaves.place(bInA, this.#rounding);
    leaves.begin(this.#treeA, this.#treeB, this.#a, this.#b, this.#rounding);
    // A few at a time: solids that overlap deeply have many pairs, and the first that crosses is enough.
    while (leaves.findMore(this.#treeA, this.#treeB, BATCH)) {
      for (let i = 0; i < 2 * leaves.count; i += 2) {
        if (!this.#cross(bInA, leaves.items[i], leaves.items[i + 1])) continue;
        this.#lastA = leaves.items[i];
        this.#lastB = leaves.items[i + 1];
        return true;
      }
    }
    return false;
  }

  /** Whether no triangles are within a reach of each other, anywhere on the way of B in A's frame. */
  isClear(bInA: Float64Array, reach: number, way: Float64Array): boolean {
    this.#setRounding(bInA);
    return this.#isClear(bInA, reach, way);
  }

  #isClear(bInA: Float64Array, reach: number, way: Float64Array | null): boolean {
    const leaves = this.#leaves;
    leaves.place(bInA, reach + this.#rounding, way);
    leaves.begin(this.#treeA, this.#treeB);
    return !leaves.findMore(this.#treeA, this.#treeB, 1);
  }

  #setRounding(m: Float64Array): void {
    const shift = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]);
    this.#rounding = COORDINATE_ROUNDING * (this.#a.magnitude + this.#b.magnitude + shift);
  }

  /**
   * Collects the pairs of triangles within a reach, for {@link crossesAmongKept} to test as long as no point has moved
   * farther. Returns false if they are too many.
   */
  keepWithin(bInA: Float64Array, reach: number): boolean {
    const leaves = this.#leaves;
    this.#setRounding(bInA);
    leaves.place(bInA, reach + this.#rounding);
    leaves.begin(this.#treeA, this.#treeB, this.#a, this.#b, reach);
    this.#keptCount = 0;
    while (leaves.findMore(this.#treeA, this.#treeB, BATCH)) {
      for (let i = 0; i < 2 * leaves.count; i += 2) {
        if (this.#areBeside(bInA, leaves.items[i], leaves.items[i + 1], reach)) continue;
        if (this.#keptCount === MAX_KEPT) return false;
        this.#kept = growTo(this.#kept, 2 * this.#keptCount + 2);
        this.#kept[2 * this.#keptCount] = leaves.items[i];
        this.#kept[2 * this.#keptCount++ + 1] = leaves.items[i + 1];
      }
    }
    return true;
  }

  /** Whether two triangles of those kept have a point in common. */
  crossesAmongKept(bInA: Float64Array): boolean {
    this.clear = false;
    this.#setRounding(bInA);
    let pairs = this.#kept;
    let count = this.#keptCount;
    const kernel = this.#kernel;
    if (kernel?.hasTriangles(this.#a, this.#b) === true) {
      count = kernel.dropBeside(bInA, pairs, count, this.#a, this.#b, this.#rounding);
      pairs = kernel.items;
    }
    for (let i = 0; i < 2 * count; i += 2) {
      if (!this.#cross(bInA, pairs[i], pairs[i + 1])) continue;
      this.#lastA = pairs[i];
      this.#lastB = pairs[i + 1];
      return true;
    }
    return false;
  }

  #cross(m: Float64Array, triangleA: number, triangleB: number): boolean {
    if (this.#areBeside(m, triangleA, triangleB, this.#rounding)) return false;
    const { positions, corners } = this.#a;
    const i = 3 * triangleA;
    return trianglesMeet(positions, 3 * corners[i], 3 * corners[i + 1], 3 * corners[i + 2], this.#q, 0, 3, 6);
  }

  /** Whether the plane of one of two triangles shows that they are farther apart than a distance. Places that of B. */
  #areBeside(m: Float64Array, triangleA: number, triangleB: number, distance: number): boolean {
    const q = this.#q;
    const { positions: positionsA, corners: cornersA } = this.#a;
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
    if (isBeside(this.#a.trianglePlanes, 4 * triangleA, q, distance)) return true;
    const p = this.#p;
    for (let k = 0; k < 3; k++) {
      const v = 3 * cornersA[3 * triangleA + k];
      p[3 * k] = positionsA[v];
      p[3 * k + 1] = positionsA[v + 1];
      p[3 * k + 2] = positionsA[v + 2];
    }
    // The plane of B's triangle in A's frame.
    const plane = this.#plane;
    const planes = this.#b.trianglePlanes;
    const x = planes[4 * triangleB];
    const y = planes[4 * triangleB + 1];
    const z = planes[4 * triangleB + 2];
    plane[0] = m[0] * x + m[1] * y + m[2] * z;
    plane[1] = m[4] * x + m[5] * y + m[6] * z;
    plane[2] = m[8] * x + m[9] * y + m[10] * z;
    plane[3] = planes[4 * triangleB + 3] + plane[0] * m[3] + plane[1] * m[7] + plane[2] * m[11];
    return isBeside(plane, 0, p, distance);
  }
}

/** Whether three points are on one side of a plane by more than a distance. */
function isBeside(planes: Float64Array, at: number, q: Float64Array, distance: number): boolean {
  const nx = planes[at];
  const ny = planes[at + 1];
  const nz = planes[at + 2];
  const offset = planes[at + 3];
  const first = nx * q[0] + ny * q[1] + nz * q[2] - offset;
  const second = nx * q[3] + ny * q[4] + nz * q[5] - offset;
  const third = nx * q[6] + ny * q[7] + nz * q[8] - offset;
  return (
    (first > distance && second > distance && third > distance) ||
    (first < -distance && second < -distance && third < -distance)
  );
}
