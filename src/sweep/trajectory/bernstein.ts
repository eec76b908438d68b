// Polynomials over [0, 1] by their Bernstein coefficients: values, halves, derivatives, and proven bounds of their range.
// A polynomial is nowhere outside of the range of its coefficients; in halves (de Casteljau 1959) that range closes in on it.

/** Definition: the highest degree of a piece of a trajectory. */
export const MAX_DEGREE = 5;

/** Layout: coefficients of a polynomial, of whatever degree. */
export const NET = MAX_DEGREE + 1;

/** Rounding: a coefficient or a value is off by less than this share of the largest coefficient, after 60 halvings. */
export const NET_ROUNDING = 1e-14;

/** Chosen: a range is bounded in halves down to this depth; by then it is known to a millionth of a millionth of the coefficients. */
const MAX_HALVINGS = 40;

/** Writes the coefficients of the polynomial from u to v, both in [0, 1]; `out` may be the net itself. */
export function restrict(
  net: Float64Array,
  at: number,
  degree: number,
  u: number,
  v: number,
  out: Float64Array,
  to: number,
): void {
  for (let i = 0; i <= degree; i++) out[to + i] = net[at + i];
  if (v < 1) {
    // The coefficients up to v.
    for (let level = 1; level <= degree; level++) {
      for (let i = degree; i >= level; i--) out[to + i] = (1 - v) * out[to + i - 1] + v * out[to + i];
    }
  }
  if (u <= 0) return;
  const share = u / v;
  for (let level = 1; level <= degree; level++) {
    for (let i = 0; i <= degree - level; i++) out[to + i] = (1 - share) * out[to + i] + share * out[to + i + 1];
  }
}

/** The value at s in [0, 1]. */
export function valueAt(net: Float64Array, at: number, degree: number, s: number): number {
  const left = 1 - s;
  let value = net[at];
  let power = 1;
  let binomial = 1;
  // Horner in s and 1 − s (Farin 2002).
  for (let i = 1; i <= degree; i++) {
    power *= s;
    binomial = (binomial * (degree - i + 1)) / i;
    value = value * left + binomial * power * net[at + i];
  }
  return value;
}

/** Writes the coefficients of the derivative, of a degree less by one, over an interval of this length. */
export function differentiate(
  net: Float64Array,
  at: number,
  degree: number,
  length: number,
  out: Float64Array,
  to: number,
): void {
  for (let i = 0; i < degree; i++) out[to + i] = (degree * (net[at + i + 1] - net[at + i])) / length;
}

/** At least the largest distance from the polynomial to the chord between its ends, rounding included. */
export function deviation(net: Float64Array, at: number, degree: number): number {
  let largest = Math.max(Math.abs(net[at]), Math.abs(net[at + degree]));
  let off = 0;
  for (let i = 1; i < degree; i++) {
    const share = i / degree;
    off = Math.max(off, Math.abs(net[at + i] - (1 - share) * net[at] - share * net[at + degree]));
    largest = Math.max(largest, Math.abs(net[at + i]));
  }
  // The first and the last coefficient of the difference are 0: the others have at most this weight together.
  return off * (1 - 2 ** (1 - degree)) + NET_ROUNDING * largest;
}

/** The largest value of a polynomial on [0, 1]. */
export interface LargestValue {
  /** Had at `s`. */
  readonly value: number;
  readonly s: number;
  /** No value is larger. */
  readonly bound: number;
}

/**
 * The largest value of a polynomial, or of its negative.
 * @param sign 1, or −1 for the negative.
 * @param error by which the bound may be larger than the value.
 */
export function largestValue(net: Float64Array, at: number, degree: number, sign: 1 | -1, error: number): LargestValue {
  const start = Float64Array.from(net.subarray(at, at + degree + 1), (value) => sign * value);
  let [value, s] = start[0] >= start[degree] ? [start[0], 0] : [start[degree], 1];
  let bound = value;
  const waiting: { readonly net: Float64Array; readonly from: number; readonly to: number; readonly level: number }[] =
    [{ net: start, from: 0, to: 1, level: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { net: part, from, to, level } = next;
    let most = part[0];
    for (let i = 1; i <= degree; i++) most = Math.max(most, part[i]);
    if (most <= value + error || level >= MAX_HALVINGS) {
      bound = Math.max(bound, most);
      continue;
    }
    const middle = (from + to) / 2;
    const right = new Float64Array(degree + 1);
    restrict(part, 0, degree, 0.5, 1, right, 0);
    restrict(part, 0, degree, 0, 0.5, part, 0);
    if (right[0] > value) [value, s] = [right[0], middle];
    waiting.push({ net: part, from, to: middle, level: level + 1 }, { net: right, from: middle, to, level: level + 1 });
  }
  let largest = 0;
  for (const coefficient of start) largest = Math.max(largest, Math.abs(coefficient));
  return { value, s, bound: bound + NET_ROUNDING * largest };
}
