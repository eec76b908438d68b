// Connected parts of a mesh: disjoint sets of faces, united across shared edges. O(triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Mesh } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency } from './adjacency.js';

/** The connected parts of a mesh. */
export interface MeshComponents {
  readonly count: number;
  /**
   * The component of each face, numbered in the order of their first faces; −1 for a face that names a vertex twice,
   * which has no edges and belongs to none.
   */
  readonly componentOfFace: Int32Array;
}

/**
 * The connected parts of a mesh. Faces that share an edge are connected, however many meet there; faces that share
 * only a vertex, or that lie together without sharing vertex ids, are not.
 */
export function findComponents(mesh: Mesh, adjacency: MeshAdjacency = buildAdjacency(mesh)): MeshComponents {
  const { edgeCount, edgeStart, edgeHalfEdges, edgeOfHalfEdge } = adjacency;
  const faces = mesh.indices.length / 3;
  const sets = new DisjointSets(faces);
  for (let e = 0; e < edgeCount; e++) {
    const first = Math.floor(edgeHalfEdges[edgeStart[e]] / 3);
    for (let i = edgeStart[e] + 1; i < edgeStart[e + 1]; i++) sets.unite(first, Math.floor(edgeHalfEdges[i] / 3));
  }
  const componentOfFace = new Int32Array(faces).fill(-1);
  let count = 0;
  for (let face = 0; face < faces; face++) {
    if (edgeOfHalfEdge[3 * face] < 0) continue;
    const root = sets.find(face);
    // The root is the lowest face of its set, so it is numbered before the others.
    componentOfFace[face] = root === face ? count++ : componentOfFace[root];
  }
  return { count, componentOfFace };
}
