// Boundary loops: from boundary edge to boundary edge, around each vertex through the faces of one fan, so that loops
// that meet at a vertex stay separate. O(triangles) to find the edges, then O(faces at the boundary).

import type { Mesh } from '../mesh.js';
import { buildAdjacency, type MeshAdjacency, nextHalfEdge, previousHalfEdge } from './adjacency.js';

/**
 * The loops of edges that belong to one face only, as vertex ids in order. Every boundary edge is in exactly one loop.
 * A loop starts with its half-edge of lowest number and runs the way that half-edge runs, which in an oriented mesh
 * is the way all of its half-edges run. Loops that touch at a vertex stay separate.
 *
 * A loop cannot continue where the faces around a boundary vertex end at an edge with three or more faces. The boundary
 * is then an open chain from one of these vertices to another. Chains come first in the result.
 */
export function findBoundaryLoops(mesh: Mesh, adjacency: MeshAdjacency = buildAdjacency(mesh)): Uint32Array[] {
  const { indices, edgeCount, edgeStart, edgeHalfEdges } = adjacency;
  const boundary: number[] = [];
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] === 1) boundary.push(edgeHalfEdges[edgeStart[e]]);
  }
  boundary.sort((a, b) => a - b);

  const visited = new Set<number>();
  const loops: Uint32Array[] = [];
  const trace = (start: number, vertex: number): void => {
    const loop: number[] = [];
    let h = start;
    while (h >= 0 && !visited.has(h)) {
      visited.add(h);
      loop.push(vertex);
      vertex = otherEnd(h, vertex, indices);
      h = turnToBoundary(h, vertex, indices, adjacency);
    }
    if (h < 0) loop.push(vertex);
    loops.push(Uint32Array.from(loop));
  };
  for (const h of boundary) {
    if (visited.has(h)) continue;
    const from = indices[h];
    const to = otherEnd(h, from, indices);
    if (turnToBoundary(h, from, indices, adjacency) < 0) trace(h, from);
    else if (turnToBoundary(h, to, indices, adjacency) < 0) trace(h, to);
  }
  for (const h of boundary) if (!visited.has(h)) trace(h, indices[h]);
  return loops;
}

/** The other boundary half-edge of the fan of faces about `vertex` that starts at `h`; −1 if the fan ends elsewhere. */
function turnToBoundary(h: number, vertex: number, indices: Uint32Array, adjacency: MeshAdjacency): number {
  const { twin, edgeOfHalfEdge, edgeStart } = adjacency;
  // A fan has each half-edge once; only where a face names a vertex twice could the walk go round without an end.
  for (let steps = 0; steps <= indices.length; steps++) {
    h = indices[h] === vertex ? previousHalfEdge(h) : nextHalfEdge(h);
    if (twin[h] < 0) {
      const edge = edgeOfHalfEdge[h];
      return edgeStart[edge + 1] - edgeStart[edge] === 1 ? h : -1;
    }
    h = twin[h];
  }
  return -1;
}

function otherEnd(h: number, vertex: number, indices: Uint32Array): number {
  return indices[h] === vertex ? indices[nextHalfEdge(h)] : indices[h];
}
