// The convex polygon of coplanar points: Andrew's monotone chain (1979) on the points' projections, with exact
// orientation. Only extreme points remain, of equal points the one with the lowest id. O(n log n).
import { exactTurnAlong } from '../../core/exact/points.js';

/**
 * The corners of the convex polygon, counter-clockwise seen from the positive end of `axis`, starting with the
 * lexicographically smallest point. The points must be coplanar, and their plane not parallel to the axis.
 */
export function findFlatLoop(points: Float64Array, ids: Uint32Array, axis: number): Uint32Array {
  const u = (axis + 1) % 3;
  const v = (axis + 2) % 3;
  const sorted = ids
    .slice()
    .sort((i, j) => points[3 * i + u] - points[3 * j + u] || points[3 * i + v] - points[3 * j + v] || i - j);
  let count = 0;
  for (const id of sorted) {
    const last = 3 * sorted[count - 1];
    if (count > 0 && points[last + u] === points[3 * id + u] && points[last + v] === points[3 * id + v]) continue;
    sorted[count++] = id;
  }
  const loop: number[] = [];
  for (const step of [1, -1]) {
    const start = loop.length;
    for (let i = step > 0 ? 0 : count - 1; i >= 0 && i < count; i += step) {
      while (
        loop.length - start >= 2 &&
        exactTurnAlong(points, axis, loop[loop.length - 2], loop[loop.length - 1], sorted[i]) <= 0
      ) {
        loop.pop();
      }
      loop.push(sorted[i]);
    }
    // The last point of one chain is the first of the other.
    loop.pop();
  }
  return rotateToSmallest(points, Uint32Array.from(loop));
}

/** The loop rotated to its lexicographically smallest point, so that it does not depend on the order of the input. */
export function rotateToSmallest(points: Float64Array, loop: Uint32Array): Uint32Array {
  let start = 0;
  for (let i = 1; i < loop.length; i++) if (isSmaller(points, loop[i], loop[start])) start = i;
  const rotated = new Uint32Array(loop.length);
  rotated.set(loop.subarray(start));
  rotated.set(loop.subarray(0, start), loop.length - start);
  return rotated;
}

/** Whether point a comes before point b by x, then y, then z. */
export function isSmaller(points: Float64Array, a: number, b: number): boolean {
  const x = points[3 * a] - points[3 * b];
  if (x !== 0) return x < 0;
  const y = points[3 * a + 1] - points[3 * b + 1];
  return y !== 0 ? y < 0 : points[3 * a + 2] < points[3 * b + 2];
}
