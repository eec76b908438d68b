// Faces of a surface, connected or not, that always form a valid patch: all on the boundary of their hull, which meets
// the surface nowhere else. Every addition checks the criteria of Ehmann and Lin 2001, section 4, exactly for the whole
// group: pairwise compatibility does not imply them. An addition costs O(group + hull × faces near what it adds).
import { IncrementalHull } from '../../convex/hull/hull-incremental.js';
import { exactSideOf } from '../../core/exact/points.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { overlapVisitor } from '../../spatial/overlap-visitor.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { type BoxVisitor, traverseBvh } from '../../spatial/traverse-bvh.js';
import type { Surface } from '../surface/surface.js';
import { WorkLimit } from '../work-limit.js';
import { isClearOfHull } from './hull-contact.js';

/** A growing patch on a surface; memory is reused from group to group. */
export class FaceGroup {
  readonly surface: Surface;
  /** The hull of the group: every vertex of the group is one of its corners; coplanar triangles are not merged. */
  readonly hull: IncrementalHull;
  /** Vertices tried, and triangles tested for the third criterion. */
  insertions = 0;
  trianglesTested = 0;

  readonly #faces: number[] = [];
  readonly #vertices: number[] = [];
  readonly #inGroup: Int32Array;
  readonly #hasVertex: Int32Array;
  #epoch = 0;
  readonly #box = new Float64Array(6);
  readonly #stack = new TraversalStack();
  readonly #visitor: BoxVisitor;
  #isBlocked = false;

