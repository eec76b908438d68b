// A point that two triangles have in common. Exact predicates have shown that one exists. The candidates are the points
// where edges of one pass through the plane or come nearest to the edges of the other, and the corners; the best is the
// one with the least distance from both triangles. Correct up to rounding, for needles too.

import { nearestOnTriangle, TrianglePoint } from './closest-point.js';
import { EDGE_REGION, FACE_REGION, regionOnEdge } from './triangle-region.js';

/** Two triangles, nine numbers each, and a point of each with the region it lies on. */
export interface TrianglePair {
  readonly p: Float64Array;
  readonly q: Float64Array;
  readonly pointA: Float64Array;
  readonly pointB: Float64Array;
  regionA: number;
  regionB: number;
}

/** Writes a common point of the two triangles into both of the points. */
export function findCommonPoint(distance: TrianglePair): void {
  const search = new CommonPointSearch(distance);
  search.tryPiercings(0);
  search.tryPiercings(1);
  search.tryCrossings();
  distance.pointB.set(distance.pointA);
}

class CommonPointSearch {
  /** The squared distance of the best point so far from the farther one of the triangles. */
  #least = Infinity;
  readonly #nearest = new TrianglePoint();
  readonly #distance: TrianglePair;

  constructor(distance: TrianglePair) {
    this.#distance = distance;
  }

  /** Tries points where edges of one triangle pass through the plane of the other, and corners in that plane. */
  tryPiercings(side: 0 | 1): void {
    const { p, q } = this.#distance;
    const face = side === 0 ? p : q;
    const edges = side === 0 ? q : p;
    for (let k = 0; k < 3; k++) {
      const l = (k + 1) % 3;
      const from = heightOver(face, edges, 3 * k);
      const to = heightOver(face, edges, 3 * l);
      if (from * to > 0 || (from === to && from !== 0)) continue;
      const t = from === to ? 0 : from / (from - to);
      const region = regionOnEdge(k, t);
      this.#offer(
        mix(edges, k, l, t, 0),
        mix(edges, k, l, t, 1),
        mix(edges, k, l, t, 2),
        side === 0 ? FACE_REGION : region,
        side === 0 ? region : FACE_REGION,
      );
    }
  }

  /** Tries points where edges of the two come nearest to each other, and the corners of both. */
  tryCrossings(): void {
    const { p, q } = this.#distance;
    for (let k = 0; k < 3; k++) {
      this.#offer(p[3 * k], p[3 * k + 1], p[3 * k + 2], k, FACE_REGION);
      this.#offer(q[3 * k], q[3 * k + 1], q[3 * k + 2], FACE_REGION, k);
      for (let j = 0; j < 3; j++) {
        const t = nearestParameter(p, k, (k + 1) % 3, q, j, (j + 1) % 3);
        this.#offer(
          mix(p, k, (k + 1) % 3, t, 0),
          mix(p, k, (k + 1) % 3, t, 1),
          mix(p, k, (k + 1) % 3, t, 2),
          EDGE_REGION + k,
          FACE_REGION,
        );
      }
    }
  }

  #offer(x: number, y: number, z: number, regionA: number, regionB: number): void {
    const { p, q, pointA } = this.#distance;
    nearestOnTriangle(p, 0, x, y, z, this.#nearest);
    const fromA = this.#nearest.distanceSquared;
    nearestOnTriangle(q, 0, x, y, z, this.#nearest);
    const farther = Math.max(fromA, this.#nearest.distanceSquared);
    if (!(farther < this.#least)) return;
    this.#least = farther;
    pointA[0] = x;
    pointA[1] = y;
    pointA[2] = z;
    this.#distance.regionA = regionA;
    this.#distance.regionB = regionB;
  }
}

function mix(corners: Float64Array, k: number, l: number, t: number, axis: number): number {
  return corners[3 * k + axis] + t * (corners[3 * l + axis] - corners[3 * k + axis]);
}

/** The parameter on the line from corner k to l of p nearest to the line from corner i to j of q; 0 for parallel lines. */
function nearestParameter(p: Float64Array, k: number, l: number, q: Float64Array, i: number, j: number): number {
  const u = [0, 1, 2].map((axis) => p[3 * l + axis] - p[3 * k + axis]);
  const v = [0, 1, 2].map((axis) => q[3 * j + axis] - q[3 * i + axis]);
  const w = [0, 1, 2].map((axis) => q[3 * i + axis] - p[3 * k + axis]);
  const n = cross(u, v);
  const nn = dot(n, n);
  return nn > 0 ? Math.min(1, Math.max(0, dot(cross(w, v), n) / nn)) : 0;
}

function heightOver(face: Float64Array, corners: Float64Array, at: number): number {
  const n = areaVector(face);
  return n[0] * (corners[at] - face[0]) + n[1] * (corners[at + 1] - face[1]) + n[2] * (corners[at + 2] - face[2]);
}

function areaVector(t: Float64Array): number[] {
  return cross([t[3] - t[0], t[4] - t[1], t[5] - t[2]], [t[6] - t[0], t[7] - t[1], t[8] - t[2]]);
}

function cross(u: readonly number[], v: readonly number[]): number[] {
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

function dot(u: readonly number[], v: readonly number[]): number {
  return u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
}
