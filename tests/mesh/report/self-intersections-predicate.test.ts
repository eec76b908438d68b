import { describe, expect, test } from 'vitest';
import { areExactlyCollinearAt } from '../../../src/core/exact/points.js';
import { createRandom, type Random } from '../../../src/core/random.js';
import { trianglesCross, trianglesIntersect } from '../../../src/mesh/triangle/triangle-intersection.js';
import { crossExactly, isFlat, meetExactly } from '../../oracles/triangle-intersection.js';

type Triangle = number[][];

function cross(a: Triangle, b: Triangle): boolean {
  return trianglesCross(Float64Array.from(a.flat()), 0, 3, 6, Float64Array.from(b.flat()), 0, 3, 6);
}

function intersect(a: Triangle, b: Triangle): boolean {
  return trianglesIntersect(Float64Array.from(a.flat()), 0, 3, 6, Float64Array.from(b.flat()), 0, 3, 6);
}

const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
];

/** Two triangles with areas, from a source of points that repeats itself often enough to share corners. */
type Family = (random: Random) => [Triangle, Triangle];

const anywhere = (random: Random, size: number): number[] => [0, 1, 2].map(() => random.integer(size));
/** A triangle with an area; its first corners come from `special`, the others from `point`, in any order. */
const pick = (random: Random, special: (() => number[])[], point: () => number[]): Triangle => {
  for (;;) {
    const triangle = random.shuffle([0, 1, 2].map((k) => (special[k] ?? point)()));
    if (!isFlat(triangle)) return triangle;
  }
};
/** A grid point of the plane through the origin spanned by u and v. */
const inPlane = (random: Random, size: number, u: number[], v: number[]): number[] => {
  const s = random.integer(size);
  const t = random.integer(size);
  return u.map((value, k) => s * value + t * v[k]);
};
const withCorners = (random: Random, shared: number[][], point: () => number[]): Triangle =>
  pick(
    random,
    shared.map((corner) => () => corner),
    point,
  );

const FAMILIES: Record<string, Family> = {
  'in space, no corner shared on purpose': (random) => {
    const size = 3 + random.integer(3);
    return [pick(random, [], () => anywhere(random, size)), pick(random, [], () => anywhere(random, size))];
  },
  'touching the plane of the other': (random) => {
    const flat = () => [random.integer(5), random.integer(5), 0];
    const b = pick(random, [], flat);
    const a = pick(random, random.integer(2) === 0 ? [flat] : [flat, flat], () => anywhere(random, 5));
    return [a, b];
  },
  'in one plane': (random) => {
    const u = [1, random.integer(3), random.integer(3)];
    const v = [0, 2, -random.integer(2)];
    const size = 4 + random.integer(3);
    return [pick(random, [], () => inPlane(random, size, u, v)), pick(random, [], () => inPlane(random, size, u, v))];
  },
  'one corner shared, in one plane': (random) => {
    const point = () => inPlane(random, 7, [1, 0, 2], [0, 1, -1]);
    const s = point();
    return [withCorners(random, [s], point), withCorners(random, [s], point)];
  },
  'one corner shared, in space': (random) => {
    const s = [0, 0, 0];
    return [withCorners(random, [s], () => anywhere(random, 3)), withCorners(random, [s], () => anywhere(random, 3))];
  },
  'two corners shared, in one plane': (random) => {
    const point = () => inPlane(random, 7, [2, 1, 0], [0, 1, 3]);
    for (;;) {
      const edge = [point(), point()];
      if (edge[0].some((value, k) => value !== edge[1][k])) {
        return [withCorners(random, edge, point), withCorners(random, edge, point)];
      }
    }
  },
};

