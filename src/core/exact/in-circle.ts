// Whether a point lies in the circle through three others, exactly: Shewchuk's adaptive predicate (1997), and whole
// numbers where a product of doubles might under- or overflow.
import { incircle } from 'robust-predicates';
import { UNDERFLOW_BOUND } from './orientation.js';
import { exactDifferences } from './whole-numbers.js';

/**
 * Proven: products of four coordinates that are zero or larger than this are multiples of 2^-1074, so nothing
 * underflows.
 */
const SAFE_COORDINATE = 2 ** -210;

/**
 * 1 where d lies strictly inside the circle through a, b, c, which turn counter-clockwise; −1 outside, 0 on it.
 * Takes scalars, for inner loops.
 */
export function exactInCircle(
  ax: number,
  ay: number,
  bx: number,
  by: number,
  cx: number,
  cy: number,
  dx: number,
  dy: number,
): number {
  const det = incircle(ax, ay, bx, by, cx, cy, dx, dy);
  if (det > UNDERFLOW_BOUND && det < Infinity) return 1;
  if (det < -UNDERFLOW_BOUND && det > -Infinity) return -1;
  const values = [ax, ay, bx, by, cx, cy, dx, dy];
  if (Math.abs(det) < Infinity && values.every((v) => v === 0 || Math.abs(v) >= SAFE_COORDINATE))
    return Math.sign(det) + 0; // never −0
  if (!values.every(Number.isFinite)) return Number.NaN;
  const [ux, uy, vx, vy, wx, wy] = exactDifferences([dx, dy], [ax, ay, bx, by, cx, cy]);
  const whole =
    (ux * ux + uy * uy) * (vx * wy - vy * wx) +
    (vx * vx + vy * vy) * (wx * uy - wy * ux) +
    (wx * wx + wy * wy) * (ux * vy - uy * vx);
  return whole > 0n ? 1 : whole < 0n ? -1 : 0;
}
