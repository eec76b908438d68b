// Cracks of T-junctions: an open edge along which the faces of the other side have a vertex. The face of the edge is split
// there, so that both sides have the same edges. No vertex moves: the surface moves by at most the reach. A hierarchy over
// the open edges finds the vertices near each; O(open edges · log open edges) where few are near each other.
import { buildBvh } from '../../spatial/build-bvh.js';
import { TraversalStack } from '../../spatial/traversal-stack.js';
import { traverseBvh } from '../../spatial/traverse-bvh.js';
import type { Mesh } from '../mesh.js';
import { buildAdjacencyById } from '../topology/adjacency.js';
import { nextHalfEdge, previousHalfEdge } from '../topology/half-edges.js';

/** What {@link closeCracks} returns. */
export interface ClosedCracks {
  /** The given mesh where nothing was split. */
  readonly mesh: Mesh;
  /** Open edges that were split. */
  readonly splitEdges: number;
  /** The old face of each face of the result. */
  readonly sourceFaces: Uint32Array;
}

/**
 * Chosen: rounds of splitting. A split edge bends by up to the reach, which can bring further vertices within reach of its
 * pieces; cracks of real files take one round, those with vertices on both sides two.
 */
const MAX_ROUNDS = 8;

/** Splits faces along open edges at the vertices of other open edges that lie on them within `reach`, a length. */
export function closeCracks(mesh: Mesh, reach: number): ClosedCracks {
  let current = mesh;
  let sourceFaces = Uint32Array.from({ length: mesh.indices.length / 3 }, (_, face) => face);
  let splitEdges = 0;
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const splits = findSplits(current, reach);
    if (splits.size === 0) break;
    const split = splitFaces(current, splits);
    splitEdges += splits.size;
    sourceFaces = split.sourceFaces.map((face) => sourceFaces[face]);
    current = split.mesh;
  }
  return { mesh: current, splitEdges, sourceFaces };
}

/** Whether {@link closeCracks} would split a face. */
export function hasCracks(mesh: Mesh, reach: number): boolean {
  return findSplits(mesh, reach).size > 0;
}

/** By open half-edge: the vertices to split it at, in their order along it. Only splits that close an edge are kept. */
function findSplits(mesh: Mesh, reach: number): Map<number, number[]> {
  const { positions, indices } = mesh;
  const open = findOpenHalfEdges(mesh);
  const vertices = [...new Set(open.flatMap((h) => [indices[h], indices[nextHalfEdge(h)]]))].sort((a, b) => a - b);
  const nearby = findVerticesNearEdges(mesh, open, vertices, reach);
  const pieces = new PieceCounts(positions.length / 3);
  open.forEach((h, i) => {
    pieces.add(chainOf(indices, h, nearby[i]), 1);
  });
  const splits = new Map<number, number[]>();
  open.forEach((h, i) => {
    if (nearby[i].length > 0 && pieces.hasPair(chainOf(indices, h, nearby[i]))) splits.set(h, nearby[i]);
  });
  return splits;
}

/** The half-edges of edges that belong to one face only, ascending. */
function findOpenHalfEdges(mesh: Mesh): number[] {
  const { edgeCount, edgeStart, edgeHalfEdges } = buildAdjacencyById(mesh);
  const open: number[] = [];
  for (let e = 0; e < edgeCount; e++) {
    if (edgeStart[e + 1] - edgeStart[e] === 1) open.push(edgeHalfEdges[edgeStart[e]]);
  }
  return open.sort((a, b) => a - b);
}

/** For each open edge the vertices that lie on it within reach, between its ends, in their order along it. */
function findVerticesNearEdges(mesh: Mesh, open: number[], vertices: number[], reach: number): number[][] {
  const { positions, indices } = mesh;
  const boxes = new Float64Array(6 * open.length);
  open.forEach((h, i) => {
    for (let axis = 0; axis < 3; axis++) {
      const from = positions[3 * indices[h] + axis];
      const to = positions[3 * indices[nextHalfEdge(h)] + axis];
      boxes[6 * i + axis] = Math.min(from, to) - reach;
      boxes[6 * i + 3 + axis] = Math.max(from, to) + reach;
    }
  });
  const bvh = buildBvh(boxes);
  const stack = new TraversalStack();
  const found = open.map((): { vertex: number; share: number }[] => []);
  for (const vertex of vertices) {
    const [x, y, z] = positions.subarray(3 * vertex, 3 * vertex + 3);
    const visitor = {
      testBox: (b: Float64Array, o: number): boolean =>
        b[o] <= x && x <= b[o + 3] && b[o + 1] <= y && y <= b[o + 4] && b[o + 2] <= z && z <= b[o + 5],
      visitItem: (i: number): undefined => {
        const h = open[i];
        const [u, v] = [indices[h], indices[nextHalfEdge(h)]];
        if (vertex === u || vertex === v || vertex === indices[previousHalfEdge(h)]) return;
        const share = shareAlong(positions, u, v, vertex, reach);
        if (share > 0) found[i].push({ vertex, share });
      },
    };
    traverseBvh(bvh, visitor, stack);
  }
  return found.map((near) => near.sort((a, b) => a.share - b.share || a.vertex - b.vertex).map(({ vertex }) => vertex));
}

