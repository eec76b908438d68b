// Polygons as flat meshes.
import { type Mesh, triangulatePolygon } from 'nearfield/mesh';

/** The inside of a polygon as triangles at z = 0. */
export function flatMesh(rings: readonly Float64Array[]): Mesh {
  const { points, triangles } = triangulatePolygon({ rings });
  const positions = new Float64Array((points.length / 2) * 3);
  for (let i = 0; i < points.length / 2; i++) positions.set(points.subarray(2 * i, 2 * i + 2), 3 * i);
  return { positions, indices: triangles };
}
