// A normal for each corner of each triangle: the mean of the faces around its vertex, weighted by area, without those
// beyond a crease. Linear in the corners, times the valence.
import type { Mesh } from 'nearfield/mesh';

/** Faces that meet at a sharper angle keep an edge between them: cos 40°. */
const CREASE_COSINE = 0.766;
/** Beyond this many faces around a vertex (the tip of a cone) the square of the valence would count; the face's own normal serves. */
const MAX_FACES = 256;

/** Nine numbers a triangle, unit vectors (zero for a triangle without area). */
export function cornerNormals(mesh: Mesh): Float32Array {
  const { indices } = mesh;
  const cornerCount = indices.length;
  const faces = faceNormals(mesh);
  const [firstCorner, corners] = cornersOfVertices(mesh);
  const normals = new Float32Array(3 * cornerCount);
  for (let corner = 0; corner < cornerCount; corner++) {
    const face = 4 * Math.floor(corner / 3);
    const from = firstCorner[indices[corner]];
    const to = firstCorner[indices[corner] + 1];
    let x = faces[face];
    let y = faces[face + 1];
    let z = faces[face + 2];
    if (to - from <= MAX_FACES) {
      const area = faces[face + 3];
      x *= area;
      y *= area;
      z *= area;
      for (let i = from; i < to; i++) {
        const other = 4 * Math.floor(corners[i] / 3);
        if (other === face) continue;
        const cosine =
          faces[face] * faces[other] + faces[face + 1] * faces[other + 1] + faces[face + 2] * faces[other + 2];
        if (cosine < CREASE_COSINE) continue;
        x += faces[other] * faces[other + 3];
        y += faces[other + 1] * faces[other + 3];
        z += faces[other + 2] * faces[other + 3];
      }
    }
    const length = Math.hypot(x, y, z) || 1;
    normals[3 * corner] = x / length;
    normals[3 * corner + 1] = y / length;
    normals[3 * corner + 2] = z / length;
  }
  return normals;
}

/** Four numbers a face: the unit normal and twice the area. */
export function faceNormals({ positions, indices }: Mesh): Float64Array {
  const faces = new Float64Array((4 * indices.length) / 3);
  for (let i = 0, out = 0; i < indices.length; i += 3, out += 4) {
    const a = 3 * indices[i];
    const b = 3 * indices[i + 1];
    const c = 3 * indices[i + 2];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const vx = positions[c] - positions[a];
    const vy = positions[c + 1] - positions[a + 1];
    const vz = positions[c + 2] - positions[a + 2];
    const x = uy * vz - uz * vy;
    const y = uz * vx - ux * vz;
    const z = ux * vy - uy * vx;
    const doubleArea = Math.hypot(x, y, z);
    if (doubleArea === 0) continue;
    faces[out] = x / doubleArea;
    faces[out + 1] = y / doubleArea;
    faces[out + 2] = z / doubleArea;
    faces[out + 3] = doubleArea;
  }
  return faces;
}

/** The corners of vertex v are `corners[firstCorner[v]]` to `corners[firstCorner[v + 1] - 1]`. */
function cornersOfVertices({ positions, indices }: Mesh): [firstCorner: Uint32Array, corners: Uint32Array] {
  const firstCorner = new Uint32Array(positions.length / 3 + 1);
  for (const vertex of indices) firstCorner[vertex + 1]++;
  for (let vertex = 1; vertex < firstCorner.length; vertex++) firstCorner[vertex] += firstCorner[vertex - 1];
  const next = firstCorner.slice();
  const corners = new Uint32Array(indices.length);
  for (let corner = 0; corner < indices.length; corner++) corners[next[indices[corner]]++] = corner;
  return [firstCorner, corners];
}
