// Convex facets of a surface: coplanar triangles are joined across their common sides as long as the result is convex
// (Hertel and Mehlhorn 1983). A letter of 250 triangles has about 100. O(triangles).

import { DisjointSets } from '../../core/disjoint-sets.js';
import type { MeshAdjacency } from '../../mesh/topology/adjacency.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import { COORDINATE_ROUNDING } from '../roundings.js';

/** Label: a kind of side: the surface goes on in the same plane. */
export const FLAT_SIDE = 0;
/** Label: a kind of side: the surface bends away from the outside. */
export const CONVEX_SIDE = 1;
/** Label: a kind of side: the surface bends towards the outside. */
export const CONCAVE_SIDE = 2;

/** The facets of a solid. */
export interface Facets {
  readonly count: number;
  /** Unit normal and offset of each facet's plane, n · x = offset. Four per facet. */
  readonly planes: Float64Array;
  /** The sides of facet `f` are those from `start[f]` up to before `start[f + 1]`. */
  readonly start: Uint32Array;
  /** For each side the plane through it, upright on the facet, positive inside. Four per side. */
  readonly sides: Float64Array;
  /** {@link FLAT_SIDE}, {@link CONVEX_SIDE} or {@link CONCAVE_SIDE} per side. */
  readonly kinds: Uint8Array;
  /** The vertex at which each side begins. */
  readonly vertices: Uint32Array;
  /** What lies beyond each side: a facet in the same plane if it is flat, an edge if it is convex, −1 if concave. */
  readonly beyond: Int32Array;
  /** The flat region of each facet: the lowest triangle connected with it over flat sides. */
  readonly regions: Uint32Array;
}

/**
 * Joins triangles to facets.
 * @param planes of the triangles, four numbers each; all zero for one without area, which belongs to no facet.
 * @param sides of the triangles, four numbers per half-edge, as in {@link Facets}.
 * @param kinds per half-edge.
 * @param edgeOfSide the convex edge at each half-edge, −1 for none.
 */
export function buildFacets(
  positions: Float64Array,
  adjacency: MeshAdjacency,
  planes: Float64Array,
  sides: Float64Array,
  kinds: Uint8Array,
  edgeOfSide: Int32Array,
  magnitude: number,
): Facets {
  const { indices: corners, twin } = adjacency;
  const triangles = corners.length / 3;
  const regions = new DisjointSets(triangles);
  for (let h = 0; h < corners.length; h++) {
    if (twin[h] > h && kinds[h] === FLAT_SIDE) regions.unite(Math.floor(h / 3), Math.floor(twin[h] / 3));
  }
  const loops = new FacetLoops(positions, adjacency, planes, COORDINATE_ROUNDING * magnitude);
  for (let h = 0; h < corners.length; h++) if (twin[h] > h && kinds[h] === FLAT_SIDE) loops.tryJoin(h);

  const out = { planes: [] as number[], start: [0], sides: [] as number[], kinds: [] as number[] };
  const vertices: number[] = [];
  const halfEdges: number[] = [];
  const regionOf: number[] = [];
  const facetOf = new Int32Array(triangles).fill(-1);
  for (let t = 0; t < triangles; t++) {
    if (isEmpty(planes, 4 * t) || loops.lowestOf(t) !== t) continue;
    const first = loops.sideOf(t);
    const plane = 4 * loops.planeOf(t);
    for (let k = 0; k < 4; k++) out.planes.push(planes[plane + k]);
    facetOf[t] = regionOf.length;
    regionOf.push(regions.find(t));
    let h = first;
    do {
      for (let k = 0; k < 4; k++) out.sides.push(sides[4 * h + k]);
      out.kinds.push(kinds[h]);
      vertices.push(corners[h]);
      halfEdges.push(h);
      h = loops.next[h];
    } while (h !== first);
    out.start.push(vertices.length);
  }
  return {
    count: regionOf.length,
    planes: Float64Array.from(out.planes),
    start: Uint32Array.from(out.start),
    sides: Float64Array.from(out.sides),
    kinds: Uint8Array.from(out.kinds),
    vertices: Uint32Array.from(vertices),
    beyond: Int32Array.from(halfEdges, (h) =>
      kinds[h] === FLAT_SIDE ? facetOf[loops.lowestOf(Math.floor(twin[h] / 3))] : edgeOfSide[h],
    ),
    regions: Uint32Array.from(regionOf),
  };
}

