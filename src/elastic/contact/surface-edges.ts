// Edges of a surface for contact between edges, with the area each stands for.
import { buildAdjacencyById } from '../../mesh/topology/adjacency.js';
import { findSurface, type TetrahedralMesh } from '../tetrahedra/tetrahedral-mesh.js';

/** Edges in flat arrays. */
export interface SurfaceEdges {
  /** Two vertices each. */
  readonly vertices: Uint32Array;
  /** The third vertices of the two faces, the left one first. */
  readonly opposite: Uint32Array;
  /** A third of the area of the two faces. */
  readonly areas: Float64Array;
}

/** Chosen: faces whose normals differ by more than 30° make a sharp edge. */
const SHARP_COSINE = Math.cos(Math.PI / 6);

/** All edges with two faces, and those of them that are sharp and stick out. */
export function findSurfaceEdges(
  positions: Float64Array,
  faces: Uint32Array,
): { readonly all: SurfaceEdges; readonly sharp: SurfaceEdges; readonly isSharp: Uint8Array } {
  const { edgeCount, edgeStart, edgeHalfEdges } = buildAdjacencyById({ positions, indices: faces });
  const vertices: number[] = [];
  const opposite: number[] = [];
  const areas: number[] = [];
  const sharp: number[] = [];
  const [n, m] = [new Float64Array(3), new Float64Array(3)];
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] !== 2) continue;
    const [g, h] = [edgeHalfEdges[edgeStart[e]], edgeHalfEdges[edgeStart[e] + 1]];
    const [a, b, c] = cornersFrom(faces, g);
    const d = cornersFrom(faces, h)[2];
    const [first, second] = [writeNormal(positions, a, b, c, n), writeNormal(positions, b, a, d, m)];
    if (!(first > 0 && second > 0)) continue;
    const cosine = (n[0] * m[0] + n[1] * m[1] + n[2] * m[2]) / (first * second);
    // The far corner of the second face lies below the first: the edge sticks out.
    let below = 0;
    for (let k = 0; k < 3; k++) below += n[k] * (positions[3 * d + k] - positions[3 * a + k]);
    if (cosine < SHARP_COSINE && below < 0) sharp.push(areas.length);
    vertices.push(a, b);
    opposite.push(c, d);
    areas.push((first + second) / 6);
  }
  const pick = (edges: ArrayLike<number>): SurfaceEdges => {
    const list = Array.from(edges);
    return {
      vertices: Uint32Array.from(list.flatMap((e) => [vertices[2 * e], vertices[2 * e + 1]])),
      opposite: Uint32Array.from(list.flatMap((e) => [opposite[2 * e], opposite[2 * e + 1]])),
      areas: Float64Array.from(list, (e) => areas[e]),
    };
  };
  const isSharp = new Uint8Array(areas.length);
  for (const e of sharp) isSharp[e] = 1;
  return { all: pick(areas.map((_, e) => e)), sharp: pick(sharp), isSharp };
}

/** A third of the area of the faces around each vertex. */
export function vertexAreas(positions: Float64Array, faces: Uint32Array): Float64Array {
  const areas = new Float64Array(positions.length / 3);
  const n = new Float64Array(3);
  for (let f = 0; f < faces.length; f += 3) {
    const area = writeNormal(positions, faces[f], faces[f + 1], faces[f + 2], n) / 6;
    for (let k = 0; k < 3; k++) areas[faces[f + k]] += area;
  }
  return areas;
}

/** Writes the normal of a face, twice its area long; returns that length. */
export function writeNormal(p: ArrayLike<number>, a: number, b: number, c: number, out: Float64Array): number {
  const [ux, uy, uz] = [p[3 * b] - p[3 * a], p[3 * b + 1] - p[3 * a + 1], p[3 * b + 2] - p[3 * a + 2]];
  const [vx, vy, vz] = [p[3 * c] - p[3 * a], p[3 * c + 1] - p[3 * a + 1], p[3 * c + 2] - p[3 * a + 2]];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  return Math.sqrt(out[0] * out[0] + out[1] * out[1] + out[2] * out[2]);
}

/** The corners of a face in order, from the start of a half-edge. */
function cornersFrom(faces: Uint32Array, h: number): [number, number, number] {
  const first = h - (h % 3);
  return [faces[h], faces[first + ((h + 1) % 3)], faces[first + ((h + 2) % 3)]];
}

export function meanLength(p: Float64Array, edges: Uint32Array): number {
  let sum = 0;
  for (let e = 0; e < edges.length; e += 2) {
    const [a, b] = [3 * edges[e], 3 * edges[e + 1]];
    sum += Math.hypot(p[b] - p[a], p[b + 1] - p[a + 1], p[b + 2] - p[a + 2]);
  }
  return sum / (edges.length / 2);
}

/** The mean length of the edges of a body's surface, at rest. */
export function meanEdge(mesh: TetrahedralMesh): number {
  return meanLength(mesh.positions, findSurfaceEdges(mesh.positions, findSurface(mesh).faces).all.vertices);
}
