// The contact of two features of two solids: a vertex and a face, two edges, a vertex and an edge, or two vertices. The
// normal comes from a face or from two edges wherever there is one, so that it does not blur as the gap closes. The pair
// touches only if the normal lies in the outward cones of both features: then it is a local minimum of the distance.
import type { ContactFeatures } from '../shape/contact-features.js';
import { CONCAVE_SIDE } from '../shape/contact-features.js';
import { type ContactPoints, NORMAL, ON_B, SEPARATION } from './contact-points.js';

/** The kinds of pairs. The feature of A comes first, and is named by a triangle, an edge or a vertex. */
export const FACE_VERTEX = 0;
export const VERTEX_FACE = 1;
export const EDGE_EDGE = 2;
export const EDGE_VERTEX = 3;
export const VERTEX_EDGE = 4;
export const VERTEX_VERTEX = 5;

/**
 * The sine of the angle by which the normal of a face or of two edges may leave a cone. A box that is tilted over a plane
 * has a single lowest corner; the others count too, as far as they are within the margin, or it would rock.
 */
const PATCH_SLOPE = 0.2;

/**
 * The same for vertices against edges and vertices, because what is beside them stands for patches: little more than the
 * rounding of the direction between two points.
 */
const CONE_SLOPE = 1e-9;

/** The squared sine of the angle of two edges below which they have no normal of their own. */
const PARALLEL_SQUARED = 1e-10;

/** Rounding of a coordinate, as a share of the largest: a foot this far outside a face is on it. */
const ROUNDING = 1e-14;

