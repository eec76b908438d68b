// Vectors of three numbers. Every operation returns `out`, a new array when none is given; `out` may alias an input.
// Not for inner loops: hot kernels keep components in local variables.

/** A point or a vector: x, y, z. */
export type Vec3 = [number, number, number];

/** Anything three numbers can be read from: an array, a typed array. */
export type ReadonlyVec3 = ArrayLike<number>;

/** a + b. */
export function add(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[0] + b[0], a[1] + b[1], a[2] + b[2], out);
}

/** a − b. */
export function subtract(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[0] - b[0], a[1] - b[1], a[2] - b[2], out);
}

/** factor·a. */
export function scale(a: ReadonlyVec3, factor: number, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[0] * factor, a[1] * factor, a[2] * factor, out);
}

/** a + factor·b. */
export function addScaled(a: ReadonlyVec3, b: ReadonlyVec3, factor: number, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[0] + b[0] * factor, a[1] + b[1] * factor, a[2] + b[2] * factor, out);
}

/** a at t = 0, b at t = 1, linear between and beyond. */
export function lerp(a: ReadonlyVec3, b: ReadonlyVec3, t: number, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t, out);
}

/** a × b. */
export function cross(a: ReadonlyVec3, b: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  return set(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0], out);
}

/** a · b. */
export function dot(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/** The length of `a`. */
export function length(a: ReadonlyVec3): number {
  return Math.hypot(a[0], a[1], a[2]);
}

/** The distance from a to b. */
export function distance(a: ReadonlyVec3, b: ReadonlyVec3): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

/** The square of the distance from a to b. */
export function distanceSquared(a: ReadonlyVec3, b: ReadonlyVec3): number {
  const x = a[0] - b[0];
  const y = a[1] - b[1];
  const z = a[2] - b[2];
  return x * x + y * y + z * z;
}

/** The unit vector along `a`; the zero vector stays zero. */
export function normalize(a: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  // Divide by the largest component first: squares of tiny components underflow, and 1 / size may overflow.
  const largest = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]));
  if (!(largest > 0)) return set(0, 0, 0, out);
  const x = a[0] / largest;
  const y = a[1] / largest;
  const z = a[2] / largest;
  const size = Math.hypot(x, y, z);
  return set(x / size, y / size, z / size, out);
}

/** A unit vector perpendicular to `a`; zero for the zero vector. */
export function perpendicular(a: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  const x = Math.abs(a[0]);
  const y = Math.abs(a[1]);
  const z = Math.abs(a[2]);
  if (x <= y && x <= z) return normalize(set(0, a[2], -a[1], out), out);
  if (y <= z) return normalize(set(-a[2], 0, a[0], out), out);
  return normalize(set(a[1], -a[0], 0, out), out);
}

function set(x: number, y: number, z: number, out: Vec3): Vec3 {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  return out;
}
