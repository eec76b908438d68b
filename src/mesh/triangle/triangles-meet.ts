// Whether two triangles have a point in common. Triangles without area are segments or points, and the signs of exact
// determinants decide for them. Meshes without these faces pay one comparison.
import { exactSide, exactTurn } from '../../core/exact/orientation.js';
import { areExactlyCollinearAt } from '../../core/exact/points.js';
import { trianglesIntersect } from './triangle-intersection.js';

/**
 * Whether two closed triangles, segments or points meet. Corners at p[a0] … and q[b0] …, as for `trianglesIntersect`.
 * Takes scalars, for inner loops.
 */
export function trianglesMeet(
  p: Float64Array,
  a0: number,
  a1: number,
  a2: number,
  q: Float64Array,
  b0: number,
  b1: number,
  b2: number,
): boolean {
  if (trianglesIntersect(p, a0, a1, a2, q, b0, b1, b2)) return true;
  const flatA = areExactlyCollinearAt(p, a0, a1, a2);
  const flatB = areExactlyCollinearAt(q, b0, b1, b2);
  if (!flatA && !flatB) return false;
  const a = [corner(p, a0), corner(p, a1), corner(p, a2)];
  const b = [corner(q, b0), corner(q, b1), corner(q, b2)];
  if (!flatB) return segmentMeetsTriangle(ends(a), b);
  if (!flatA) return segmentMeetsTriangle(ends(b), a);
  return segmentsMeet(ends(a), ends(b));
}

type Point = readonly number[];

function corner(values: Float64Array, at: number): Point {
  return [values[at], values[at + 1], values[at + 2]];
}

/** The two ends of three collinear points: the first and the last by x, then y, then z. */
function ends(points: readonly Point[]): readonly [Point, Point] {
  const sorted = [...points].sort((p, q) => p[0] - q[0] || p[1] - q[1] || p[2] - q[2]);
  return [sorted[0], sorted[2]];
}

const AXES = [0, 1, 2] as const;

/** The orientation of three points seen along an axis. */
function turn(p: Point, q: Point, r: Point, drop: number): number {
  const [u, v] = drop === 0 ? [1, 2] : drop === 1 ? [2, 0] : [0, 1];
  return exactTurn(p[u], p[v], q[u], q[v], r[u], r[v]);
}

function side([a, b, c]: readonly Point[], p: Point): number {
  return exactSide(a[0], a[1], a[2], b[0], b[1], b[2], c[0], c[1], c[2], p[0], p[1], p[2]);
}

function segmentMeetsTriangle([from, to]: readonly [Point, Point], triangle: readonly Point[]): boolean {
  const sideFrom = side(triangle, from);
  const sideTo = side(triangle, to);
  if (sideFrom * sideTo > 0) return false;
  const [a, b, c] = triangle;
  if (sideFrom === 0 && sideTo === 0) {
    if (isWithin(from, triangle) || isWithin(to, triangle)) return true;
    return segmentsMeet([from, to], [a, b]) || segmentsMeet([from, to], [b, c]) || segmentsMeet([from, to], [c, a]);
  }
  if (sideFrom === 0) return isWithin(from, triangle);
  if (sideTo === 0) return isWithin(to, triangle);
  // The line passes all edges on the same side, or through some of them.
  const passes = [side([from, to, a], b), side([from, to, b], c), side([from, to, c], a)];
  return !(passes.includes(1) && passes.includes(-1));
}

/** Whether a point of a triangle's plane is in the triangle, seen along an axis that is not parallel to the plane. */
function isWithin(p: Point, [a, b, c]: readonly Point[]): boolean {
  const drop = AXES.find((axis) => turn(a, b, c, axis) !== 0) ?? 0;
  const turns = [turn(a, b, p, drop), turn(b, c, p, drop), turn(c, a, p, drop)];
  return !(turns.includes(1) && turns.includes(-1));
}

/** Whether two segments, or points, meet: they are coplanar, and their projections along all three axes meet. */
function segmentsMeet([a, b]: readonly [Point, Point], [c, d]: readonly [Point, Point]): boolean {
  return side([a, b, c], d) === 0 && AXES.every((drop) => shadowsMeet(a, b, c, d, drop));
}

function shadowsMeet(a: Point, b: Point, c: Point, d: Point, drop: number): boolean {
  for (const axis of AXES) {
    if (axis === drop) continue;
    if (Math.max(a[axis], b[axis]) < Math.min(c[axis], d[axis])) return false;
    if (Math.max(c[axis], d[axis]) < Math.min(a[axis], b[axis])) return false;
  }
  return turn(a, b, c, drop) * turn(a, b, d, drop) <= 0 && turn(c, d, a, drop) * turn(c, d, b, drop) <= 0;
}
