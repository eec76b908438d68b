// The faces, creases and corners of a surface: smooth patches of triangles, the sharp edges between them, and the
// vertices where creases meet or turn. Patches too small for the wanted size join a neighbor, so noise makes no creases.

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Mesh } from '../../mesh/mesh.js';
import { MeshQuery } from '../../mesh/query/mesh-query.js';
import { buildAdjacency } from '../../mesh/topology/adjacency.js';

/** Chosen: faces whose normals differ by more than 35° make a crease. */
const CREASE_COSINE = Math.cos((35 * Math.PI) / 180);

/** Chosen: creases that turn by more than 50° make a corner. */
const CORNER_COSINE = Math.cos((50 * Math.PI) / 180);

/** Chosen: patches whose area is less than this many squares of the element size join a neighbor. */
const MIN_PATCH = 0.25;

/** A place on a surface. */
export interface SurfacePlace {
  readonly point: Vec3;
  readonly distance: number;
  /** The smooth patches it belongs to: one on a face, two on a crease. */
  readonly patches: readonly number[];
}

export class SurfaceFeatures {
  readonly #query: MeshQuery;
  readonly #creases: MeshQuery | null;
  /** The patch of each triangle. */
  readonly #patches: Uint32Array;
  /** The two patches at each crease. */
  readonly #besideCrease: readonly (readonly number[])[];
  /** Where creases end, branch or turn. */
  readonly corners: readonly SurfacePlace[];

