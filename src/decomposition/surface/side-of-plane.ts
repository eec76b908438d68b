import { orientation } from '../../convex/hull/hull-orientation.js';

/** Exactly: positive when vertex d is on the side of a, b, c from which they are counter-clockwise; ids into `points`. */
export function sideOfPlane(points: Float64Array, a: number, b: number, c: number, d: number): number {
  const i = 3 * a;
  const j = 3 * b;
  const k = 3 * c;
  const l = 3 * d;
  return orientation(
    points[i],
    points[i + 1],
    points[i + 2],
    points[j],
    points[j + 1],
    points[j + 2],
    points[k],
    points[k + 1],
    points[k + 2],
    points[l],
    points[l + 1],
    points[l + 2],
  );
}
