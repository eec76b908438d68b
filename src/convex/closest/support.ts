// The vertex of a convex polyhedron farthest along a direction: by walking uphill from vertex to vertex, which always
// ends at the top because the surface is convex, or by scanning all vertices if there are few.
import type { ConvexSet } from './convex-set.js';
import { placeHandle } from './vertex-handle.js';

/**
 * Chosen: with up to this many vertices all are scanned: the arrays are read in order, without the ring's chain of
 * loads.
 */
const SCAN_VERTICES = 12;

/** Rounding: a ring of neighbors may be level if it falls by slopes below this, squared; the slope is 1e-10. */
const LEVEL_SQUARED = 1e-20;

/** The handle of a vertex of the node farthest along the direction. The walk starts at a handle of the node. */
export function findSupport(set: ConvexSet, node: number, handle: number, dx: number, dy: number, dz: number): number {
  if (set.vertexStart[node + 1] - set.vertexStart[node] <= SCAN_VERTICES) return scanSupport(set, node, dx, dy, dz);
  return climbSupport(set, node, handle, dx, dy, dz);
}

/** The same by scanning all vertices; the first of equals. */
export function scanSupport(set: ConvexSet, node: number, dx: number, dy: number, dz: number): number {
  const { positions, nodeVertices, vertexStart } = set;
  let best = vertexStart[node];
  let highest = -Infinity;
  for (let i = vertexStart[node]; i < vertexStart[node + 1]; i++) {
    const p = 3 * nodeVertices[i];
    const height = positions[p] * dx + positions[p + 1] * dy + positions[p + 2] * dz;
    if (height > highest) {
      highest = height;
      best = i;
    }
  }
  return placeHandle(set, node, best);
}

/** The same by walking uphill, for a node with faces. Heights come from differences, so that short edges count. */
export function climbSupport(set: ConvexSet, node: number, handle: number, dx: number, dy: number, dz: number): number {
  const { positions, twins, halfEdgeVertices } = set;
  let top = handle;
  // Every move goes to a strictly higher vertex in exact arithmetic; rounding could loop on a plateau.
  for (let moves = 0; moves < 100000; moves++) {
    const v = 3 * halfEdgeVertices[top];
    const x = positions[v];
    const y = positions[v + 1];
    const z = positions[v + 2];
    let steepest = 0;
    let deepest = 0;
    let next = -1;
    let h = top;
    // Twins are a permutation (checked where a hierarchy is read), and so is the step round a vertex: it comes back.
    do {
      const previous = h % 3 === 0 ? h + 2 : h - 1;
      const u = 3 * halfEdgeVertices[previous];
      const ex = positions[u] - x;
      const ey = positions[u + 1] - y;
      const ez = positions[u + 2] - z;
      const rise = ex * dx + ey * dy + ez * dz;
      if (rise > steepest) {
        steepest = rise;
        next = previous;
      }
      if (rise < deepest) deepest = rise;
      h = twins[previous];
    } while (h !== top);
    if (next < 0) {
      const u = 3 * halfEdgeVertices[top % 3 === 2 ? top - 2 : top + 1];
      const way = (positions[u] - x) ** 2 + (positions[u + 1] - y) ** 2 + (positions[u + 2] - z) ** 2;
      // A level ring is within a facet, which may be the lowest one.
      const level = deepest * deepest <= LEVEL_SQUARED * way * (dx * dx + dy * dy + dz * dz);
      return level ? scanSupport(set, node, dx, dy, dz) : top;
    }
    top = next;
  }
  return top;
}
