// A handle identifies a vertex of a node: a half-edge that leaves it or, in a node without faces, its index in
// nodeVertices.
import type { ConvexSet } from './convex-set.js';

/** The vertex id of a handle. */
export function handleVertex(set: ConvexSet, node: number, handle: number): number {
  return set.faceStart[node] === set.faceStart[node + 1] ? set.nodeVertices[handle] : set.halfEdgeVertices[handle];
}

/** The handle of the vertex at an index of nodeVertices. */
export function placeHandle(set: ConvexSet, node: number, place: number): number {
  return set.faceStart[node] === set.faceStart[node + 1] ? place : set.vertexHalfEdges[place];
}
