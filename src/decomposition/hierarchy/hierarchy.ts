// The data of a hierarchy of hulls: a binary tree whose leaves are the convex pieces and whose inner nodes are the hulls
// of their two children, in flat arrays (Ehmann and Lin 2001, section 5). Faces that levels share are stored once.

import { findFacePlanes } from '../../convex/hull/face-planes.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { SplitRule } from './split-pieces.js';

/**
 * Where a face comes from, in order of decreasing power to end a search: 0, `ORIGINAL`, a face of the surface; 1,
 * `CONTAINED`, made when a patch became a piece; 2, `FREE`, made when pieces were joined, a face of no piece.
 */
export type FaceClass = 0 | 1 | 2;
/** Label: the class of faces of the surface itself. */
export const ORIGINAL: FaceClass = 0;
/** Label: the class of faces that a patch got when it became a piece. */
export const CONTAINED: FaceClass = 1;
/** Label: the class of faces of no piece. */
export const FREE: FaceClass = 2;

/**
 * A hierarchy of hulls. With f a face of a node, h a half-edge and r a face record:
 *
 * - The half-edges of node face f are 3f, 3f + 1 and 3f + 2; half-edge 3f + k leaves corner k of record `nodeFaces[f]`.
 *   They are numbered through all nodes, so that a walk over a hull needs only `twins`, and a half-edge alone names a
 *   feature to restart from: itself, its face, or the vertex it leaves.
 * - The other half-edges that leave the same vertex are found by h → twins[previous half-edge of h's face].
 * - Hulls are weakly convex: neighboring faces may be coplanar and vertices may lie within a facet, where that preserves
 *   faces of the surface. No vertex of the pieces below a node is outside any of its faces, exactly.
 * - A flat hull is a polygon with two sides of triangles, in no particular order. A vertex within the polygon may be on
 *   both sides; the faces around it are then two rings, and `vertexHalfEdges` names a half-edge of one of them.
 */
export interface HullHierarchy {
  readonly mesh: Mesh;
  readonly split: SplitRule;
  /** The parent of each node, −1 for the root, which is node 0. A node's first child is the node after it. */
  readonly parents: Int32Array;
  /** Two per node: its children, or −1 and −1 for a leaf. Children have larger ids than their parent. */
  readonly children: Int32Array;
  /** The piece of a leaf, −1 for an inner node. */
  readonly nodePieces: Int32Array;
  /** 1 for a node whose vertices all lie exactly in one plane. */
  readonly flatNodes: Uint8Array;
  /** The faces of node n are `faceStart[n]` up to before `faceStart[n + 1]`. Length nodes + 1. */
  readonly faceStart: Uint32Array;
  /** The record of each node face. */
  readonly nodeFaces: Uint32Array;
  /** For each half-edge the opposite one along the same edge, in the neighboring face of the same node. */
  readonly twins: Uint32Array;
  /** The vertices of node n are `vertexStart[n]` up to before `vertexStart[n + 1]`. Length nodes + 1. */
  readonly vertexStart: Uint32Array;
  /** Vertex ids of the mesh. */
  readonly nodeVertices: Uint32Array;
  /** A half-edge of the node that leaves each of its vertices. */
  readonly vertexHalfEdges: Uint32Array;
  /** Vertex ids of the mesh, three per record, counter-clockwise seen from outside. */
  readonly faceVertices: Uint32Array;
  /** The {@link FaceClass} of each record. */
  readonly faceClasses: Uint8Array;
  /** The mesh face that a record equals, or −1. The first records are the triangles of the pieces, in their order. */
  readonly faceSources: Int32Array;
  /** Four numbers per record: the outward unit normal, and normal·p of the points p in the plane. */
  readonly facePlanes: Float64Array;
}

/** The parts of a hierarchy that determine the others. */
export type HierarchyParts = Omit<
  HullHierarchy,
  'parents' | 'vertexStart' | 'nodeVertices' | 'vertexHalfEdges' | 'facePlanes'
>;

/** The number of nodes: twice the pieces minus one. */
export function nodeCount(hierarchy: HullHierarchy): number {
  return hierarchy.nodePieces.length;
}

/** The vertex of the mesh that a half-edge leaves. */
export function halfEdgeVertex({ nodeFaces, faceVertices }: HullHierarchy, halfEdge: number): number {
  const face = Math.floor(halfEdge / 3);
  return faceVertices[3 * nodeFaces[face] + halfEdge - 3 * face];
}

/** The class of the edge of a half-edge: that of its adjacent face of highest pruning power. Vertices are `ORIGINAL`. */
export function edgeClass({ nodeFaces, faceClasses, twins }: HullHierarchy, halfEdge: number): FaceClass {
  const here = faceClasses[nodeFaces[Math.floor(halfEdge / 3)]];
  const beyond = faceClasses[nodeFaces[Math.floor(twins[halfEdge] / 3)]];
  return Math.min(here, beyond) as FaceClass;
}

/** The level of each node: 0 for the root, one more for each step down. */
export function nodeLevels({ parents }: HullHierarchy): Uint32Array {
  const levels = new Uint32Array(parents.length);
  for (let node = 1; node < parents.length; node++) levels[node] = levels[parents[node]] + 1;
  return levels;
}

/** The bytes of all arrays, including the mesh, per triangle of the mesh. */
export function bytesPerTriangle(hierarchy: HullHierarchy): number {
  let bytes = hierarchy.mesh.positions.byteLength + hierarchy.mesh.indices.byteLength;
  for (const value of Object.values(hierarchy)) if (ArrayBuffer.isView(value)) bytes += value.byteLength;
  return bytes / (hierarchy.mesh.indices.length / 3);
}

/** Adds what follows from the rest: parents, planes, and the vertices of each node with a half-edge. O(node faces). */
export function completeHierarchy(parts: HierarchyParts): HullHierarchy {
  const { children, faceStart, nodeFaces, faceVertices, mesh } = parts;
  const nodes = children.length / 2;
  const parents = new Int32Array(nodes).fill(-1);
  for (let i = 0; i < children.length; i++) if (children[i] >= 0) parents[children[i]] = i >> 1;

  const vertexStart = new Uint32Array(nodes + 1);
  // The last node that had each vertex; a second pass over all faces then fills the lists.
  const metBy = new Int32Array(mesh.positions.length / 3).fill(-1);
  for (let node = 0; node < nodes; node++) {
    let count = 0;
    for (let h = 3 * faceStart[node]; h < 3 * faceStart[node + 1]; h++) {
      const vertex = faceVertices[3 * nodeFaces[(h / 3) | 0] + (h % 3)];
      if (metBy[vertex] === node) continue;
      metBy[vertex] = node;
      count++;
    }
    vertexStart[node + 1] = vertexStart[node] + count;
  }
  const nodeVertices = new Uint32Array(vertexStart[nodes]);
  const vertexHalfEdges = new Uint32Array(vertexStart[nodes]);
  metBy.fill(-1);
  for (let node = 0, end = 0; node < nodes; node++) {
    for (let h = 3 * faceStart[node]; h < 3 * faceStart[node + 1]; h++) {
      const vertex = faceVertices[3 * nodeFaces[(h / 3) | 0] + (h % 3)];
      if (metBy[vertex] === node) continue;
      metBy[vertex] = node;
      nodeVertices[end] = vertex;
      vertexHalfEdges[end++] = h;
    }
  }
  return {
    ...parts,
    parents,
    vertexStart,
    nodeVertices,
    vertexHalfEdges,
    facePlanes: findFacePlanes(mesh.positions, faceVertices),
  };
}
