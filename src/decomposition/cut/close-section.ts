// Closes the section of a cut: its outlines with their holes are triangulated, so that parts which the cut leaves apart
// are not connected by their caps. Rings that rounding made cross are closed by fans from a vertex of the outline, which
// overlap themselves with opposite signs.

import { DisjointSets } from '../../core/disjoint-sets.js';
import { NearfieldError } from '../../core/errors.js';
import { triangulatePolygon } from '../../mesh/polygon/triangulate-polygon.js';
import type { Plane } from './part.js';

interface Loop {
  /** Cut edges, by the index of their first end. */
  readonly edges: number[];
  /** Twice the area that the cap has within it, seen from outside: negative for a hole. */
  area: number;
  readonly holes: Loop[];
}

/**
 * The corners of the triangles of the cap, three each. `edges` has the two ends of each edge of the border; `turn` is 1
 * if the cap looks along the normal of the plane, −1 if it looks the other way.
 */
export function closeSection(points: Float64Array, edges: readonly number[], plane: Plane, turn: number): number[] {
  const section = new Section(points, edges, plane, turn);
  return section.regions.flatMap((loops) => section.triangulate(loops) ?? fan(edges, loops));
}

/** The same, but null where the border is not made of simple rings apart from each other. */
export function triangulateSection(points: Float64Array, edges: readonly number[], plane: Plane): number[] | null {
  const section = new Section(points, edges, plane, 1);
  const corners: number[] = [];
  for (const loops of section.regions) {
    const region = section.triangulate(loops);
    if (region === null) return null;
    for (const corner of region) corners.push(corner);
  }
  return corners;
}

/** The border of a section, seen in the plane of two axes. */
class Section {
  readonly #points: Float64Array;
  readonly #edges: readonly number[];
  readonly #u: number;
  readonly #v: number;
  /** Each outline with its holes. */
  readonly regions: readonly (readonly Loop[])[];

  constructor(points: Float64Array, edges: readonly number[], plane: Plane, turn: number) {
    const axis = findWidestAxis(plane);
    const isMirrored = turn * [plane.nx, plane.ny, plane.nz][axis] < 0;
    this.#points = points;
    this.#edges = edges;
    const u = (axis + (isMirrored ? 2 : 1)) % 3;
    const v = (axis + (isMirrored ? 1 : 2)) % 3;
    this.#u = u;
    this.#v = v;
    const loops = findLoops(points, edges, u, v);
    const outlines = loops.filter(({ area }) => area > 0).sort((a, b) => a.area - b.area);
    const alone: Loop[] = [];
    for (const hole of loops) {
      if (hole.area > 0) continue;
      const first = edges[hole.edges[0]];
      const outline = outlines.find((loop) => isWithin(points, edges, loop, first, u, v));
      (outline?.holes ?? alone).push(hole);
    }
    this.regions = [...outlines, ...alone].map((outline) => [outline, ...outline.holes]);
  }

  /** A region in triangles; null unless its loops are simple rings apart from each other. */
  triangulate(loops: readonly Loop[]): number[] | null {
    return triangulateRings(this.#points, this.#edges, loops, this.#u, this.#v);
  }
}

/** The edges that are connected by their ends. */
function findLoops(points: Float64Array, edges: readonly number[], u: number, v: number): Loop[] {
  const ids = new Map<number, number>();
  for (const point of edges) if (!ids.has(point)) ids.set(point, ids.size);
  const sets = new DisjointSets(ids.size);
  for (let e = 0; e < edges.length; e += 2) sets.unite(ids.get(edges[e])!, ids.get(edges[e + 1])!);
  const loops = new Map<number, Loop>();
  for (let e = 0; e < edges.length; e += 2) {
    const root = sets.find(ids.get(edges[e])!);
    const loop = loops.get(root) ?? { edges: [], area: 0, holes: [] };
    loops.set(root, loop);
    loop.edges.push(e);
    // The cap runs along the border the other way.
    const [o, a, b] = [3 * edges[loop.edges[0]], 3 * edges[e + 1], 3 * edges[e]];
    loop.area +=
      (points[a + u] - points[o + u]) * (points[b + v] - points[o + v]) -
      (points[a + v] - points[o + v]) * (points[b + u] - points[o + u]);
  }
  return [...loops.values()];
}

/** Whether a point is within a loop, by the parity of crossings. */
function isWithin(
  points: Float64Array,
  edges: readonly number[],
  loop: Loop,
  point: number,
  u: number,
  v: number,
): boolean {
  const [x, y] = [points[3 * point + u], points[3 * point + v]];
  let isInside = false;
  for (const e of loop.edges) {
    const [ax, ay] = [points[3 * edges[e] + u], points[3 * edges[e] + v]];
    const [bx, by] = [points[3 * edges[e + 1] + u], points[3 * edges[e + 1] + v]];
    if (ay > y !== by > y && x < ax + ((y - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}

/** An outline with its holes in triangles; null unless they are simple rings apart from each other. */
function triangulateRings(
  points: Float64Array,
  edges: readonly number[],
  loops: readonly Loop[],
  u: number,
  v: number,
): number[] | null {
  const corners: number[] = [];
  const rings: Float64Array[] = [];
  for (const loop of loops) {
    const next = new Map<number, number>();
    for (const e of loop.edges) next.set(edges[e + 1], edges[e]);
    if (next.size !== loop.edges.length) return null;
    const ring: number[] = [];
    const first = edges[loop.edges[0]];
    for (let at = first; ring.length < next.size; at = next.get(at)!) {
      ring.push(at);
      if (!next.has(at)) return null;
      if (next.get(at) === first) break;
    }
    if (ring.length !== next.size) return null;
    corners.push(...ring);
    rings.push(Float64Array.from(ring.flatMap((point) => [points[3 * point + u], points[3 * point + v]])));
  }
  try {
    return Array.from(triangulatePolygon({ rings }).triangles, (corner) => corners[corner]);
  } catch (error) {
    if (error instanceof NearfieldError) return null;
    throw error;
  }
}

function fan(edges: readonly number[], loops: readonly Loop[]): number[] {
  const apex = edges[loops[0].edges[0]];
  return loops.flatMap((loop) => loop.edges.flatMap((e) => [edges[e + 1], edges[e], apex]));
}

function findWidestAxis({ nx, ny, nz }: Plane): number {
  const [x, y, z] = [Math.abs(nx), Math.abs(ny), Math.abs(nz)];
  return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}
