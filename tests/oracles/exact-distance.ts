// Distances of points from triangles in whole numbers, without rounding: coordinates become multiples of one power of
// two, squares of distances become fractions of BigInts, and the only rounding is that of the root at the end.

type Whole3 = readonly [bigint, bigint, bigint];

/** A square root of a fraction, `numerator / denominator`. */
interface Square {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** The distance of a point from the nearest of triangles of nine numbers each, correct to 1e-15 of itself. */
export function exactDistance(triangles: ArrayLike<number>, point: readonly number[]): number {
  const all = [...Array.from(triangles), ...point];
  const exponent = Math.min(...all.filter((value) => value !== 0).map(lowestBit), 0);
  const whole = all.map((value) => toWhole(value, exponent));
  const at = (i: number): Whole3 => [whole[i], whole[i + 1], whole[i + 2]];
  const p = at(triangles.length);
  let best: Square | null = null;
  for (let i = 0; i < triangles.length; i += 9) {
    const square = squareFromTriangle(p, at(i), at(i + 3), at(i + 6));
    if (best === null || isLess(square, best)) best = square;
  }
  return rootOf(best!, exponent);
}

function squareFromTriangle(p: Whole3, a: Whole3, b: Whole3, c: Whole3): Square {
  const u = minus(b, a);
  const v = minus(c, a);
  const w = minus(p, a);
  const n = cross(u, v);
  const nn = dot(n, n);
  const weightB = dot(n, cross(w, v));
  const weightC = dot(n, cross(u, w));
  if (nn > 0n && weightB >= 0n && weightC >= 0n && weightB + weightC <= nn) {
    return { numerator: dot(n, w) ** 2n, denominator: nn };
  }
  return [squareFromSegment(p, b, c), squareFromSegment(p, c, a)].reduce(
    (best, square) => (isLess(square, best) ? square : best),
    squareFromSegment(p, a, b),
  );
}

function squareFromSegment(p: Whole3, a: Whole3, b: Whole3): Square {
  const e = minus(b, a);
  const w = minus(p, a);
  const along = dot(e, w);
  const length = dot(e, e);
  if (along <= 0n) return { numerator: dot(w, w), denominator: 1n };
  if (along >= length) return { numerator: dot(minus(p, b), minus(p, b)), denominator: 1n };
  const area = cross(e, w);
  return { numerator: dot(area, area), denominator: length };
}

/** √square · 2^exponent. */
function rootOf({ numerator, denominator }: Square, exponent: number): number {
  if (numerator === 0n) return 0;
  const shift = 2 * Math.max(0, 80 - Math.ceil((bitLength(numerator) - bitLength(denominator)) / 2));
  const root = integerRoot((numerator << BigInt(shift)) / denominator);
  const spare = Math.max(0, bitLength(root) - 64);
  return Number(root >> BigInt(spare)) * 2 ** (spare - shift / 2 + exponent);
}

function integerRoot(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(bitLength(value) / 2) + 1);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

/** The largest e for which the value is a multiple of 2^e. */
function lowestBit(value: number): number {
  let exponent = Math.floor(Math.log2(Math.abs(value))) - 54;
  while (Number.isInteger(value / 2 ** (exponent + 1))) exponent++;
  return exponent;
}

function toWhole(value: number, exponent: number): bigint {
  if (value === 0) return 0n;
  const lowest = lowestBit(value);
  return BigInt(value / 2 ** lowest) << BigInt(lowest - exponent);
}

function bitLength(value: bigint): number {
  return value.toString(2).length;
}

function isLess(a: Square, b: Square): boolean {
  return a.numerator * b.denominator < b.numerator * a.denominator;
}

function minus(a: Whole3, b: Whole3): Whole3 {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Whole3, b: Whole3): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Whole3, b: Whole3): Whole3 {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}