/** Convex polygons as loops of half-edges. */
class FacetLoops {
  readonly next: Int32Array;
  readonly #previous: Int32Array;
  readonly #facets: DisjointSets;
  /** By the lowest triangle of a facet: the triangle whose plane is the facet's. */
  readonly #planeOf: Int32Array;
  readonly #areas: Float64Array;
  /** A half-edge of each facet, by its lowest triangle. */
  readonly #side: Int32Array;
  readonly #positions: Float64Array;
  readonly #corners: Uint32Array;
  readonly #twin: Int32Array;
  readonly #planes: Float64Array;
  readonly #near: number;

  constructor(positions: Float64Array, { indices: corners, twin }: MeshAdjacency, planes: Float64Array, near: number) {
    this.#positions = positions;
    this.#corners = corners;
    this.#twin = twin;
    this.#planes = planes;
    this.#near = near;
    this.next = Int32Array.from(corners, (_, h) => nextHalfEdge(h));
    this.#previous = Int32Array.from(corners, (_, h) => previousHalfEdge(h));
    const triangles = corners.length / 3;
    this.#facets = new DisjointSets(triangles);
    this.#planeOf = Int32Array.from({ length: triangles }, (_, t) => t);
    this.#side = Int32Array.from({ length: triangles }, (_, t) => 3 * t);
    this.#areas = Float64Array.from({ length: triangles }, (_, t) => this.#areaOf(t));
  }

  /** The lowest triangle of the facet that a triangle is part of. */
  lowestOf(triangle: number): number {
    return this.#facets.find(triangle);
  }

  planeOf(lowest: number): number {
    return this.#planeOf[lowest];
  }

  sideOf(lowest: number): number {
    return this.#side[lowest];
  }

  /** Joins the facets on both sides of a half-edge if they are in one plane and their union is convex. */
  tryJoin(h: number): void {
    const { next } = this;
    const previous = this.#previous;
    const g = this.#twin[h];
    const a = this.#facets.find(Math.floor(h / 3));
    const b = this.#facets.find(Math.floor(g / 3));
    if (a === b || isEmpty(this.#planes, 4 * Math.floor(h / 3)) || isEmpty(this.#planes, 4 * Math.floor(g / 3))) return;
    const larger = this.#areas[this.#planeOf[a]] >= this.#areas[this.#planeOf[b]] ? a : b;
    const plane = this.#planeOf[larger];
    if (!this.#turnsLeft(previous[h], next[g], plane) || !this.#turnsLeft(previous[g], next[h], plane)) return;
    // The plane of the larger one must hold both: what each of them has been joined from was held by its own.
    if (!this.#isInPlane(this.#side[a], plane) || !this.#isInPlane(this.#side[b], plane)) return;
    next[previous[h]] = next[g];
    previous[next[g]] = previous[h];
    next[previous[g]] = next[h];
    previous[next[h]] = previous[g];
    this.#facets.unite(a, b);
    const joined = Math.min(a, b);
    this.#planeOf[joined] = plane;
    this.#side[joined] = next[h];
  }

  #isInPlane(first: number, triangle: number): boolean {
    const p = this.#positions;
    const planes = this.#planes;
    const i = 4 * triangle;
    let h = first;
    do {
      const v = 3 * this.#corners[h];
      const height = planes[i] * p[v] + planes[i + 1] * p[v + 1] + planes[i + 2] * p[v + 2] - planes[i + 3];
      if (!(Math.abs(height) <= this.#near)) return false;
      h = this.next[h];
    } while (h !== first);
    return true;
  }

  /** Whether the way along two half-edges turns left in a plane, or goes straight on. */
  #turnsLeft(h: number, g: number, plane: number): boolean {
    const p = this.#positions;
    const n = 4 * plane;
    const a = 3 * this.#corners[h];
    const b = 3 * this.#corners[nextHalfEdge(h)];
    const c = 3 * this.#corners[nextHalfEdge(g)];
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[b];
    const vy = p[c + 1] - p[b + 1];
    const vz = p[c + 2] - p[b + 2];
    const turn =
      this.#planes[n] * (uy * vz - uz * vy) +
      this.#planes[n + 1] * (uz * vx - ux * vz) +
      this.#planes[n + 2] * (ux * vy - uy * vx);
    return turn >= 0;
  }

  #areaOf(triangle: number): number {
    const p = this.#positions;
    const [a, b, c] = [0, 1, 2].map((k) => 3 * this.#corners[3 * triangle + k]);
    const ux = p[b] - p[a];
    const uy = p[b + 1] - p[a + 1];
    const uz = p[b + 2] - p[a + 2];
    const vx = p[c] - p[a];
    const vy = p[c + 1] - p[a + 1];
    const vz = p[c + 2] - p[a + 2];
    return Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
  }
}

function isEmpty(planes: Float64Array, at: number): boolean {
  return planes[at] === 0 && planes[at + 1] === 0 && planes[at + 2] === 0;
}
