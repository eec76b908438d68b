// The faces of a hull as polygons: triangles that lie exactly in one plane are one facet. O(triangles).
import { exactSideOf } from '../../core/exact/points.js';
import type { Hull } from './hull.js';
import { next, previous } from './hull-simplify.js';

/** The facets of a hull, as loops over its vertices. */
export interface HullFacets {
  /** How many facets: two for a flat hull, its sides; none below two dimensions. */
  readonly count: number;
  /** Facet f has the entries from starts[f] to starts[f + 1] of `loops` and `neighbors`; length count + 1. */
  readonly starts: Uint32Array;
  /** Point ids around each facet, counter-clockwise seen from outside, strictly convex. */
  readonly loops: Uint32Array;
  /** The facet beyond the edge that leaves the same entry of `loops`. */
  readonly neighbors: Uint32Array;
  /** The facet of each triangle of the hull. */
  readonly facetOfTriangle: Uint32Array;
}

/** Merges the coplanar triangles of a hull into polygons. */
export function mergeFacets(hull: Hull): HullFacets {
  const { triangles, twins } = hull;
  const isFlat = findFlatEdges(hull);
  const unknown = 0xffffffff;
  const facetOfTriangle = new Uint32Array(triangles.length / 3).fill(unknown);
  const starts: number[] = [0];
  const rim: number[] = [];
  for (let first = 0; first < triangles.length; first++) {
    if (isFlat[first] || facetOfTriangle[Math.floor(first / 3)] !== unknown) continue;
    const facet = starts.length - 1;
    let edge = first;
    // Twins are a permutation and flat both or neither: the walk is one of the half-edges that are not flat, and closes.
    do {
      rim.push(edge);
      facetOfTriangle[Math.floor(edge / 3)] = facet;
      edge = next(edge);
      while (isFlat[edge]) {
        edge = next(twins[edge]);
        facetOfTriangle[Math.floor(edge / 3)] = facet;
      }
    } while (edge !== first);
    starts.push(rim.length);
  }
  return {
    count: starts.length - 1,
    starts: Uint32Array.from(starts),
    loops: Uint32Array.from(rim, (edge) => triangles[edge]),
    neighbors: Uint32Array.from(rim, (edge) => facetOfTriangle[Math.floor(twins[edge] / 3)]),
    facetOfTriangle,
  };
}

/** The diagonals of facets. Every corner of a triangle is on its facet's rim, so a walk along the rim meets every triangle. */
function findFlatEdges({ dimension, points, triangles, twins }: Hull): Uint8Array {
  const isFlat = new Uint8Array(triangles.length);
  const half = triangles.length / 2;
  for (let edge = 0; edge < triangles.length; edge++) {
    const twin = twins[edge];
    if (twin < edge) continue;
    // A flat hull's first half is its front, the second its back.
    const [a, b, c, d] = [edge, next(edge), previous(edge), previous(twin)].map((corner) => triangles[corner]);
    const flat = dimension === 2 ? edge < half === twin < half : exactSideOf(points, a, b, c, d) === 0;
    if (flat) isFlat[edge] = isFlat[twin] = 1;
  }
  return isFlat;
}
