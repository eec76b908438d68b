// Normals and shapes of faces given by the places of their corners in an array of coordinates.
import type { Mesh } from '../../mesh/mesh.js';

/** The normal of a face, twice its area long. */
export function faceNormal(p: Float64Array, a: number, b: number, c: number): [number, number, number] {
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = p[c] - p[a];
  const vy = p[c + 1] - p[a + 1];
  const vz = p[c + 2] - p[a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** A face's height over its longest side, NaN if that has no length. */
export function heightRatio(p: Float64Array, a: number, b: number, c: number): number {
  return Math.hypot(...faceNormal(p, a, b, c)) / Math.max(squared(p, a, b), squared(p, b, c), squared(p, c, a));
}

/** Writes the unit normals of all vertices, averaged by area; returns `out`. */
export function writeVertexNormals({ positions, indices }: Mesh, out: Float64Array): Float64Array {
  for (let f = 0; f < indices.length; f += 3) {
    const normal = faceNormal(positions, 3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]);
    for (let k = 0; k < 3; k++) for (let axis = 0; axis < 3; axis++) out[3 * indices[f + k] + axis] += normal[axis];
  }
  for (let v = 0; v < out.length; v += 3) {
    const length = Math.hypot(out[v], out[v + 1], out[v + 2]);
    for (let axis = 0; axis < 3 && length > 0; axis++) out[v + axis] /= length;
  }
  return out;
}

function squared(p: Float64Array, a: number, b: number): number {
  return (p[b] - p[a]) ** 2 + (p[b + 1] - p[a + 1]) ** 2 + (p[b + 2] - p[a + 2]) ** 2;
}
