// Exact truth for triangles with whole coordinates: the common part of two triangles is computed by clipping one
// against the plane and the edges of the other, in fractions of big integers. Slow and plain.

type Point = readonly [bigint, bigint, bigint];
/** x/w, y/w, z/w with w > 0. */
type Fraction = readonly [bigint, bigint, bigint, bigint];
type Triangle = readonly (readonly number[])[];

/** The corners of the common part of two closed triangles, of which the first may be anything; empty when disjoint. */
function commonPart(a: Triangle, b: Triangle): Fraction[] {
  const [b0, b1, b2] = b.map(toPoint);
  const normal = cross(subtract(b1, b0), subtract(b2, b0));
  let polygon: Fraction[] = a.map(toPoint).map(([x, y, z]) => [x, y, z, 1n]);
  polygon = clip(polygon, normal, b0);
  polygon = clip(polygon, normal.map((v) => -v) as unknown as Point, b0);
  for (const [p, q] of [
    [b0, b1],
    [b1, b2],
    [b2, b0],
  ]) {
    polygon = clip(polygon, cross(normal, subtract(q, p)), p);
  }
  return polygon;
}

/** What of a convex polygon (or segment, or point) lies in the closed half-space direction · (x − origin) ≥ 0. */
function clip(polygon: Fraction[], direction: Point, origin: Point): Fraction[] {
  const heights = polygon.map(([x, y, z, w]) => dot(direction, [x, y, z]) - dot(direction, origin) * w);
  const kept: Fraction[] = [];
  for (let i = 0; i < polygon.length; i++) {
    const j = (i + 1) % polygon.length;
    if (heights[i] >= 0n) kept.push(polygon[i]);
    if (heights[i] * heights[j] < 0n) {
      // Heights carry the factor w of their point, so they mix the homogeneous coordinates as they are.
      const s = heights[i] > 0n ? heights[i] : -heights[i];
      const t = heights[j] > 0n ? heights[j] : -heights[j];
      kept.push(polygon[i].map((value, k) => value * t + polygon[j][k] * s) as unknown as Fraction);
    }
  }
  return kept;
}

/** Whether two closed triangles, the second with an area, have a point in common. */
export function meetExactly(a: Triangle, b: Triangle): boolean {
  return commonPart(a, b).length > 0;
}

/** Whether two triangles with areas have a common point beyond the corners and the edge they share. */
export function crossExactly(a: Triangle, b: Triangle): boolean {
  const shared = a.filter((p) => b.some((q) => p.every((value, k) => value === q[k]))).map(toPoint);
  if (shared.length === 3) return true;
  return commonPart(a, b).some(([x, y, z, w]) => {
    const offset = (p: Point): Point => [x - p[0] * w, y - p[1] * w, z - p[2] * w];
    if (shared.length === 0) return true;
    if (shared.length === 1) return offset(shared[0]).some((value) => value !== 0n);
    return cross(offset(shared[0]), subtract(shared[1], shared[0])).some((value) => value !== 0n);
  });
}

/** Whether three points with whole coordinates lie on a line. */
export function isFlat(triangle: Triangle): boolean {
  const [a, b, c] = triangle.map(toPoint);
  return cross(subtract(b, a), subtract(c, a)).every((value) => value === 0n);
}

function toPoint(p: readonly number[]): Point {
  return [BigInt(p[0]), BigInt(p[1]), BigInt(p[2])];
}

function subtract(a: Point, b: Point): Point {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Point, b: Point): Point {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Point, b: Point): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}
