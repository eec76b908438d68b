// The convex hull of a growing patch: an incremental hull that tracks its vertices and which of its planes contain
// faces of the patch. It is weakly convex: every vertex of the patch is one of its vertices, and triangles may be
// coplanar, split along other diagonals than the mesh's. Everything is exact.
import { brokenWalk } from '../../convex/hull/broken-walk.js';
import { IncrementalHull } from '../../convex/hull/hull-incremental.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';

/** Label: the mark, in the hull's tags, of a triangle whose plane contains a face of the patch. */
const PATCH_PLANE = 0;

/**
 * Chosen: the support is thinned when it has this many vertices beyond twice those left the last time; those within
 * facets and edges are dropped.
 */
const THIN_AT = 64;

/** The hull of a patch of a mesh, reused from patch to patch. Half-edge 3f + k leaves corner k of hull triangle f. */
export class PatchHull {
  readonly hull: IncrementalHull;
  /** The vertices of the hull, in the order they were added. */
  readonly vertices: number[] = [];
  /** A number for each of them that no other insertion has or had, in ascending order. */
  readonly serials: number[] = [];
  /** The serial number of the first vertex since the last reset, and of the last one of all. */
  firstSerial = 0;
  lastSerial = -1;
  /** A half-edge of the hull that leaves each of its vertices. */
  readonly #leaving: Int32Array;
  readonly #inHull: Int32Array;
  #epoch = 0;
  /** Vertices that have the same hull as all. */
  support: number[] = [];
  /** Supports before they were thinned out, and how many vertices there were then. */
  readonly #supportsBefore: number[][] = [];
  readonly #thinnedAt: number[] = [];
  #supportLimit = THIN_AT;
  /** Vertices with their earlier values of `#leaving`, and where in this list each insertion since the reset began. */
  readonly #journal: number[] = [];
  readonly #journalStarts: number[] = [];

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

  /** Restarts with one face of the mesh, the front of a flat hull. */
  reset(a: number, b: number, c: number): void {
    const { hull } = this;
    this.#epoch++;
    this.vertices.length = this.serials.length = 0;
    this.firstSerial = this.lastSerial + 1;
    this.support = [a, b, c];
    this.#supportsBefore.length = this.#thinnedAt.length = 0;
    this.#supportLimit = THIN_AT;
    this.#journal.length = this.#journalStarts.length = 0;
    hull.reset();
    for (const vertex of [a, b, c]) {
      hull.insert(vertex);
      this.#inHull[vertex] = this.#epoch;
      this.vertices.push(vertex);
      this.serials.push(++this.lastSerial);
    }
    for (let h = 0; h < 3; h++) this.#leaving[hull.corners[h]] = h;
    hull.tags[0] = PATCH_PLANE;
  }

  /**
   * Adds a vertex. False, with nothing changed, if it is inside the hull, or would cover a face of the patch (the
   * second criterion of Ehmann and Lin 2001, section 4.1). `near` is a vertex of the hull to start looking from, or −1.
   */
  insert(vertex: number, near: number): boolean {
    const { hull } = this;
    const wasFlat = this.isFlat;
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
    if (!this.#hasBuried(wasFlat)) return true;
    this.undo();
    return false;
  }

  #keep(vertex: number): void {
    const { hull } = this;
    this.#inHull[vertex] = this.#epoch;
    this.vertices.push(vertex);
    this.serials.push(++this.lastSerial);
    this.#journalStarts.push(this.#journal.length);
    const start = 3 * hull.firstCreated;
    const end = start + 3 * hull.createdCount;
    for (let h = start; h < end; h++) this.#setLeaving(hull.corners[h], h);
    this.support.push(vertex);
  }

