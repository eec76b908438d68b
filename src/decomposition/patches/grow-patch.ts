// Grows one convex patch over the dual graph of a surface (Ehmann and Lin 2001, section 4.1): a face joins when the
// edge it is entered by is not reflex, its far vertex sees no face of the patch, and the hull meets the rest of the
// surface nowhere. Where the hull comes to cover part of a face in one of its own planes, that face's vertices are
// added with it, so that exactly flat regions join whole. All of an addition stands, or none of it.
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { type BoxVisitor, traverseBvh } from '../../spatial/traverse-bvh.js';
import type { Surface } from '../surface/surface.js';
import type { WorkLimit } from '../work-limit.js';
import { KnownGaps } from './known-gaps.js';
import { PatchHull } from './patch-hull.js';
import { isClearAtEdge, isClearAtVertex } from './separation.js';

/** The order in which the faces next to a patch are tried. */
export type SearchOrder = 'depth-first' | 'breadth-first';

/**
 * Chosen: one face may bring this many vertices beyond as many as the hull has: a row of a flat grid is as long as the
 * last.
 */
const FLAT_ALLOWANCE = 32;

/**
 * Chosen: a search that passes more boxes than this also looks whether they are beyond some of the new planes of the
 * hull.
 */
const BOXES_BEFORE_PLANES = 48;

/** Chosen: the new planes that this search looks at. */
const PLANES_TRIED = 8;

/** Chosen: vertices tried between two calls of `onStep`. */
const STEP = 128;

/** Groups of coplanar faces that join a patch as a whole. */
export interface WholeFacets {
  /** The facet of each face, −1 for none. */
  readonly facetOfFace: Int32Array;
  /** The vertices of facet f are `vertices[vertexStart[f]]` up to before `vertexStart[f + 1]`. */
  readonly vertexStart: Uint32Array;
  readonly vertices: Uint32Array;
}

/** Grows patches on a surface, one after another, reusing memory. */
export class PatchGrower {
  readonly surface: Surface;
  /** The hull of the last grown patch. */
  readonly hull: PatchHull;
  /** Vertices tried, and triangles tested for the third criterion. */
  insertions = 0;
  trianglesTested = 0;
  /** Counts boxes, triangles and vertices looked at. */
  readonly limit: WorkLimit;
  /** Called from time to time with the faces of the patch so far: one patch may be a whole large convex model. */
  onStep: ((faces: number) => void) | undefined;

  /** Faces of the patch, in the order they joined. */
  readonly #faces: number[] = [];
  readonly #inPatch: Int32Array;
  /** Vertices that failed for this patch: hull and patch only grow, so they always fail. */
  readonly #failed: Int32Array;
  #epoch = 0;
  #isFree: (face: number) => boolean = () => true;
  /** Vertices still to be added with the current one, and free faces that must join or be clear once all are added. */
  readonly #pending: number[] = [];
  readonly #suspects: number[] = [];
  /** The index of each face of the patch in `#faces`, and the attempt that last reached a face over edges. */
  readonly #place: Int32Array;
  readonly #reached: Int32Array;
  /** The attempt in which a face became a suspect. */
  readonly #met: Int32Array;
  #attempt = 0;
  readonly #facets: WholeFacets | null;
  /** The attempt in which the first face of a facet joined, and vertices of these facets to add before anything is tested. */
  readonly #begun: Int32Array;
  readonly #facetVertices: number[] = [];
  /** A suspect that the hull still meets, −1 for none. */
  #unsettled = -1;
  #blocked = false;
  readonly #box = new Float64Array(6);
  readonly #gaps: KnownGaps;
  /** Boxes passed by the present search, and planes of the hull: normal and offset, none before they are needed. */
  #boxes = 0;
  readonly #planes = new Float64Array(4 * PLANES_TRIED);
  #planeCount = -1;
  readonly #stack = new TraversalStack();
  readonly #visitor: BoxVisitor;

