// The contact of two features of two solids: a vertex and a face, two edges, a vertex and an edge, or two vertices. The
// normal comes from a face or from two edges wherever there is one, so that it does not blur as the gap closes. The pair
// touches only if the normal lies in the outward cones of both features: then it is a local minimum of the distance.

import { type ContactPoints, NORMAL, ON_B, SEPARATION } from './contact-points.js';
import {
  alongEdge,
  faceKey,
  isEdgeSummit,
  isSummit,
  placePoint,
  turnedEdgeSummit,
  turnedSummit,
} from './feature-cones.js';
import { COORDINATE_ROUNDING } from './roundings.js';
import type { ContactFeatures } from './shape/contact-features.js';
import { CONCAVE_SIDE } from './shape/facets.js';

/** Label, a kind: a facet of A and a vertex of B. */
export const FACE_VERTEX = 0;
/** Label, a kind: a vertex of A and a facet of B. */
export const VERTEX_FACE = 1;
/** Label, a kind: two edges. */
export const EDGE_EDGE = 2;
/** Label, a kind: an edge of A and a vertex of B. */
export const EDGE_VERTEX = 3;
/** Label, a kind: a vertex of A and an edge of B. */
export const VERTEX_EDGE = 4;
/** Label, a kind: two vertices. */
export const VERTEX_VERTEX = 5;

/**
 * Chosen: the sine of the angle by which the normal of a face or of two edges may leave a cone. A box that is tilted
 * over a plane has a single lowest corner; the others count too where they are within the margin, or it would rock.
 */
export const PATCH_SLOPE = 0.2;

/**
 * Rounding: the same for vertices against edges and vertices, whose patches other features find: little more than that
 * of the direction between two points.
 */
export const CONE_SLOPE = 1e-9;

/** Chosen: two edges have a normal of their own if the squared sine of their angle is larger. */
const PARALLEL_SQUARED = 1e-10;

/**
 * Rounding: a vertex this near to an edge or a vertex, in roundings, has no direction; it touches the faces there
 * instead.
 */
const NO_DIRECTION = 1e3;

