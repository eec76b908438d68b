// Where on an edge the clearance is least: the best of its points, then golden section search
// between its neighbors.
import type { Vec3 } from '../../core/vec3.js';
import type { EquidistantSolver } from './equidistant.js';
import type { SpaceSearch } from './space-search.js';

/** Chosen: rounds of golden section search. Each shortens the interval by a factor of 0.62: to 1e-8 of two steps. */
const ROUNDS = 38;

/** Proven: the golden section. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** The place of least clearance on the polyline of an edge, moved onto the curve. */
export function narrowestPlace(
  search: SpaceSearch,
  solver: EquidistantSolver,
  objects: readonly number[],
  points: readonly number[],
): { readonly point: Vec3; readonly clearance: number } {
  let best = 0;
  let clearance = Infinity;
  for (let n = 0; n < points.length; n += 3) {
    const { value } = search.measure(objects[0], points[n], points[n + 1], points[n + 2]);
    if (value >= clearance) continue;
    clearance = value;
    best = n;
  }
  const point: Vec3 = [points[best], points[best + 1], points[best + 2]];
  if (best === 0 || best + 3 >= points.length) return { point, clearance };
  // Parameters from 0 to 2 over the two chords next to the best point.
  const place = (t: number): number => {
    const first = t < 1 ? best - 3 : best;
    const share = t < 1 ? t : t - 1;
    const at = (axis: number): number =>
      points[first + axis] + share * (points[first + 3 + axis] - points[first + axis]);
    return solver.solve(objects, at(0), at(1), at(2), Infinity) ? solver.value : Infinity;
  };
  let low = 0;
  let high = 2;
  for (let round = 0; round < ROUNDS; round++) {
    const left = high - GOLDEN * (high - low);
    const right = low + GOLDEN * (high - low);
    const isLeft = place(left) <= place(right);
    if (isLeft) high = right;
    else low = left;
  }
  if (place((low + high) / 2) < clearance) {
    clearance = solver.value;
    for (let axis = 0; axis < 3; axis++) point[axis] = solver.point[axis];
  }
  return { point, clearance };
}