  constructor(
    surface: Surface,
    readonly limit = WorkLimit.none(),
  ) {
    this.surface = surface;
    this.hull = new IncrementalHull(surface.mesh.positions);
    this.#inGroup = new Int32Array(surface.faceCount);
    this.#hasVertex = new Int32Array(surface.mesh.positions.length / 3);
    this.#visitor = overlapVisitor(this.#box, (face) => {
      if (this.#inGroup[face] === this.#epoch) return false;
      this.trianglesTested++;
      this.#isBlocked = !this.#isClear(face);
      return this.#isBlocked;
    });
  }

  /** The faces of the group, in the order they joined. */
  get faces(): readonly number[] {
    return this.#faces;
  }

  /** The vertices of the group, in the order they joined. */
  get vertices(): readonly number[] {
    return this.#vertices;
  }

  has(face: number): boolean {
    return this.#inGroup[face] === this.#epoch;
  }

  /** Restarts with one face, which is always a valid patch. */
  reset(face: number): void {
    this.#epoch++;
    this.#faces.length = this.#vertices.length = 0;
    this.hull.reset();
    this.#join(face);
    const { indices } = this.surface.mesh;
    for (let h = 3 * face; h < 3 * face + 3; h++) this.#enter(indices[h]);
  }

  /**
   * Adds faces together, and with them every face whose corners the group then has; all must be free. Returns false,
   * with nothing changed, if the group would no longer be a valid patch.
   */
  tryAdd(faces: readonly number[], isFree: (face: number) => boolean): boolean {
    const { indices } = this.surface.mesh;
    const faceCount = this.#faces.length;
    const vertexCount = this.#vertices.length;
    const box = this.#box;
    box.fill(Infinity, 0, 3);
    box.fill(-Infinity, 3, 6);
    let valid = true;
    for (let i = 0; valid && i < faces.length; i++) {
      if (this.has(faces[i])) continue;
      valid = this.#isConvexWith(faces[i]);
      if (!valid) break;
      this.#join(faces[i]);
      for (let h = 3 * faces[i]; valid && h < 3 * faces[i] + 3; h++) {
        if (this.#hasVertex[indices[h]] !== this.#epoch) valid = this.#enter(indices[h]);
      }
    }
    valid = valid && this.#close(vertexCount, isFree);
    if (valid && this.#vertices.length > vertexCount) {
      this.#isBlocked = false;
      traverseBvh(this.surface.bvh, this.#visitor, this.#stack);
      valid = !this.#isBlocked;
    }
    if (valid) return this.#faces.length > faceCount;
    while (this.#faces.length > faceCount) this.#inGroup[this.#faces.pop()!] = this.#epoch - 1;
    while (this.#vertices.length > vertexCount) {
      this.#hasVertex[this.#vertices.pop()!] = this.#epoch - 1;
      this.hull.undo();
    }
    return false;
  }

  #join(face: number): void {
    this.#inGroup[face] = this.#epoch;
    this.#faces.push(face);
  }

  /** Adds a vertex to the hull, and extends the box by the new part of the hull. False if it lies inside. */
  #enter(vertex: number): boolean {
    const { hull } = this;
    this.insertions++;
    this.limit.spend(1 + hull.faceCount / 4);
    if (hull.insert(vertex) !== 'outside') {
      hull.undo();
      // Of faces added together, one may have a corner within a facet of the others' hull.
      if (!hull.insertOnBoundary(vertex)) return false;
    }
    this.#hasVertex[vertex] = this.#epoch;
    this.#vertices.push(vertex);
    this.#include(vertex);
    const { corners } = hull;
    for (let i = 0; i < hull.removedCount; i++) {
      const h = 3 * hull.removed[hull.removedStart + i];
      for (let k = 0; k < 3; k++) this.#include(corners[h + k]);
    }
    for (let h = 3 * hull.firstCreated; h < 3 * (hull.firstCreated + hull.createdCount); h++) this.#include(corners[h]);
    return true;
  }

  #include(vertex: number): void {
    const { positions } = this.surface.mesh;
    const box = this.#box;
    for (let axis = 0; axis < 3; axis++) {
      const x = positions[3 * vertex + axis];
      if (x < box[axis]) box[axis] = x;
      if (x > box[axis + 3]) box[axis + 3] = x;
    }
  }

  /** Whether no vertex of the group is outside the face's plane and no corner of the face outside a group face's plane. */
  #isConvexWith(face: number): boolean {
    const { indices, positions } = this.surface.mesh;
    this.limit.spend(this.#vertices.length + this.#faces.length);
    const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
    for (const vertex of this.#vertices) if (exactSideOf(positions, a, b, c, vertex) > 0) return false;
    for (let k = 0; k < 3; k++) {
      const vertex = indices[3 * face + k];
      if (this.#hasVertex[vertex] === this.#epoch) continue;
      for (const other of this.#faces) {
        const [p, q, r] = [indices[3 * other], indices[3 * other + 1], indices[3 * other + 2]];
        if (exactSideOf(positions, p, q, r, vertex) > 0) return false;
      }
    }
    return true;
  }

  /** Adds the faces with all corners in the group: their whole area lies in the hull. False if one cannot join. */
  #close(firstVertex: number, isFree: (face: number) => boolean): boolean {
    const { mesh, vertexFaceStart, vertexFaces } = this.surface;
    for (let v = firstVertex; v < this.#vertices.length; v++) {
      const vertex = this.#vertices[v];
      for (let i = vertexFaceStart[vertex]; i < vertexFaceStart[vertex + 1]; i++) {
        const face = vertexFaces[i];
        if (this.has(face)) continue;
        let shared = 0;
        for (let h = 3 * face; h < 3 * face + 3; h++) if (this.#hasVertex[mesh.indices[h]] === this.#epoch) shared++;
        if (shared < 3) continue;
        if (!isFree(face) || !this.#isConvexWith(face)) return false;
        this.#join(face);
      }
    }
    return true;
  }

  /** The third criterion for one face outside the group. */
  #isClear(face: number): boolean {
    const { indices } = this.surface.mesh;
    let shared = 0;
    let inside = 3 * face;
    let outside = 3 * face;
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      if (this.#hasVertex[indices[h]] === this.#epoch) {
        shared++;
        inside = h;
      } else outside = h;
    }
    if (shared === 3) return false;
    const first = shared === 2 ? nextHalfEdge(outside) : inside;
    if (shared === 2) {
      // The edge of the two lies in the hull: the group must have it.
      const across = this.surface.adjacency.twin[first];
      if (across < 0 || !this.has(Math.floor(across / 3))) return false;
    }
    const [a, b, c] = [indices[first], indices[nextHalfEdge(first)], indices[previousHalfEdge(first)]];
    this.limit.spend(this.hull.faceCount);
    return isClearOfHull(this.hull, shared, a, b, c);
  }
}
