// The convex hull of two hulls: the faces of one are loaded, then the vertices of the other are inserted. Exact and
// weakly convex: a face is removed only if a vertex is strictly outside it, so that faces of the first hull stay whole,
// even coplanar ones. O(inserted vertices × (faces removed + √faces)) expected; memory is reused from hull to hull.

import { brokenWalk } from '../../convex/hull/broken-walk.js';
import { HullFaces } from '../../convex/hull/hull-faces.js';
import { measureFrame } from '../../convex/hull/hull-frame.js';
import { HullSight } from '../../convex/hull/hull-sight.js';
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import { copyInto } from '../../core/grow-array.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import type { WorkLimit } from '../work-limit.js';

/** Chosen: with fewer faces every search tests all of them, and walks are not needed. */
const MIN_WALK_FACES = 96;

/** A hull over the vertices of a mesh. Half-edge 3f + k leaves corner k of face f. */
export class UnionHull {
  readonly store: HullFaces;
  /** The record of each face, −1 for a new one. */
  records: Int32Array;
  /** The current faces: the first `standingCount` entries. */
  standing: Int32Array;
  standingCount = 0;
  /** True while all vertices lie in one plane: the hull is a polygon with two sides. */
  isFlat = false;
  readonly #sight: HullSight;
  #slots: Int32Array;
  #end = 0;
  #shadowAxis = 0;

  readonly #limit: WorkLimit;

  constructor(positions: Float64Array, limit: WorkLimit) {
    const capacity = 256;
    this.#limit = limit;
    this.store = new HullFaces(positions, measureFrame(positions), capacity);
    this.#sight = new HullSight(this.store);
    this.records = new Int32Array(capacity);
    this.standing = new Int32Array(capacity);
    this.#slots = new Int32Array(capacity);
  }

  /** The number of side tests that floating point could not decide. */
  get exactTests(): number {
    return this.store.exactTests;
  }

  get sideTests(): number {
    return this.#sight.sideTests;
  }

  /** Empties the hull and reserves space for this many faces, which {@link loadFace} then adds. */
  clear(faceCount: number, isFlat: boolean): void {
    this.#end = 0;
    this.standingCount = 0;
    this.isFlat = isFlat;
    this.#reserve(faceCount);
  }

  /** Adds a face whose half-edges have the given twins; all faces must be added before a vertex is inserted. */
  loadFace(record: number, a: number, b: number, c: number, twin0: number, twin1: number, twin2: number): void {
    const face = this.#makeFace(a, b, c);
    const { twins } = this.store;
    this.records[face] = record;
    twins[3 * face] = twin0;
    twins[3 * face + 1] = twin1;
    twins[3 * face + 2] = twin2;
  }

  /** Call it between the last face and the first vertex, with the number of vertices to come. */
  prepare(vertexCount: number): void {
    const { corners } = this.store;
    if (this.isFlat) this.#findShadow();
    // With so few vertices the hull cannot grow large enough for walks.
    if (this.standingCount + 2 * vertexCount >= MIN_WALK_FACES) this.#findInner(corners[0]);
  }

