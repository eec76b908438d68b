// Proves that a mesh is the solid of an outline between two planes and cuts itself nowhere: each face lies in the front
// or the back, as part of an exact triangulation, or upright on one side of the outline, which it covers once.
import { triangulationFaults } from './planar-triangulation.js';

export function extrudedSolidFaults(
  rings: readonly Float64Array[],
  depth: number,
  positions: ArrayLike<number>,
  indices: ArrayLike<number>,
): string[] {
  const faults = new Set<string>();
  const idAt = new Map<string, number>();
  const nextOf: number[] = [];
  for (const ring of rings) {
    const first = nextOf.length;
    const count = ring.length / 2;
    for (let i = 0; i < count; i++) {
      idAt.set(`${ring[2 * i]} ${ring[2 * i + 1]}`, first + i);
      nextOf.push(first + ((i + 1) % count));
    }
  }
  const pointOf = (v: number) => idAt.get(`${positions[3 * v]} ${positions[3 * v + 1]}`);
  const front: number[] = [];
  const back: number[] = [];
  const wallArea = new Float64Array(nextOf.length);
  for (let i = 0; i < indices.length; i += 3) {
    const corners = [indices[i], indices[i + 1], indices[i + 2]];
    const points = corners.map(pointOf);
    if (points.includes(undefined)) {
      faults.add('a vertex off the outline');
      continue;
    }
    const [a, b, c] = points as number[];
    const z = corners.map((v) => positions[3 * v + 2]);
    if (z.every((value) => value === depth / 2)) front.push(a, b, c);
    else if (z.every((value) => value === -depth / 2)) back.push(a, c, b);
    else {
      const start = [a, b, c].find((point) => points.every((p) => p === point || p === nextOf[point]));
      if (start === undefined || new Set(points).size !== 2) {
        faults.add('a face across the inside');
        continue;
      }
      // Along the side and up: outward faces turn left there.
      const [u, v, w] = points.map((point) => (point === start ? 0 : 1));
      const turn = (v - u) * (z[2] - z[0]) - (z[1] - z[0]) * (w - u);
      if (turn <= 0) faults.add('a wall that faces inward');
      if (z.some((value) => Math.abs(value) > depth / 2)) faults.add('a wall beyond front or back');
      wallArea[start] += turn / 2;
    }
  }
  if (wallArea.some((area) => Math.abs(area - depth) > 1e-12 * depth)) faults.add('a wall not covered once');
  for (const fault of triangulationFaults(rings, front)) faults.add(`front ${fault}`);
  for (const fault of triangulationFaults(rings, back)) faults.add(`back ${fault}`);
  return [...faults];
}
