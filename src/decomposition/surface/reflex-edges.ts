import type { Mesh } from '../../mesh/mesh.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import { assertSurface, Surface } from './surface.js';

/**
 * The reflex edges of a surface, those along which it is concave, decided exactly; two vertex ids per edge.
 * @throws NearfieldError `degenerate`, `non-manifold` or `not-oriented`.
 */
export function findReflexEdges(mesh: Mesh): Uint32Array {
  const surface = new Surface(mesh);
  assertSurface(surface);
  const { twin } = surface.adjacency;
  const edges = new Uint32Array(2 * surface.reflexEdges);
  let end = 0;
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] < h || !surface.isReflex(h)) continue;
    edges[end++] = mesh.indices[h];
    edges[end++] = mesh.indices[nextHalfEdge(h)];
  }
  return edges;
}
