// Normals for contacts that the coming motion would close. The shortest way between two corners is no plane that they must
// stay behind: one may pass beside the other. Of the planes that separate the features now, the one that the motion crosses
// last is taken: if none is crossed there is nothing to stop, and if all are, it is the face that is hit.

import { type ContactPoints, NORMAL, ON_B, POINT_STRIDE, SEPARATION } from './contact-points.js';
import { placePoint } from './feature-cones.js';
import { EDGE_EDGE, EDGE_VERTEX, FACE_VERTEX, type FeaturePairs, VERTEX_EDGE, VERTEX_FACE } from './feature-pairs.js';
import { SLOPE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';
import { FLAT_SIDE } from './shape/facets.js';

/** Chosen: vertices with more convex edges than this keep their normals. */
const MAX_FALLS = 12;
/** Chosen: facets of a plane that a path is followed over. */
const MAX_FACETS = 16;
/** Chosen: another normal is taken if the motion crosses its plane later by this factor. */
export const LATER = 1.0001;

/** Chooses normals for a motion. */
export class ApproachNormals {
  readonly #pairs: FeaturePairs;
  readonly #a: ContactFeatures;
  readonly #b: ContactFeatures;
  /** Directions that a separating plane's normal must not rise along: how A falls, and how B rises. In A's frame. */
  readonly #falls = new Float64Array(3 * 2 * MAX_FALLS);
  #fallCount = 0;
  /** How B moves in A's frame until the end of the step, at the point at hand. */
  readonly #way = new Float64Array(3);
  /** From the feature of A to that of B. */
  readonly #apart = new Float64Array(3);
  readonly #vertex = new Float64Array(3);
  readonly #point = new Float64Array(3);
  readonly #start = new Float64Array(3);
  /** The vertex that the motion of an edge passes, −1 for none. */
  #endA = -1;
  #endB = -1;

  constructor(pairs: FeaturePairs) {
    this.#pairs = pairs;
    this.#a = pairs.a;
    this.#b = pairs.b;
  }

  /**
   * Turns the normals of contacts that a motion would close.
   * @param found the pairs of features that the points come from, three numbers each, by `points.sources`.
   * @param motion of B relative to A during the step, in A's frame: a vector that turns points about the origin, then a
   * shift. A point x moves by turn × x + shift.
   */
  refine(points: ContactPoints, found: Int32Array, motion: Float64Array): void {
    for (let i = 0; i < points.count; i++) {
      const { values } = points;
      const at = POINT_STRIDE * i;
      const separation = values[at + SEPARATION];
      if (!(separation > 0)) continue;
      const way = this.#way;
      moveAt(motion, values, at + ON_B, way);
      const n = at + NORMAL;
      const closing = -(values[n] * way[0] + values[n + 1] * way[1] + values[n + 2] * way[2]);
      if (!(closing > separation)) continue;
      const source = 3 * points.sources[i];
      this.#fallCount = 0;
      if (this.#gatherFalls(found[source], found[source + 1], found[source + 2], values, at, separation / closing)) {
        this.#turn(values, at, separation / closing);
      }
    }
  }

  /** Collects how features fall; false where the contact needs no other normal. `time` is when it closes, as a share. */
  #gatherFalls(
    kind: number,
    featureA: number,
    featureB: number,
    values: Float64Array,
    at: number,
    time: number,
  ): boolean {
    const a = this.#a;
    const b = this.#b;
    if (kind === FACE_VERTEX || kind === VERTEX_FACE)
      return this.#gatherFacet(kind, featureA, featureB, values, at, time);
    const { bInA } = this.#pairs;
    this.#endA = -1;
    this.#endB = -1;
    let edgeA = -1;
    let edgeB = -1;
    if (kind === EDGE_EDGE) {
      this.#findEnds(featureA, featureB, time);
      if (this.#endA < 0 && this.#endB < 0) return false;
      edgeA = featureA;
      edgeB = featureB;
    } else if (kind === EDGE_VERTEX) {
      edgeA = featureA;
      this.#endB = featureB;
    } else if (kind === VERTEX_EDGE) {
      this.#endA = featureA;
      edgeB = featureB;
    } else {
      this.#endA = featureA;
      this.#endB = featureB;
    }
    if (!(this.#endA >= 0 ? this.#addVertex(a, this.#endA, null) : this.#addEdge(a, edgeA, null))) return false;
    if (!(this.#endB >= 0 ? this.#addVertex(b, this.#endB, bInA) : this.#addEdge(b, edgeB, bInA))) return false;
    this.#setApart(edgeA, edgeB);
    return true;
  }

  /** A vertex over a facet: only if its foot leaves the plane's region over a convex edge before it arrives. */
  #gatherFacet(
    kind: number,
    featureA: number,
    featureB: number,
    values: Float64Array,
    at: number,
    time: number,
  ): boolean {
    const a = this.#a;
    const b = this.#b;
    const { bInA, aInB } = this.#pairs;
    const point = this.#point;
    const way = this.#way;
    const start = this.#start;
    if (kind === FACE_VERTEX) {
      for (let k = 0; k < 3; k++) {
        start[k] = values[at + ON_B + k];
        point[k] = start[k] + time * way[k];
      }
      const edge = leaveRegion(a, featureA, start, point);
      if (edge < 0) return false;
      this.#endA = -1;
      this.#endB = featureB;
      if (!this.#addEdge(a, edge, null) || !this.#addVertex(b, featureB, bInA)) return false;
      this.#setApart(edge, -1);
      return true;
    }
    // The vertex of A moves the other way in B's frame.
    for (let k = 0; k < 3; k++) point[k] = values[at + k] - time * way[k];
    placePoint(aInB, values, at, start);
    placePoint(aInB, point, 0, point);
    const edge = leaveRegion(b, featureB, start, point);
    if (edge < 0) return false;
    this.#endA = featureA;
    this.#endB = -1;
    if (!this.#addVertex(a, featureA, null) || !this.#addEdge(b, edge, bInA)) return false;
    this.#setApart(-1, edge);
    return true;
  }

  /** Finds which ends two edges have passed when they close. */
  #findEnds(edgeA: number, edgeB: number, time: number): void {
    const a = this.#a;
    const b = this.#b;
    const m = this.#pairs.bInA;
    const way = this.#way;
    const x = this.#point;
    const i = 4 * edgeA;
    const j = 4 * edgeB;
    placePoint(m, b.positions, 3 * b.edgeVertices[2 * edgeB], x);
    const p = 3 * a.edgeVertices[2 * edgeA];
    const l = b.edgeLines;
    let wu = 0;
    let wv = 0;
    let cosine = 0;
    for (let k = 0; k < 3; k++) {
      const u = a.edgeLines[i + k];
      const v = m[4 * k] * l[j] + m[4 * k + 1] * l[j + 1] + m[4 * k + 2] * l[j + 2];
      const w = x[k] + time * way[k] - a.positions[p + k];
      wu += w * u;
      wv += w * v;
      cosine += u * v;
    }
    const sineSquared = 1 - cosine * cosine;
    const s = (wu - cosine * wv) / sineSquared;
    const t = (cosine * wu - wv) / sineSquared;
    if (s < 0) this.#endA = a.edgeVertices[2 * edgeA];
    else if (s > a.edgeLines[i + 3]) this.#endA = a.edgeVertices[2 * edgeA + 1];
    if (t < 0) this.#endB = b.edgeVertices[2 * edgeB];
    else if (t > l[j + 3]) this.#endB = b.edgeVertices[2 * edgeB + 1];
  }

  /** Adds how the surface falls at a vertex; for B, placed in A's frame, with the opposite sign. */
  #addVertex(f: ContactFeatures, vertex: number, placed: Float64Array | null): boolean {
    const first = 3 * f.fallStart[vertex];
    const end = 3 * f.fallStart[vertex + 1];
    if (f.isSummit[vertex] === 0 || end - first > 3 * MAX_FALLS) return false;
    const { vertexFalls } = f;
    for (let k = first; k < end; k += 3) {
      this.#addFall(vertexFalls[k], vertexFalls[k + 1], vertexFalls[k + 2], placed);
    }
    return true;
  }

  #addEdge(f: ContactFeatures, edge: number, placed: Float64Array | null): boolean {
    const { edgeFalls, edgeLines } = f;
    const i = 4 * edge;
    const k = 6 * edge;
    this.#addFall(edgeLines[i], edgeLines[i + 1], edgeLines[i + 2], placed);
    this.#addFall(-edgeLines[i], -edgeLines[i + 1], -edgeLines[i + 2], placed);
    this.#addFall(edgeFalls[k], edgeFalls[k + 1], edgeFalls[k + 2], placed);
    this.#addFall(edgeFalls[k + 3], edgeFalls[k + 4], edgeFalls[k + 5], placed);
    return true;
  }

  #addFall(x: number, y: number, z: number, m: Float64Array | null): void {
    const falls = this.#falls;
    const at = 3 * this.#fallCount++;
    if (m === null) {
      falls[at] = x;
      falls[at + 1] = y;
      falls[at + 2] = z;
      return;
    }
    for (let k = 0; k < 3; k++) falls[at + k] = -(m[4 * k] * x + m[4 * k + 1] * y + m[4 * k + 2] * z);
  }

  /** Sets the way from a point of A's feature to one of B's: their vertices, or the beginnings of their edges. */
  #setApart(edgeA: number, edgeB: number): void {
    const a = this.#a;
    const b = this.#b;
    const x = this.#point;
    const vertexA = 3 * (this.#endA >= 0 ? this.#endA : a.edgeVertices[2 * edgeA]);
    const vertexB = 3 * (this.#endB >= 0 ? this.#endB : b.edgeVertices[2 * edgeB]);
    placePoint(this.#pairs.bInA, b.positions, vertexB, x);
    for (let k = 0; k < 3; k++) {
      this.#apart[k] = x[k] - a.positions[vertexA + k];
      this.#vertex[k] = this.#endB >= 0 ? x[k] : a.positions[vertexA + k];
    }
  }

  /** Takes the separating plane that the motion crosses last, among those through two of the directions collected. */
  #turn(values: Float64Array, at: number, time: number): void {
    const falls = this.#falls;
    const way = this.#way;
    const apart = this.#apart;
    const end = 3 * this.#fallCount;
    let latest = LATER * time;
    let widest = 0;
    for (let i = 0; i < end; i += 3) {
      for (let j = i + 3; j < end; j += 3) {
        const x = falls[i + 1] * falls[j + 2] - falls[i + 2] * falls[j + 1];
        const y = falls[i + 2] * falls[j] - falls[i] * falls[j + 2];
        const z = falls[i] * falls[j + 1] - falls[i + 1] * falls[j];
        const size = Math.sqrt(x * x + y * y + z * z);
        if (!(size > 1e-6)) continue;
        for (let side = 1 / size; ; side = -side) {
          const nx = side * x;
          const ny = side * y;
          const nz = side * z;
          const gap = nx * apart[0] + ny * apart[1] + nz * apart[2];
          if (gap >= 0 && this.#separates(nx, ny, nz)) {
            const closing = -(nx * way[0] + ny * way[1] + nz * way[2]);
            const crossed = closing > gap ? gap / closing : 1;
            if (crossed > latest || (crossed === 1 && latest === 1 && gap - closing > widest)) {
              latest = crossed;
              widest = gap - closing;
              this.#write(values, at, nx, ny, nz, gap);
            }
          }
          if (side < 0) break;
        }
      }
    }
  }

  #separates(x: number, y: number, z: number): boolean {
    const falls = this.#falls;
    for (let k = 0; k < 3 * this.#fallCount; k += 3) {
      if (falls[k] * x + falls[k + 1] * y + falls[k + 2] * z > SLOPE_ROUNDING) return false;
    }
    return true;
  }

  /** Writes another normal, with the vertex as the one point and the point of the plane below it as the other. */
  #write(values: Float64Array, at: number, x: number, y: number, z: number, gap: number): void {
    const normal = at + NORMAL;
    values[normal] = x;
    values[normal + 1] = y;
    values[normal + 2] = z;
    values[at + SEPARATION] = gap;
    for (let k = 0; k < 3; k++) {
      values[at + k] = this.#vertex[k] - (this.#endB >= 0 ? gap * values[normal + k] : 0);
      values[at + ON_B + k] = this.#vertex[k] + (this.#endB >= 0 ? 0 : gap * values[normal + k]);
    }
  }
}

/** Writes how far a motion, turn × x + shift, moves a point. */
export function moveAt(motion: Float64Array, points: Float64Array, at: number, out: Float64Array): void {
  const x = points[at];
  const y = points[at + 1];
  const z = points[at + 2];
  out[0] = motion[1] * z - motion[2] * y + motion[3];
  out[1] = motion[2] * x - motion[0] * z + motion[4];
  out[2] = motion[0] * y - motion[1] * x + motion[5];
}

/** How far a motion, turn × x + shift, brings the points of a contact together along its normal; not negative. */
export function closingAt(motion: Float64Array, values: Float64Array, at: number): number {
  const x = values[at + ON_B];
  const y = values[at + ON_B + 1];
  const z = values[at + ON_B + 2];
  return Math.max(
    0,
    -values[at + NORMAL] * (motion[1] * z - motion[2] * y + motion[3]) -
      values[at + NORMAL + 1] * (motion[2] * x - motion[0] * z + motion[4]) -
      values[at + NORMAL + 2] * (motion[0] * y - motion[1] * x + motion[5]),
  );
}

/** The convex edge over which the way from one point to another leaves the flat region of a facet, −1 for none. */
export function leaveRegion({ facets }: ContactFeatures, facet: number, from: Float64Array, to: Float64Array): number {
  const { start, sides, kinds, beyond } = facets;
  let since = 0;
  for (let visits = 0; visits < MAX_FACETS; visits++) {
    let first = 1;
    let side = -1;
    for (let k = start[facet]; k < start[facet + 1]; k++) {
      const s = 4 * k;
      const before = sides[s] * from[0] + sides[s + 1] * from[1] + sides[s + 2] * from[2] - sides[s + 3];
      const after = sides[s] * to[0] + sides[s + 1] * to[1] + sides[s + 2] * to[2] - sides[s + 3];
      if (!(after < 0 && after < before)) continue;
      const crossed = before / (before - after);
      if (crossed < since || crossed >= first) continue;
      first = crossed;
      side = k;
    }
    if (side < 0) return -1;
    if (kinds[side] !== FLAT_SIDE || beyond[side] < 0) return beyond[side];
    facet = beyond[side];
    since = first;
  }
  return -1;
}
