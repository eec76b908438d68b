// Guesses when two bodies touch, from their gap before and their depth after: Kim, Otaduy, Lin and Manocha 2002, section
// 7.2. The gap x(t) is the distance where bodies are apart and minus the depth where they overlap: the printed x(T) = d
// would need no root. Its rates are those of the two points that are nearest, or that touch at the end of the way out,
// each along its own direction from A to B.

/** How the gap is taken to run between the two ends of a bracket. */
export type Interpolation = 'linear' | 'quadratic' | 'cubic';

/**
 * When a gap closes that keeps the rate it has: extrapolation, which looks at nothing but the start. Infinity if it does not close.
 * Where the guess overlaps there is nothing to correct it by.
 */
export function extrapolateContact(gap: number, rate: number, target: number): number {
  return rate < 0 ? (target - gap) / rate : Infinity;
}

/** Chosen: steps of Newton or bisection toward a root: bisection alone needs 47 for the precision below. */
const NEWTON_STEPS = 60;
/** Rounding: the precision of a root within a bracket of length 1. */
const ROOT_PRECISION = 1e-14;

/**
 * The first u in (0, 1) at which the interpolated gap is `target`.
 * @param gap at u = 0, above the target; `rate` its derivative there.
 * @param depth at u = 1, at least 0; `endRate` the derivative of the gap there.
 */
export function guessContact(
  kind: Interpolation,
  gap: number,
  rate: number,
  depth: number,
  endRate: number,
  target: number,
): number {
  const start = gap - target;
  const end = -depth - target;
  if (kind === 'linear') return start / (start - end);
  if (kind === 'quadratic') return firstRoot(0, end - start - rate, rate, start);
  const cubic = 2 * (start - end) + rate + endRate;
  const square = 3 * (end - start) - 2 * rate - endRate;
  return firstRoot(cubic, square, rate, start);
}

/** The first root in (0, 1) of a u³ + b u² + c u + d, which is positive at 0 and negative at 1. */
function firstRoot(a: number, b: number, c: number, d: number): number {
  const value = (u: number): number => ((a * u + b) * u + c) * u + d;
  const slope = (u: number): number => (3 * a * u + 2 * b) * u + c;
  // Between its extrema a cubic is monotonic: the first piece that ends at or below 0 holds the first root.
  let low = 0;
  let high = 1;
  for (const at of extrema(3 * a, 2 * b, c)) {
    if (!(at > low && at < 1)) continue;
    if (value(at) <= 0) {
      high = at;
      break;
    }
    low = at;
  }
  let u = 0.5 * (low + high);
  for (let i = 0; i < NEWTON_STEPS && high - low > ROOT_PRECISION; i++) {
    const x = value(u);
    if (x > 0) low = u;
    else high = u;
    const next = u - x / slope(u);
    const inside = next > low && next < high;
    if (inside && Math.abs(next - u) <= ROOT_PRECISION) return next;
    u = inside ? next : 0.5 * (low + high);
  }
  return u;
}

/** The roots of p u² + q u + r in ascending order; NaN for a root that does not exist. */
function extrema(p: number, q: number, r: number): [number, number] {
  if (p === 0) return [-r / q, Number.NaN];
  const discriminant = q * q - 4 * p * r;
  if (!(discriminant >= 0)) return [Number.NaN, Number.NaN];
  const t = -0.5 * (q + (q < 0 ? -1 : 1) * Math.sqrt(discriminant));
  const first = t / p;
  const second = t === 0 ? 0 : r / t;
  return first < second ? [first, second] : [second, first];
}
