// Distances, insides and intersections in the plane by brute force, for shapes given as rings of points. The inside comes
// from the angle that each ring turns through around a point, the distance from projections on every edge.

export type Rings = readonly (readonly (readonly [number, number])[])[];
type Point = readonly [number, number];

/** The rings of a shape that the library takes, as points. */
export function ringPoints(rings: readonly Float64Array[], pose: ArrayLike<number> = [0, 0, 0]): Rings {
  return rings.map((ring) =>
    Array.from({ length: ring.length / 2 }, (_, i): Point => {
      const [x, y] = [ring[2 * i], ring[2 * i + 1]];
      const radius = Math.hypot(x, y);
      const angle = Math.atan2(y, x) + pose[2];
      return pose[2] === 0
        ? [x + pose[0], y + pose[1]]
        : [radius * Math.cos(angle) + pose[0], radius * Math.sin(angle) + pose[1]];
    }),
  );
}

/** The turns of all rings around a point, as a whole number; odd is inside by the even-odd rule. */
export function turnsAround(rings: Rings, [x, y]: Point): number {
  let turns = 0;
  for (const ring of rings) {
    let angle = 0;
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length];
      const cross = (ax - x) * (by - y) - (ay - y) * (bx - x);
      const dot = (ax - x) * (bx - x) + (ay - y) * (by - y);
      angle += Math.atan2(cross, dot);
    });
    turns += Math.round(angle / (2 * Math.PI));
  }
  return turns;
}

export function isInside(rings: Rings, point: Point): boolean {
  return Math.abs(turnsAround(rings, point)) % 2 === 1;
}

export function segmentDistance([px, py]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const length = Math.hypot(bx - ax, by - ay);
  if (length === 0) return Math.hypot(px - ax, py - ay);
  const [ux, uy] = [(bx - ax) / length, (by - ay) / length];
  const along = (px - ax) * ux + (py - ay) * uy;
  if (along < 0) return Math.hypot(px - ax, py - ay);
  if (along > length) return Math.hypot(px - bx, py - by);
  return Math.abs((px - ax) * uy - (py - ay) * ux);
}

export function boundaryDistance(rings: Rings, point: Point): number {
  let least = Infinity;
  for (const ring of rings) {
    for (let i = 0; i < ring.length; i++) {
      least = Math.min(least, segmentDistance(point, ring[i], ring[(i + 1) % ring.length]));
    }
  }
  return least;
}

/** Points along all edges, no farther from one another than the step, each with its share of the length. */
export function walkBoundary(rings: Rings, step: number, visit: (point: Point, length: number) => void): void {
  for (const ring of rings) {
    ring.forEach(([ax, ay], i) => {
      const [bx, by] = ring[(i + 1) % ring.length];
      const length = Math.hypot(bx - ax, by - ay);
      const count = Math.max(1, Math.ceil(length / step));
      for (let k = 0; k < count; k++) {
        const t = (k + 0.5) / count;
        visit([ax + t * (bx - ax), ay + t * (by - ay)], length / count);
      }
    });
  }
}

/** The least distance of two boundaries; 0 where they cross, by solving for the crossing. */
export function boundaryGap(a: Rings, b: Rings): number {
  let least = Infinity;
  for (const ringA of a) {
    ringA.forEach((p, i) => {
      const q = ringA[(i + 1) % ringA.length];
      for (const ringB of b) {
        ringB.forEach((r, j) => {
          const s = ringB[(j + 1) % ringB.length];
          if (cross(p, q, r, s)) least = 0;
          least = Math.min(
            least,
            segmentDistance(p, r, s),
            segmentDistance(q, r, s),
            segmentDistance(r, p, q),
            segmentDistance(s, p, q),
          );
        });
      }
    });
  }
  return least;
}

function cross(p: Point, q: Point, r: Point, s: Point): boolean {
  const [ux, uy] = [q[0] - p[0], q[1] - p[1]];
  const [vx, vy] = [s[0] - r[0], s[1] - r[1]];
  const determinant = ux * vy - uy * vx;
  if (determinant === 0) return false;
  const t = ((r[0] - p[0]) * vy - (r[1] - p[1]) * vx) / determinant;
  const w = ((r[0] - p[0]) * uy - (r[1] - p[1]) * ux) / determinant;
  return t >= 0 && t <= 1 && w >= 0 && w <= 1;
}
