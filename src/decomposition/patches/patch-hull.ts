// The convex hull of a growing patch: an incremental hull that knows its vertices and which of its planes hold faces of
// the patch. It is weakly convex: every vertex of the patch is a vertex of it, and triangles may be coplanar, split along
// other diagonals than the mesh's. Exact throughout.
import { IncrementalHull } from '../../convex/hull/hull-incremental.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';

/** Marks, in the hull's tags, a triangle whose plane holds a face of the patch. */
const PATCH_PLANE = 0;

/** The hull of a patch of a mesh, reused from patch to patch. Half-edge 3f + k leaves corner k of hull triangle f. */
export class PatchHull {
  readonly hull: IncrementalHull;
  /** The vertices of the hull, in the order they came. */
  readonly vertices: number[] = [];
  /** A half-edge of the hull that leaves each of its vertices. */
  readonly #leaving: Int32Array;
  readonly #inHull: Int32Array;
  #epoch = 0;
  /** The first triangle that each insertion since the reset made. */
  readonly #firstCreated: number[] = [];

  constructor(positions: Float64Array) {
    this.hull = new IncrementalHull(positions);
    this.#leaving = new Int32Array(positions.length / 3);
    this.#inHull = new Int32Array(positions.length / 3);
  }

  /** True while all vertices lie in one plane: the hull is a polygon with two sides, triangles of even id in front. */
  get isFlat(): boolean {
    return this.hull.dimension === 2;
  }

  has(vertex: number): boolean {
    return this.#inHull[vertex] === this.#epoch;
  }

  /** Starts anew with one face of the mesh, the front of a flat hull. */
  reset(a: number, b: number, c: number): void {
    const { hull } = this;
    this.#epoch++;
    this.vertices.length = 0;
    this.#firstCreated.length = 0;
    hull.reset();
    for (const vertex of [a, b, c]) {
      hull.insert(vertex);
      this.#inHull[vertex] = this.#epoch;
      this.vertices.push(vertex);
    }
    for (let h = 0; h < 3; h++) this.#leaving[hull.corners[h]] = h;
    hull.tags[0] = PATCH_PLANE;
  }

  /**
   * Adds a vertex. False, with nothing changed, when it is inside the hull, or would cover a face of the patch (the
   * document's second criterion). `near` is a vertex of the hull to start looking from, or −1.
   */
  insert(vertex: number, near: number): boolean {
    const { hull } = this;
    const position = hull.insert(vertex, near < 0 ? -1 : this.#findSeen(vertex, near));
    if (position !== 'outside') {
      hull.undo();
      if (position === 'inside' || !hull.insertOnBoundary(vertex)) return false;
      this.#inheritPlanes();
      this.#keep(vertex);
      return true;
    }
    for (let i = 0; i < hull.removedCount; i++) {
      if (hull.tags[hull.removed[hull.removedStart + i]] === PATCH_PLANE) {
        hull.undo();
        return false;
      }
    }
    this.#keep(vertex);
    if (!this.#hasBuried()) return true;
    this.undo();
    return false;
  }

  #keep(vertex: number): void {
    const { hull } = this;
    this.#inHull[vertex] = this.#epoch;
    this.vertices.push(vertex);
    this.#firstCreated.push(hull.firstCreated);
    const start = 3 * hull.firstCreated;
    const end = start + 3 * hull.createdCount;
    for (let h = start; h < end; h++) this.#leaving[hull.corners[h]] = h;
  }

  /** Triangles split around a vertex in their plane hand on what is known of the plane. */
  #inheritPlanes(): void {
    const { hull } = this;
    for (let i = 0; i < hull.removedCount; i++) {
      const old = hull.removed[hull.removedStart + i];
      if (hull.tags[old] !== PATCH_PLANE) continue;
      for (let face = hull.firstCreated; face < hull.firstCreated + hull.createdCount; face++) {
        let isCoplanar = true;
        for (let h = 3 * old; h < 3 * old + 3 && isCoplanar; h++) isCoplanar = hull.sideOf(face, hull.corners[h]) === 0;
        // The back of a flat hull is in the same plane, but holds nothing of the patch.
        if (isCoplanar && (!this.isFlat || (face & 1) === 0)) hull.tags[face] = PATCH_PLANE;
      }
    }
  }

  /** Whether the last insertion took a vertex off the hull: one whose faces have yet to join may be covered. */
  #hasBuried(): boolean {
    const { hull } = this;
    const firstHalfEdge = 3 * hull.firstCreated;
    for (let i = 0; i < hull.removedCount; i++) {
      const face = hull.removed[hull.removedStart + i];
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        const vertex = hull.corners[h];
        if (this.#leaving[vertex] >= firstHalfEdge) continue;
        // Within a flat hull it still has the triangles of the front, when those of the back go.
        const leaving = this.#findLeaving(vertex);
        if (leaving < 0) return true;
        this.#leaving[vertex] = leaving;
      }
    }
    return false;
  }

  /** Takes the last insertion back. */
  undo(): void {
    const { hull } = this;
    this.#inHull[this.vertices.pop()!] = 0;
    hull.undo();
    // What the insertion removed is back; what it only leant on is found through it or through the rim it stood on.
    const first = this.#firstCreated.pop()!;
    for (const vertex of this.vertices) {
      if (this.#leaving[vertex] >= 3 * first) this.#leaving[vertex] = this.#findLeaving(vertex);
    }
  }

  #findLeaving(vertex: number): number {
    const { corners, faces, faceCount } = this.hull;
    for (let i = faceCount - 1; i >= 0; i--) {
      for (let h = 3 * faces[i]; h < 3 * faces[i] + 3; h++) if (corners[h] === vertex) return h;
    }
    return -1;
  }

  /** Marks the plane of the face a, b, c as one of the patch; false when the face does not lie on the hull. */
  claimPlane(a: number, b: number, c: number): boolean {
    const { hull } = this;
    if (this.isFlat) return true;
    return this.someFaceAround(a, (face) => {
      if (hull.sideOf(face, b) !== 0 || hull.sideOf(face, c) !== 0) return false;
      hull.tags[face] = PATCH_PLANE;
      return true;
    });
  }

  /** The hull triangle with the corners a, b, c in this order, or −1. */
  findFace(a: number, b: number, c: number): number {
    const { corners } = this.hull;
    let found = -1;
    this.someFaceAround(a, (face, h) => {
      if (corners[nextHalfEdge(h)] !== b || corners[previousHalfEdge(h)] !== c) return false;
      found = face;
      return true;
    });
    return found;
  }

  /** Positive when the vertex of the mesh lies outside the plane of a hull triangle. */
  sideOf(face: number, vertex: number): number {
    return this.hull.sideOf(face, vertex);
  }

  /** Calls back with each triangle round a vertex of the hull until the callback returns true; says whether it did. */
  someFaceAround(vertex: number, test: (face: number, halfEdge: number) => boolean): boolean {
    const start = this.#leaving[vertex];
    let halfEdge = start;
    do {
      if (test((halfEdge / 3) | 0, halfEdge)) return true;
      halfEdge = this.hull.twins[previousHalfEdge(halfEdge)];
    } while (halfEdge !== start);
    return false;
  }

  /** A triangle round the vertex `near` that the vertex sees, or −1. */
  #findSeen(vertex: number, near: number): number {
    let seen = -1;
    this.someFaceAround(near, (face) => {
      if (this.hull.sideOf(face, vertex) <= 0) return false;
      seen = face;
      return true;
    });
    return seen;
  }
}
