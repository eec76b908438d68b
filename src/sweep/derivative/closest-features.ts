// The nearest points of two segments in space.
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';

/** Rounding: segments with a squared sine of their angle below this are parallel; their ends are measured by themselves. */
const PARALLEL = 1e-14;

/** The nearest points of the segments from p to q and from r to s; null for parallel ones. */
export function nearestOnSegments(
  p: ReadonlyVec3,
  q: ReadonlyVec3,
  r: ReadonlyVec3,
  s: ReadonlyVec3,
): readonly [Vec3, Vec3] | null {
  const u: Vec3 = [q[0] - p[0], q[1] - p[1], q[2] - p[2]];
  const v: Vec3 = [s[0] - r[0], s[1] - r[1], s[2] - r[2]];
  const w: Vec3 = [p[0] - r[0], p[1] - r[1], p[2] - r[2]];
  const [a, b, c] = [dot(u, u), dot(u, v), dot(v, v)];
  const [d, e] = [dot(u, w), dot(v, w)];
  const determinant = a * c - b * b;
  if (!(determinant > PARALLEL * a * c)) return null;
  let t = clamp((b * e - c * d) / determinant);
  let k = (b * t + e) / c;
  if (k < 0 || k > 1) {
    k = clamp(k);
    t = clamp((b * k - d) / a);
  }
  return [
    [p[0] + t * u[0], p[1] + t * u[1], p[2] + t * u[2]],
    [r[0] + k * v[0], r[1] + k * v[1], r[2] + k * v[2]],
  ];
}

function dot(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function clamp(value: number): number {
  return Math.min(1, Math.max(0, value));
}
