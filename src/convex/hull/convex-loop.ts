// The convex polygon around points that lie in a plane within rounding. O(n log n), Andrew's two chains (1979).

/**
 * Ids of the corners, counter-clockwise seen along the normal from outside; fewer than three if the points are
 * collinear. Points within `tolerance` of the line of their neighbors are not corners.
 */
export function findConvexLoop(
  points: Float64Array,
  ids: readonly number[],
  normal: ArrayLike<number>,
  tolerance: number,
): number[] {
  // The two axes on which the plane's shadow is largest, in the order that keeps the orientation.
  const [ax, ay, az] = [Math.abs(normal[0]), Math.abs(normal[1]), Math.abs(normal[2])];
  const axis = ax >= ay && ax >= az ? 0 : ay >= az ? 1 : 2;
  const positive = normal[axis] > 0;
  const u = (axis + (positive ? 1 : 2)) % 3;
  const v = (axis + (positive ? 2 : 1)) % 3;
  const sorted = [...ids].sort(
    (i, j) => points[3 * i + u] - points[3 * j + u] || points[3 * i + v] - points[3 * j + v] || i - j,
  );
  const chain = (order: readonly number[]): number[] => {
    const stack: number[] = [];
    for (const id of order) {
      while (
        stack.length > 1 &&
        !turnsLeft(points, stack[stack.length - 2], stack[stack.length - 1], id, u, v, tolerance)
      ) {
        stack.pop();
      }
      const last = stack[stack.length - 1];
      const same =
        last !== undefined &&
        Math.abs(points[3 * id + u] - points[3 * last + u]) <= tolerance &&
        Math.abs(points[3 * id + v] - points[3 * last + v]) <= tolerance;
      if (!same) stack.push(id);
    }
    return stack;
  };
  const lower = chain(sorted);
  const upper = chain(sorted.reverse());
  return [...lower.slice(0, -1), ...upper.slice(0, -1)];
}

/** Whether c is left of the line from a to b, by more than the tolerance beyond b. */
function turnsLeft(
  points: Float64Array,
  a: number,
  b: number,
  c: number,
  u: number,
  v: number,
  tolerance: number,
): boolean {
  const dx = points[3 * b + u] - points[3 * a + u];
  const dy = points[3 * b + v] - points[3 * a + v];
  const ex = points[3 * c + u] - points[3 * a + u];
  const ey = points[3 * c + v] - points[3 * a + v];
  return dx * ey - dy * ex > tolerance * Math.hypot(ex, ey);
}