  /** Adds a vertex of the mesh; false when it is not outside. */
  insert(vertex: number): boolean {
    const { points } = this.store;
    const sight = this.#sight;
    sight.aim(points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]);
    if (this.isFlat && sight.side(this.standing[0]) === 0) return this.#extendFlat(vertex);
    // The newest face: consecutive vertices are near each other.
    const last = this.standing[this.standingCount - 1];
    const tests = sight.sideTests;
    sight.search(this.standing, this.standingCount, this.isFlat ? -1 : last, false);
    this.#limit.spend(1 + sight.sideTests - tests);
    if (sight.visibleCount === 0) return false;
    this.#makeCone(vertex);
    if (this.isFlat) {
      this.isFlat = false;
      this.#findInner(vertex);
    }
    return true;
  }

  /** For a flat hull: 1 or −1 by the side a face is on. */
  sideOfPolygon(face: number): number {
    const { corners, points } = this.store;
    const turn = exactTurnAlong(
      points,
      this.#shadowAxis,
      corners[3 * face],
      corners[3 * face + 1],
      corners[3 * face + 2],
    );
    return turn > 0 ? 1 : -1;
  }

  /** Sets the plane of a face that is not part of the hull, for side tests; valid until the next face is made. */
  probeFace(a: number, b: number, c: number): number {
    this.#reserve(1);
    this.store.setFace(this.#end, a, b, c);
    return this.#end;
  }

  /** Makes a face without twins, to be linked next. */
  addFace(a: number, b: number, c: number): number {
    this.#reserve(1);
    return this.#makeFace(a, b, c);
  }

  /** Gives a face other corners and clears its record. */
  replaceFace(face: number, a: number, b: number, c: number): void {
    this.store.setFace(face, a, b, c);
    this.records[face] = -1;
  }

  link(h: number, twin: number): void {
    this.store.twins[h] = twin;
    this.store.twins[twin] = h;
  }

  #findShadow(): void {
    const { corners, points } = this.store;
    this.#shadowAxis = findShadowAxis(points, corners[0], corners[1], corners[2]);
  }

  /** A point to walk around: between the first face and the vertex farthest below its plane, or the given one. */
  #findInner(vertex: number): void {
    const { corners } = this.store;
    const base = this.standing[0];
    let farthest = vertex;
    let depth = this.store.sideOfPoint(base, vertex);
    for (let i = 1; i < this.standingCount; i++) {
      const candidate = corners[3 * this.standing[i]];
      const side = this.store.sideOfPoint(base, candidate);
      if (side >= depth) continue;
      depth = side;
      farthest = candidate;
    }
    this.#sight.setInner(base, farthest, this.standing, this.standingCount);
  }

  /** Replaces the visible faces by a face from each edge of their rim to the vertex. */
  #makeCone(vertex: number): void {
    const sight = this.#sight;
    const rimCount = sight.findRim();
    this.#reserve(rimCount);
    const { corners } = this.store;
    for (let i = 0; i < sight.visibleCount; i++) this.#removeFace(sight.visible[i]);
    const first = this.#end;
    for (let i = 0; i < rimCount; i++) {
      this.#makeFace(corners[sight.rim[i]], corners[nextHalfEdge(sight.rim[i])], vertex);
    }
    this.store.linkCone(sight.rim, rimCount, first);
  }

  /** Extends a flat hull within its plane: a triangle on both sides along each edge that has the vertex beyond it. */
  #extendFlat(vertex: number): boolean {
    const { corners, twins, points } = this.store;
    // All walks together pass each half-edge no more than a few times: the rim is one ring, and fans end at it.
    let left = 16 * (this.standingCount + 1);
    const step = (h: number): number => {
      if (--left < 0) throw brokenWalk('along the rim of a flat hull');
      return h;
    };
    const isRim = (h: number) => this.sideOfPolygon((h / 3) | 0) > 0 && this.sideOfPolygon((twins[h] / 3) | 0) < 0;
    const sees = (h: number) =>
      exactTurnAlong(points, this.#shadowAxis, corners[h], corners[nextHalfEdge(h)], vertex) < 0;
    const next = (h: number) => {
      let following = nextHalfEdge(h);
      while (!isRim(step(following))) following = nextHalfEdge(twins[following]);
      return following;
    };
    let start = -1;
    for (let i = 0; i < this.standingCount && start < 0; i++) {
      const face = this.standing[i];
      for (let h = 3 * face; h < 3 * face + 3; h++) if (isRim(h) && sees(h)) start = h;
    }
    this.#limit.spend(this.standingCount);
    if (start < 0) return false;
    for (let before = start; sees(before); ) {
      start = before;
      before = previousHalfEdge(before);
      while (!isRim(step(before))) before = previousHalfEdge(twins[before]);
    }
    const chain: number[] = [];
    for (let h = start; sees(h); h = next(h)) chain.push(h);
    this.#reserve(2 * chain.length);
    let before = -1;
    for (const h of chain) {
      const { corners, twins } = this.store;
      const a = corners[h];
      const b = corners[nextHalfEdge(h)];
      const twin = twins[h];
      const front = 3 * this.#makeFace(b, a, vertex);
      const back = 3 * this.#makeFace(a, b, vertex);
      this.link(front, h);
      this.link(back, twin);
      if (before < 0) {
        this.link(front + 1, back + 2);
      } else {
        this.link(before + 2, front + 1);
        this.link(before + 4, back + 2);
      }
      before = front;
    }
    this.link(before + 2, before + 4);
    return true;
  }

  /** Reserves space for this many more faces, so that arrays are not reallocated meanwhile. */
  #reserve(count: number): void {
    while (this.#end + count > this.store.capacity) {
      this.store.grow();
      const { capacity } = this.store;
      this.records = copyInto(this.records, new Int32Array(capacity));
      this.standing = copyInto(this.standing, new Int32Array(capacity));
      this.#slots = copyInto(this.#slots, new Int32Array(capacity));
    }
    this.#sight.reserve();
  }

  #makeFace(a: number, b: number, c: number): number {
    const face = this.#end++;
    this.store.setFace(face, a, b, c);
    this.records[face] = -1;
    this.#sight.forget(face);
    this.#slots[face] = this.standingCount;
    this.standing[this.standingCount++] = face;
    return face;
  }

  #removeFace(face: number): void {
    const slot = this.#slots[face];
    const moved = this.standing[--this.standingCount];
    this.standing[slot] = moved;
    this.#slots[moved] = slot;
  }
}
