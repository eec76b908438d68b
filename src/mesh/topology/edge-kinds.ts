// Counts of edges by the number and the direction of their faces: the basis of closed, manifold and oriented.

import type { MeshAdjacency } from './adjacency.js';

export interface EdgeKinds {
  /** Edges of one face only. */
  boundaryEdges: number;
  /** Edges of three or more faces. */
  nonManifoldEdges: number;
  /** Edges of two or more faces that are not traversed equally often in both directions. */
  unbalancedEdges: number;
}

/** @param flips 1 for each face to be counted as reversed; by default none is. */
export function countEdgeKinds(adjacency: MeshAdjacency, flips?: Uint8Array): EdgeKinds {
  const { indices, edgeCount, edgeVertices, edgeStart, edgeHalfEdges } = adjacency;
  const kinds: EdgeKinds = { boundaryEdges: 0, nonManifoldEdges: 0, unbalancedEdges: 0 };
  for (let e = 0; e < edgeCount; e++) {
    const faces = edgeStart[e + 1] - edgeStart[e];
    if (faces === 1) {
      kinds.boundaryEdges++;
      continue;
    }
    if (faces > 2) kinds.nonManifoldEdges++;
    let balance = 0;
    for (let i = edgeStart[e]; i < edgeStart[e + 1]; i++) {
      const h = edgeHalfEdges[i];
      const flipped = flips !== undefined && flips[Math.floor(h / 3)] === 1;
      balance += (indices[h] === edgeVertices[2 * e]) !== flipped ? 1 : -1;
    }
    if (balance !== 0) kinds.unbalancedEdges++;
  }
  return kinds;
}
