// What must be true of an answer about two convex polyhedra, checked from the shapes alone.
import type { Hull } from '../../../src/convex/hull/hull.js';
import {
  describePolyhedron,
  measureConvexDistance,
  type OracleDistance,
  type OraclePolyhedron,
} from '../../oracles/convex-distance.js';

export interface ConvexAnswer {
  intersects: boolean;
  distance: number;
  /** In A's frame. */
  pointA: ArrayLike<number>;
  pointB: ArrayLike<number>;
}

/** A hull as the oracle takes it. */
export function describeSolid({ points, vertices, triangles, dimension }: Hull): OraclePolyhedron {
  const ids = new Map<number, number>();
  const corners: number[] = [];
  vertices.forEach((vertex, i) => {
    ids.set(vertex, i);
    corners.push(points[3 * vertex], points[3 * vertex + 1], points[3 * vertex + 2]);
  });
  return describePolyhedron(
    Float64Array.from(corners),
    triangles.map((vertex) => ids.get(vertex)!),
    dimension === 3,
  );
}

/** The largest coordinate of the two in A's frame. */
export function sizeOf(a: OraclePolyhedron, b: OraclePolyhedron): number {
  let size = 0;
  for (const x of a.corners) size = Math.max(size, Math.abs(x));
  for (const x of b.corners) size = Math.max(size, Math.abs(x));
  return size;
}

/** Empty when the distance is right to 1e-9 of the size and the boolean to 1e-12, which is rounding, else what is wrong. */
export function findFault(
  a: OraclePolyhedron,
  b: OraclePolyhedron,
  truth: OracleDistance,
  found: ConvexAnswer,
): string {
  const size = sizeOf(a, b);
  if (!(Math.abs(found.distance - truth.distance) <= 1e-9 * size))
    return `distance ${found.distance}, true ${truth.distance}`;
  const d = [0, 1, 2].map((k) => found.pointB[k] - found.pointA[k]);
  const length = Math.hypot(...d);
  if (!(Math.abs(length - found.distance) <= 1e-9 * size))
    return `points ${length} apart at distance ${found.distance}`;
  if (found.intersects === truth.intersects) return '';
  // One of the two is zero.
  const apart = found.distance + truth.distance;
  return apart <= 1e-12 * size ? '' : `intersects: ${found.intersects}, though ${apart} is between the answers`;
}

/** How far a point is from the hull of one, two or three corners. */
export function distanceToFeature(point: ArrayLike<number>, corners: readonly (readonly number[])[]): number {
  const sides = corners.length === 3 ? [0, 1, 2, 0, 2, 1] : [];
  const feature = describePolyhedron(Float64Array.from(corners.flat()), Uint32Array.from(sides), false);
  const single = describePolyhedron(Float64Array.from(point), new Uint32Array(0), false);
  return measureConvexDistance(single, feature).distance;
}
