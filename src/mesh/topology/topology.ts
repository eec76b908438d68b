// Fans of faces around vertices, and the genus of a surface. O(triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Mesh } from '../mesh.js';
import { type MeshAdjacency, nextHalfEdge } from './adjacency.js';

/**
 * By vertex: the number of fans of its faces. Faces are joined across the edges at that vertex, however many share one.
 * 0 for a vertex of no face, 1 on a surface, 2 at the waist of an hourglass.
 */
export function countFans(mesh: Mesh, adjacency: MeshAdjacency): Uint32Array {
  const { indices, edgeCount, edgeVertices, edgeStart, edgeHalfEdges, edgeOfHalfEdge } = adjacency;
  // The corner of a face at the start of half-edge h is numbered h.
  const corners = new DisjointSets(indices.length);
  for (let e = 0; e < edgeCount; e++) {
    const first = edgeHalfEdges[edgeStart[e]];
    const low = edgeVertices[2 * e];
    const firstLow = indices[first] === low ? first : nextHalfEdge(first);
    const firstHigh = indices[first] === low ? nextHalfEdge(first) : first;
    for (let i = edgeStart[e] + 1; i < edgeStart[e + 1]; i++) {
      const h = edgeHalfEdges[i];
      corners.unite(firstLow, indices[h] === low ? h : nextHalfEdge(h));
      corners.unite(firstHigh, indices[h] === low ? nextHalfEdge(h) : h);
    }
  }
  const fans = new Uint32Array(mesh.positions.length / 3);
  for (let corner = 0; corner < indices.length; corner++) {
    if (edgeOfHalfEdge[corner] >= 0 && corners.find(corner) === corner) fans[indices[corner]]++;
  }
  return fans;
}

/**
 * The number of handles of an orientable surface, over all its components: each has the Euler characteristic
 * vertices − edges + faces = 2 − 2 × genus − boundary loops.
 */
export function genusOf(
  vertices: number,
  edges: number,
  faces: number,
  components: number,
  boundaryLoops: number,
): number {
  return (2 * components - (vertices - edges + faces) - boundaryLoops) / 2;
}