describe('trianglesCross', () => {
  test.each(Object.keys(FAMILIES))('agrees with exact clipping: %s', (name) => {
    const random = createRandom(name.length);
    const runs = 1500;
    let hits = 0;
    for (let run = 0; run < runs; run++) {
      const [a, b] = FAMILIES[name](random);
      const truth = crossExactly(a, b);
      if (truth) hits++;
      const answers = new Set<boolean>();
      const p = Float64Array.from(a.flat());
      const q = Float64Array.from(b.flat());
      for (const [i, j, k] of ORDERS) {
        for (const [l, m, n] of ORDERS) {
          answers.add(trianglesCross(p, 3 * i, 3 * j, 3 * k, q, 3 * l, 3 * m, 3 * n));
          answers.add(trianglesCross(q, 3 * l, 3 * m, 3 * n, p, 3 * i, 3 * j, 3 * k));
        }
      }
      if (answers.size !== 1 || !answers.has(truth))
        expect.fail(`${JSON.stringify([a, b])}: ${[...answers]}, not ${truth}`);
    }
    expect(hits / runs).toBeGreaterThan(0.3);
    expect(hits / runs).toBeLessThan(0.7);
  });

  test('does not count neighbors in space, however flat the fold', () => {
    const random = createRandom(4);
    for (let k = 0; k < 2000; k++) {
      const edge = [anywhere(random, 4), anywhere(random, 4)];
      if (edge[0].every((value, i) => value === edge[1][i])) continue;
      const a = withCorners(random, edge, () => anywhere(random, 5));
      const b = withCorners(random, edge, () => anywhere(random, 5));
      expect(cross(a, b)).toBe(crossExactly(a, b));
    }
    const sliver = 2 ** -52;
    const a = [
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1, 0],
    ];
    const lifted = [
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1, sliver],
    ];
    expect(cross(a, lifted)).toBe(false);
    lifted[2][2] = 0;
    lifted[2][1] = 0.5;
    expect(cross(a, lifted)).toBe(true);
  });

  test('stays exact where plain arithmetic rounds: touching by one unit in the last place', () => {
    // The apex of the second triangle lies on, just above, or just below the plane x + y + z = 1 of the first.
    const third = 1 / 3;
    const plane = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    const apex = (z: number) => [
      [third, third, z],
      [1, 1, 2],
      [1, 2, 1],
    ];
    // 1 − 2·fl(1/3) is exact in double precision.
    const on = 1 - 2 * third;
    expect(cross(plane, apex(on))).toBe(true);
    expect(cross(plane, apex(on + 2 ** -54))).toBe(false);
    expect(cross(plane, apex(on - 2 ** -54))).toBe(true);
  });

  test('gives the same answers scaled and moved by powers of two', () => {
    const random = createRandom(6);
    for (let k = 0; k < 500; k++) {
      const [a, b] = FAMILIES['in space, no corner shared on purpose'](random);
      const truth = cross(a, b);
      for (const scale of [2 ** -30, 2 ** 30]) {
        const map = (t: Triangle) => t.map((p) => p.map((value) => (value - 1024) * scale));
        expect(cross(map(a), map(b))).toBe(truth);
      }
    }
  });
});

describe('trianglesIntersect', () => {
  test('agrees with exact clipping and ignores which corners coincide', () => {
    const random = createRandom(2);
    let hits = 0;
    for (let k = 0; k < 4000; k++) {
      const size = 3 + (k % 5);
      const flat = k % 3 === 0;
      const point = () => (flat ? inPlane(random, size + 3, [1, 2, 0], [1, 0, 1]) : anywhere(random, size));
      const a = pick(random, [], point);
      const b = pick(random, [], point);
      const truth = meetExactly(a, b);
      if (truth) hits++;
      if (intersect(a, b) !== truth || intersect(b, a) !== truth)
        expect.fail(`${JSON.stringify([a, b])}: not ${truth}`);
    }
    expect(hits / 4000).toBeGreaterThan(0.3);
    expect(hits / 4000).toBeLessThan(0.7);
  });

  test('reads corners from the middle of longer arrays', () => {
    const p = Float64Array.from([9, 9, 9, 0, 0, 0, 9, 9, 9, 2, 0, 0, 0, 2, 0]);
    const q = Float64Array.from([0.5, 0.5, 1, 7, 7, 7, 0.5, 0.5, -1, 1, 1, 1]);
    expect(trianglesIntersect(p, 3, 9, 12, q, 0, 6, 9)).toBe(true);
    expect(trianglesIntersect(p, 3, 9, 12, q, 0, 9, 3)).toBe(false);
  });

  test('finds nothing on a triangle without area', () => {
    const flat = [
      [0, 0, 0],
      [1, 1, 1],
      [3, 3, 3],
    ];
    const point = [
      [1, 1, 1],
      [1, 1, 1],
      [1, 1, 1],
    ];
    const across = [
      [1, 1, 0],
      [1, 1, 3],
      [2, 1, 2],
    ];
    const along = [
      [0, 0, 0],
      [2, 2, 2],
      [1, 0, 0],
    ];
    for (const degenerate of [flat, point]) {
      expect(areExactlyCollinearAt(Float64Array.from(degenerate.flat()), 0, 3, 6)).toBe(true);
      for (const other of [across, along, flat, point]) {
        expect(intersect(degenerate, other)).toBe(false);
        expect(intersect(other, degenerate)).toBe(false);
      }
    }
    expect(areExactlyCollinearAt(Float64Array.from(across.flat()), 0, 3, 6)).toBe(false);
  });
});
