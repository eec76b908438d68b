// Proves or refutes the path of a rigid body, by distances over all triangles and a bound of how far the body moves. Shares
// nothing with the library: an interval is proven if the distance in its middle exceeds what the motion to its ends can
// close, refuted if the bodies meet there, and halved otherwise.
import { measureByBruteForce, type OracleMesh, placeInFrame } from './mesh-distance.js';
import { poseBetween } from './slerp-motion.js';

export interface CheckedPath {
  readonly verdict: 'proven' | 'refuted' | 'undecided';
  /** The least distance found. */
  readonly least: number;
}

const IDENTITY = [0, 0, 0, 0, 0, 0, 1];

/** Intervals are halved this often, at most. */
const DEPTH = 26;

export function checkPath(
  robot: OracleMesh,
  obstacle: OracleMesh,
  path: readonly (readonly number[])[],
  clearance = 0,
): CheckedPath {
  let radius = 0;
  for (let i = 0; i < robot.positions.length; i += 3) {
    radius = Math.max(radius, Math.hypot(...robot.positions.subarray(i, i + 3)));
  }
  let least = Infinity;
  const check = (a: readonly number[], b: readonly number[], from: number, to: number, depth: number): string => {
    const middle = (from + to) / 2;
    const pose = poseBetween(a, b, middle);
    const placed = placeInFrame(robot.positions, IDENTITY, pose);
    const { distance } = measureByBruteForce(obstacle, robot, placed);
    least = Math.min(least, distance);
    if (distance <= clearance) return 'refuted';
    const half = (to - from) / 2;
    const shift = Math.hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]) * half;
    const dot = Math.abs(a[3] * b[3] + a[4] * b[4] + a[5] * b[5] + a[6] * b[6]);
    const turn = 2 * Math.acos(Math.min(1, dot)) * half;
    if (distance - clearance > shift + radius * turn + 1e-12) return 'proven';
    if (depth === 0) return 'undecided';
    const first = check(a, b, from, middle, depth - 1);
    return first === 'proven' ? check(a, b, middle, to, depth - 1) : first;
  };
  for (let i = 1; i < path.length; i++) {
    const verdict = check(path[i - 1], path[i], 0, 1, DEPTH);
    if (verdict !== 'proven') return { verdict: verdict as 'refuted' | 'undecided', least };
  }
  return { verdict: 'proven', least };
}
