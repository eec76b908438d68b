// Turns by quaternions x, y, z, w, for joints.

/** Writes a vector turned by the quaternion that begins at `at`. */
export function rotate(q: Float64Array, at: number, v: Float64Array, out: Float64Array): void {
  out.set(v);
  rotateBy([q[at], q[at + 1], q[at + 2], q[at + 3]], out);
}

/** Turns a vector in place. */
export function rotateBy(q: readonly number[], v: { [index: number]: number }): void {
  const [a, b, c, w] = q;
  const x = v[0];
  const y = v[1];
  const z = v[2];
  const tx = 2 * (b * z - c * y);
  const ty = 2 * (c * x - a * z);
  const tz = 2 * (a * y - b * x);
  v[0] = x + w * tx + b * tz - c * ty;
  v[1] = y + w * ty + c * tx - a * tz;
  v[2] = z + w * tz + a * ty - b * tx;
}

/** The quaternion of an even turn in h. */
export function turnOf(x: number, y: number, z: number, h: number): number[] {
  const speed = Math.sqrt(x * x + y * y + z * z);
  const s = speed > 0 ? Math.sin(0.5 * h * speed) / speed : 0;
  return [s * x, s * y, s * z, Math.cos(0.5 * h * speed)];
}

/** The product of two quaternions: the turn by b, then by a. */
export function multiply(a: ArrayLike<number>, b: ArrayLike<number>): number[] {
  return [
    a[3] * b[0] + a[0] * b[3] + a[1] * b[2] - a[2] * b[1],
    a[3] * b[1] - a[0] * b[2] + a[1] * b[3] + a[2] * b[0],
    a[3] * b[2] + a[0] * b[1] - a[1] * b[0] + a[2] * b[3],
    a[3] * b[3] - a[0] * b[0] - a[1] * b[1] - a[2] * b[2],
  ];
}
