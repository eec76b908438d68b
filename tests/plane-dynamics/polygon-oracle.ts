// Overlap of polygons by a separate way: whether boundaries cross by exact-sign orientation in plain arithmetic, or a corner is inside by
// winding number; and the distance by brute force over all pairs of edges. Shares no code with the library.

export type Points = readonly (readonly [number, number])[];

/** The ring of a body at a pose. */
export function placeRing(ring: readonly (readonly number[])[], [x, y, angle]: readonly number[]): Points {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return ring.map(([px, py]) => [x + c * px - s * py, y + s * px + c * py] as const);
}

function cross(a: readonly number[], b: readonly number[], p: readonly number[]): number {
  return (b[0] - a[0]) * (p[1] - a[1]) - (b[1] - a[1]) * (p[0] - a[0]);
}

function windingNumber(ring: Points, p: readonly [number, number]): number {
  let turns = 0;
  ring.forEach((a, i) => {
    const b = ring[(i + 1) % ring.length];
    if (a[1] <= p[1] && b[1] > p[1] && cross(a, b, p) > 0) turns++;
    if (a[1] > p[1] && b[1] <= p[1] && cross(a, b, p) < 0) turns--;
  });
  return turns;
}

export function ringsOverlap(p: Points, q: Points): boolean {
  for (let i = 0; i < p.length; i++) {
    const [a, b] = [p[i], p[(i + 1) % p.length]];
    for (let j = 0; j < q.length; j++) {
      const [c, d] = [q[j], q[(j + 1) % q.length]];
      if (cross(a, b, c) * cross(a, b, d) < 0 && cross(c, d, a) * cross(c, d, b) < 0) return true;
    }
  }
  return windingNumber(q, p[0]) !== 0 || windingNumber(p, q[0]) !== 0;
}

/** How deep corners of each are inside the other, at most: a measure of slight overlap. */
export function cornerDepth(p: Points, q: Points): number {
  return Math.max(deepestIn(p, q), deepestIn(q, p));
}

function deepestIn(p: Points, q: Points): number {
  let most = 0;
  for (const point of p) {
    if (windingNumber(q, point) === 0) continue;
    let least = Infinity;
    q.forEach((a, i) => {
      const b = q[(i + 1) % q.length];
      const [ex, ey] = [b[0] - a[0], b[1] - a[1]];
      const t = Math.max(0, Math.min(1, ((point[0] - a[0]) * ex + (point[1] - a[1]) * ey) / (ex * ex + ey * ey)));
      least = Math.min(least, Math.hypot(point[0] - a[0] - t * ex, point[1] - a[1] - t * ey));
    });
    most = Math.max(most, least);
  }
  return most;
}