/** A vertex this near to an edge or a vertex, in roundings, has no direction; it touches the faces there instead. */
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
    this.#rounding = ROUNDING * (this.a.magnitude + this.b.magnitude + shift);
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
  #heightOver(f: ContactFeatures, triangle: number, point: Float64Array): number {
    const { planes, sides, sideKinds } = f;
    const x = point[0];
    const y = point[1];
    const z = point[2];
    const i = 4 * triangle;
    const height = planes[i] * x + planes[i + 1] * y + planes[i + 2] * z - planes[i + 3];
    if (!(height <= this.reach && height >= -this.depth)) return Infinity;
    for (let k = 0; k < 3; k++) {
      const s = 4 * (3 * triangle + k);
      const inside = sides[s] * x + sides[s + 1] * y + sides[s + 2] * z - sides[s + 3];
      if (inside >= -this.#rounding) continue;
      // A point behind both faces of a concave edge has its feet beyond it, and must leave through both.
      if (!(height < 0 && inside >= -this.depth && sideKinds[3 * triangle + k] === CONCAVE_SIDE)) return Infinity;
    }
    return height;
  }

  #measureFaceVertex(triangle: number, vertex: number, points: ContactPoints): void {
    const { a, b } = this;
    const x = this.#x;
    placePoint(this.bInA, b.positions, 3 * vertex, x);
    const height = this.#heightOver(a, triangle, x);
    if (height === Infinity) return;
    const i = 4 * triangle;
    const nx = a.planes[i];
    const ny = a.planes[i + 1];
    const nz = a.planes[i + 2];
    if (nx === 0 && ny === 0 && nz === 0) return;
    if (!this.#vertexFalls(b, vertex, -nx, -ny, -nz, this.bInA, PATCH_SLOPE)) return;
    const keyA = faceKey(a, triangle);
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

  #measureVertexFace(vertex: number, triangle: number, points: ContactPoints): void {
    const { a, b } = this;
    const m = this.bInA;
    const y = this.#y;
    placePoint(this.aInB, a.positions, 3 * vertex, y);
    const height = this.#heightOver(b, triangle, y);
    if (height === Infinity) return;
    const i = 4 * triangle;
    const fx = b.planes[i];
    const fy = b.planes[i + 1];
    const fz = b.planes[i + 2];
    if (fx === 0 && fy === 0 && fz === 0) return;
    const nx = -(m[0] * fx + m[1] * fy + m[2] * fz);
    const ny = -(m[4] * fx + m[5] * fy + m[6] * fz);
    const nz = -(m[8] * fx + m[9] * fy + m[10] * fz);
    if (!isSummit(a, vertex, nx, ny, nz, PATCH_SLOPE)) return;
    const keyB = faceKey(b, triangle);
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
    if (!this.#edgeFallsInB(edgeB, -nx, -ny, -nz, PATCH_SLOPE)) return;
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
    if (!this.#vertexFalls(b, vertex, -nx, -ny, -nz, this.bInA, slope)) return;
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
    if (!this.#edgeFallsInB(edge, -nx, -ny, -nz, slope)) return;
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
    if (!this.#vertexFalls(b, vertexB, -nx, -ny, -nz, this.bInA, slope)) return;
    this.#keep(points, positions[v], positions[v + 1], positions[v + 2], x[0], x[1], x[2], distance, vertexA, vertexB);
  }

  /** The length of a vector that is not longer than the reach and long enough to have a direction; otherwise −1. */
  #distanceWithin(dx: number, dy: number, dz: number): number {
    const squared = dx * dx + dy * dy + dz * dz;
    if (!(squared <= this.reach * this.reach)) return -1;
    const distance = Math.sqrt(squared);
    return distance > NO_DIRECTION * this.#rounding ? distance : -1;
  }

  /** Whether a vertex of B is the highest point around it along a direction of A's frame. */
  #vertexFalls(
    b: ContactFeatures,
    vertex: number,
    x: number,
    y: number,
    z: number,
    m: Float64Array,
    slope: number,
  ): boolean {
    return isSummit(
      b,
      vertex,
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
      slope,
    );
  }

  /** Whether the faces at an edge of B fall away from it along a direction of A's frame. */
  #edgeFallsInB(edge: number, x: number, y: number, z: number, slope: number): boolean {
    const m = this.bInA;
    return isEdgeSummit(
      this.b,
      edge,
      m[0] * x + m[4] * y + m[8] * z,
      m[1] * x + m[5] * y + m[9] * z,
      m[2] * x + m[6] * y + m[10] * z,
      slope,
    );
  }

  /** Keeps two points that are a positive distance apart, which gives the normal. */
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

/** The name of a face: that of its flat region, after the vertices and the edges. */
export function faceKey(f: ContactFeatures, triangle: number): number {
  return f.vertexCount + f.edgeCount + f.regions[triangle];
}

/** Writes a point of one frame into another. */
function placePoint(m: Float64Array, from: Float64Array, at: number, out: Float64Array): void {
  const x = from[at];
  const y = from[at + 1];
  const z = from[at + 2];
  out[0] = m[0] * x + m[1] * y + m[2] * z + m[3];
  out[1] = m[4] * x + m[5] * y + m[6] * z + m[7];
  out[2] = m[8] * x + m[9] * y + m[10] * z + m[11];
}

/** How far along an edge the foot of a point is; −1 if it is beyond its ends. */
function alongEdge(f: ContactFeatures, edge: number, point: Float64Array): number {
  const { positions, edgeLines } = f;
  const p = 3 * f.edgeVertices[2 * edge];
  const i = 4 * edge;
  const along =
    (point[0] - positions[p]) * edgeLines[i] +
    (point[1] - positions[p + 1]) * edgeLines[i + 1] +
    (point[2] - positions[p + 2]) * edgeLines[i + 2];
  return along >= 0 && along <= edgeLines[i + 3] ? along : -1;
}

/** Whether all edges at a vertex fall away from it along a direction in its own frame. */
export function isSummit(f: ContactFeatures, vertex: number, x: number, y: number, z: number, slope: number): boolean {
  const { vertexFalls } = f;
  const end = 3 * f.fallStart[vertex + 1];
  for (let i = 3 * f.fallStart[vertex]; i < end; i += 3) {
    if (vertexFalls[i] * x + vertexFalls[i + 1] * y + vertexFalls[i + 2] * z > slope) return false;
  }
  return true;
}

/** Whether both faces at an edge fall away from it along a direction in its own frame. */
export function isEdgeSummit(
  f: ContactFeatures,
  edge: number,
  x: number,
  y: number,
  z: number,
  slope: number,
): boolean {
  const { edgeFalls } = f;
  const i = 6 * edge;
  return (
    edgeFalls[i] * x + edgeFalls[i + 1] * y + edgeFalls[i + 2] * z <= slope &&
    edgeFalls[i + 3] * x + edgeFalls[i + 4] * y + edgeFalls[i + 5] * z <= slope
  );
}
