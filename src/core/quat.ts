// Unit quaternions, stored x, y, z, w. Every operation returns `out`, which may alias an input.
import type { ReadonlyVec3, Vec3 } from './vec3.js';

/** A unit quaternion: x, y, z, w. */
export type Quat = [number, number, number, number];
/** Anything four numbers can be read from: an array, a typed array. */
export type ReadonlyQuat = ArrayLike<number>;

/** No rotation: 0, 0, 0, 1. */
export function identity(): Quat {
  return [0, 0, 0, 1];
}

/** Rotation by `angle` radians about the unit vector `axis`. */
export function fromAxisAngle(axis: ReadonlyVec3, angle: number, out: Quat = identity()): Quat {
  const s = Math.sin(angle / 2);
  return set(axis[0] * s, axis[1] * s, axis[2] * s, Math.cos(angle / 2), out);
}

/** The rotation that applies `b` first, then `a`. */
export function multiply(a: ReadonlyQuat, b: ReadonlyQuat, out: Quat = identity()): Quat {
  return set(
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
    out,
  );
}

/** The inverse of a unit quaternion. */
export function conjugate(a: ReadonlyQuat, out: Quat = identity()): Quat {
  return set(-a[0], -a[1], -a[2], a[3], out);
}

/** `a` scaled to unit length. Zero stays zero; callers must reject it. */
export function normalize(a: ReadonlyQuat, out: Quat = identity()): Quat {
  // Divide by the largest component first: squares of tiny or huge components would underflow or overflow.
  const largest = Math.max(Math.abs(a[0]), Math.abs(a[1]), Math.abs(a[2]), Math.abs(a[3]));
  if (!(largest > 0)) return set(0, 0, 0, 0, out);
  const x = a[0] / largest;
  const y = a[1] / largest;
  const z = a[2] / largest;
  const w = a[3] / largest;
  const size = Math.hypot(x, y, z, w);
  return set(x / size, y / size, z / size, w / size, out);
}

/** The vector `v` rotated by the unit quaternion `q`. */
export function rotate(q: ReadonlyQuat, v: ReadonlyVec3, out: Vec3 = [0, 0, 0]): Vec3 {
  // v + 2w(q × v) + 2q × (q × v)
  const [x, y, z] = v as readonly [number, number, number];
  const tx = 2 * (q[1] * z - q[2] * y);
  const ty = 2 * (q[2] * x - q[0] * z);
  const tz = 2 * (q[0] * y - q[1] * x);
  out[0] = x + q[3] * tx + q[1] * tz - q[2] * ty;
  out[1] = y + q[3] * ty + q[2] * tx - q[0] * tz;
  out[2] = z + q[3] * tz + q[0] * ty - q[1] * tx;
  return out;
}

/** The rotation matrix, row-major, nine numbers. */
export function toMatrix3(q: ReadonlyQuat, out: Float64Array = new Float64Array(9)): Float64Array {
  const [x, y, z, w] = q as readonly [number, number, number, number];
  out[0] = 1 - 2 * (y * y + z * z);
  out[1] = 2 * (x * y - z * w);
  out[2] = 2 * (x * z + y * w);
  out[3] = 2 * (x * y + z * w);
  out[4] = 1 - 2 * (x * x + z * z);
  out[5] = 2 * (y * z - x * w);
  out[6] = 2 * (x * z - y * w);
  out[7] = 2 * (y * z + x * w);
  out[8] = 1 - 2 * (x * x + y * y);
  return out;
}

/** The rotation of an orthonormal right-handed row-major matrix (Shepperd 1978: divides by the largest component). */
export function fromMatrix3(m: ArrayLike<number>, out: Quat = identity()): Quat {
  const trace = m[0] + m[4] + m[8];
  if (trace > 0) {
    const s = 2 * Math.sqrt(1 + trace);
    set((m[7] - m[5]) / s, (m[2] - m[6]) / s, (m[3] - m[1]) / s, s / 4, out);
  } else if (m[0] > m[4] && m[0] > m[8]) {
    const s = 2 * Math.sqrt(1 + m[0] - m[4] - m[8]);
    set(s / 4, (m[1] + m[3]) / s, (m[2] + m[6]) / s, (m[7] - m[5]) / s, out);
  } else if (m[4] > m[8]) {
    const s = 2 * Math.sqrt(1 + m[4] - m[0] - m[8]);
    set((m[1] + m[3]) / s, s / 4, (m[5] + m[7]) / s, (m[2] - m[6]) / s, out);
  } else {
    const s = 2 * Math.sqrt(1 + m[8] - m[0] - m[4]);
    set((m[2] + m[6]) / s, (m[5] + m[7]) / s, s / 4, (m[3] - m[1]) / s, out);
  }
  return normalize(out, out);
}

function set(x: number, y: number, z: number, w: number, out: Quat): Quat {
  out[0] = x;
  out[1] = y;
  out[2] = z;
  out[3] = w;
  return out;
}
