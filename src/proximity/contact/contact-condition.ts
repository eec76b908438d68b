// Whether the distance from a surface to something outside it has a local minimum at a feature. Near a point the surface is its
// tangent cone, so first order decides: nothing nearby may rise along the normal. For an edge this is checked for the
// third corners of all its faces, for a vertex for all its neighbors; a face needs no check.
import { findEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { FACE_REGION } from '../../mesh/triangle/triangle-region.js';
import type { ContactSurface } from './contact-surface.js';

/**
 * Rounding: where a solid is thinner than this angle, in radians, its outside cannot be told from its inside: both
 * count.
 */
const THIN_ANGLE = 1e-9;

/**
 * Whether the surface, near a point on `region` of `triangle`, lies on or below the plane through the point perpendicular
 * to the unit vector (nx, ny, nz) and, for a solid, the vector points out of it. In the surface's own frame.
 * Takes scalars, for inner loops.
 * @param slope rises up to this share of their length count as flat, and
 * @param slack so do those up to this height.
 */
export function isSummit(
  surface: ContactSurface,
  triangle: number,
  region: number,
  nx: number,
  ny: number,
  nz: number,
  slope: number,
  slack: number,
): boolean {
  if (region === FACE_REGION) {
    const { faceNormals: m } = surface;
    const i = 3 * triangle;
    return !surface.closed || m[i] * nx + m[i + 1] * ny + m[i + 2] * nz >= -THIN_ANGLE;
  }
  if (region >= 3) return isRidge(surface, 3 * triangle + region - 3, nx, ny, nz, slope, slack);
  const { neighborStart, neighbors, vertexNormals: m } = surface;
  const vertex = surface.indices[3 * triangle + region];
  if (surface.closed && m[3 * vertex] * nx + m[3 * vertex + 1] * ny + m[3 * vertex + 2] * nz < -THIN_ANGLE)
    return false;
  for (let i = neighborStart[vertex]; i < neighborStart[vertex + 1]; i++) {
    if (rises(surface.mesh.positions, 3 * vertex, 3 * neighbors[i], nx, ny, nz, slope, slack)) return false;
  }
  return true;
}

function isRidge(
  surface: ContactSurface,
  halfEdge: number,
  nx: number,
  ny: number,
  nz: number,
  slope: number,
  slack: number,
): boolean {
  const { adjacency, indices, faceNormals } = surface;
  const { edgeStart, edgeHalfEdges } = adjacency;
  const from = indices[halfEdge];
  let edge = adjacency.edgeOfHalfEdge[halfEdge];
  if (edge < 0) {
    // A triangle that names a vertex twice is a segment, possibly of other triangles.
    edge = findEdge(adjacency, from, indices[halfEdge % 3 === 2 ? halfEdge - 2 : halfEdge + 1]);
    if (edge < 0) return true;
  }
  let outward = 0;
  for (let i = edgeStart[edge]; i < edgeStart[edge + 1]; i++) {
    const h = edgeHalfEdges[i];
    const third = 3 * indices[previousHalfEdge(h)];
    if (rises(surface.mesh.positions, 3 * from, third, nx, ny, nz, slope, slack)) return false;
    const m = h - (h % 3);
    outward += faceNormals[m] * nx + faceNormals[m + 1] * ny + faceNormals[m + 2] * nz;
  }
  // With every face below the plane, the sign of the normals' sum tells the outer side, for any even number of faces.
  return !surface.closed || outward >= -THIN_ANGLE;
}

/** Takes scalars, for inner loops. */
function rises(
  p: Float64Array,
  from: number,
  to: number,
  nx: number,
  ny: number,
  nz: number,
  slope: number,
  slack: number,
): boolean {
  const x = p[to] - p[from];
  const y = p[to + 1] - p[from + 1];
  const z = p[to + 2] - p[from + 2];
  const rise = x * nx + y * ny + z * nz;
  return rise > slack && rise * rise > slope * slope * (x * x + y * y + z * z);
}
