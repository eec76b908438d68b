// The outward cones of vertices and edges: the directions from which the surface around them falls away.
import type { ContactFeatures } from './shape/contact-features.js';

/** The name of a facet in a contact: that of its flat region, after the vertices and the edges. */
export function faceKey(f: ContactFeatures, facet: number): number {
  return f.vertexCount + f.edgeCount + f.facets.regions[facet];
}

/** Writes a point of one frame into another. */
export function placePoint(m: Float64Array, from: Float64Array, at: number, out: Float64Array): void {
  const x = from[at];
  const y = from[at + 1];
  const z = from[at + 2];
  out[0] = m[0] * x + m[1] * y + m[2] * z + m[3];
  out[1] = m[4] * x + m[5] * y + m[6] * z + m[7];
  out[2] = m[8] * x + m[9] * y + m[10] * z + m[11];
}

/** How far along an edge the foot of a point is; −1 if it is beyond its ends. */
export function alongEdge(f: ContactFeatures, edge: number, point: ArrayLike<number>): number {
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

/** {@link isSummit} for a direction of a frame that the solid is placed in. */
export function turnedSummit(
  f: ContactFeatures,
  vertex: number,
  x: number,
  y: number,
  z: number,
  m: Float64Array,
  slope: number,
): boolean {
  return isSummit(
    f,
    vertex,
    m[0] * x + m[4] * y + m[8] * z,
    m[1] * x + m[5] * y + m[9] * z,
    m[2] * x + m[6] * y + m[10] * z,
    slope,
  );
}

/** {@link isEdgeSummit} for a direction of a frame that the solid is placed in. */
export function turnedEdgeSummit(
  f: ContactFeatures,
  edge: number,
  x: number,
  y: number,
  z: number,
  m: Float64Array,
  slope: number,
): boolean {
  return isEdgeSummit(
    f,
    edge,
    m[0] * x + m[4] * y + m[8] * z,
    m[1] * x + m[5] * y + m[9] * z,
    m[2] * x + m[6] * y + m[10] * z,
    slope,
  );
}
