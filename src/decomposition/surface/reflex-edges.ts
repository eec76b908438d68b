import type { Mesh } from '../../mesh/mesh.js';
import { findOutwardSurface } from '../../mesh/repair/outward-surface.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import { assertSurface, Surface } from './surface.js';

/**
 * The reflex edges of a surface, those along which it is concave, decided exactly; two vertex ids per edge. Faces of a
 * solid that point inward count as turned.
 * @throws NearfieldError `degenerate`, `non-manifold` or `not-oriented`.
 */
export function findReflexEdges(mesh: Mesh): Uint32Array {
  const surface = new Surface(findOutwardSurface(mesh).mesh);
  assertSurface(surface);
  const { twin, indices } = surface.adjacency;
  const edges = new Uint32Array(2 * surface.reflexEdges);
  let end = 0;
  for (let h = 0; h < twin.length; h++) {
    if (twin[h] < h || !surface.isReflex(h)) continue;
    edges[end++] = indices[h];
    edges[end++] = indices[nextHalfEdge(h)];
  }
  return edges;
}