  /** Drops vertices within facets and edges from the support when it has grown: of flat regions few are left. */
  thinSupport(): void {
    if (this.support.length < this.#supportLimit) return;
    const left = this.support.filter((vertex) => this.#isExtreme(vertex));
    this.#supportsBefore.push(this.support);
    this.#thinnedAt.push(this.vertices.length);
    this.support = left;
    this.#supportLimit = 2 * left.length + THIN_AT;
  }

  /** Whether three facets meet at a vertex; of a flat hull, whether it is on the rim. */
  #isExtreme(vertex: number): boolean {
    const { hull } = this;
    const least = this.isFlat ? 1 : 3;
    let edges = 0;
    return this.someFaceAround(vertex, (_, h) => {
      if (!hull.isFlatEdge(h)) edges++;
      return edges === least;
    });
  }

  #setLeaving(vertex: number, halfEdge: number): void {
    this.#journal.push(vertex, this.#leaving[vertex]);
    this.#leaving[vertex] = halfEdge;
  }

  /** Triangles split around a vertex in their plane inherit the tag of the plane. */
  #inheritPlanes(): void {
    const { hull } = this;
    for (let i = 0; i < hull.removedCount; i++) {
      const old = hull.removed[hull.removedStart + i];
      if (hull.tags[old] !== PATCH_PLANE) continue;
      for (let face = hull.firstCreated; face < hull.firstCreated + hull.createdCount; face++) {
        let isCoplanar = true;
        for (let h = 3 * old; h < 3 * old + 3 && isCoplanar; h++) isCoplanar = hull.sideOf(face, hull.corners[h]) === 0;
        // The back of a flat hull is in the same plane, but contains nothing of the patch.
        if (isCoplanar && (!this.isFlat || (face & 1) === 0)) hull.tags[face] = PATCH_PLANE;
      }
    }
  }

  /**
   * Whether the last insertion removed a vertex from the hull: one whose faces have yet to join may be covered. The rim
   * of the removed part has new triangles; a vertex within has none left, except on the other side of a flat hull.
   */
  #hasBuried(wasFlat: boolean): boolean {
    const { hull } = this;
    const firstHalfEdge = 3 * hull.firstCreated;
    for (let i = 0; i < hull.removedCount; i++) {
      const face = hull.removed[hull.removedStart + i];
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        const vertex = hull.corners[h];
        if (this.#leaving[vertex] >= firstHalfEdge) continue;
        if (!wasFlat) return true;
        // The other side of a triangle has the same corners, and an id that differs in the last bit.
        let across = 3 * (face ^ 1);
        while (hull.corners[across] !== vertex) across++;
        this.#setLeaving(vertex, across);
      }
    }
    return false;
  }

  /** Undoes the last insertion. */
  undo(): void {
    const { hull } = this;
    this.#inHull[this.vertices.pop()!] = 0;
    this.serials.pop();
    if (this.#thinnedAt.at(-1)! > this.vertices.length) {
      this.#thinnedAt.pop();
      this.support = this.#supportsBefore.pop()!;
    }
    this.support.pop();
    hull.undo();
    // The hull is as it was, and so is what leaves each vertex.
    const journal = this.#journal;
    const start = this.#journalStarts.pop()!;
    for (let i = journal.length - 2; i >= start; i -= 2) this.#leaving[journal[i]] = journal[i + 1];
    journal.length = start;
  }

  /** Marks the plane of the face a, b, c as one of the patch; false if the face does not lie on the hull. */
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

  /** Positive if the vertex of the mesh lies outside the plane of a hull triangle. */
  sideOf(face: number, vertex: number): number {
    return this.hull.sideOf(face, vertex);
  }

  /** Calls back with each triangle around a vertex of the hull until it returns true; returns whether it did. */
  someFaceAround(vertex: number, test: (face: number, halfEdge: number) => boolean): boolean {
    const start = this.#leaving[vertex];
    let halfEdge = start;
    // A ring has no more faces than the hull.
    for (let left = this.hull.faceCount; left > 0; left--) {
      if (test((halfEdge / 3) | 0, halfEdge)) return true;
      halfEdge = this.hull.twins[previousHalfEdge(halfEdge)];
      if (halfEdge === start) return false;
    }
    throw brokenWalk("round a vertex of a patch's hull");
  }

  /** A triangle around the vertex `near` that the vertex sees, or −1. */
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
