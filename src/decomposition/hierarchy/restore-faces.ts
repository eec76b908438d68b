// Restores faces of a child in the hull of a union if the hull has the facet but triangulates it differently. Faces of
// the facet that belong to no piece are only filling: their triangles are split and edges flipped until the edges of the
// face exist (Sloan 1993). Exact. Without coplanar faces there is nothing to restore, which takes O(faces) to find out.
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import type { WorkLimit } from '../work-limit.js';
import type { HierarchyFaces } from './hierarchy-faces.js';
import type { UnionHull } from './union-hull.js';

/** Restores faces for one union after another, reusing memory. */
export class FaceRestorer {
  readonly #hull: UnionHull;
  readonly #faces: HierarchyFaces;
  readonly #limit: WorkLimit;
  #stamp = 0;
  /** Records that the hull has carry the current stamp. */
  readonly #recordMarks: Int32Array;
  /**
   * Two entries per vertex: a vertex within a flat hull has a ring of faces on each side, or on one side only. An entry
   * with the current stamp has a half-edge that leaves the vertex on that side; a solid hull uses only the first.
   */
  readonly #vertexMarks: Int32Array;
  readonly #halfEdgeOf: Int32Array;
  readonly #vertices: number[] = [];
  #witness = 0;
  // The plane of the current face: a face in the hull's store that is not part of the hull, and the projection in which
  // it is counter-clockwise; for a flat hull also which side of the polygon it is on.
  #probe = 0;
  #axis = 0;
  #turn = 1;
  #side = 0;
  readonly #crossed: number[] = [];
  #wanted = 0;
  #hasChanged = false;

  constructor(hull: UnionHull, faces: HierarchyFaces, limit: WorkLimit) {
    this.#hull = hull;
    this.#limit = limit;
    this.#faces = faces;
    this.#recordMarks = new Int32Array(faces.freeStart);
    this.#vertexMarks = new Int32Array((2 * hull.store.points.length) / 3);
    this.#halfEdgeOf = new Int32Array((2 * hull.store.points.length) / 3);
  }

