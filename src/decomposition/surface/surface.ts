// A surface prepared for decomposition: adjacency, reflex edges, faces around each vertex, a hierarchy over the triangles.
import { groupByKey } from '../../core/counting-sort.js';
import { NearfieldError } from '../../core/errors.js';
import { UNDERFLOW_BOUND } from '../../core/exact/orientation.js';
import { exactSideOf } from '../../core/exact/points.js';
import type { Mesh } from '../../mesh/mesh.js';
import { buildAdjacency, type MeshAdjacency, nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { triangleBoxes } from '../../mesh/triangle/triangle-boxes.js';
import { buildBvh } from '../../spatial/build-bvh.js';
import type { Bvh } from '../../spatial/bvh.js';

/**
 * Proven: rounding of a determinant of three differences, as a share of its permanent. Shewchuk 1997 has 7 half-ulps;
 * one is slack.
 */
const ORIENTATION_ERROR = 8 * 2 ** -53;

/** The input of every decomposition method. */
export class Surface {
  readonly adjacency: MeshAdjacency;
  readonly bvh: Bvh;
  /** The faces around vertex v are `vertexFaces[vertexFaceStart[v]]` up to before `vertexFaceStart[v + 1]`. */
  readonly vertexFaceStart: Uint32Array;
  readonly vertexFaces: Uint32Array;
  /** Edges where the surface is concave. */
  readonly reflexEdges: number;
  readonly #bends: Uint8Array;

  /** The mesh with its seams closed: joined vertices have the lowest of their ids. */
  readonly mesh: Mesh;

  constructor(given: Mesh) {
    this.adjacency = buildAdjacency(given);
    const { indices } = this.adjacency;
    const mesh = indices === given.indices ? given : { positions: given.positions, indices };
    this.mesh = mesh;
    this.#bends = findBends(mesh, this.adjacency);
    let reflexSides = 0;
    for (let h = 0; h < this.#bends.length; h++) if (this.#bends[h] === REFLEX) reflexSides++;
    this.reflexEdges = reflexSides / 2;
    this.bvh = buildBvh(triangleBoxes(mesh));
    const corners = groupByKey(indices, mesh.positions.length / 3);
    this.vertexFaceStart = corners.start;
    this.vertexFaces = corners.items.map((corner) => Math.floor(corner / 3));
  }

  get faceCount(): number {
    return this.mesh.indices.length / 3;
  }

  /** Whether all of the vertices lie on or behind the plane of a face, exactly. */
  isBehindFace(face: number, vertices: readonly number[]): boolean {
    const { positions, indices } = this.mesh;
    const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
    const ax = positions[3 * a];
    const ay = positions[3 * a + 1];
    const az = positions[3 * a + 2];
    const ux = positions[3 * b] - ax;
    const uy = positions[3 * b + 1] - ay;
    const uz = positions[3 * b + 2] - az;
    const vx = positions[3 * c] - ax;
    const vy = positions[3 * c + 1] - ay;
    const vz = positions[3 * c + 2] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const boundX = ORIENTATION_ERROR * (Math.abs(uy * vz) + Math.abs(uz * vy));
    const boundY = ORIENTATION_ERROR * (Math.abs(uz * vx) + Math.abs(ux * vz));
    const boundZ = ORIENTATION_ERROR * (Math.abs(ux * vy) + Math.abs(uy * vx));
    for (const vertex of vertices) {
      const dx = positions[3 * vertex] - ax;
      const dy = positions[3 * vertex + 1] - ay;
      const dz = positions[3 * vertex + 2] - az;
      const height = nx * dx + ny * dy + nz * dz;
      const bound = boundX * Math.abs(dx) + boundY * Math.abs(dy) + boundZ * Math.abs(dz) + UNDERFLOW_BOUND;
      if (height < -bound) continue;
      if (vertex !== a && vertex !== b && vertex !== c && exactSideOf(positions, a, b, c, vertex) > 0) return false;
    }
    return true;
  }

  /** Whether the surface is concave along the edge of a half-edge; exactly flat is not. */
  isReflex(halfEdge: number): boolean {
    return this.#bends[halfEdge] === REFLEX;
  }

  /** Whether the two faces at the edge of a half-edge lie exactly in one plane; they may be folded onto each other. */
  isCoplanar(halfEdge: number): boolean {
    return this.#bends[halfEdge] === COPLANAR;
  }
}

/** Label: the mark of an edge at which the surface is not convex. */
const REFLEX = 1;
/** Label: the mark of an edge between coplanar faces. */
const COPLANAR = 2;

/** How the surface bends along the edge of each half-edge: {@link REFLEX}, {@link COPLANAR}, or 0. */
function findBends(mesh: Mesh, adjacency: MeshAdjacency): Uint8Array {
  const { indices, positions } = mesh;
  const bends = new Uint8Array(indices.length);
  for (let h = 0; h < indices.length; h++) {
    const twin = adjacency.twin[h];
    if (twin < h) continue;
    const side = exactSideOf(
      positions,
      indices[h],
      indices[nextHalfEdge(h)],
      indices[previousHalfEdge(h)],
      indices[previousHalfEdge(twin)],
    );
    if (side >= 0) bends[h] = bends[twin] = side > 0 ? REFLEX : COPLANAR;
  }
  return bends;
}

/** Rejects a mesh that is not an orientable manifold surface of triangles with area. */
export function assertSurface(surface: Surface): void {
  const { edgeCount, edgeStart, edgeHalfEdges, edgeVertices, edgeOfHalfEdge } = surface.adjacency;
  const { indices } = surface.mesh;
  for (let h = 0; h < indices.length; h++) {
    if (edgeOfHalfEdge[h] < 0) {
      const face = Math.floor(h / 3);
      throw new NearfieldError(
        'degenerate',
        `Face ${face} names a vertex twice; drop these faces first (repairMesh, or nearfield repair).`,
        { face },
      );
    }
  }
  for (let e = 0; e < edgeCount; e++) {
    const count = edgeStart[e + 1] - edgeStart[e];
    const where = `the edge between vertices ${edgeVertices[2 * e]} and ${edgeVertices[2 * e + 1]}`;
    const face = Math.floor(edgeHalfEdges[edgeStart[e]] / 3);
    if (count > 2) {
      throw new NearfieldError(
        'non-manifold',
        `${count} faces share ${where}; a surface has at most two faces at an edge. Separate the parts there.`,
        { face },
      );
    }
    if (count === 2 && indices[edgeHalfEdges[edgeStart[e]]] === indices[edgeHalfEdges[edgeStart[e] + 1]]) {
      throw new NearfieldError(
        'not-oriented',
        `The two faces at ${where} disagree on which side is out; orient them first (orientFaces, or nearfield repair).`,
        { face },
      );
    }
  }
}
