// A feature of a convex polyhedron as one 32-bit integer, for use as a seed: four times a handle plus its kind. The
// handle is a half-edge of the set: one that leaves the vertex, the half-edge of an edge, any of a face's three. In a
// node without faces the handle is an index into nodeVertices: the vertex's own, or the first of the segment.
import type { ConvexSet } from './convex-set.js';
import { handleVertex } from './vertex-handle.js';

/** Label: no feature: the query starts without a seed. */
export const NO_FEATURE = -1;
/** Label: the kind of a vertex in a code. */
export const VERTEX = 0;
/** Label: the kind of an edge in a code. */
export const EDGE = 1;
/** Label: the kind of a face in a code. */
export const FACE = 2;

/** The code of a feature. Handles must be below 2^29. */
export function encodeFeature(kind: number, handle: number): number {
  return 4 * handle + kind;
}

/** The kind of a feature: 0, vertex; 1, edge; 2, face. */
export function featureKind(code: number): number {
  return code & 3;
}

/** The handle of a feature. */
export function featureHandle(code: number): number {
  return code >> 2;
}

/** The vertex ids of a feature: one, two or three. */
export function featureVertices(set: ConvexSet, node: number, code: number): number[] {
  const kind = featureKind(code);
  const handle = featureHandle(code);
  if (kind === VERTEX) return [handleVertex(set, node, handle)];
  if (set.faceStart[node] === set.faceStart[node + 1]) return [set.nodeVertices[handle], set.nodeVertices[handle + 1]];
  const first = handle - (handle % 3);
  const next = handle % 3 === 2 ? handle - 2 : handle + 1;
  if (kind === EDGE) return [set.halfEdgeVertices[handle], set.halfEdgeVertices[next]];
  return [set.halfEdgeVertices[first], set.halfEdgeVertices[first + 1], set.halfEdgeVertices[first + 2]];
}
