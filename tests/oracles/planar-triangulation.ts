// What makes triangles a triangulation of a polygon, checked exactly: all turn left, the sides of the rings belong to
// one triangle each, all other sides to two. Then every point of the region is covered once and no other is.
import { type ExactPoint, exactInCircle, exactPoints, exactTurn, exactTwiceArea } from './exact-plane.js';

/** One line for each kind of fault; empty for a constrained Delaunay triangulation between the points of the rings. */
export function triangulationFaults(rings: readonly ArrayLike<number>[], triangles: ArrayLike<number>): string[] {
  const points = exactPoints(rings.flatMap((ring) => Array.from(ring)));
  const faults = new Map<string, string>();
  const fault = (kind: string, detail: string) => {
    if (!faults.has(kind)) faults.set(kind, `${kind}: ${detail}`);
  };
  const expected = points.length + 2 * (rings.length - 1) - 2;
  if (triangles.length !== 3 * expected) fault('count', `${triangles.length / 3} triangles instead of ${expected}`);

  const sides = new Set<string>();
  let area = 0n;
  let first = 0;
  for (const ring of rings) {
    const count = ring.length / 2;
    for (let i = 0; i < count; i++) sides.add(`${first + i} ${first + ((i + 1) % count)}`);
    area += exactTwiceArea(points.slice(first, first + count));
    first += count;
  }

  const opposite = new Map<string, number>();
  let covered = 0n;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    const turn = exactTurn(points[a], points[b], points[c]);
    if (turn <= 0n) fault('does not turn left', `triangle ${a} ${b} ${c}`);
    covered += turn;
    for (const [from, to, apex] of [
      [a, b, c],
      [b, c, a],
      [c, a, b],
    ]) {
      const key = `${from} ${to}`;
      if (opposite.has(key)) fault('side used twice', key);
      opposite.set(key, apex);
    }
  }
  if (covered !== area) fault('area', 'the triangles do not add up to the polygon');

  for (const side of sides) if (!opposite.has(side)) fault('side of a ring missing', side);
  for (const [side, apex] of opposite) {
    const [from, to] = side.split(' ').map(Number);
    const across = opposite.get(`${to} ${from}`);
    if (sides.has(side)) {
      if (across !== undefined) fault('side of a ring with a triangle outside', side);
    } else if (across === undefined) {
      fault('open side', side);
    } else if (exactInCircle(...([from, to, apex, across].map((id) => points[id]) as Four)) > 0n) {
      fault('not Delaunay', side);
    }
  }
  return [...faults.values()];
}

type Four = [ExactPoint, ExactPoint, ExactPoint, ExactPoint];