/**
 * Where the point of a segment nearest to a vertex is, as a share of the segment; −1 for a vertex out of reach of the segment
 * or within reach of one of its ends.
 */
function shareAlong(p: Float64Array, u: number, v: number, vertex: number, reach: number): number {
  // In units of the segment, so that squares of small lengths do not underflow.
  const length = Math.hypot(p[3 * v] - p[3 * u], p[3 * v + 1] - p[3 * u + 1], p[3 * v + 2] - p[3 * u + 2]);
  if (length === 0) return -1;
  let share = 0;
  for (let axis = 0; axis < 3; axis++) {
    const from = p[3 * u + axis];
    share += ((p[3 * vertex + axis] - from) / length) * ((p[3 * v + axis] - from) / length);
  }
  let squared = 0;
  for (let axis = 0; axis < 3; axis++) {
    const from = p[3 * u + axis];
    const off = (p[3 * vertex + axis] - from) / length - share * ((p[3 * v + axis] - from) / length);
    squared += off * off;
  }
  const isBetween = share * length > reach && (1 - share) * length > reach;
  return isBetween && Math.sqrt(squared) * length <= reach ? share : -1;
}

/** The vertices along a half-edge that is split: its start, those between, its end. */
function chainOf(indices: Uint32Array, h: number, between: readonly number[]): number[] {
  return [indices[h], ...between, indices[nextHalfEdge(h)]];
}

/** How many open edges, or pieces of them, join two vertices. */
class PieceCounts {
  readonly #vertices: number;
  readonly #counts = new Map<number, number>();

  constructor(vertices: number) {
    this.#vertices = vertices;
  }

  add(chain: readonly number[], by: number): void {
    for (let i = 0; i + 1 < chain.length; i++) {
      const key = this.#keyOf(chain[i], chain[i + 1]);
      this.#counts.set(key, (this.#counts.get(key) ?? 0) + by);
    }
  }

  /** Whether another edge or piece lies on a piece of the chain. */
  hasPair(chain: readonly number[]): boolean {
    return chain.some((vertex, i) => i > 0 && (this.#counts.get(this.#keyOf(chain[i - 1], vertex)) ?? 0) > 1);
  }

  #keyOf(a: number, b: number): number {
    return Math.min(a, b) * this.#vertices + Math.max(a, b);
  }
}

/** The mesh with the faces of split half-edges cut into fans; they stand in the place of the face. */
function splitFaces(mesh: Mesh, splits: ReadonlyMap<number, number[]>): { mesh: Mesh; sourceFaces: Uint32Array } {
  const { positions, indices } = mesh;
  const corners: number[] = [];
  const sources: number[] = [];
  for (let face = 0; face < indices.length / 3; face++) {
    const before = corners.length;
    const sides = [0, 1, 2].map((k) => splits.get(3 * face + k) ?? []);
    addFan(corners, [...indices.subarray(3 * face, 3 * face + 3)], sides);
    for (let i = before; i < corners.length; i += 3) sources.push(face);
  }
  return { mesh: { positions, indices: Uint32Array.from(corners) }, sourceFaces: Uint32Array.from(sources) };
}

/** Adds a triangle whose sides are split: a fan from the corner across the first split side, whose outer faces recur. */
function addFan(out: number[], corners: readonly number[], sides: readonly (readonly number[])[]): void {
  const first = sides.findIndex((side) => side.length > 0);
  if (first < 0) {
    out.push(...corners);
    return;
  }
  const [a, b, c] = [corners[first], corners[(first + 1) % 3], corners[(first + 2) % 3]];
  const [ab, bc, ca] = [sides[first], sides[(first + 1) % 3], sides[(first + 2) % 3]];
  const last = ab.length - 1;
  addFan(out, [a, ab[0], c], [[], [], ca]);
  for (let i = 0; i < last; i++) out.push(ab[i], ab[i + 1], c);
  addFan(out, [ab[last], b, c], [[], bc, []]);
}