  /**
   * Restores the faces of pieces that the child has and the hull could have; those of the surface first. Returns
   * whether the hull changed: some of its faces have then lost their record.
   */
  restore(child: number): boolean {
    this.#hasChanged = false;
    this.#markHull();
    const { starts, counts, nodeFaces } = this.#faces;
    for (let wanted = 0; wanted < 2; wanted++) {
      this.#wanted = wanted;
      for (let i = starts[child]; i < starts[child] + counts[child]; i++) {
        const record = nodeFaces[i];
        if (this.#faces.classOf(record) !== wanted || this.#recordMarks[record] === this.#stamp) continue;
        if (this.#isOnHull(record)) this.#restoreFace(record);
      }
    }
    return this.#hasChanged;
  }

  #markHull(): void {
    this.#stamp++;
    this.#vertices.length = 0;
    this.#witness = 0;
    const { standing, standingCount, records } = this.#hull;
    for (let i = 0; i < standingCount; i++) {
      const face = standing[i];
      if (records[face] >= 0 && records[face] < this.#faces.freeStart) this.#recordMarks[records[face]] = this.#stamp;
      this.#noteCorners(face);
    }
  }

  #noteChange(...faces: number[]): void {
    this.#hasChanged = true;
    for (const face of faces) this.#noteCorners(face);
  }

  #noteCorners(face: number): void {
    const { corners } = this.#hull.store;
    const ring = this.#hull.isFlat && this.#hull.sideOfPolygon(face) < 0 ? 1 : 0;
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      const vertex = corners[h];
      this.#halfEdgeOf[2 * vertex + ring] = h;
      if (this.#vertexMarks[2 * vertex + ring] === this.#stamp) continue;
      if (this.#vertexMarks[2 * vertex + 1 - ring] !== this.#stamp) this.#vertices.push(vertex);
      this.#vertexMarks[2 * vertex + ring] = this.#stamp;
    }
  }

  /** Whether no vertex of the hull is outside the plane of a record. */
  #isOnHull(record: number): boolean {
    const { vertices } = this.#faces;
    const hull = this.#hull;
    const [a, b, c] = [vertices[3 * record], vertices[3 * record + 1], vertices[3 * record + 2]];
    this.#probe = hull.probeFace(a, b, c);
    // All vertices of a flat hull lie in one plane.
    if (hull.isFlat) return true;
    for (const vertex of [a, b, c]) {
      if (this.#vertexMarks[2 * vertex] === this.#stamp) return this.#isInPlaneAt(vertex, a, b, c);
    }
    const list = this.#vertices;
    // The vertex that was outside the last face is often outside its neighbors too.
    for (let i = 0; i < list.length; i++) {
      const at = (this.#witness + i) % list.length;
      if (hull.store.sideOfPoint(this.#probe, list[at]) > 0) {
        this.#witness = at;
        this.#limit.spend(i);
        return false;
      }
    }
    this.#limit.spend(list.length);
    return true;
  }

  /**
   * Whether the solid hull has, at a vertex, a face in the plane of a, b, c that faces the same way; one of a, b, c is
   * the vertex. The triangle lies in the hull, so its plane supports the hull only if it is the plane of one of these faces.
   */
  #isInPlaneAt(vertex: number, a: number, b: number, c: number): boolean {
    const { store, standingCount } = this.#hull;
    const { points, corners, twins } = store;
    const start = this.#halfEdgeOf[2 * vertex];
    let h = start;
    for (let left = standingCount; left > 0; left--) {
      this.#limit.spend(1);
      const face = (h / 3) | 0;
      const isFlat =
        store.sideOfPoint(face, a) === 0 && store.sideOfPoint(face, b) === 0 && store.sideOfPoint(face, c) === 0;
      if (isFlat) {
        const axis = findShadowAxis(points, a, b, c);
        const turn = exactTurnAlong(points, axis, corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]);
        return turn * exactTurnAlong(points, axis, a, b, c) > 0;
      }
      h = twins[previousHalfEdge(h)];
      if (h === start) break;
    }
    return false;
  }

  #restoreFace(record: number): void {
    const { vertices } = this.#faces;
    const hull = this.#hull;
    const corners = [vertices[3 * record], vertices[3 * record + 1], vertices[3 * record + 2]];
    const [a, b, c] = corners;
    const { points } = hull.store;
    this.#axis = findShadowAxis(points, a, b, c);
    this.#turn = exactTurnAlong(points, this.#axis, a, b, c) > 0 ? 1 : -1;
    this.#side = hull.isFlat ? hull.sideOfPolygon(this.#probe) : 0;
    for (const vertex of corners) {
      if (this.#vertexMarks[this.#ringOf(vertex)] === this.#stamp) continue;
      if (!this.#addVertex(vertex, this.#findFaceNear(corners, vertex))) return;
      // New faces have overwritten the probe.
      this.#probe = hull.probeFace(a, b, c);
    }
    if (!this.#forceEdge(a, b) || !this.#forceEdge(b, c) || !this.#forceEdge(c, a)) return;
    const h = this.#findEdge(a, b);
    const face = (h / 3) | 0;
    // Another vertex may lie within the face: then the face cannot be one of the hull.
    if (hull.store.corners[previousHalfEdge(h)] !== c || this.#isKept(face)) return;
    hull.records[face] = record;
    this.#recordMarks[record] = this.#stamp;
  }

  /** The entry of a vertex on the current side. */
  #ringOf(vertex: number): number {
    return 2 * vertex + (this.#side < 0 ? 1 : 0);
  }

  /** Faces of the current class or of higher power stay unchanged. */
  #isKept(face: number): boolean {
    const record = this.#hull.records[face];
    return record >= 0 && this.#faces.classOf(record) <= this.#wanted;
  }

  /** Whether a face lies in the current plane. */
  #isInFacet(face: number): boolean {
    const hull = this.#hull;
    const { corners } = hull.store;
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      if (hull.store.sideOfPoint(this.#probe, corners[h]) !== 0) return false;
    }
    return !hull.isFlat || hull.sideOfPolygon(face) === this.#side;
  }

  /** Positive if a, b, c turn left seen from outside the current plane. */
  #turnOf(a: number, b: number, c: number): number {
    return this.#turn * exactTurnAlong(this.#hull.store.points, this.#axis, a, b, c);
  }

  /** The half-edge from a to b of a face in the current plane, or −1. */
  #findEdge(a: number, b: number): number {
    const { corners, twins } = this.#hull.store;
    const start = this.#halfEdgeOf[this.#ringOf(a)];
    let h = start;
    // A ring has no more faces than the hull. A ring that did not close would leave the face unrestored.
    for (let left = this.#hull.standingCount; left > 0; left--) {
      if (corners[nextHalfEdge(h)] === b && this.#isInFacet((h / 3) | 0)) return h;
      h = twins[previousHalfEdge(h)];
      if (h === start) break;
    }
    return -1;
  }

  /** Makes a point of the facet a vertex by splitting the face or edge that contains it; false if faces must be kept. */
  #addVertex(vertex: number, near: number): boolean {
    const hull = this.#hull;
    const { corners } = hull.store;
    for (let i = near < 0 ? 0 : -1; i < hull.standingCount; i++) {
      const face = i < 0 ? near : hull.standing[i];
      this.#limit.spend(1);
      if (hull.store.sideOfPoint(face, vertex) !== 0 || !this.#isInFacet(face)) continue;
      let isInside = true;
      let onEdge = -1;
      for (let h = 3 * face; h < 3 * face + 3 && isInside; h++) {
        const turn = this.#turnOf(corners[h], corners[nextHalfEdge(h)], vertex);
        if (turn < 0) isInside = false;
        if (turn !== 0) continue;
        // On two edges: it coincides with a corner.
        if (onEdge >= 0) return false;
        onEdge = h;
      }
      if (!isInside) continue;
      if (this.#isKept(face) || (onEdge >= 0 && this.#isKept((hull.store.twins[onEdge] / 3) | 0))) return false;
      if (onEdge < 0) this.#splitFace(face, vertex);
      else this.#splitEdge(onEdge, vertex);
      return true;
    }
    return false;
  }

  /**
   * The face of the facet that contains a vertex, found by walking from a corner of the hull across each edge that has
   * the vertex beyond it; −1 if no corner is there, or the walk leaves the facet or takes too long.
   */
  #findFaceNear(corners: readonly number[], vertex: number): number {
    const { store, standingCount } = this.#hull;
    const { corners: ends, twins } = store;
    const from = corners.find((corner) => this.#vertexMarks[this.#ringOf(corner)] === this.#stamp);
    if (from === undefined) return -1;
    const start = this.#halfEdgeOf[this.#ringOf(from)];
    let h = start;
    for (let left = standingCount; left > 0 && !this.#isInFacet((h / 3) | 0); left--) {
      h = twins[previousHalfEdge(h)];
      if (h === start) return -1;
    }
    let face = (h / 3) | 0;
    // The walk may cycle if the triangulation is not Delaunay: then all faces are tested.
    for (let left = 32 + 8 * Math.sqrt(standingCount); left > 0; left--) {
      this.#limit.spend(1);
      let across = -1;
      for (let e = 3 * face; e < 3 * face + 3 && across < 0; e++) {
        if (this.#turnOf(ends[e], ends[nextHalfEdge(e)], vertex) < 0) across = twins[e];
      }
      if (across < 0) return face;
      face = (across / 3) | 0;
      if (!this.#isInFacet(face)) return -1;
    }
    return -1;
  }

  #splitFace(face: number, v: number): void {
    const hull = this.#hull;
    const [p, q, r] = hull.store.corners.subarray(3 * face, 3 * face + 3);
    const [twin0, twin1, twin2] = hull.store.twins.subarray(3 * face, 3 * face + 3);
    const second = hull.addFace(q, r, v);
    const third = hull.addFace(r, p, v);
    hull.replaceFace(face, p, q, v);
    hull.link(3 * face, twin0);
    hull.link(3 * second, twin1);
    hull.link(3 * third, twin2);
    hull.link(3 * face + 1, 3 * second + 2);
    hull.link(3 * second + 1, 3 * third + 2);
    hull.link(3 * third + 1, 3 * face + 2);
    this.#noteChange(face, second, third);
  }

  #splitEdge(h: number, v: number): void {
    const hull = this.#hull;
    const { corners, twins } = hull.store;
    const t = twins[h];
    const [face, beyond] = [(h / 3) | 0, (t / 3) | 0];
    const [p, q] = [corners[h], corners[t]];
    const [r, s] = [corners[previousHalfEdge(h)], corners[previousHalfEdge(t)]];
    const [afterTwin, beforeTwin] = [twins[nextHalfEdge(h)], twins[previousHalfEdge(h)]];
    const [farAfterTwin, farBeforeTwin] = [twins[nextHalfEdge(t)], twins[previousHalfEdge(t)]];
    const [after, before] = [nextHalfEdge(t), previousHalfEdge(t)];
    const second = hull.addFace(v, q, r);
    const farSecond = hull.addFace(v, p, s);
    hull.replaceFace(face, p, v, r);
    hull.replaceFace(beyond, q, v, s);
    // The two sides of a flat triangle are adjacent across all their edges.
    if (beforeTwin === after) {
      hull.link(3 * face + 2, 3 * farSecond + 1);
    } else {
      hull.link(3 * face + 2, beforeTwin);
      hull.link(3 * farSecond + 1, farAfterTwin);
    }
    if (afterTwin === before) {
      hull.link(3 * second + 1, 3 * beyond + 2);
    } else {
      hull.link(3 * second + 1, afterTwin);
      hull.link(3 * beyond + 2, farBeforeTwin);
    }
    hull.link(3 * face, 3 * farSecond);
    hull.link(3 * second, 3 * beyond);
    hull.link(3 * face + 1, 3 * second + 2);
    hull.link(3 * beyond + 1, 3 * farSecond + 2);
    this.#noteChange(face, second, beyond, farSecond);
  }

  /** Flips edges until the one from a to b exists; false if a vertex lies on it or a face to be kept blocks it. */
  #forceEdge(a: number, b: number): boolean {
    if (this.#findEdge(a, b) >= 0) return true;
    if (!this.#findCrossed(a, b)) return false;
    const crossed = this.#crossed;
    const { corners, twins } = this.#hull.store;
    // Each edge waits at most once for each other (Sloan 1993): when the turns are used up, the face stays unrestored.
    let left = crossed.length * crossed.length + 16;
    while (crossed.length > 0 && left-- > 0) {
      this.#limit.spend(1);
      const [x, y] = crossed.splice(0, 2);
      const h = this.#findEdge(x, y);
      if (h < 0) return false;
      const p = corners[previousHalfEdge(h)];
      const q = corners[previousHalfEdge(twins[h])];
      if (!(this.#turnOf(p, q, y) > 0 && this.#turnOf(p, q, x) < 0)) {
        crossed.push(x, y);
        continue;
      }
      this.#flip(h);
      if (p === a || p === b || q === a || q === b) continue;
      if (this.#turnOf(a, b, p) > 0 !== this.#turnOf(a, b, q) > 0) crossed.push(p, q);
    }
    return crossed.length === 0 && this.#findEdge(a, b) >= 0;
  }

  /** Lists the edges that cross the segment from a to b as pairs of vertices; false if it is blocked. */
  #findCrossed(a: number, b: number): boolean {
    const { corners, twins } = this.#hull.store;
    const crossed = this.#crossed;
    crossed.length = 0;
    const start = this.#halfEdgeOf[this.#ringOf(a)];
    let h = start;
    let edge = -1;
    let left = this.#hull.standingCount;
    do {
      const x = corners[nextHalfEdge(h)];
      const y = corners[previousHalfEdge(h)];
      if (this.#isInFacet((h / 3) | 0) && this.#turnOf(a, x, b) > 0 && this.#turnOf(a, b, y) > 0)
        edge = nextHalfEdge(h);
      h = twins[previousHalfEdge(h)];
    } while (h !== start && edge < 0 && --left > 0);
    if (edge < 0) return false;
    // The segment passes each face of the facet once.
    for (left = this.#hull.standingCount; left > 0; left--) {
      const twin = twins[edge];
      const beyond = (twin / 3) | 0;
      if (this.#isKept((edge / 3) | 0) || this.#isKept(beyond) || !this.#isInFacet(beyond)) return false;
      crossed.push(corners[edge], corners[twin]);
      const apex = corners[previousHalfEdge(twin)];
      if (apex === b) return true;
      const turn = this.#turnOf(a, b, apex);
      if (turn === 0) return false;
      edge = turn > 0 ? nextHalfEdge(twin) : previousHalfEdge(twin);
    }
    return false;
  }

  /** Replaces the edge between two faces by the other diagonal of the four corners. */
  #flip(h: number): void {
    const hull = this.#hull;
    const { corners, twins } = hull.store;
    const t = twins[h];
    const [face, beyond] = [(h / 3) | 0, (t / 3) | 0];
    const [x, y] = [corners[h], corners[t]];
    const [p, q] = [corners[previousHalfEdge(h)], corners[previousHalfEdge(t)]];
    const [yp, px] = [twins[nextHalfEdge(h)], twins[previousHalfEdge(h)]];
    const [xq, qy] = [twins[nextHalfEdge(t)], twins[previousHalfEdge(t)]];
    hull.replaceFace(face, q, y, p);
    hull.replaceFace(beyond, p, x, q);
    hull.link(3 * face, qy);
    hull.link(3 * face + 1, yp);
    hull.link(3 * beyond, px);
    hull.link(3 * beyond + 1, xq);
    hull.link(3 * face + 2, 3 * beyond + 2);
    this.#noteChange(face, beyond);
  }
}
