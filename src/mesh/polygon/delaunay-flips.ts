// Turns a triangulation into the constrained Delaunay one by edge flips (Lawson 1977). Edges with one triangle are the
// constraints. An edge that was flipped away never comes back, so there are at most n(n − 1)/2 flips; near O(n) on
// outlines.

import { exactInCircle } from '../../core/exact/in-circle.js';
import { nextHalfEdge } from '../topology/half-edges.js';

/**
 * Flips the inner edges of `triangles` (three point ids each, counter-clockwise, changed in place) until every inner
 * edge is locally Delaunay. `points` has x, y per point. Returns the number of flips.
 */
export function flipToDelaunay(points: ArrayLike<number>, triangles: Uint32Array): number {
  const twin = pairHalfEdges(triangles);
  const stack: number[] = [];
  for (let h = twin.length - 1; h >= 0; h--) if (twin[h] > h) stack.push(h);

  const count = points.length / 2;
  const most = (count * (count - 1)) / 2;
  let flips = 0;
  while (stack.length > 0 && flips < most) {
    const h = stack.pop()!;
    const g = twin[h];
    if (g < 0) continue;
    const h1 = nextHalfEdge(h);
    const h2 = nextHalfEdge(h1);
    const g1 = nextHalfEdge(g);
    const g2 = nextHalfEdge(g1);
    const a = triangles[h];
    const b = triangles[h1];
    const c = triangles[h2];
    const d = triangles[g2];
    if (!isInCircle(points, a, b, c, d)) continue;

    // The edge a–b becomes c–d. Because d is strictly inside the circle, the quadrilateral is strictly convex.
    triangles[h] = d;
    triangles[g] = c;
    link(twin, h, twin[g2]);
    link(twin, g, twin[h2]);
    link(twin, h2, g2);
    stack.push(h, h1, g, g1);
    flips++;
  }
  return flips;
}

function link(twin: Int32Array, a: number, b: number): void {
  twin[a] = b;
  if (b >= 0) twin[b] = a;
}

/** Half-edge `h` runs from corner `h` to the next corner of its triangle; its twin runs back, -1 on the boundary. */
function pairHalfEdges(triangles: Uint32Array): Int32Array {
  const twin = new Int32Array(triangles.length).fill(-1);
  const pointCount = triangles.reduce((most, id) => Math.max(most, id + 1), 0);
  const open = new Map<number, number>();
  for (let h = 0; h < triangles.length; h++) {
    const from = triangles[h];
    const to = triangles[nextHalfEdge(h)];
    const back = open.get(to * pointCount + from);
    if (back === undefined) open.set(from * pointCount + to, h);
    else link(twin, h, back);
  }
  return twin;
}

/** Whether `d` lies strictly inside the circle through `a`, `b`, `c`, which run counter-clockwise. */
function isInCircle(points: ArrayLike<number>, a: number, b: number, c: number, d: number): boolean {
  return (
    exactInCircle(
      points[2 * a],
      points[2 * a + 1],
      points[2 * b],
      points[2 * b + 1],
      points[2 * c],
      points[2 * c + 1],
      points[2 * d],
      points[2 * d + 1],
    ) > 0
  );
}
