// The rim of a flat hull with two sides of triangles, and which part of it a point in its plane sees. Faces come in
// pairs: even ids are the front, odd ids the back. Exact, on the projection along an axis. O(faces) per search.
import { exactTurn } from '../../core/exact/orientation.js';
import { exactTurnAlong } from '../../core/exact/points.js';
import { brokenWalk } from './broken-walk.js';
import type { HullFaces } from './hull-faces.js';
import { next } from './hull-simplify.js';

export class FlatRim {
  /** The axis of the projection. */
  axis = 0;
  /** The first half-edge of the front that the point sees, and how many of the rim from there on; zero for none. */
  chainStart = 0;
  chainCount = 0;
  readonly #store: HullFaces;
  /** 1 when the front is counter-clockwise in the projection, otherwise −1. */
  #turn = 1;
  #u = 0;
  #v = 0;

  constructor(store: HullFaces) {
    this.#store = store;
  }

  /** Starts with a front of one triangle, whose projection along the axis has an area. */
  start(axis: number, a: number, b: number, c: number): void {
    this.axis = axis;
    this.#turn = exactTurnAlong(this.#store.points, axis, a, b, c) > 0 ? 1 : -1;
  }

  /** Positive when point c is on the left of a → b, seen from the front. */
  orientation(a: number, b: number, c: number): number {
    return this.#turn * exactTurnAlong(this.#store.points, this.axis, a, b, c);
  }

  /** Finds the chain of edges that the point x, y, z, in the plane, is strictly beyond. */
  findChain(faces: Int32Array, faceCount: number, x: number, y: number, z: number): void {
    const twins = this.#store.twins;
    this.#u = this.axis === 0 ? y : this.axis === 1 ? z : x;
    this.#v = this.axis === 0 ? z : this.axis === 1 ? x : y;
    this.chainCount = 0;
    let start = -1;
    for (let i = 0; i < faceCount && start < 0; i++) {
      const face = faces[i];
      if (face & 1) continue;
      for (let edge = 3 * face; edge < 3 * face + 3; edge++) {
        if (this.isRim(edge) && this.#isSeen(edge)) start = edge;
      }
    }
    if (start < 0) return;
    // Back to the first; on the back the rim runs the other way. No point is beyond every edge of a convex polygon.
    let left = 3 * faceCount;
    for (let edge = start; this.#isSeen(edge); edge = twins[this.next(twins[edge])]) {
      if (--left < 0) throw brokenWalk('back along the rim of a flat hull');
      start = edge;
    }
    this.chainStart = start;
    for (let edge = start; this.#isSeen(edge); edge = this.next(edge)) {
      if (++this.chainCount > faceCount) throw brokenWalk('along the rim of a flat hull');
    }
  }

  isRim(edge: number): boolean {
    return (((edge / 3) | 0) & 1) !== (((this.#store.twins[edge] / 3) | 0) & 1);
  }

  /**
   * The half-edge of the rim after one of it, on the same side. Ends: the half-edges that leave a vertex are a ring over
   * twins, and one of those passed is the twin of `edge`, which is on the rim.
   */
  next(edge: number): number {
    let following = next(edge);
    while (!this.isRim(following)) following = next(this.#store.twins[following]);
    return following;
  }

  #isSeen(edge: number): boolean {
    const { points, corners } = this.#store;
    const u = (this.axis + 1) % 3;
    const v = (this.axis + 2) % 3;
    const a = 3 * corners[edge];
    const b = 3 * corners[next(edge)];
    const side = exactTurn(points[a + u], points[a + v], points[b + u], points[b + v], this.#u, this.#v);
    return side * this.#turn < 0;
  }
}
