// Convex hulls by brute force in whole numbers: every plane through three points with all points on one side carries a
// facet. Doubles are multiples of 2^-1074, so that nothing is rounded. O(n⁴); shares nothing with the library.

/** What is true of a hull however it is triangulated. */
export interface ExactHull {
  dimension: number;
  /** Ids of the extreme points, ascending; of equal points the lowest. */
  vertices: number[];
  /** The vertices of each facet, ascending; the facets in the order of their text. Empty below three dimensions. */
  facets: number[][];
}

type Point<T> = readonly [T, T, T];

export function exactHull(points: ArrayLike<number>): ExactHull {
  const integers = toIntegers(points);
  // Plain numbers are exact too while sixth powers of differences stay below 2^53: much faster.
  const isSmall = integers.every((value) => value >= -64n && value <= 64n);
  return isSmall ? hullOfNumbers(group(integers.map(Number))) : hullOfBigInts(group(integers));
}

/** Exactly: +1 when d is on the side of the plane through a, b, c from which these are counter-clockwise. */
export function exactOrientation(points: ArrayLike<number>, a: number, b: number, c: number, d: number): number {
  const [p, q, r, s] = group(
    toIntegers([a, b, c, d].flatMap((i) => [points[3 * i], points[3 * i + 1], points[3 * i + 2]])),
  );
  return Number(sign(dot(cross(minus(q, p), minus(r, p)), minus(s, p))));
}

/** Doubles as whole multiples of the smallest power of two that any of them needs. */
export function toIntegers(values: ArrayLike<number>): bigint[] {
  const parts = Array.from(values, (value) => {
    let exponent = 0;
    let mantissa = value;
    // Doubling and halving are exact here: below 2^53 a whole number, above it scaled down.
    while (mantissa !== 0 && !Number.isInteger(mantissa)) {
      mantissa *= 2;
      exponent--;
    }
    return { mantissa: BigInt(mantissa), exponent };
  });
  const least = Math.min(...parts.map((part) => part.exponent));
  return parts.map((part) => part.mantissa << BigInt(part.exponent - least));
}

function group<T>(values: T[]): Point<T>[] {
  return Array.from({ length: values.length / 3 }, (_, i) => [values[3 * i], values[3 * i + 1], values[3 * i + 2]]);
}

const sign = (value: bigint): bigint => (value > 0n ? 1n : value < 0n ? -1n : 0n);
const minus = (a: Point<bigint>, b: Point<bigint>): Point<bigint> => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Point<bigint>, b: Point<bigint>): bigint => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Point<bigint>, b: Point<bigint>): Point<bigint> => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

function hullOfBigInts(points: Point<bigint>[]): ExactHull {
  return findHull(points, {
    planeThrough: (a, b, c) => cross(minus(b, a), minus(c, a)),
    side: (normal, a, p) => Number(sign(dot(normal, minus(p, a)))),
    isZero: (v) => v[0] === 0n && v[1] === 0n && v[2] === 0n,
    triple: (a, b, c) => dot(cross(a, b), c) !== 0n,
    along: (a, b, c) => Number(sign(dot(minus(b, a), minus(c, a)))),
  });
}

