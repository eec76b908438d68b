// How far flat facets may be from the curved surface that they stand for, where a file does not say it. Two facets that meet
// at a small angle θ are chords of an arc: with facets of width w its radius is w / θ, and it rises w θ / 8 above them. An
// estimate: whether the surface was meant to be round is not in the file.
import type { Mesh } from '../../mesh/mesh.js';
import type { MeshAdjacency } from '../../mesh/topology/adjacency.js';

/** Chosen: facets that meet at a larger angle meet in an edge that is meant, in radians. A ring of 12 has 30 degrees. */
const MAX_SMOOTH_ANGLE = (35 * Math.PI) / 180;

/** The estimate for each triangle; 0 for one in a flat region. */
export function estimateFacetErrors({ positions }: Mesh, adjacency: MeshAdjacency): Float64Array {
  const { indices, edgeCount, edgeStart, edgeHalfEdges, edgeVertices } = adjacency;
  const normals = new Float64Array(indices.length);
  for (let t = 0; t < indices.length; t += 3) writeNormal(positions, indices, t, normals);
  const errors = new Float64Array(indices.length / 3);
  for (let edge = 0; edge < edgeCount; edge++) {
    if (edgeStart[edge + 1] - edgeStart[edge] !== 2) continue;
    const s = Math.floor(edgeHalfEdges[edgeStart[edge]] / 3);
    const t = Math.floor(edgeHalfEdges[edgeStart[edge] + 1] / 3);
    const areaS = Math.hypot(normals[3 * s], normals[3 * s + 1], normals[3 * s + 2]);
    const areaT = Math.hypot(normals[3 * t], normals[3 * t + 1], normals[3 * t + 2]);
    if (!(areaS > 0 && areaT > 0)) continue;
    let cosine = 0;
    for (let k = 0; k < 3; k++) cosine += (normals[3 * s + k] / areaS) * (normals[3 * t + k] / areaT);
    const angle = Math.acos(Math.max(-1, Math.min(1, cosine)));
    if (angle > MAX_SMOOTH_ANGLE) continue;
    const [u, v] = [3 * edgeVertices[2 * edge], 3 * edgeVertices[2 * edge + 1]];
    const length = Math.hypot(
      positions[u] - positions[v],
      positions[u + 1] - positions[v + 1],
      positions[u + 2] - positions[v + 2],
    );
    // The normals have the doubled area as their length. A strip beside a large flat face is as wide as the strip.
    const rise = (Math.min(areaS, areaT) / length) * (angle / 8);
    errors[s] = Math.max(errors[s], rise);
    errors[t] = Math.max(errors[t], rise);
  }
  return errors;
}

function writeNormal(positions: Float64Array, indices: Uint32Array, t: number, out: Float64Array): void {
  const [a, b, c] = [3 * indices[t], 3 * indices[t + 1], 3 * indices[t + 2]];
  const [ux, uy, uz] = [
    positions[b] - positions[a],
    positions[b + 1] - positions[a + 1],
    positions[b + 2] - positions[a + 2],
  ];
  const [vx, vy, vz] = [
    positions[c] - positions[a],
    positions[c + 1] - positions[a + 1],
    positions[c + 2] - positions[a + 2],
  ];
  out[t] = uy * vz - uz * vy;
  out[t + 1] = uz * vx - ux * vz;
  out[t + 2] = ux * vy - uy * vx;
}
