// A convex piece whose coplanar triangles can be rearranged. Edges of the patch that the hull lacks are created by
// flips (Sloan 1993), decided by exact orientations in the plane. Triangles without area, between collinear corners,
// are flipped away first.
import { brokenWalk } from '../../convex/hull/broken-walk.js';
import { exactSideOf, exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { WorkLimit } from '../work-limit.js';

/** Chosen: the work of a triangle, in entries of maps. */
const FACE_WORK = 16;
/** Chosen: the work of an edge that is passed or flipped, in entries of maps. */
const EDGE_WORK = 32;

/** A triangle surface, closed or one side of a flat one, as a map from half-edge to opposite corner: pieces are small. */
export class PieceSurface {
  readonly #points: Float64Array;
  readonly #vertexCount: number;
  /** For the half-edge from u to v, by `u × vertices + v`: the third corner of its triangle, which lies on its left. */
  readonly #apex = new Map<number, number>();
  /** For each vertex the end of a half-edge that leaves it. */
  readonly #beside = new Map<number, number>();

  readonly #limit: WorkLimit;

  constructor(points: Float64Array, corners: Int32Array, faces: readonly number[], limit: WorkLimit) {
    this.#limit = limit;
    limit.spend(FACE_WORK * faces.length);
    this.#points = points;
    this.#vertexCount = points.length / 3;
    const slivers: [number, number, number][] = [];
    for (const face of faces) {
      const [a, b, c] = [corners[3 * face], corners[3 * face + 1], corners[3 * face + 2]];
      this.#set(a, b, c);
      if (this.#isSliver(a, b, c)) slivers.push([a, b, c]);
    }
    // Each flip replaces the longest side by a shorter edge between two of the vertices.
    let left = faces.length * faces.length + 16;
    while (slivers.length > 0) {
      if (--left < 0) throw brokenWalk('over triangles without area');
      const [a, b, c] = slivers.pop()!;
      if (this.#apex.get(this.#key(a, b)) !== c) continue;
      const [from, to, middle] = this.#isBetween(a, b, c)
        ? [b, c, a]
        : this.#isBetween(b, c, a)
          ? [c, a, b]
          : [a, b, c];
      const beyond = this.#flip(from, to);
      for (const [p, q, r] of [
        [from, beyond, middle],
        [beyond, to, middle],
      ] as const) {
        if (this.#isSliver(p, q, r)) slivers.push([p, q, r]);
      }
    }
  }

  /** All triangles, each once. */
  *triangles(): Iterable<readonly [number, number, number]> {
    for (const [key, c] of this.#apex) {
      const a = Math.floor(key / this.#vertexCount);
      const b = key % this.#vertexCount;
      // Of its three half-edges, the one that leaves the lowest corner.
      if (a < b && a < c) yield [a, b, c];
    }
  }

  /** Makes u v an edge of the surface by flips in the plane it lies in. */
  bringIn(u: number, v: number): void {
    if (this.#apex.has(this.#key(u, v))) return;
    const crossed = this.#edgesBetween(u, v);
    // Each edge waits at most once for each other (Sloan 1993).
    let left = crossed.length * crossed.length + 16;
    while (crossed.length > 0) {
      if (--left < 0) throw brokenWalk('over the edges between two vertices of a facet');
      this.#limit.spend(EDGE_WORK);
      const [a, b] = crossed.shift()!;
      const c = this.#apex.get(this.#key(a, b))!;
      const d = this.#apex.get(this.#key(b, a))!;
      if (!this.#isConvexQuad(a, b, c, d)) {
        crossed.push([a, b]);
        continue;
      }
      this.#flip(a, b);
      if (c !== u && c !== v && d !== u && d !== v && this.#crosses(u, v, c, d)) crossed.push([c, d]);
    }
  }

  /** The edges that the segment from u to v passes, from u on; u and v lie in one facet of the surface. */
  #edgesBetween(u: number, v: number): [number, number][] {
    for (const [a, b] of this.#sidesAround(u)) {
      this.#limit.spend(EDGE_WORK);
      const axis = findShadowAxis(this.#points, a, b, u);
      if (!this.#isInPlane(a, b, u, v) || !this.#leavesThrough(axis, u, v, a, b)) continue;
      const edges: [number, number][] = [[a, b]];
      let [p, q] = [a, b];
      // The segment passes a triangle once.
      for (let left = this.#apex.size; left > 0; left--) {
        const apexBeyond = this.#apex.get(this.#key(q, p));
        if (apexBeyond === undefined) break;
        if (apexBeyond === v) return edges;
        const side = exactTurnAlong(this.#points, axis, u, v, apexBeyond);
        const sideP = exactTurnAlong(this.#points, axis, u, v, p);
        // The segment goes on through the edge whose ends lie on both sides of it.
        if (side * sideP < 0) q = apexBeyond;
        else p = apexBeyond;
        edges.push([p, q]);
      }
      throw brokenWalk('over the edges between two vertices of a facet');
    }
    return [];
  }

  /** The sides opposite u of the triangles around it. */
  *#sidesAround(u: number): Iterable<readonly [number, number]> {
    const start = this.#beside.get(u);
    if (start === undefined) return;
    const limit = this.#apex.size;
    let count = 0;
    let from = start;
    for (; count < limit; count++) {
      const to = this.#apex.get(this.#key(u, from));
      if (to === undefined) break;
      yield [from, to];
      from = to;
      if (from === start) return;
    }
    // At a vertex on the rim of one side the ring is open: continue from the start in the other direction.
    for (let to = start; count < limit; count++) {
      const before = this.#apex.get(this.#key(to, u));
      if (before === undefined) return;
      yield [before, to];
      to = before;
    }
  }

  /** Whether the ray from u towards v passes strictly between a and b, with u, a, b a triangle of the surface. */
  #leavesThrough(axis: number, u: number, v: number, a: number, b: number): boolean {
    const turn = exactTurnAlong(this.#points, axis, u, a, b);
    return (
      exactTurnAlong(this.#points, axis, u, a, v) * turn > 0 && exactTurnAlong(this.#points, axis, u, v, b) * turn > 0
    );
  }

  #crosses(u: number, v: number, c: number, d: number): boolean {
    const axis = findShadowAxis(this.#points, u, v, c);
    if (axis < 0) return false;
    return (
      exactTurnAlong(this.#points, axis, u, v, c) * exactTurnAlong(this.#points, axis, u, v, d) < 0 &&
      exactTurnAlong(this.#points, axis, c, d, u) * exactTurnAlong(this.#points, axis, c, d, v) < 0
    );
  }

  /** Whether the triangles a b c and b a d lie in one plane, side by side, and make a strictly convex quadrilateral. */
  #isConvexQuad(a: number, b: number, c: number, d: number): boolean {
    if (!this.#isInPlane(a, b, c, d)) return false;
    const axis = findShadowAxis(this.#points, a, b, c);
    const turn = exactTurnAlong(this.#points, axis, a, b, c);
    return (
      exactTurnAlong(this.#points, axis, a, d, b) * turn > 0 &&
      exactTurnAlong(this.#points, axis, a, d, c) * turn > 0 &&
      exactTurnAlong(this.#points, axis, d, b, c) * turn > 0
    );
  }

  #isInPlane(a: number, b: number, c: number, d: number): boolean {
    return exactSideOf(this.#points, a, b, c, d) === 0;
  }

  #isSliver(a: number, b: number, c: number): boolean {
    return findShadowAxis(this.#points, a, b, c) < 0;
  }

  /** Whether p lies between a and b, all three collinear. */
  #isBetween(p: number, a: number, b: number): boolean {
    for (let axis = 0; axis < 3; axis++) {
      const [x, y, z] = [this.#points[3 * a + axis], this.#points[3 * p + axis], this.#points[3 * b + axis]];
      if ((x < y && y < z) || (z < y && y < x)) return true;
    }
    return false;
  }

  /** Replaces the edge a b by the one between the corners beside it, and returns the one that was on its right. */
  #flip(a: number, b: number): number {
    const c = this.#apex.get(this.#key(a, b))!;
    const d = this.#apex.get(this.#key(b, a))!;
    this.#apex.delete(this.#key(a, b));
    this.#apex.delete(this.#key(b, a));
    this.#set(a, d, c);
    this.#set(d, b, c);
    return d;
  }

  #set(a: number, b: number, c: number): void {
    this.#apex.set(this.#key(a, b), c);
    this.#apex.set(this.#key(b, c), a);
    this.#apex.set(this.#key(c, a), b);
    this.#beside.set(a, b);
    this.#beside.set(b, c);
    this.#beside.set(c, a);
  }

  #key(from: number, to: number): number {
    return from * this.#vertexCount + to;
  }
}
