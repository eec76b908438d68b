// Closed forms of the penetration depth for balls and tori, and between which balls and tori a mesh lies. More solid
// never has less depth, so the depth of two meshes lies between that of what they contain and of what contains them.
import type { Solid } from './shapes.js';

/** Two balls whose centers are `distance` apart. */
export function measureBalls(radiusA: number, radiusB: number, distance: number): number {
  return Math.max(0, radiusA + radiusB - distance);
}

/**
 * A torus around the z axis and a ball around (x, y, z). The torus grown by the ball is a thicker torus, the points within
 * a distance of a circle; where it still has a hole, the way out is straight away from the circle.
 */
export function measureTorusAndBall(
  ringRadius: number,
  tubeRadius: number,
  ballRadius: number,
  [x, y, z]: readonly [number, number, number],
): number {
  const thickness = tubeRadius + ballRadius;
  if (thickness >= ringRadius) throw new Error('The grown torus has no hole: no closed form.');
  return Math.max(0, thickness - Math.hypot(Math.hypot(x, y) - ringRadius, z));
}

/**
 * Two equal tori around parallels of the z axis, `offset` apart. The sum of two circles is a whole disc, so {b − a} is a
 * disc of twice the ring's radius, grown by twice the tube's.
 */
export function measureParallelTori(
  ringRadius: number,
  tubeRadius: number,
  [x, y, z]: readonly [number, number, number],
): number {
  const beyond = Math.max(0, Math.hypot(x, y) - 2 * ringRadius);
  return Math.max(0, 2 * tubeRadius - Math.hypot(beyond, z));
}

/** The least and the greatest distance from the origin to the surface of a mesh that is convex and around it. */
export function ballsOf({ positions, indices }: Solid): { inner: number; outer: number } {
  let outer = 0;
  for (let i = 0; i < positions.length; i += 3) {
    outer = Math.max(outer, Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
  }
  let inner = Infinity;
  for (let i = 0; i < indices.length; i += 3) {
    const [a, b, c] = Array.from(indices.subarray(i, i + 3), (v) => positions.subarray(3 * v, 3 * v + 3));
    const u = [0, 1, 2].map((k) => b[k] - a[k]);
    const v = [0, 1, 2].map((k) => c[k] - a[k]);
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    inner = Math.min(inner, (a[0] * n[0] + a[1] * n[1] + a[2] * n[2]) / Math.hypot(n[0], n[1], n[2]));
  }
  return { inner, outer };
}

/**
 * How far a triangle of a torus mesh can be from the torus: linear interpolation over a right triangle of the parameters
 * is off by at most ½ of its circumradius squared times the second derivative (Waldron 1998), here with legs made 1.
 */
export function torusMeshError(ringRadius: number, tubeRadius: number, around: number, across: number): number {
  const du = (2 * Math.PI) / around;
  const dv = (2 * Math.PI) / across;
  const [uu, uv, vv] = [(ringRadius + tubeRadius) * du * du, tubeRadius * du * dv, tubeRadius * dv * dv];
  return ((uu + vv) / 2 + Math.hypot((uu - vv) / 2, uv)) / 4;
}
