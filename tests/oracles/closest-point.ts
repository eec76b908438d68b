// Exact distances from a point to triangles with whole coordinates, degenerate ones included, in fractions of big
// integers: the least over the corners, the feet on the three edges and the foot on the plane, where these exist.

type Vector = readonly bigint[];
/** Numerator and positive denominator. */
export type Fraction = readonly [bigint, bigint];

export function distanceSquaredExactly(triangle: readonly (readonly number[])[], point: readonly number[]): Fraction {
  const p = toVector(point);
  const [a, b, c] = triangle.map(toVector);
  const candidates: Fraction[] = [a, b, c].map((corner) => [square(subtract(p, corner)), 1n]);
  for (const [from, to] of [
    [a, b],
    [b, c],
    [c, a],
  ]) {
    const edge = subtract(to, from);
    const length = square(edge);
    const along = dot(subtract(p, from), edge);
    // |ap|² − along²/length, at the foot of the perpendicular.
    if (along > 0n && along < length) candidates.push([square(subtract(p, from)) * length - along * along, length]);
  }
  const normal = cross(subtract(b, a), subtract(c, a));
  const area = square(normal);
  const inside = [
    [a, b],
    [b, c],
    [c, a],
  ].every(([from, to]) => dot(cross(subtract(to, from), subtract(p, from)), normal) >= 0n);
  if (area > 0n && inside) candidates.push([dot(subtract(p, a), normal) ** 2n, area]);
  return candidates.reduce((least, f) => (compareFractions(f, least) < 0 ? f : least));
}

/** Negative when a < b, 0 when equal, positive when a > b. */
export function compareFractions(a: Fraction, b: Fraction): number {
  const difference = a[0] * b[1] - b[0] * a[1];
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The square root as a double. */
export function squareRoot(f: Fraction): number {
  // A quotient with at least 60 correct bits, whatever the sizes.
  const shift = 240n;
  return Math.sqrt(Number((f[0] << shift) / f[1])) / 2 ** 120;
}

function toVector(p: readonly number[]): Vector {
  return p.map((value) => BigInt(value));
}

function subtract(a: Vector, b: Vector): Vector {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function dot(a: Vector, b: Vector): bigint {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function square(a: Vector): bigint {
  return dot(a, a);
}
