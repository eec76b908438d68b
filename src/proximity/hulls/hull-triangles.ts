// The triangles of two surfaces, with exact tests for common points, and distances. Vertices of B are placed in A's
// frame when the search needs them, each at most once per query. Spheres around the triangles rule out most pairs.

import { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import { trianglesMeet } from '../../mesh/triangle/triangles-meet.js';
import type { HullSurface } from './hull-surface.js';

/** Tests and measures pairs of triangles for one placement after another. */
export class HullTriangles {
  /** The last measurement. */
  readonly distance = new TriangleDistance();
  /** Pairs tested or measured since {@link place}. */
  count = 0;
  /** The triangles found by {@link gather}. */
  readonly nearA: Uint32Array;
  readonly nearB: Uint32Array;
  countA = 0;
  countB = 0;
  readonly #placement = new Float64Array(12);
  readonly #placed: Float64Array;
  /** The last placement for which each vertex of B was placed. */
  readonly #placedAt: Uint32Array;
  #current = 0;
  readonly #a: HullSurface;
  readonly #b: HullSurface;

  constructor(a: HullSurface, b: HullSurface) {
    this.#a = a;
    this.#b = b;
    const { positions } = b.hierarchy.mesh;
    this.#placed = new Float64Array(positions.length);
    this.#placedAt = new Uint32Array(positions.length / 3);
    this.nearA = new Uint32Array(largestPatch(a));
    this.nearB = new Uint32Array(largestPatch(b));
  }

  get bytes(): number {
    return this.#placed.byteLength + this.#placedAt.byteLength + this.nearA.byteLength + this.nearB.byteLength;
  }

  /** Begins a query. */
  place(placement: Float64Array): void {
    this.#placement.set(placement);
    this.#current = (this.#current + 1) >>> 0;
    if (this.#current === 0) {
      this.#placedAt.fill(0);
      this.#current = 1;
    }
    this.count = 0;
  }

  /** Finds the triangles of two pieces that may be within `limit` of the other piece: O(triangles), not O(pairs). */
  gather(nodeA: number, nodeB: number, limit: number): void {
    const a = this.#a;
    const b = this.#b;
    this.countA = 0;
    this.countB = 0;
    for (let i = a.patchStart[nodeA]; i < a.patchStart[nodeA + 1]; i++) {
      const triangle = a.patchTriangles[i];
      if (this.#spheresApart(a.triangleSpheres, 4 * triangle, b.nodeSpheres, 4 * nodeB, limit)) continue;
      this.nearA[this.countA++] = triangle;
    }
    if (this.countA === 0) return;
    for (let j = b.patchStart[nodeB]; j < b.patchStart[nodeB + 1]; j++) {
      const triangle = b.patchTriangles[j];
      if (this.#spheresApart(a.nodeSpheres, 4 * nodeA, b.triangleSpheres, 4 * triangle, limit)) continue;
      this.nearB[this.countB++] = triangle;
    }
  }

  /** Whether the spheres around two triangles are farther apart than `limit`. */
  areApart(triangleA: number, triangleB: number, limit: number): boolean {
    return this.#spheresApart(this.#a.triangleSpheres, 4 * triangleA, this.#b.triangleSpheres, 4 * triangleB, limit);
  }

  #spheresApart(sphereA: Float64Array, i: number, sphereB: Float64Array, j: number, limit: number): boolean {
    const m = this.#placement;
    const x = sphereB[j];
    const y = sphereB[j + 1];
    const z = sphereB[j + 2];
    const dx = m[0] * x + m[1] * y + m[2] * z + m[3] - sphereA[i];
    const dy = m[4] * x + m[5] * y + m[6] * z + m[7] - sphereA[i + 1];
    const dz = m[8] * x + m[9] * y + m[10] * z + m[11] - sphereA[i + 2];
    const reach = sphereA[i + 3] + sphereB[j + 3] + limit;
    return dx * dx + dy * dy + dz * dz > reach * reach;
  }

  /** Whether two triangles share a point; exact for the rounded, placed corners of B. */
  cross(triangleA: number, triangleB: number): boolean {
    const { indices, positions } = this.#a.hierarchy.mesh;
    const other = this.#b.hierarchy.mesh.indices;
    const i = 3 * triangleA;
    const j = 3 * triangleB;
    this.count++;
    return trianglesMeet(
      positions,
      3 * indices[i],
      3 * indices[i + 1],
      3 * indices[i + 2],
      this.#placed,
      this.#placeVertex(other[j]),
      this.#placeVertex(other[j + 1]),
      this.#placeVertex(other[j + 2]),
    );
  }

  /** The distance of two triangles, 0 exactly if they share a point; {@link distance} has the details. */
  measure(triangleA: number, triangleB: number): number {
    const { indices, positions } = this.#a.hierarchy.mesh;
    const other = this.#b.hierarchy.mesh.indices;
    const i = 3 * triangleA;
    const j = 3 * triangleB;
    this.count++;
    const squared = this.distance.measure(
      positions,
      3 * indices[i],
      3 * indices[i + 1],
      3 * indices[i + 2],
      this.#placed,
      this.#placeVertex(other[j]),
      this.#placeVertex(other[j + 1]),
      this.#placeVertex(other[j + 2]),
    );
    return Math.sqrt(squared);
  }

  /** The index of the coordinates of a vertex of B in A's frame. */
  #placeVertex(vertex: number): number {
    const at = 3 * vertex;
    if (this.#placedAt[vertex] === this.#current) return at;
    this.#placedAt[vertex] = this.#current;
    const { positions } = this.#b.hierarchy.mesh;
    const m = this.#placement;
    const placed = this.#placed;
    const x = positions[at];
    const y = positions[at + 1];
    const z = positions[at + 2];
    placed[at] = m[0] * x + m[1] * y + m[2] * z + m[3];
    placed[at + 1] = m[4] * x + m[5] * y + m[6] * z + m[7];
    placed[at + 2] = m[8] * x + m[9] * y + m[10] * z + m[11];
    return at;
  }
}

function largestPatch({ patchStart }: HullSurface): number {
  let largest = 0;
  for (let node = 0; node + 1 < patchStart.length; node++) {
    largest = Math.max(largest, patchStart[node + 1] - patchStart[node]);
  }
  return largest;
}
