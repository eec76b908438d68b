// Plane geometry without rounding: doubles become integers over one common power of two, and signs are those of exact
// integer determinants. Slow and plain; the judge of everything that uses adaptive predicates.

export type ExactPoint = readonly [x: bigint, y: bigint];

/** Mantissa and exponent of a finite double: value = mantissa · 2^exponent. */
function decode(value: number): { mantissa: bigint; exponent: number } {
  const bits = new BigUint64Array(Float64Array.of(value).buffer)[0];
  const biased = Number((bits >> 52n) & 0x7ffn);
  const fraction = bits & 0xfffffffffffffn;
  const mantissa = biased === 0 ? fraction : fraction | 0x10000000000000n;
  return { mantissa: bits >> 63n ? -mantissa : mantissa, exponent: Math.max(biased, 1) - 1075 };
}

/** The points of x, y after each other as integers, all scaled by the same power of two. */
export function exactPoints(coordinates: ArrayLike<number>): ExactPoint[] {
  const decoded = Array.from(coordinates, decode);
  const least = decoded.reduce(
    (low, { mantissa, exponent }) => (mantissa === 0n ? low : Math.min(low, exponent)),
    1023,
  );
  const scaled = decoded.map(({ mantissa, exponent }) => (mantissa === 0n ? 0n : mantissa << BigInt(exponent - least)));
  return Array.from({ length: scaled.length / 2 }, (_, i) => [scaled[2 * i], scaled[2 * i + 1]]);
}

/** Twice the signed area of the triangle: positive when a, b, c turn left. */
export function exactTurn(a: ExactPoint, b: ExactPoint, c: ExactPoint): bigint {
  return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/** Positive when d lies inside the circle through a, b, c, which turn left. */
export function exactInCircle(a: ExactPoint, b: ExactPoint, c: ExactPoint, d: ExactPoint): bigint {
  const rows = [a, b, c].map(([x, y]) => {
    const [u, v] = [x - d[0], y - d[1]];
    return [u, v, u * u + v * v];
  });
  const [p, q, r] = rows;
  return p[0] * (q[1] * r[2] - q[2] * r[1]) - p[1] * (q[0] * r[2] - q[2] * r[0]) + p[2] * (q[0] * r[1] - q[1] * r[0]);
}

export function exactTwiceArea(ring: readonly ExactPoint[]): bigint {
  return ring.reduce((sum, [x, y], i) => {
    const [nextX, nextY] = ring[(i + 1) % ring.length];
    return sum + x * nextY - nextX * y;
  }, 0n);
}

/** Whether p lies on the closed segment. */
export function exactOnSegment(p: ExactPoint, a: ExactPoint, b: ExactPoint): boolean {
  return exactTurn(a, b, p) === 0n && (p[0] - a[0]) * (p[0] - b[0]) <= 0n && (p[1] - a[1]) * (p[1] - b[1]) <= 0n;
}

/** Whether two closed segments share a point. */
function segmentsMeet(a: ExactPoint, b: ExactPoint, c: ExactPoint, d: ExactPoint): boolean {
  const differ = (s: bigint, t: bigint) => (s > 0n && t < 0n) || (s < 0n && t > 0n);
  if (differ(exactTurn(a, b, c), exactTurn(a, b, d)) && differ(exactTurn(c, d, a), exactTurn(c, d, b))) {
    return true;
  }
  return exactOnSegment(c, a, b) || exactOnSegment(d, a, b) || exactOnSegment(a, c, d) || exactOnSegment(b, c, d);
}

/** Whether any two sides of the rings share a point that is not the common corner of two neighbors. All pairs. */
export function ringsMeet(rings: readonly ArrayLike<number>[]): boolean {
  const all = exactPoints(rings.flatMap((ring) => Array.from(ring)));
  const sides: { ring: number; a: ExactPoint; b: ExactPoint; index: number; count: number }[] = [];
  let first = 0;
  rings.forEach((ring, r) => {
    const count = ring.length / 2;
    for (let i = 0; i < count; i++) {
      sides.push({ ring: r, a: all[first + i], b: all[first + ((i + 1) % count)], index: i, count });
    }
    first += count;
  });
  for (let i = 0; i < sides.length; i++) {
    for (let j = i + 1; j < sides.length; j++) {
      const [s, t] = [sides[i], sides[j]];
      const follows = (p: typeof s, q: typeof s) => p.ring === q.ring && (p.index + 1) % p.count === q.index;
      const meet = follows(s, t)
        ? exactOnSegment(t.b, s.a, s.b) || exactOnSegment(s.a, t.a, t.b)
        : follows(t, s)
          ? exactOnSegment(s.b, t.a, t.b) || exactOnSegment(t.a, s.a, s.b)
          : segmentsMeet(s.a, s.b, t.a, t.b);
      if (meet) return true;
    }
  }
  return false;
}

/** Where a point lies with respect to rings, by the even-odd rule. */
export function exactLocation(rings: readonly ArrayLike<number>[], x: number, y: number) {
  const all = exactPoints([x, y, ...rings.flatMap((ring) => Array.from(ring))]);
  const p = all[0];
  let first = 1;
  let inside = false;
  for (const ring of rings) {
    const count = ring.length / 2;
    for (let i = 0; i < count; i++) {
      const a = all[first + i];
      const b = all[first + ((i + 1) % count)];
      if (exactOnSegment(p, a, b)) return 'boundary';
      const [low, high] = a[1] < b[1] ? [a, b] : [b, a];
      if (low[1] <= p[1] && p[1] < high[1] && exactTurn(low, high, p) > 0n) inside = !inside;
    }
    first += count;
  }
  return inside ? 'inside' : 'outside';
}