function hullOfNumbers(points: Point<number>[]): ExactHull {
  const less = (a: Point<number>, b: Point<number>): Point<number> => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  const times = (a: Point<number>, b: Point<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const product = (a: Point<number>, b: Point<number>): Point<number> => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  return findHull(points, {
    planeThrough: (a, b, c) => product(less(b, a), less(c, a)),
    side: (normal, a, p) => Math.sign(times(normal, less(p, a))),
    isZero: (v) => v[0] === 0 && v[1] === 0 && v[2] === 0,
    triple: (a, b, c) => times(product(a, b), c) !== 0,
    along: (a, b, c) => Math.sign(times(less(b, a), less(c, a))),
  });
}

interface Arithmetic<T> {
  planeThrough(a: Point<T>, b: Point<T>, c: Point<T>): Point<T>;
  side(normal: Point<T>, a: Point<T>, p: Point<T>): number;
  isZero(v: Point<T>): boolean;
  triple(a: Point<T>, b: Point<T>, c: Point<T>): boolean;
  /** The sign of (b − a)·(c − a). */
  along(a: Point<T>, b: Point<T>, c: Point<T>): number;
}

function findHull<T>(all: Point<T>[], exact: Arithmetic<T>): ExactHull {
  const firstOf = new Map<string, number>();
  all.forEach((point, id) => {
    if (!firstOf.has(point.join())) firstOf.set(point.join(), id);
  });
  const ids = [...firstOf.values()];
  if (ids.length === 1) return { dimension: 0, vertices: ids, facets: [] };

  /** Planes that carry points on one side only, by the points they carry. */
  const supporting = new Map<string, { normal: Point<T>; carried: number[] }>();
  let spansPlane = false;
  let spansSpace = false;
  for (let i = 0; i < ids.length; i++) {
    for (let j = i + 1; j < ids.length; j++) {
      for (let k = j + 1; k < ids.length; k++) {
        const [a, b, c] = [all[ids[i]], all[ids[j]], all[ids[k]]];
        const normal = exact.planeThrough(a, b, c);
        if (exact.isZero(normal)) continue;
        spansPlane = true;
        let above = false;
        let below = false;
        const carried: number[] = [];
        for (const id of ids) {
          const side = exact.side(normal, a, all[id]);
          if (side > 0) above = true;
          else if (side < 0) below = true;
          else carried.push(id);
          if (above && below) break;
        }
        if (above || below) spansSpace = true;
        if (above !== below) supporting.set(carried.join(), { normal, carried });
      }
    }
  }
  if (!spansPlane) {
    const isEnd = (id: number) =>
      ids.every((b) => ids.every((c) => b === id || c === id || exact.along(all[id], all[b], all[c]) > 0));
    return { dimension: 1, vertices: ids.filter(isEnd), facets: [] };
  }
  if (!spansSpace) {
    // A point is extreme in a plane unless it is between two others or within a triangle of three others.
    const isInner = (id: number): boolean =>
      ids.some((b) => ids.some((c) => b !== id && c !== id && b < c && isBetween(all[id], all[b], all[c], exact))) ||
      isInTriangle(
        all[id],
        ids.filter((other) => other !== id).map((other) => all[other]),
        exact,
      );
    return { dimension: 2, vertices: ids.filter((id) => !isInner(id)), facets: [] };
  }
  // A point is extreme in space when three planes that support the hull meet in it alone.
  const isExtreme = (id: number): boolean => {
    const normals = [...supporting.values()].filter(({ carried }) => carried.includes(id)).map(({ normal }) => normal);
    return normals.some((a, i) =>
      normals.some((b, j) => j > i && normals.some((c, k) => k > j && exact.triple(a, b, c))),
    );
  };
  const vertices = ids.filter(isExtreme);
  const facets = [...supporting.values()]
    .map(({ carried }) => carried.filter((id) => vertices.includes(id)))
    .sort((a, b) => (a.join() < b.join() ? -1 : 1));
  return { dimension: 3, vertices, facets };
}

function isBetween<T>(p: Point<T>, a: Point<T>, b: Point<T>, exact: Arithmetic<T>): boolean {
  return exact.isZero(exact.planeThrough(p, a, b)) && exact.along(p, a, b) < 0;
}

function isInTriangle<T>(p: Point<T>, others: Point<T>[], exact: Arithmetic<T>): boolean {
  for (let i = 0; i < others.length; i++) {
    for (let j = i + 1; j < others.length; j++) {
      for (let k = j + 1; k < others.length; k++) {
        const [a, b, c] = [others[i], others[j], others[k]];
        if (exact.isZero(exact.planeThrough(a, b, c))) continue;
        const turns = [exact.planeThrough(p, a, b), exact.planeThrough(p, b, c), exact.planeThrough(p, c, a)];
        if (turns.some((turn) => exact.isZero(turn))) continue;
        // Parallel vectors: the same direction when any component agrees in sign.
        const signs = turns.map(
          (turn) => Math.sign(Number(turn[0])) || Math.sign(Number(turn[1])) || Math.sign(Number(turn[2])),
        );
        if (signs[0] === signs[1] && signs[1] === signs[2]) return true;
      }
    }
  }
  return false;
}
