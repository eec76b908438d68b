// The vertices that a surface keeps when its facets are triangulated anew: all but those within one facet and those
// within a straight side of one or between two. Decided exactly, so the surface stays the same set of points.
import { areExactlyCollinearAt } from '../../core/exact/points.js';
import { nextHalfEdge } from '../../mesh/topology/adjacency.js';
import type { Surface } from '../surface/surface.js';
import type { Facets } from './find-facets.js';

/** 1 for each vertex that stays: every vertex of a face outside the facets does. */
export function findCorners(surface: Surface, { facetOfFace }: Facets): Uint8Array {
  const { mesh, adjacency, faceCount } = surface;
  const { indices, positions } = mesh;
  const { twin } = adjacency;
  const vertices = positions.length / 3;
  const isCorner = new Uint8Array(vertices);
  /** Up to two facets at each vertex, and up to two other ends of edges where a facet ends. */
  const facetsAt = new Int32Array(2 * vertices).fill(-1);
  const ends = new Int32Array(2 * vertices).fill(-1);
  const isAtBorder = new Uint8Array(vertices);
  const addTo = (list: Int32Array, vertex: number, value: number): void => {
    if (list[2 * vertex] < 0) list[2 * vertex] = value;
    else if (list[2 * vertex] !== value) {
      if (list[2 * vertex + 1] < 0) list[2 * vertex + 1] = value;
      else if (list[2 * vertex + 1] !== value) isCorner[vertex] = 1;
    }
  };
  for (let face = 0; face < faceCount; face++) {
    const facet = facetOfFace[face];
    for (let h = 3 * face; h < 3 * face + 3; h++) {
      const from = indices[h];
      if (facet < 0) {
        isCorner[from] = 1;
        continue;
      }
      addTo(facetsAt, from, facet);
      const beside = twin[h] < 0 ? -1 : facetOfFace[Math.floor(twin[h] / 3)];
      if (twin[h] >= 0 && beside === facet) continue;
      const to = indices[nextHalfEdge(h)];
      addTo(ends, from, to);
      addTo(ends, to, from);
      if (twin[h] < 0) isAtBorder[from] = isAtBorder[to] = 1;
    }
  }
  for (let v = 0; v < vertices; v++) {
    if (isCorner[v] === 1 || facetsAt[2 * v] < 0) continue;
    const [a, b] = [ends[2 * v], ends[2 * v + 1]];
    const facetCount = facetsAt[2 * v + 1] < 0 ? 1 : 2;
    if (a < 0) isCorner[v] = facetCount - 1;
    else if (b < 0 || facetCount !== 2 - isAtBorder[v] || !isBetween(positions, v, a, b)) isCorner[v] = 1;
  }
  return isCorner;
}

/** Whether the vertex v lies exactly on the segment from a to b, between its ends. */
function isBetween(positions: Float64Array, v: number, a: number, b: number): boolean {
  if (!areExactlyCollinearAt(positions, 3 * v, 3 * a, 3 * b)) return false;
  for (let axis = 0; axis < 3; axis++) {
    const [x, y, z] = [positions[3 * a + axis], positions[3 * v + axis], positions[3 * b + axis]];
    if ((x < y && y < z) || (z < y && y < x)) return true;
  }
  return false;
}
