// The vertices of a triangle's corner, edge or face, by region.
import type { Mesh } from '../../mesh/mesh.js';
import type { MeshFeature } from '../../mesh/query/mesh-query.js';

/** The feature of a mesh that a region of one of its triangles is: 0 to 2 a corner, 3 to 5 an edge, 6 the face. */
export function nameFeature({ indices }: Mesh, triangle: number, region: number): MeshFeature {
  const first = 3 * triangle;
  if (region < 3) return { kind: 'vertex', vertices: [indices[first + region]] };
  if (region < 6) {
    const u = indices[first + region - 3];
    const v = indices[first + ((region - 2) % 3)];
    return { kind: 'edge', vertices: u < v ? [u, v] : [v, u] };
  }
  return { kind: 'face', vertices: [indices[first], indices[first + 1], indices[first + 2]] };
}
