// Signs of orientation determinants of doubles without rounding: a filter by a forward error bound, and behind it whole
// numbers of any length over a common power of two. Shares nothing with the predicates the library uses.

const ROUNDING = 2 ** -53;
/** Bounds on the error of the determinants as computed here, as a share of the sums of absolute products. */
const TURN_BOUND = 8 * ROUNDING;
const ORIENT_BOUND = 16 * ROUNDING;
/** Below this the products may have been rounded to subnormals, where relative bounds do not hold. */
const UNDERFLOW = 2 ** -900;

const bits = new DataView(new ArrayBuffer(8));

/** The values as whole numbers, all multiplied by one power of two. */
function toWhole(values: number[]): bigint[] {
  const mantissas: bigint[] = [];
  const exponents: number[] = [];
  let least = 5000;
  for (const value of values) {
    bits.setFloat64(0, value);
    const raw = bits.getBigUint64(0);
    const biased = Number((raw >> 52n) & 0x7ffn);
    const fraction = raw & 0xfffffffffffffn;
    const size = biased === 0 ? fraction : fraction | 0x10000000000000n;
    mantissas.push(raw >> 63n ? -size : size);
    exponents.push(Math.max(biased, 1));
    if (size !== 0n) least = Math.min(least, Math.max(biased, 1));
  }
  return mantissas.map((m, i) => (m === 0n ? 0n : m << BigInt(exponents[i] - least)));
}

function signOf(value: bigint): number {
  return value > 0n ? 1 : value < 0n ? -1 : 0;
}

/** Positive when a, b, c turn left in the plane: the sign of (a − c) × (b − c). */
export function turnSign(ax: number, ay: number, bx: number, by: number, cx: number, cy: number): number {
  const left = (ax - cx) * (by - cy);
  const right = (ay - cy) * (bx - cx);
  const value = left - right;
  const size = Math.abs(left) + Math.abs(right);
  if (size > UNDERFLOW && Math.abs(value) > TURN_BOUND * size) return value > 0 ? 1 : -1;
  const [px, py, qx, qy, rx, ry] = toWhole([ax, ay, bx, by, cx, cy]);
  return signOf((px - rx) * (qy - ry) - (py - ry) * (qx - rx));
}

/**
 * The sign of det(a − d, b − d, c − d), for points at a, b, c, d of their arrays: negative when d lies on the side from
 * which a, b, c turn left.
 */
export function orientSign(
  p: Float64Array,
  a: number,
  q: Float64Array,
  b: number,
  r: Float64Array,
  c: number,
  s: Float64Array,
  d: number,
): number {
  const ax = p[a] - s[d];
  const ay = p[a + 1] - s[d + 1];
  const az = p[a + 2] - s[d + 2];
  const bx = q[b] - s[d];
  const by = q[b + 1] - s[d + 1];
  const bz = q[b + 2] - s[d + 2];
  const cx = r[c] - s[d];
  const cy = r[c + 1] - s[d + 1];
  const cz = r[c + 2] - s[d + 2];
  const value = ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  const size =
    Math.abs(ax) * (Math.abs(by * cz) + Math.abs(bz * cy)) +
    Math.abs(ay) * (Math.abs(bz * cx) + Math.abs(bx * cz)) +
    Math.abs(az) * (Math.abs(bx * cy) + Math.abs(by * cx));
  if (size > UNDERFLOW && Math.abs(value) > ORIENT_BOUND * size) return value > 0 ? 1 : -1;
  const [a0, a1, a2, b0, b1, b2, c0, c1, c2, d0, d1, d2] = toWhole([
    p[a],
    p[a + 1],
    p[a + 2],
    q[b],
    q[b + 1],
    q[b + 2],
    r[c],
    r[c + 1],
    r[c + 2],
    s[d],
    s[d + 1],
    s[d + 2],
  ]);
  const [u0, u1, u2] = [a0 - d0, a1 - d1, a2 - d2];
  const [v0, v1, v2] = [b0 - d0, b1 - d1, b2 - d2];
  const [w0, w1, w2] = [c0 - d0, c1 - d1, c2 - d2];
  return signOf(u0 * (v1 * w2 - v2 * w1) + u1 * (v2 * w0 - v0 * w2) + u2 * (v0 * w1 - v1 * w0));
}
