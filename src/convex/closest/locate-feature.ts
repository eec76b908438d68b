// The smallest feature of a convex polyhedron that a point of its surface lies on, by scanning all faces. O(faces); for
// points that were found without walking over the surface.
import type { ConvexSet } from './convex-set.js';
import { encodeFeature } from './feature.js';

/** Rounding: weights of corners, whose sum is 1, are zero below this. */
const WEIGHT_ROUNDING = 1e-12;

/** The code of the feature nearest the point, in the set's frame. */
export function locateFeature(set: ConvexSet, node: number, x: number, y: number, z: number): number {
  const { positions, halfEdgeVertices, faceStart } = set;
  if (faceStart[node] === faceStart[node + 1]) return locateOnSegment(set, node, x, y, z);
  let nearest = Infinity;
  let feature = encodeFeature(0, 3 * faceStart[node]);
  for (let face = faceStart[node]; face < faceStart[node + 1]; face++) {
    const a = 3 * halfEdgeVertices[3 * face];
    const b = 3 * halfEdgeVertices[3 * face + 1];
    const c = 3 * halfEdgeVertices[3 * face + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const px = x - positions[a];
    const py = y - positions[a + 1];
    const pz = z - positions[a + 2];
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const area = nx * nx + ny * ny + nz * nz;
    const t = ((py * vz - pz * vy) * nx + (pz * vx - px * vz) * ny + (px * vy - py * vx) * nz) / area;
    const s = ((uy * pz - uz * py) * nx + (uz * px - ux * pz) * ny + (ux * py - uy * px) * nz) / area;
    if (t > WEIGHT_ROUNDING && s > WEIGHT_ROUNDING && t + s < 1 - WEIGHT_ROUNDING) {
      const height = (px * nx + py * ny + pz * nz) ** 2 / area;
      if (height < nearest) {
        nearest = height;
        feature = encodeFeature(2, 3 * face);
      }
      continue;
    }
    for (let k = 0; k < 3; k++) {
      const from = 3 * halfEdgeVertices[3 * face + k];
      const to = 3 * halfEdgeVertices[3 * face + (k === 2 ? 0 : k + 1)];
      const ex = positions[to] - positions[from];
      const ey = positions[to + 1] - positions[from + 1];
      const ez = positions[to + 2] - positions[from + 2];
      const qx = x - positions[from];
      const qy = y - positions[from + 1];
      const qz = z - positions[from + 2];
      const along = Math.min(1, Math.max(0, (qx * ex + qy * ey + qz * ez) / (ex * ex + ey * ey + ez * ez)));
      const squared = (qx - along * ex) ** 2 + (qy - along * ey) ** 2 + (qz - along * ez) ** 2;
      if (!(squared < nearest)) continue;
      nearest = squared;
      if (along <= WEIGHT_ROUNDING) feature = encodeFeature(0, 3 * face + k);
      else if (along < 1 - WEIGHT_ROUNDING) feature = encodeFeature(1, 3 * face + k);
      else feature = encodeFeature(0, 3 * face + (k === 2 ? 0 : k + 1));
    }
  }
  return feature;
}

/** As {@link locateFeature}, for a set of one or two points. */
function locateOnSegment(
  { positions, nodeVertices, vertexStart }: ConvexSet,
  node: number,
  x: number,
  y: number,
  z: number,
): number {
  const first = vertexStart[node];
  if (vertexStart[node + 1] === first + 1) return encodeFeature(0, first);
  const a = 3 * nodeVertices[first];
  const b = 3 * nodeVertices[first + 1];
  const ex = positions[b] - positions[a];
  const ey = positions[b + 1] - positions[a + 1];
  const ez = positions[b + 2] - positions[a + 2];
  const t =
    ((x - positions[a]) * ex + (y - positions[a + 1]) * ey + (z - positions[a + 2]) * ez) /
    (ex * ex + ey * ey + ez * ez);
  if (t <= WEIGHT_ROUNDING) return encodeFeature(0, first);
  return t >= 1 - WEIGHT_ROUNDING ? encodeFeature(0, first + 1) : encodeFeature(1, first);
}
