// Bézier curves as lines within an error, by even steps of the parameter. The bound on the distance is that of Wang
// (1984): degree (degree − 1) / 8 times the largest second difference of the control points, over the square of the steps.
import { NearfieldError } from './errors.js';

/** Chosen: lines of one curve; an error that needs more is refused. */
const MAX_LINES = 1 << 16;

/**
 * Points on the curve of two to four control points, its ends included; every chord is within `error` of the curve.
 * @throws NearfieldError `bad-argument` if that takes more than 65,536 lines.
 */
export function flattenBezier(points: readonly (readonly number[])[], error: number): number[][] {
  const degree = points.length - 1;
  if (degree < 2) return points.map((point) => [...point]);
  let bend = 0;
  for (let i = 0; i + 2 <= degree; i++) {
    const [a, b, c] = [points[i], points[i + 1], points[i + 2]];
    bend = Math.max(bend, Math.hypot(a[0] - 2 * b[0] + c[0], a[1] - 2 * b[1] + c[1]));
  }
  const lines = Math.max(1, Math.ceil(Math.sqrt((degree * (degree - 1) * bend) / (8 * error))));
  if (lines > MAX_LINES) {
    throw new NearfieldError(
      'bad-argument',
      `A curve within ${error} takes ${lines} lines, more than ${MAX_LINES}; give a larger curve error.`,
    );
  }
  const result: number[][] = [[...points[0]]];
  for (let i = 1; i < lines; i++) result.push(pointOnBezier(points, i / lines));
  result.push([...points[degree]]);
  return result;
}

/** De Casteljau's point at the parameter. */
function pointOnBezier(points: readonly (readonly number[])[], t: number): number[] {
  let level = points.map((point) => [point[0], point[1]]);
  while (level.length > 1) {
    level = level.slice(1).map((next, i) => {
      const last = level[i];
      return [last[0] + t * (next[0] - last[0]), last[1] + t * (next[1] - last[1])];
    });
  }
  return level[0];
}