  constructor(surface: Surface, limit: WorkLimit, facets: WholeFacets | null = null) {
    this.surface = surface;
    this.limit = limit;
    this.#facets = facets;
    this.#begun = new Int32Array(facets === null ? 0 : facets.vertexStart.length);
    this.hull = new PatchHull(surface.mesh.positions);
    this.#inPatch = new Int32Array(surface.faceCount);
    this.#place = new Int32Array(surface.faceCount);
    this.#reached = new Int32Array(surface.faceCount);
    this.#met = new Int32Array(surface.faceCount);
    this.#failed = new Int32Array(surface.mesh.positions.length / 3);
    this.#gaps = new KnownGaps(surface.mesh.positions, surface.faceCount);
    const box = this.#box;
    this.#visitor = {
      testBox: (boxes, o) =>
        boxes[o] <= box[3] &&
        boxes[o + 3] >= box[0] &&
        boxes[o + 1] <= box[4] &&
        boxes[o + 4] >= box[1] &&
        boxes[o + 2] <= box[5] &&
        boxes[o + 5] >= box[2] &&
        (++this.#boxes < BOXES_BEFORE_PLANES || !this.#isBeyondPlane(boxes, o)),
      visitItem: (face) => {
        // One that is a suspect already is looked at again when all else is settled.
        if (this.#inPatch[face] === this.#epoch || this.#met[face] === this.#attempt) return false;
        if (!this.#isClearOf(face)) this.#meet(face);
        return this.#blocked;
      },
    };
  }

  /**
   * Grows a patch from the face `seed` over faces for which `isFree` holds and returns its faces; the array is reused
   * by the next call. `hull` is then the hull of the patch. Empty if the facet of the seed cannot be part of a patch.
   */
  grow(seed: number, order: SearchOrder, isFree: (face: number) => boolean): readonly number[] {
    const { indices } = this.surface.mesh;
    const { twin } = this.surface.adjacency;
    this.#epoch++;
    this.#isFree = isFree;
    this.#faces.length = 0;
    this.hull.reset(indices[3 * seed], indices[3 * seed + 1], indices[3 * seed + 2]);
    this.#begin();
    this.#join(seed);
    this.#box.fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
    if (this.#facetVertices.length > 0 && !this.#complete(3, 1, this.#addFacets(), Infinity)) {
      this.#faces.length = 0;
      return this.#faces;
    }
    // Half-edges of patch faces to look across: a queue or a stack.
    const open: number[] = [];
    for (const face of this.#faces) open.push(3 * face, 3 * face + 1, 3 * face + 2);
    if (order === 'depth-first') open.reverse();
    for (let head = 0; head < open.length; ) {
      const h = order === 'depth-first' ? open.pop()! : open[head++];
      const across = twin[h];
      if (across < 0 || this.surface.isReflex(h)) continue;
      const face = Math.floor(across / 3);
      if (this.#inPatch[face] === this.#epoch || !isFree(face)) continue;
      const known = this.#faces.length;
      if (!this.#enter(across)) continue;
      for (let i = known; i < this.#faces.length; i++) {
        const base = 3 * this.#faces[i];
        if (order === 'depth-first') open.push(base + 2, base + 1, base);
        else open.push(base, base + 1, base + 2);
      }
    }
    return this.#faces;
  }

  /** Tries to add the face entered through its half-edge `across`, with everything that must join with it. */
  #enter(across: number): boolean {
    const { hull } = this;
    const { indices } = this.surface.mesh;
    const vertex = indices[previousHalfEdge(across)];
    // All three corners are in the hull, but the face is not in the patch: it does not lie on the hull.
    if (hull.has(vertex) || this.#failed[vertex] === this.#epoch) return false;
    const vertices = hull.vertices.length;
    const faces = this.#faces.length;
    this.#begin();
    const stands = this.#addVertex(vertex, indices[across]);
    if (this.#complete(vertices, faces, stands, FLAT_ALLOWANCE + 2 * vertices)) return true;
    while (hull.vertices.length > vertices) hull.undo();
    while (this.#faces.length > faces) this.#inPatch[this.#faces.pop()!] = 0;
    this.#failed[vertex] = this.#epoch;
    return false;
  }

  /** Begins an attempt: a vertex, or the facet of a seed, with everything that must join with it. */
  #begin(): void {
    this.#attempt++;
    this.#pending.length = this.#suspects.length = this.#facetVertices.length = 0;
    this.#unsettled = -1;
    this.#blocked = false;
  }

  /**
   * Adds whatever must join, after the first addition, while all `stands`; then judges the vertices and faces since the
   * given ones. Facets may bring any number of vertices, other faces up to the allowance in all.
   */
  #complete(vertices: number, faces: number, stands: boolean, allowance: number): boolean {
    const { hull } = this;
    let left = allowance - vertices - 1;
    for (let next = stands ? this.#nextVertex() : -1; next >= 0 && stands; next = stands ? this.#nextVertex() : -1) {
      stands = hull.has(next) || (left-- > 0 && this.#addVertex(next, -1));
    }
    for (let i = vertices; i < hull.vertices.length && stands; i++) stands = this.#isUsed(hull.vertices[i]);
    return stands && this.#unsettled < 0 && this.#isConnected(faces);
  }

  /** Adds a vertex, joins the faces that the hull then contains, and finds what it meets. False: it cannot stay. */
  #addVertex(vertex: number, near: number): boolean {
    this.#box.fill(Infinity, 0, 3).fill(-Infinity, 3, 6);
    return this.#insert(vertex, near) && this.#addFacets();
  }

  /** Completes the facets of which a face has joined, then finds what the additions meet. */
  #addFacets(): boolean {
    const list = this.#facetVertices;
    for (let i = 0; i < list.length; i++) if (!this.hull.has(list[i]) && !this.#insert(list[i], -1)) return false;
    list.length = 0;
    this.hull.thinSupport();
    this.#boxes = 0;
    this.#planeCount = -1;
    const nodes = traverseBvh(this.surface.bvh, this.#visitor, this.#stack);
    this.limit.spend(nodes / 2);
    return !this.#blocked;
  }

  /** Adds a vertex to the hull and joins the faces that it then contains. False: it cannot stay. */
  #insert(vertex: number, near: number): boolean {
    if (++this.insertions % STEP === 0) this.onStep?.(this.#faces.length);
    const { hull } = this.hull;
    const tests = hull.sideTests;
    const stands = this.hull.insert(vertex, near);
    this.limit.spend(4 + hull.sideTests - tests + hull.createdCount);
    if (!stands || !this.#joinFacesAt(vertex)) return false;
    this.#boundAddition(vertex);
    return true;
  }

  /** Whether a box lies strictly beyond one of the hull's new planes: then so does every face in it. */
  #isBeyondPlane(boxes: Float64Array, o: number): boolean {
    const planes = this.#planes;
    if (this.#planeCount < 0) this.#setPlanes();
    for (let i = 0; i < 4 * this.#planeCount; i += 4) {
      const nx = planes[i];
      const ny = planes[i + 1];
      const nz = planes[i + 2];
      const lowest =
        nx * boxes[nx > 0 ? o : o + 3] + ny * boxes[ny > 0 ? o + 1 : o + 4] + nz * boxes[nz > 0 ? o + 2 : o + 5];
      if (lowest > planes[i + 3]) return true;
    }
    return false;
  }

  #setPlanes(): void {
    const { firstCreated, createdCount, corners } = this.hull.hull;
    const gaps = this.#gaps;
    this.#planeCount = Math.min(PLANES_TRIED, createdCount);
    for (let i = 0; i < this.#planeCount; i++) {
      const h = 3 * (firstCreated + Math.floor((i * createdCount) / this.#planeCount));
      gaps.setPlane(corners[h], corners[h + 1], corners[h + 2]);
      this.#planes[4 * i] = gaps.nx;
      this.#planes[4 * i + 1] = gaps.ny;
      this.#planes[4 * i + 2] = gaps.nz;
      this.#planes[4 * i + 3] = gaps.reachOf();
    }
  }

  /**
   * The next vertex to add, −1 when everything that was met has joined or is clear. Faces in a plane of the hull come
   * first; then those that the hull only touches, since they may have become clear meanwhile.
   */
  #nextVertex(): number {
    const { indices } = this.surface.mesh;
    this.#unsettled = -1;
    if (this.#pending.length > 0) return this.#pending.pop()!;
    for (let face = this.#suspects.pop(); face !== undefined; face = this.#suspects.pop()) {
      if (this.#inPatch[face] === this.#epoch || this.#isClearOf(face)) continue;
      this.#suspects.push(face);
      this.#unsettled = face;
      for (let h = 3 * face; h < 3 * face + 3; h++) if (!this.hull.has(indices[h])) return indices[h];
      return -1;
    }
    return -1;
  }

  /** Whether the faces that joined from index `first` on are connected over edges to those before. */
  #isConnected(first: number): boolean {
    const { twin } = this.surface.adjacency;
    const reached: number[] = [];
    const reach = (face: number): void => {
      if (this.#reached[face] === this.#attempt) return;
      this.#reached[face] = this.#attempt;
      reached.push(face);
    };
    const someBeside = (face: number, test: (beside: number) => boolean): boolean => {
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        const beside = Math.floor(twin[h] / 3);
        if (beside >= 0 && this.#inPatch[beside] === this.#epoch && test(beside)) return true;
      }
      return false;
    };
    for (let i = first; i < this.#faces.length; i++) {
      if (someBeside(this.#faces[i], (beside) => this.#place[beside] < first)) reach(this.#faces[i]);
    }
    for (let i = 0; i < reached.length; i++) {
      someBeside(reached[i], (beside) => {
        if (this.#place[beside] >= first) reach(beside);
        return false;
      });
    }
    return reached.length === this.#faces.length - first;
  }

  /** Whether a face of the patch has the vertex: a vertex of a failed addition may lie in the hull without a face. */
  #isUsed(vertex: number): boolean {
    const { vertexFaceStart, vertexFaces } = this.surface;
    for (let i = vertexFaceStart[vertex]; i < vertexFaceStart[vertex + 1]; i++) {
      if (this.#inPatch[vertexFaces[i]] === this.#epoch) return true;
    }
    return false;
  }

  #join(face: number): void {
    this.#inPatch[face] = this.#epoch;
    this.#place[face] = this.#faces.length;
    this.#faces.push(face);
    const facet = this.#facets === null ? -1 : this.#facets.facetOfFace[face];
    if (facet < 0 || this.#begun[facet] === this.#attempt) return;
    this.#begun[facet] = this.#attempt;
    const { vertexStart, vertices } = this.#facets!;
    for (let i = vertexStart[facet]; i < vertexStart[facet + 1]; i++) this.#facetVertices.push(vertices[i]);
  }

  /** Joins the faces around the vertex whose corners the hull has. False if one is not free or not on the hull. */
  #joinFacesAt(vertex: number): boolean {
    const { hull } = this;
    const { mesh, vertexFaceStart, vertexFaces } = this.surface;
    for (let i = vertexFaceStart[vertex]; i < vertexFaceStart[vertex + 1]; i++) {
      const face = vertexFaces[i];
      let h = 3 * face;
      while (mesh.indices[h] !== vertex) h++;
      const b = mesh.indices[nextHalfEdge(h)];
      const c = mesh.indices[previousHalfEdge(h)];
      if (!hull.has(b) || !hull.has(c)) continue;
      if (!this.#isFree(face) || !hull.claimPlane(vertex, b, c)) return false;
      this.#join(face);
    }
    return true;
  }

  /** Extends the box by what the last insertion added to the hull: it lies within the removed and the new triangles. */
  #boundAddition(vertex: number): void {
    const { hull } = this.hull;
    const { positions } = this.surface.mesh;
    const box = this.#box;
    for (let axis = 0; axis < 3; axis++) {
      box[axis] = Math.min(box[axis], positions[3 * vertex + axis]);
      box[axis + 3] = Math.max(box[axis + 3], positions[3 * vertex + axis]);
    }
    const include = (face: number): void => {
      for (let h = 3 * face; h < 3 * face + 3; h++) {
        const p = 3 * hull.corners[h];
        for (let axis = 0; axis < 3; axis++) {
          const x = positions[p + axis];
          if (x < box[axis]) box[axis] = x;
          if (x > box[axis + 3]) box[axis + 3] = x;
        }
      }
    };
    for (let i = 0; i < hull.removedCount; i++) include(hull.removed[hull.removedStart + i]);
    for (let i = 0; i < hull.createdCount; i++) include(hull.firstCreated + i);
  }

  /** The hull meets a face outside the patch: it must join, with its vertices, or the addition fails. */
  #meet(face: number): void {
    if (!this.#isFree(face)) {
      this.#blocked = true;
      return;
    }
    // It can join only if the whole hull lies on or behind its plane; their intersection then lies in that plane.
    this.limit.spend(this.hull.support.length / 4);
    if (!this.surface.isBehindFace(face, this.hull.support)) {
      this.#blocked = true;
      return;
    }
    this.#met[face] = this.#attempt;
    const { indices } = this.surface.mesh;
    const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
    this.#suspects.push(face);
    if (!this.#liesInHullPlane(a, b, c)) return;
    for (const vertex of [a, b, c]) if (!this.hull.has(vertex)) this.#pending.push(vertex);
  }

  #liesInHullPlane(a: number, b: number, c: number): boolean {
    const { hull } = this;
    const holds = (face: number): boolean =>
      hull.sideOf(face, a) === 0 && hull.sideOf(face, b) === 0 && hull.sideOf(face, c) === 0;
    for (const vertex of [a, b, c]) if (hull.has(vertex)) return hull.someFaceAround(vertex, holds);
    const { faces, faceCount } = hull.hull;
    this.limit.spend(faceCount);
    for (let i = 0; i < faceCount; i++) if (holds(faces[i])) return true;
    return false;
  }

  /** The third criterion for one face outside the patch. */
  #isClearOf(face: number): boolean {
    this.trianglesTested++;
    this.limit.spend(1);
    const { hull } = this;
    const { indices } = this.surface.mesh;
    const base = 3 * face;
    let shared = 0;
    let inside = 0;
    let outside = 0;
    for (let h = base; h < base + 3; h++) {
      if (hull.has(indices[h])) {
        shared++;
        inside = h;
      } else outside = h;
    }
    if (shared === 0) {
      const work = this.#gaps.work;
      const clear = this.#gaps.isClear(hull, face, indices[base], indices[base + 1], indices[base + 2]);
      this.limit.spend(this.#gaps.work - work);
      return clear;
    }
    if (shared === 1) {
      return isClearAtVertex(hull, indices[inside], indices[nextHalfEdge(inside)], indices[previousHalfEdge(inside)]);
    }
    if (shared === 3) return false;
    // The edge opposite the outside corner lies in the hull: as a chord, unless the patch has it.
    const h = nextHalfEdge(outside);
    const across = this.surface.adjacency.twin[h];
    if (across < 0 || this.#inPatch[Math.floor(across / 3)] !== this.#epoch) return false;
    return isClearAtEdge(hull, indices[h], indices[nextHalfEdge(h)], indices[outside]);
  }
}
