// What searches need besides the hierarchy of hulls itself: the triangles of each piece's patch, the piece of each
// triangle, a triangle at each vertex, and a sphere around each hull and triangle. O(node vertices).
import type { ConvexSet } from '../../convex/closest/convex-set.js';
import { EDGE, featureHandle, featureKind, VERTEX } from '../../convex/closest/feature.js';
import { type FaceClass, type HullHierarchy, ORIGINAL } from '../../decomposition/hierarchy/hierarchy.js';

/** A hierarchy of hulls prepared for searches. */
export interface HullSurface {
  readonly hierarchy: HullHierarchy;
  readonly set: ConvexSet;
  /** The triangles of the patch of leaf n are `patchTriangles[patchStart[n]]` up to before `patchStart[n + 1]`. */
  readonly patchStart: Uint32Array;
  readonly patchTriangles: Uint32Array;
  /** The leaf whose patch contains a triangle. */
  readonly leafOfTriangle: Uint32Array;
  /** A triangle at each vertex, −1 for an unused vertex. */
  readonly triangleOfVertex: Int32Array;
  /** Four numbers per node, and per triangle: center and radius of a sphere around it. */
  readonly nodeSpheres: Float64Array;
  readonly triangleSpheres: Float64Array;
  /** The largest coordinate; rounding is relative to it. */
  readonly extent: number;
}

/** Prepares a hierarchy, whose nodes are the hulls of `set`. */
export function createHullSurface(hierarchy: HullHierarchy, set: ConvexSet): HullSurface {
  const { mesh, children, faceStart, nodeFaces, faceSources, vertexStart, nodeVertices } = hierarchy;
  const { positions, indices } = mesh;
  const nodes = children.length / 2;
  const triangles = indices.length / 3;
  const patchStart = new Uint32Array(nodes + 1);
  const patchTriangles = new Uint32Array(triangles);
  const leafOfTriangle = new Uint32Array(triangles);
  const nodeSpheres = new Float64Array(4 * nodes);
  let end = 0;
  for (let node = 0; node < nodes; node++) {
    if (children[2 * node] < 0) {
      for (let face = faceStart[node]; face < faceStart[node + 1]; face++) {
        const source = faceSources[nodeFaces[face]];
        if (source < 0) continue;
        patchTriangles[end++] = source;
        leafOfTriangle[source] = node;
      }
    }
    patchStart[node + 1] = end;
    writeSphere(positions, nodeVertices, vertexStart[node], vertexStart[node + 1], nodeSpheres, 4 * node);
  }
  const triangleOfVertex = new Int32Array(positions.length / 3).fill(-1);
  const triangleSpheres = new Float64Array(4 * triangles);
  for (let triangle = triangles - 1; triangle >= 0; triangle--) {
    for (let k = 0; k < 3; k++) triangleOfVertex[indices[3 * triangle + k]] = triangle;
    writeSphere(positions, indices, 3 * triangle, 3 * triangle + 3, triangleSpheres, 4 * triangle);
  }
  let extent = 0;
  for (let i = 0; i < positions.length; i++) extent = Math.max(extent, Math.abs(positions[i]));
  return {
    hierarchy,
    set,
    patchStart,
    patchTriangles,
    leafOfTriangle,
    triangleOfVertex,
    nodeSpheres,
    triangleSpheres,
    extent,
  };
}

/** A sphere around some vertices, centered on their box, slightly enlarged for rounding. */
function writeSphere(
  positions: Float64Array,
  vertices: Uint32Array,
  start: number,
  end: number,
  out: Float64Array,
  at: number,
): void {
  for (let axis = 0; axis < 3; axis++) {
    let low = Infinity;
    let high = -Infinity;
    for (let i = start; i < end; i++) {
      const value = positions[3 * vertices[i] + axis];
      low = Math.min(low, value);
      high = Math.max(high, value);
    }
    out[at + axis] = low / 2 + high / 2;
  }
  let squared = 0;
  for (let i = start; i < end; i++) {
    const v = 3 * vertices[i];
    const dx = positions[v] - out[at];
    const dy = positions[v + 1] - out[at + 1];
    const dz = positions[v + 2] - out[at + 2];
    squared = Math.max(squared, dx * dx + dy * dy + dz * dz);
  }
  out[at + 3] = Math.sqrt(squared) * (1 + 1e-15);
}

/** The class of a feature of a node; vertices are `ORIGINAL`, an edge has the better class of its two faces. */
export function classOfFeature({ hierarchy }: HullSurface, feature: number): FaceClass {
  const kind = featureKind(feature);
  if (kind === VERTEX) return ORIGINAL;
  const { nodeFaces, twins, faceClasses } = hierarchy;
  const halfEdge = featureHandle(feature);
  const here = faceClasses[nodeFaces[(halfEdge / 3) | 0]] as FaceClass;
  if (kind !== EDGE || here === ORIGINAL) return here;
  const beyond = faceClasses[nodeFaces[(twins[halfEdge] / 3) | 0]] as FaceClass;
  return Math.min(here, beyond) as FaceClass;
}

/** A triangle of the mesh that contains the feature, −1 if the feature is not `ORIGINAL`. */
export function triangleOfFeature({ hierarchy, set, triangleOfVertex }: HullSurface, feature: number): number {
  const kind = featureKind(feature);
  const halfEdge = featureHandle(feature);
  if (kind === VERTEX) return triangleOfVertex[set.halfEdgeVertices[halfEdge]];
  const { nodeFaces, faceSources, twins } = hierarchy;
  const here = faceSources[nodeFaces[(halfEdge / 3) | 0]];
  if (kind !== EDGE || here >= 0) return here;
  return faceSources[nodeFaces[(twins[halfEdge] / 3) | 0]];
}
