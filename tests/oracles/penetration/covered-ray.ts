// How much of a ray from the origin a union of convex bodies and balls covers without a gap: the bodies' intervals along the
// ray, sorted by where they begin, and one sweep over them. O(facets + n log n); shares nothing with the library.

/** Four numbers a facet: the outward normal n and the offset c, n·t ≤ c inside. */
export type HalfSpaces = ArrayLike<number>;

export interface Ball {
  readonly center: readonly [number, number, number];
  readonly radius: number;
}

/** The length of ray that is covered; 0 if nothing holds the origin. `direction` is unit. */
export function measureCoveredRay(
  bodies: readonly HalfSpaces[],
  balls: readonly Ball[],
  direction: readonly number[],
): number {
  const intervals: [number, number][] = [];
  for (const planes of bodies) {
    let [from, to] = [-Infinity, Infinity];
    for (let f = 0; f < planes.length; f += 4) {
      const slope = planes[f] * direction[0] + planes[f + 1] * direction[1] + planes[f + 2] * direction[2];
      if (slope > 0) to = Math.min(to, planes[f + 3] / slope);
      else if (slope < 0) from = Math.max(from, planes[f + 3] / slope);
      else if (planes[f + 3] < 0) to = -Infinity;
    }
    intervals.push([from, to]);
  }
  for (const { center, radius } of balls) {
    const along = center[0] * direction[0] + center[1] * direction[1] + center[2] * direction[2];
    const square = center[0] ** 2 + center[1] ** 2 + center[2] ** 2;
    const half = Math.sqrt(along * along - square + radius * radius);
    if (half >= 0) intervals.push([along - half, along + half]);
  }
  intervals.sort((p, q) => p[0] - q[0]);
  let front = 0;
  for (const [from, to] of intervals) {
    if (from > to) continue;
    if (from > front) break;
    front = Math.max(front, to);
  }
  return front;
}