  constructor(mesh: Mesh, size: number) {
    this.#query = new MeshQuery(mesh);
    const normals = faceNormals(mesh);
    const adjacency = buildAdjacency(mesh);
    const { edgeCount, edgeStart, edgeHalfEdges, edgeVertices } = adjacency;
    const sets = new DisjointSets(mesh.indices.length / 3);
    const sharp: number[] = [];
    for (let edge = 0; edge < edgeCount; edge++) {
      const [f, g] = facesAt(edgeHalfEdges, edgeStart, edge);
      const isSmooth =
        edgeStart[edge + 1] - edgeStart[edge] === 2 &&
        normals[4 * f] * normals[4 * g] +
          normals[4 * f + 1] * normals[4 * g + 1] +
          normals[4 * f + 2] * normals[4 * g + 2] >=
          CREASE_COSINE;
      if (isSmooth || normals[4 * f + 3] === 0 || normals[4 * g + 3] === 0) sets.unite(f, g);
      else sharp.push(edge);
    }
    const lengthOf = (edge: number) => edgeLength(mesh, edgeVertices[2 * edge], edgeVertices[2 * edge + 1]);
    joinSmallPatches(sets, normals, sharp, (edge) => facesAt(edgeHalfEdges, edgeStart, edge), lengthOf, size);
    this.#patches = Uint32Array.from({ length: mesh.indices.length / 3 }, (_, face) => sets.find(face));
    const creases = sharp.filter((edge) => {
      const [f, g] = facesAt(edgeHalfEdges, edgeStart, edge);
      return this.#patches[f] !== this.#patches[g];
    });
    const ends = Uint32Array.from(creases.flatMap((edge) => [edgeVertices[2 * edge], edgeVertices[2 * edge + 1]]));
    this.#besideCrease = creases.map((edge) =>
      facesAt(edgeHalfEdges, edgeStart, edge).map((face) => this.#patches[face]),
    );
    this.corners = findCorners(mesh.positions, ends, this.#besideCrease);
    const segments = new Uint32Array(3 * creases.length);
    for (let i = 0; i < creases.length; i++) segments.set([ends[2 * i], ends[2 * i + 1], ends[2 * i + 1]], 3 * i);
    this.#creases = creases.length === 0 ? null : new MeshQuery({ positions: mesh.positions, indices: segments });
  }

  /** The nearest place of the surface. */
  nearest(x: number, y: number, z: number): SurfacePlace {
    const found = this.#query.closestPoint([x, y, z]);
    if (found === null) return { point: [x, y, z], distance: Infinity, patches: [] };
    return { point: found.point, distance: found.distance, patches: [this.#patches[found.triangle]] };
  }

  /** The nearest place on a crease within a distance. */
  nearestCrease(x: number, y: number, z: number, reach: number): SurfacePlace | null {
    const found = this.#creases?.closestPoint([x, y, z], reach) ?? null;
    return found && { point: found.point, distance: found.distance, patches: this.#besideCrease[found.triangle] };
  }
}

/** Unit normals of the faces, and twice their areas. */
function faceNormals({ positions: p, indices }: Mesh): Float64Array {
  const normals = new Float64Array((4 * indices.length) / 3);
  for (let face = 0; face < indices.length / 3; face++) {
    const [a, b, c] = [3 * indices[3 * face], 3 * indices[3 * face + 1], 3 * indices[3 * face + 2]];
    const [ux, uy, uz] = [p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]];
    const [vx, vy, vz] = [p[c] - p[a], p[c + 1] - p[a + 1], p[c + 2] - p[a + 2]];
    const normal = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const length = Math.hypot(normal[0], normal[1], normal[2]);
    if (length > 0) normals.set([normal[0] / length, normal[1] / length, normal[2] / length, length], 4 * face);
  }
  return normals;
}

function facesAt(halfEdges: Uint32Array, starts: Uint32Array, edge: number): [number, number] {
  return [Math.floor(halfEdges[starts[edge]] / 3), Math.floor(halfEdges[starts[edge + 1] - 1] / 3)];
}

function edgeLength({ positions: p }: Mesh, a: number, b: number): number {
  return Math.hypot(p[3 * a] - p[3 * b], p[3 * a + 1] - p[3 * b + 1], p[3 * a + 2] - p[3 * b + 2]);
}

/** Joins every small patch to the neighbor with the longest border, smallest first. */
function joinSmallPatches(
  sets: DisjointSets,
  normals: Float64Array,
  sharp: readonly number[],
  facesOf: (edge: number) => [number, number],
  lengthOf: (edge: number) => number,
  size: number,
): void {
  const areas = new Map<number, number>();
  for (let face = 0; face < normals.length / 4; face++) {
    const patch = sets.find(face);
    areas.set(patch, (areas.get(patch) ?? 0) + normals[4 * face + 3] / 2);
  }
  const borders = new Map<number, number[]>();
  for (const edge of sharp) {
    for (const face of facesOf(edge)) {
      const patch = sets.find(face);
      const list = borders.get(patch);
      if (list === undefined) borders.set(patch, [edge]);
      else list.push(edge);
    }
  }
  const small = [...areas].filter(([, area]) => area < MIN_PATCH * size * size);
  small.sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  for (const [patch] of small) {
    const own = sets.find(patch);
    const lengths = new Map<number, number>();
    for (const edge of borders.get(patch) ?? []) {
      for (const face of facesOf(edge)) {
        const other = sets.find(face);
        if (other !== own) lengths.set(other, (lengths.get(other) ?? 0) + lengthOf(edge));
      }
    }
    let [best, longest] = [-1, 0];
    for (const [other, length] of lengths) if (length > longest) [best, longest] = [other, length];
    if (best >= 0) sets.unite(own, best);
  }
}

/** Vertices where a crease ends, branches or turns. */
function findCorners(p: Float64Array, ends: Uint32Array, beside: readonly (readonly number[])[]): SurfacePlace[] {
  const creasesAt = new Map<number, number[]>();
  for (let i = 0; i < ends.length; i++) {
    const list = creasesAt.get(ends[i]);
    if (list === undefined) creasesAt.set(ends[i], [i]);
    else list.push(i);
  }
  const corners: SurfacePlace[] = [];
  for (const [vertex, at] of creasesAt) {
    if (at.length === 2) {
      const [u, v] = at.map((i) => [0, 1, 2].map((axis) => p[3 * ends[i ^ 1] + axis] - p[3 * vertex + axis]));
      const product = u[0] * v[0] + u[1] * v[1] + u[2] * v[2];
      if (-product >= CORNER_COSINE * Math.hypot(u[0], u[1], u[2]) * Math.hypot(v[0], v[1], v[2])) continue;
    }
    const patches = [...new Set(at.flatMap((i) => beside[i >> 1]))];
    corners.push({ point: [p[3 * vertex], p[3 * vertex + 1], p[3 * vertex + 2]], distance: 0, patches });
  }
  return corners;
}