/** Measures pairs of features of two solids at one placement. */
export class FeaturePairs {
  readonly a: ContactFeatures;
  readonly b: ContactFeatures;
  /** B in A's frame and A in B's. */
  readonly bInA = new Float64Array(12);
  readonly aInB = new Float64Array(12);
  /** Pairs farther apart than this are left out. */
  reach = 0;
  /** Pairs that overlap by more than this are left out. */
  depth = 0;
  #rounding = 0;
  /** A point in A's frame and one in B's. */
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);

  constructor(a: ContactFeatures, b: ContactFeatures) {
    this.a = a;
    this.b = b;
  }

  /** Places B in A's frame; `reach` and `depth` are set by the caller. */
  place(bInA: Float64Array): void {
    const m = this.bInA;
    const n = this.aInB;
    m.set(bInA);
    for (let row = 0; row < 3; row++) {
      for (let k = 0; k < 3; k++) n[4 * row + k] = m[4 * k + row];
      n[4 * row + 3] = -(m[row] * m[3] + m[4 + row] * m[7] + m[8 + row] * m[11]);
    }
    const shift = Math.abs(m[3]) + Math.abs(m[7]) + Math.abs(m[11]);
    this.#rounding = COORDINATE_ROUNDING * (this.a.magnitude + this.b.magnitude + shift);
  }

  /** Adds the contact of a pair of features, if they touch within the reach. */
  measure(kind: number, featureA: number, featureB: number, points: ContactPoints): void {
    if (kind === FACE_VERTEX) this.#measureFaceVertex(featureA, featureB, points);
    else if (kind === VERTEX_FACE) this.#measureVertexFace(featureA, featureB, points);
    else if (kind === EDGE_EDGE) this.#measureEdges(featureA, featureB, points);
    else if (kind === EDGE_VERTEX) this.#measureEdgeVertex(featureA, featureB, points);
    else if (kind === VERTEX_EDGE) this.#measureVertexEdge(featureA, featureB, points);
    else this.#measureVertices(featureA, featureB, points);
  }

  /** The height of a point over a face if its foot is on it; otherwise infinite. */
  #heightOver(f: ContactFeatures, facet: number, point: Float64Array): number {
    const { planes, start, sides, kinds } = f.facets;
    const x = point[0];
    const y = point[1];
    const z = point[2];
    const i = 4 * facet;
    const height = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (!(height <= this.reach && height >= -this.depth)) return Infinity;
    for (let k = start[facet]; k < start[facet + 1]; k++) {
      const s = 4 * k;
      const inside = sides[s] * x + sides[s + 1] * y + sides[s + 2] * z - sides[s + 3];
      if (inside >= -this.#rounding) continue;
      // A point behind both faces of a concave edge has its feet beyond it, and must leave through both.
      if (!(height < 0 && inside >= -this.depth && kinds[k] === CONCAVE_SIDE)) return Infinity;
    }
    return height;
  }

  #measureFaceVertex(facet: number, vertex: number, points: ContactPoints): void {
    const { a, b } = this;
    const x = this.#x;
    placePoint(this.bInA, b.positions, 3 * vertex, x);
    const height = this.#heightOver(a, facet, x);
    if (height === Infinity) return;
    const i = 4 * facet;
    const nx = a.facets.planes[i];
    const ny = a.facets.planes[i + 1];
    const nz = a.facets.planes[i + 2];
    if (!turnedSummit(b, vertex, -nx, -ny, -nz, this.bInA, PATCH_SLOPE)) return;
    const keyA = faceKey(a, facet);
    if (points.has(keyA, vertex)) return;
    const at = points.reserve();
    const { values } = points;
    values[at] = x[0] - height * nx;
    values[at + 1] = x[1] - height * ny;
    values[at + 2] = x[2] - height * nz;
    values[at + ON_B] = x[0];
    values[at + ON_B + 1] = x[1];
    values[at + ON_B + 2] = x[2];
    values[at + NORMAL] = nx;
    values[at + NORMAL + 1] = ny;
    values[at + NORMAL + 2] = nz;
    values[at + SEPARATION] = height;
    points.keep(keyA, vertex);
  }

  #measureVertexFace(vertex: number, facet: number, points: ContactPoints): void {
    const { a, b } = this;
    const m = this.bInA;
    const y = this.#y;
    placePoint(this.aInB, a.positions, 3 * vertex, y);
    const height = this.#heightOver(b, facet, y);
    if (height === Infinity) return;
    const i = 4 * facet;
    const fx = b.facets.planes[i];
    const fy = b.facets.planes[i + 1];
    const fz = b.facets.planes[i + 2];
    const nx = -(m[0] * fx + m[1] * fy + m[2] * fz);
    const ny = -(m[4] * fx + m[5] * fy + m[6] * fz);
    const nz = -(m[8] * fx + m[9] * fy + m[10] * fz);
    if (!isSummit(a, vertex, nx, ny, nz, PATCH_SLOPE)) return;
    const keyB = faceKey(b, facet);
    if (points.has(vertex, keyB)) return;
    const at = points.reserve();
    const { values } = points;
    const { positions } = a;
    for (let k = 0; k < 3; k++) values[at + k] = positions[3 * vertex + k];
    values[at + ON_B] = values[at] + height * nx;
    values[at + ON_B + 1] = values[at + 1] + height * ny;
    values[at + ON_B + 2] = values[at + 2] + height * nz;
    values[at + NORMAL] = nx;
    values[at + NORMAL + 1] = ny;
    values[at + NORMAL + 2] = nz;
    values[at + SEPARATION] = height;
    points.keep(vertex, keyB);
  }

  /** Runs for every pair of edges: all its values are locals of one function. */
  #measureEdges(edgeA: number, edgeB: number, points: ContactPoints): void {
    const { a, b } = this;
    const m = this.bInA;
    const i = 4 * edgeA;
    const j = 4 * edgeB;
    const ux = a.edgeLines[i];
    const uy = a.edgeLines[i + 1];
    const uz = a.edgeLines[i + 2];
    const lx = b.edgeLines[j];
    const ly = b.edgeLines[j + 1];
    const lz = b.edgeLines[j + 2];
    const vx = m[0] * lx + m[1] * ly + m[2] * lz;
    const vy = m[4] * lx + m[5] * ly + m[6] * lz;
    const vz = m[8] * lx + m[9] * ly + m[10] * lz;
    let nx = uy * vz - uz * vy;
    let ny = uz * vx - ux * vz;
    let nz = ux * vy - uy * vx;
    const sineSquared = nx * nx + ny * ny + nz * nz;
    if (!(sineSquared > PARALLEL_SQUARED)) return;
    const x = this.#x;
    placePoint(m, b.positions, 3 * b.edgeVertices[2 * edgeB], x);
    const p = 3 * a.edgeVertices[2 * edgeA];
    const wx = x[0] - a.positions[p];
    const wy = x[1] - a.positions[p + 1];
    const wz = x[2] - a.positions[p + 2];
    // The nearest points of the two lines.
    const cosine = ux * vx + uy * vy + uz * vz;
    const wu = wx * ux + wy * uy + wz * uz;
    const wv = wx * vx + wy * vy + wz * vz;
    const s = (wu - cosine * wv) / sineSquared;
    const t = (cosine * wu - wv) / sineSquared;
    const r = this.#rounding;
    if (!(s >= -r && t >= -r && s <= a.edgeLines[i + 3] + r && t <= b.edgeLines[j + 3] + r)) return;
    const size = Math.sqrt(sineSquared);
    nx /= size;
    ny /= size;
    nz /= size;
    // Out of A, where both faces fall away from the edge.
    const f = a.edgeFalls;
    const k = 6 * edgeA;
    if (nx * (f[k] + f[k + 3]) + ny * (f[k + 1] + f[k + 4]) + nz * (f[k + 2] + f[k + 5]) > 0) {
      nx = -nx;
      ny = -ny;
      nz = -nz;
    }
    const separation = wx * nx + wy * ny + wz * nz;
    if (!(separation <= this.reach && separation >= -this.depth)) return;
    if (!isEdgeSummit(a, edgeA, nx, ny, nz, PATCH_SLOPE)) return;
    if (!turnedEdgeSummit(b, edgeB, -nx, -ny, -nz, this.bInA, PATCH_SLOPE)) return;
    const at = points.reserve();
    const { values } = points;
    values[at] = a.positions[p] + s * ux;
    values[at + 1] = a.positions[p + 1] + s * uy;
    values[at + 2] = a.positions[p + 2] + s * uz;
    values[at + ON_B] = x[0] + t * vx;
    values[at + ON_B + 1] = x[1] + t * vy;
    values[at + ON_B + 2] = x[2] + t * vz;
    values[at + NORMAL] = nx;
    values[at + NORMAL + 1] = ny;
    values[at + NORMAL + 2] = nz;
    values[at + SEPARATION] = separation;
    points.keep(a.vertexCount + edgeA, b.vertexCount + edgeB);
  }

  #measureEdgeVertex(edge: number, vertex: number, points: ContactPoints): void {
    const { a, b } = this;
    const x = this.#x;
    placePoint(this.bInA, b.positions, 3 * vertex, x);
    const along = alongEdge(a, edge, x);
    if (along < 0) return;
    const p = 3 * a.edgeVertices[2 * edge];
    const i = 4 * edge;
    const px = a.positions[p] + along * a.edgeLines[i];
    const py = a.positions[p + 1] + along * a.edgeLines[i + 1];
    const pz = a.positions[p + 2] + along * a.edgeLines[i + 2];
    const dx = x[0] - px;
    const dy = x[1] - py;
    const dz = x[2] - pz;
    const distance = this.#distanceWithin(dx, dy, dz);
    if (distance < 0) return;
    const slope = CONE_SLOPE + this.#rounding / distance;
    const nx = dx / distance;
    const ny = dy / distance;
    const nz = dz / distance;
    if (!isEdgeSummit(a, edge, nx, ny, nz, slope)) return;
    if (!turnedSummit(b, vertex, -nx, -ny, -nz, this.bInA, slope)) return;
    this.#keep(points, px, py, pz, x[0], x[1], x[2], distance, a.vertexCount + edge, vertex);
  }

  #measureVertexEdge(vertex: number, edge: number, points: ContactPoints): void {
    const { a, b } = this;
    const m = this.bInA;
    const y = this.#y;
    placePoint(this.aInB, a.positions, 3 * vertex, y);
    const along = alongEdge(b, edge, y);
    if (along < 0) return;
    const p = 3 * b.edgeVertices[2 * edge];
    const i = 4 * edge;
    for (let k = 0; k < 3; k++) y[k] = b.positions[p + k] + along * b.edgeLines[i + k];
    const x = this.#x;
    placePoint(m, y, 0, x);
    const v = 3 * vertex;
    const dx = x[0] - a.positions[v];
    const dy = x[1] - a.positions[v + 1];
    const dz = x[2] - a.positions[v + 2];
    const distance = this.#distanceWithin(dx, dy, dz);
    if (distance < 0) return;
    const slope = CONE_SLOPE + this.#rounding / distance;
    const nx = dx / distance;
    const ny = dy / distance;
    const nz = dz / distance;
    if (!isSummit(a, vertex, nx, ny, nz, slope)) return;
    if (!turnedEdgeSummit(b, edge, -nx, -ny, -nz, this.bInA, slope)) return;
    const { positions } = a;
    const keyB = b.vertexCount + edge;
    this.#keep(points, positions[v], positions[v + 1], positions[v + 2], x[0], x[1], x[2], distance, vertex, keyB);
  }

  #measureVertices(vertexA: number, vertexB: number, points: ContactPoints): void {
    const { a, b } = this;
    const x = this.#x;
    placePoint(this.bInA, b.positions, 3 * vertexB, x);
    const { positions } = a;
    const v = 3 * vertexA;
    const dx = x[0] - positions[v];
    const dy = x[1] - positions[v + 1];
    const dz = x[2] - positions[v + 2];
    const distance = this.#distanceWithin(dx, dy, dz);
    if (distance < 0) return;
    const slope = CONE_SLOPE + this.#rounding / distance;
    const nx = dx / distance;
    const ny = dy / distance;
    const nz = dz / distance;
    if (!isSummit(a, vertexA, nx, ny, nz, slope)) return;
    if (!turnedSummit(b, vertexB, -nx, -ny, -nz, this.bInA, slope)) return;
    this.#keep(points, positions[v], positions[v + 1], positions[v + 2], x[0], x[1], x[2], distance, vertexA, vertexB);
  }

  /** The length of a vector that is not longer than the reach and long enough to have a direction; otherwise −1. */
  #distanceWithin(dx: number, dy: number, dz: number): number {
    const squared = dx * dx + dy * dy + dz * dz;
    if (!(squared <= this.reach * this.reach)) return -1;
    const distance = Math.sqrt(squared);
    return distance > NO_DIRECTION * this.#rounding ? distance : -1;
  }

  /** Keeps two points that are a positive distance apart, which gives the normal. Takes scalars, for inner loops. */
  #keep(
    points: ContactPoints,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    distance: number,
    keyA: number,
    keyB: number,
  ): void {
    const at = points.reserve();
    const { values } = points;
    values[at] = ax;
    values[at + 1] = ay;
    values[at + 2] = az;
    values[at + ON_B] = bx;
    values[at + ON_B + 1] = by;
    values[at + ON_B + 2] = bz;
    values[at + NORMAL] = (bx - ax) / distance;
    values[at + NORMAL + 1] = (by - ay) / distance;
    values[at + NORMAL + 2] = (bz - az) / distance;
    values[at + SEPARATION] = distance;
    points.keep(keyA, keyB);
  }
}
