// Many convex polyhedra in flat arrays, the nodes of a set, for closest-feature queries. One hull is a set of one node,
// a hierarchy of hulls a set of all its nodes, so that one kernel serves both. O(half-edges) to make, once.
import { DerivedParts } from '../../core/derived-parts.js';
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findFacePlanes } from '../hull/face-planes.js';
import type { Hull } from '../hull/hull.js';
import { DirectionLookup } from './direction-lookup.js';

/**
 * The surfaces of convex polyhedra. With f a face of a node, h a half-edge and r a face record:
 *
 * - The half-edges of face f are 3f, 3f + 1 and 3f + 2, counted through all nodes; 3f + k leaves corner k of record
 *   `nodeFaces[f]`. The other half-edges that leave the same vertex are found by h → twins[previous half-edge of the face].
 * - Surfaces may be weakly convex: neighboring faces may be coplanar, vertices may lie within a facet or an edge.
 * - A flat polygon has two sides of triangles. A node without faces is the segment between its two vertices, or its one
 *   vertex.
 */
export interface ConvexArrays {
  /** The faces of node n are `faceStart[n]` up to before `faceStart[n + 1]`. */
  readonly faceStart: Uint32Array;
  /** The record of each face. */
  readonly nodeFaces: Uint32Array;
  /** Three vertex ids per record, counter-clockwise seen from outside. */
  readonly faceVertices: Uint32Array;
  /** Four numbers per record: the unit normal, outward, and normal·p of the points p in the plane. */
  readonly facePlanes: Float64Array;
  /** For each half-edge the opposite one, in the neighboring face of the same node. */
  readonly twins: Uint32Array;
  /** The vertices of node n are `vertexStart[n]` up to before `vertexStart[n + 1]`. */
  readonly vertexStart: Uint32Array;
  /** Vertex ids. */
  readonly nodeVertices: Uint32Array;
  /** For each vertex of a node a half-edge of the node that leaves it; unused if a node has no faces. */
  readonly vertexHalfEdges: Uint32Array;
  /** 1 for a node that is a polygon with two sides. */
  readonly flatNodes: Uint8Array;
}

/** Convex polyhedra in flat arrays, ready for queries. */
export interface ConvexSet extends ConvexArrays {
  /** x, y, z of each vertex id. */
  readonly positions: Float64Array;
  /** The vertex id that each half-edge leaves. */
  readonly halfEdgeVertices: Uint32Array;
  /** Finds start vertices for queries without a seed. */
  readonly lookup: DirectionLookup;
  /** Other data derived from the set so far. */
  readonly parts: DerivedParts<ConvexSet>;
}

/** Throws for a node that the set does not have. `name` says whose set it is. */
export function assertNode(set: ConvexSet, node: number, name: string): void {
  const count = set.vertexStart.length - 1;
  if (Number.isInteger(node) && node >= 0 && node < count) return;
  throw new NearfieldError(
    'index-out-of-range',
    `Node ${node} of ${name} does not exist; it has nodes 0 to ${count - 1}.`,
  );
}

/** The set of all nodes of a hierarchy of hulls, or of anything with the same arrays; they are shared, not copied. */
export function createConvexSetOf(hulls: ConvexArrays & { readonly mesh: Mesh }): ConvexSet {
  return complete(hulls, hulls.mesh.positions);
}

/** The set whose only node, 0, is a hull of any dimension. Vertex ids are the hull's point ids. */
export function createConvexSet(hull: Hull): ConvexSet {
  assertHull(hull);
  const { points, vertices, triangles, twins } = hull;
  const faces = triangles.length / 3;
  const vertexHalfEdges = new Uint32Array(vertices.length);
  const places = new Map<number, number>();
  vertices.forEach((vertex, i) => void places.set(vertex, i));
  for (let h = triangles.length - 1; h >= 0; h--) vertexHalfEdges[places.get(triangles[h])!] = h;
  const arrays: ConvexArrays = {
    faceStart: Uint32Array.of(0, faces),
    nodeFaces: Uint32Array.from({ length: faces }, (_, i) => i),
    faceVertices: triangles,
    facePlanes: findFacePlanes(points, triangles),
    twins,
    vertexStart: Uint32Array.of(0, vertices.length),
    nodeVertices: vertices,
    vertexHalfEdges,
    flatNodes: Uint8Array.of(hull.dimension === 2 ? 1 : 0),
  };
  return complete(arrays, points);
}

function complete(arrays: ConvexArrays, positions: Float64Array): ConvexSet {
  const { nodeFaces, faceVertices } = arrays;
  const halfEdgeVertices = new Uint32Array(3 * nodeFaces.length);
  for (let face = 0; face < nodeFaces.length; face++) {
    const record = 3 * nodeFaces[face];
    halfEdgeVertices[3 * face] = faceVertices[record];
    halfEdgeVertices[3 * face + 1] = faceVertices[record + 1];
    halfEdgeVertices[3 * face + 2] = faceVertices[record + 2];
  }
  const { faceStart, facePlanes, twins, vertexStart, nodeVertices, vertexHalfEdges, flatNodes } = arrays;
  const set: Omit<ConvexSet, 'parts'> & { parts?: ConvexSet['parts'] } = {
    positions,
    faceStart,
    nodeFaces,
    faceVertices,
    facePlanes,
    twins,
    vertexStart,
    nodeVertices,
    vertexHalfEdges,
    flatNodes,
    halfEdgeVertices,
    lookup: new DirectionLookup(vertexStart.length - 1),
  };
  set.parts = new DerivedParts(set as ConvexSet);
  return set as ConvexSet;
}

/** Throws for anything that is not a hull. */
function assertHull(hull: Hull): void {
  const { points, vertices, triangles, twins } = hull ?? {};
  if ([points, vertices, triangles, twins].every((array) => ArrayBuffer.isView(array))) return;
  throw new NearfieldError('bad-argument', 'This is not a hull; make one with buildHull(points).');
}
