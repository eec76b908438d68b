import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError, type NearfieldErrorCode } from '../../../src/core/errors.js';
import {
  assertPolygon,
  createPolygon,
  isCounterClockwise,
  locateInPolygon,
  polygonArea,
  ringArea,
} from '../../../src/mesh/polygon/polygon.js';
import { findRingCrossing } from '../../../src/mesh/polygon/ring-crossing.js';
import { gridPlates, gridRings, share, starPolygons } from '../../generators/polygons.js';
import { exactLocation, exactPoints, exactTwiceArea, ringsMeet } from '../../oracles/exact-plane.js';

const SQUARE = [0, 0, 4, 0, 4, 4, 0, 4];
const HOLE = [1, 1, 1, 3, 3, 3, 3, 1];

function errorOf(action: () => unknown): { code: NearfieldErrorCode; message: string } {
  try {
    action();
  } catch (error) {
    if (error instanceof NearfieldError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

describe('createPolygon', () => {
  test('keeps rings that run the right way and turns the others around their first point', () => {
    const { rings } = createPolygon([
      [0, 0, 0, 4, 4, 4, 4, 0],
      [1, 1, 3, 1, 3, 3, 1, 3],
    ]);
    expect(rings.map((ring) => [...ring])).toEqual([SQUARE, HOLE]);
    expect(createPolygon([SQUARE, HOLE]).rings.map((ring) => [...ring])).toEqual([SQUARE, HOLE]);
  });

  test('copies, and leaves what it is given alone', () => {
    const given = Float64Array.from([0, 0, 0, 4, 4, 4, 4, 0]);
    const before = given.slice();
    createPolygon([given]);
    expect(given).toEqual(before);
  });

  test.each<[string, number[][], NearfieldErrorCode, RegExp]>([
    ['no ring', [], 'bad-argument', /no rings/],
    ['two points', [[0, 0, 1, 0]], 'bad-argument', /Ring 0 has 4 numbers/],
    ['half a point', [[0, 0, 1, 0, 1, 1, 0]], 'bad-argument', /Ring 0 has 7 numbers/],
    ['a coordinate that is no number', [[0, 0, 1, 0, Number.NaN, 1]], 'non-finite', /Point 2 of ring 0/],
    ['an infinite coordinate', [SQUARE, [1, 1, 1, Infinity, 2, 2]], 'non-finite', /Point 1 of ring 1/],
    ['a point given twice running', [[0, 0, 1, 0, 1, 0, 0, 1]], 'degenerate', /Points 1 and 2 of ring 0/],
    ['the first point repeated at the end', [[...SQUARE, 0, 0]], 'degenerate', /Points 4 and 0 of ring 0/],
    ['a point met again later', [[0, 0, 2, 0, 1, 1, 2, 2, 0, 2, 1, 1]], 'self-intersecting', /ring 0/],
    ['a bow tie', [[0, 0, 2, 2, 2, 0, 0, 2]], 'self-intersecting', /Edge 0 of ring 0 .* edge 2 of ring 0/],
    ['a side that runs back over the one before', [[0, 0, 4, 0, 2, 0, 2, 2]], 'self-intersecting', /edge 1/],
    [
      'a spike upwards',
      [[0, 0, 4, 0, 4, 4, 4, 2, 0, 2]],
      'self-intersecting',
      /Edge 1 of ring 0 .* edge [23] of ring 0/,
    ],
    ['three points in a line', [[0, 0, 1, 1, 2, 2]], 'self-intersecting', /ring 0/],
    ['a hole that crosses the outside', [SQUARE, [3, 1, 3, 3, 5, 2]], 'self-intersecting', /ring 1/],
    ['a hole that touches the outside', [SQUARE, [1, 1, 1, 3, 4, 2]], 'self-intersecting', /ring 1/],
    ['holes that touch in a corner', [SQUARE, [1, 1, 1, 2, 2, 2], [2, 2, 2, 3, 3, 3]], 'self-intersecting', /ring 2/],
    ['a hole outside', [SQUARE, [5, 5, 5, 6, 6, 6]], 'bad-argument', /Ring 1 lies outside/],
    ['a hole around the outside', [SQUARE, [-1, -1, -1, 9, 9, 9, 9, -1]], 'bad-argument', /Ring 1 lies outside/],
    ['a hole in a hole', [SQUARE, HOLE, [1.5, 1.5, 1.5, 2, 2, 2]], 'bad-argument', /Hole 2 lies inside hole 1/],
    ['a hole around a hole', [SQUARE, [1.5, 1.5, 1.5, 2, 2, 2], HOLE], 'bad-argument', /Hole 1 lies inside hole 2/],
  ])('refuses %s', (_, rings, code, message) => {
    const error = errorOf(() => createPolygon(rings));
    expect(error.message).toMatch(message);
    expect(error.code).toBe(code);
  });
});

describe('assertPolygon', () => {
  test('refuses rings that run the wrong way round', () => {
    const rings = [SQUARE, HOLE].map((ring) => Float64Array.from(ring));
    expect(() => assertPolygon({ rings })).not.toThrow();
    const wrongHole = Float64Array.from([1, 1, 3, 1, 3, 3, 1, 3]);
    expect(errorOf(() => assertPolygon({ rings: [rings[0], wrongHole] })).message).toMatch(/Ring 1 runs counter/);
    expect(errorOf(() => assertPolygon({ rings: [rings[1]] })).code).toBe('not-oriented');
  });

  test('refuses plain arrays with a word on what to do', () => {
    const rings = [SQUARE] as unknown as Float64Array[];
    expect(errorOf(() => assertPolygon({ rings })).message).toMatch(/createPolygon converts/);
  });
});

describe('area and orientation', () => {
  test('of a square with a hole', () => {
    expect(ringArea(SQUARE)).toBe(16);
    expect(ringArea(HOLE)).toBe(-4);
    expect(polygonArea(createPolygon([SQUARE, HOLE]))).toBe(12);
  });

  test('keeps its digits far from the origin', () => {
    const far = SQUARE.map((value) => value / 4 + 2 ** 40);
    expect(ringArea(far)).toBe(1);
  });

  test.each([1e-9, 1, 1e9])('agree with exact arithmetic at scale %s', (scale) => {
    fc.assert(
      fc.property(starPolygons, (rings) => {
        for (const ring of rings) {
          const scaled = ring.map((value) => value * scale);
          const exact = exactTwiceArea(exactPoints(scaled));
          expect(ringArea(scaled) > 0).toBe(exact > 0n);
          expect(isCounterClockwise(scaled)).toBe(exact > 0n);
          expect(isCounterClockwise(reversed(scaled))).toBe(exact < 0n);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('a sliver one unit of rounding thin is told from its mirror image', () => {
    const above = 0.5 + Number.EPSILON / 2;
    expect(isCounterClockwise([0, 0, 1, 1, 0.5, above])).toBe(true);
    expect(isCounterClockwise([0, 0, 0.5, above, 1, 1])).toBe(false);
    expect(isCounterClockwise([0, 0, 1, 1, above, 0.5])).toBe(false);
  });
});

describe('findRingCrossing', () => {
  test('agrees with all pairs in exact arithmetic on chains over a small grid', () => {
    let crossing = 0;
    let runs = 0;
    fc.assert(
      fc.property(gridRings, (ring) => {
        const expected = ringsMeet([ring]);
        expect(findRingCrossing([ring]) !== null).toBe(expected);
        runs++;
        if (expected) crossing++;
      }),
      { numRuns: 3000 },
    );
    expect(crossing / runs).toBeGreaterThan(0.3);
    expect(crossing / runs).toBeLessThan(0.9);
  });

  test('agrees with all pairs on two rings that may meet', () => {
    let crossing = 0;
    let runs = 0;
    const shift = fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }));
    const triangles = fc.constantFrom([0, 0, 4, 1, 1, 3], [0, 0, 3, 0, 0, 3], [0, 2, 2, 0, 4, 4, 2, 3]);
    fc.assert(
      fc.property(triangles, triangles, shift, (a, b, by) => {
        const rings = [a, b.map((value, i) => value + by[i % 2])];
        const expected = ringsMeet(rings);
        const found = findRingCrossing(rings);
        expect(found !== null).toBe(expected);
        if (found) expect([found.ringA, found.ringB]).toEqual([0, 1]);
        runs++;
        if (expected) crossing++;
      }),
      { numRuns: 1500 },
    );
    expect(crossing / runs).toBeGreaterThan(0.3);
    expect(crossing / runs).toBeLessThan(0.7);
  });

  test('tells a gap of one unit of rounding from a touch', () => {
    const wall = [0, 0, 1, 0, 1, 1, 0, 1];
    const toothAt = (x: number) => [x, 0.5, 2, 0.25, 2, 0.75];
    expect(findRingCrossing([wall, toothAt(1)])).toMatchObject({ ringA: 0, edgeA: 1, ringB: 1 });
    expect(findRingCrossing([wall, toothAt(1 + Number.EPSILON)])).toBeNull();
  });
});

describe('locateInPolygon', () => {
  test('of a square with a hole', () => {
    const polygon = createPolygon([SQUARE, HOLE]);
    expect(locateInPolygon(polygon, 0.5, 0.5)).toBe('inside');
    expect(locateInPolygon(polygon, 2, 2)).toBe('outside');
    expect(locateInPolygon(polygon, -1, 1)).toBe('outside');
    // On the level of sides and corners, where naive counting goes wrong.
    expect(locateInPolygon(polygon, -1, 0)).toBe('outside');
    expect(locateInPolygon(polygon, 0.5, 1)).toBe('inside');
    expect(locateInPolygon(polygon, 0.5, 3)).toBe('inside');
    for (const [x, y] of [
      [0, 0],
      [4, 4],
      [2, 0],
      [0, 3],
      [1, 1],
      [3, 2],
      [2, 3],
    ]) {
      expect(locateInPolygon(polygon, x, y)).toBe('boundary');
    }
  });

  test('agrees with exact arithmetic, corners and points on sides included', () => {
    const counts = { inside: 0, outside: 0, boundary: 0 };
    const point = share.map((value) => 4 * value - 2);
    const cell = fc.integer({ min: 0, max: 20 });
    fc.assert(
      fc.property(starPolygons, gridPlates, point, point, cell, cell, (star, plate, x, y, i, j) => {
        for (const [rings, px, py] of [
          [star, x, y],
          [star, star[0][2], star[0][3]],
          [plate, i, j],
        ] as const) {
          const expected = exactLocation(rings, px, py);
          expect(locateInPolygon(createPolygon(rings), px, py)).toBe(expected);
          counts[expected]++;
        }
      }),
      { numRuns: 300 },
    );
    const all = counts.inside + counts.outside + counts.boundary;
    for (const count of Object.values(counts)) expect(count / all).toBeGreaterThan(0.15);
  });
});

function reversed(ring: number[]): number[] {
  const points = Array.from({ length: ring.length / 2 }, (_, i) => [ring[2 * i], ring[2 * i + 1]]);
  return points.reverse().flat();
}
