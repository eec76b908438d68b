// Edges and their faces in flat arrays, for any mesh. Half-edges are sorted by their two vertices with two stable
// counting sorts (high vertex, then low): O(vertices + triangles), no hashing, edges come out sorted by their vertices.

import { sortByKey } from '../../core/counting-sort.js';
import { assertMesh, type Mesh } from '../mesh.js';
import { nextHalfEdge } from './half-edges.js';
import { weldSeams } from './weld-seams.js';

export { nextHalfEdge, previousHalfEdge } from './half-edges.js';

/**
 * The edges of a mesh and the faces around them. Half-edge `h` is the side of triangle ⌊h / 3⌋ that runs from vertex
 * `indices[h]` to the triangle's next vertex. A triangle that names a vertex twice is a point or a segment: it is not
 * part of the adjacency, and its three half-edges belong to no edge.
 *
 * Vertices that coincide at seams count as one, the lowest: compare ids of `indices` here, not those of the mesh.
 */
export interface MeshAdjacency {
  /** The mesh's ids, in which vertices joined at seams have the lowest of theirs. The mesh's own array if it has no seams. */
  readonly indices: Uint32Array;
  /** Vertices joined to another one at a seam. */
  readonly weldedVertices: number;
  readonly edgeCount: number;
  /** Two vertex ids per edge, the lower first; edges are sorted by the first, then the second. Length 2 × edges. */
  readonly edgeVertices: Uint32Array;
  /** Half-edges of edge `e` are at `edgeStart[e]` to `edgeStart[e + 1] − 1` in `edgeHalfEdges`. Length edges + 1. */
  readonly edgeStart: Uint32Array;
  /** Half-edges grouped by edge, ascending within an edge. */
  readonly edgeHalfEdges: Uint32Array;
  /** The edge of each half-edge, −1 in a triangle that names a vertex twice. Length 3 × triangles. */
  readonly edgeOfHalfEdge: Int32Array;
  /**
   * Where exactly two faces share an edge, the half-edge of the other face, whichever way it runs (in a consistently
   * oriented mesh, the opposite way); −1 otherwise. Length 3 × triangles.
   */
  readonly twin: Int32Array;
}

/**
 * Finds the unique edges of any mesh and the faces around each. Open edges that lie exactly on each other are one edge,
 * though their vertices have different ids: see `weldSeams`.
 */
export function buildAdjacency(mesh: Mesh): MeshAdjacency {
  assertMesh(mesh);
  const byId = buildAdjacencyById(mesh);
  const { indices, weldedVertices } = weldSeams(mesh, byId);
  if (indices === mesh.indices) return byId;
  return { ...buildAdjacencyById({ positions: mesh.positions, indices }), weldedVertices };
}

/** {@link buildAdjacency} with seams open: vertices are those of equal ids. */
export function buildAdjacencyById(mesh: Mesh): MeshAdjacency {
  const { indices } = mesh;
  const vertices = mesh.positions.length / 3;
  const lows = new Uint32Array(indices.length);
  const highs = new Uint32Array(indices.length);
  let order = new Uint32Array(indices.length);
  let used = 0;
  for (let h = 0; h < indices.length; h += 3) {
    const a = indices[h];
    const b = indices[h + 1];
    const c = indices[h + 2];
    if (a === b || b === c || c === a) continue;
    for (let k = 0; k < 3; k++) {
      const from = indices[h + k];
      const to = indices[nextHalfEdge(h + k)];
      lows[h + k] = Math.min(from, to);
      highs[h + k] = Math.max(from, to);
      order[used++] = h + k;
    }
  }
  order = sortByKey(order.subarray(0, used), highs, vertices);
  order = sortByKey(order, lows, vertices);

  let edgeCount = 0;
  const edgeOfHalfEdge = new Int32Array(indices.length).fill(-1);
  for (let i = 0; i < used; i++) {
    const h = order[i];
    if (i === 0 || lows[h] !== lows[order[i - 1]] || highs[h] !== highs[order[i - 1]]) edgeCount++;
    edgeOfHalfEdge[h] = edgeCount - 1;
  }

  const edgeVertices = new Uint32Array(2 * edgeCount);
  const edgeStart = new Uint32Array(edgeCount + 1);
  for (let i = used - 1; i >= 0; i--) edgeStart[edgeOfHalfEdge[order[i]]] = i;
  edgeStart[edgeCount] = used;
  const twin = new Int32Array(indices.length).fill(-1);
  for (let e = 0; e < edgeCount; e++) {
    const first = order[edgeStart[e]];
    edgeVertices[2 * e] = lows[first];
    edgeVertices[2 * e + 1] = highs[first];
    if (edgeStart[e + 1] - edgeStart[e] === 2) {
      const second = order[edgeStart[e] + 1];
      twin[first] = second;
      twin[second] = first;
    }
  }
  return { indices, weldedVertices: 0, edgeCount, edgeVertices, edgeStart, edgeHalfEdges: order, edgeOfHalfEdge, twin };
}

/** The edge between two vertices, or −1. O(log edges). */
export function findEdge(adjacency: MeshAdjacency, u: number, v: number): number {
  const { edgeVertices } = adjacency;
  const low = Math.min(u, v);
  const high = Math.max(u, v);
  let from = 0;
  let to = adjacency.edgeCount;
  while (from < to) {
    const middle = (from + to) >>> 1;
    const a = edgeVertices[2 * middle];
    if (a < low || (a === low && edgeVertices[2 * middle + 1] < high)) from = middle + 1;
    else to = middle;
  }
  const found = from < adjacency.edgeCount && edgeVertices[2 * from] === low && edgeVertices[2 * from + 1] === high;
  return found ? from : -1;
}
