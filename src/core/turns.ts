// Turns by unit quaternions, and between two of them that stand in flat arrays.

/** The angle between two turns, from 0 to π. */
export function angleBetween(a: Float64Array, i: number, b: Float64Array, j: number): number {
  const dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  // Near 0 the arc cosine has half the digits only.
  if (Math.abs(dot) > 0.9) {
    const sign = dot < 0 ? -1 : 1;
    let sum = 0;
    for (let k = 0; k < 4; k++) sum += (a[i + k] - sign * b[j + k]) ** 2;
    return 4 * Math.asin(Math.min(1, Math.sqrt(sum) / 2));
  }
  return 2 * Math.acos(Math.min(1, Math.abs(dot)));
}

/** Writes the turn at t on the shorter way from a to b (Shoemake 1985). */
export function slerp(
  a: Float64Array,
  i: number,
  b: Float64Array,
  j: number,
  t: number,
  out: Float64Array,
  o: number,
): void {
  const dot = a[i] * b[j] + a[i + 1] * b[j + 1] + a[i + 2] * b[j + 2] + a[i + 3] * b[j + 3];
  const half = angleBetween(a, i, b, j) / 2;
  const sin = Math.sin(half);
  const u = sin > 1e-9 ? Math.sin((1 - t) * half) / sin : 1 - t;
  const v = (sin > 1e-9 ? Math.sin(t * half) / sin : t) * (dot < 0 ? -1 : 1);
  const x = u * a[i] + v * b[j];
  const y = u * a[i + 1] + v * b[j + 1];
  const z = u * a[i + 2] + v * b[j + 2];
  const w = u * a[i + 3] + v * b[j + 3];
  const length = Math.sqrt(x * x + y * y + z * z + w * w);
  out[o] = x / length;
  out[o + 1] = y / length;
  out[o + 2] = z / length;
  out[o + 3] = w / length;
}

/**
 * Adds the vector v, rotated by the unit quaternion (x, y, z, w), to three numbers. For inner loops: no objects.
 * Takes scalars, for inner loops.
 */
export function addRotated(
  x: number,
  y: number,
  z: number,
  w: number,
  vx: number,
  vy: number,
  vz: number,
  out: Float64Array,
  at: number,
): void {
  const tx = 2 * (y * vz - z * vy);
  const ty = 2 * (z * vx - x * vz);
  const tz = 2 * (x * vy - y * vx);
  out[at] += vx + w * tx + y * tz - z * ty;
  out[at + 1] += vy + w * ty + z * tx - x * tz;
  out[at + 2] += vz + w * tz + x * ty - y * tx;
}

/** The angle from `from` to `to` the shorter way, in (−π, π]. */
export function turnBy(from: number, to: number): number {
  const turn = (to - from) % (2 * Math.PI);
  if (turn > Math.PI) return turn - 2 * Math.PI;
  return turn <= -Math.PI ? turn + 2 * Math.PI : turn;
}
