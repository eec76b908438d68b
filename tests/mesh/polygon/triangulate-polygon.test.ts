import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { flipToDelaunay } from '../../../src/mesh/polygon/delaunay-flips.js';
import { createPolygon, type Polygon } from '../../../src/mesh/polygon/polygon.js';
import { triangulatePolygon } from '../../../src/mesh/polygon/triangulate-polygon.js';
import { gridPlates, starPolygons } from '../../generators/polygons.js';
import { ringsMeet } from '../../oracles/exact-plane.js';
import { triangulationFaults } from '../../oracles/planar-triangulation.js';

function expectTriangulated(polygon: Polygon): Uint32Array {
  const { points, triangles } = triangulatePolygon(polygon);
  expect([...points]).toEqual(polygon.rings.flatMap((ring) => [...ring]));
  expect(triangulationFaults(polygon.rings, triangles)).toEqual([]);
  return triangles;
}

describe('worked examples', () => {
  test('a triangle is itself', () => {
    expect([...expectTriangulated(createPolygon([[0, 0, 1, 0, 0, 1]]))].sort()).toEqual([0, 1, 2]);
  });

  test('a square frame takes eight triangles', () => {
    const frame = createPolygon([
      [0, 0, 4, 0, 4, 4, 0, 4],
      [1, 1, 1, 3, 3, 3, 3, 1],
    ]);
    expect(expectTriangulated(frame).length).toBe(24);
  });

  test('points in the middle of sides are kept as corners', () => {
    const ring = [0, 0, 1, 0, 2, 0, 3, 0, 3, 1, 3, 2, 0, 2, 0, 1];
    expect(expectTriangulated(createPolygon([ring])).length).toBe(18);
  });

  test('all points but one in a line', () => {
    const ring = [0, 0, ...Array.from({ length: 20 }, (_, i) => [i + 1, 0]).flat(), 10, 1];
    const triangles = expectTriangulated(createPolygon([ring]));
    expect(triangles.length).toBe(60);
    expect(triangles.filter((id) => id === 21).length).toBe(20);
  });

  test('of the two ways through a flat kite, the one with the larger angles', () => {
    const triangles = expectTriangulated(createPolygon([[0, 0, 2, -0.5, 4, 0, 2, 0.5]]));
    expect([...triangles].filter((id) => id === 1).length).toBe(2);
    expect([...triangles].filter((id) => id === 3).length).toBe(2);
  });

  test('a spiral corridor, whose ears hide at its ends', () => {
    const ring: number[] = [];
    const turns = 60;
    for (let i = 0; i <= turns; i++) ring.push(...onSpiral(i, 1));
    for (let i = turns; i >= 0; i--) ring.push(...onSpiral(i, 1.3));
    expectTriangulated(createPolygon([ring]));
  });

  test('a hundred holes in rows, all ties', () => {
    const rings = [[0, 0, 21, 0, 21, 21, 0, 21]];
    for (let i = 0; i < 100; i++) {
      const [x, y] = [2 * (i % 10) + 1, 2 * Math.floor(i / 10) + 1];
      rings.push([x, y, x + 1, y, x + 1, y + 1, x, y + 1]);
    }
    expect(expectTriangulated(createPolygon(rings)).length / 3).toBe(404 + 200 - 2);
  });

  test('a hole whose only bridges pass between the others', () => {
    expectTriangulated(
      createPolygon([
        [0, 0, 10, 0, 10, 10, 0, 10],
        [7, 1, 8, 1, 8, 9, 7, 9, 7, 8, 7.5, 8, 7.5, 2, 7, 2],
        [5, 3, 6, 5, 5, 7, 5.5, 5],
        [1, 4.9, 4, 4.9, 4, 5.1, 1, 5.1],
      ]),
    );
  });

  test('refuses what is no polygon', () => {
    expect(() => triangulatePolygon({ rings: [Float64Array.of(0, 0, 1, 1, 1, 0, 0, 1)] })).toThrow(
      /crosses or touches/,
    );
    expect(() => triangulatePolygon({ rings: [Float64Array.of(0, 0, 0, 1, 1, 0)] })).toThrow(/clockwise/);
  });
});

describe('random polygons', () => {
  test.each([1e-9, 1, 1e9])('star-shaped outlines with star-shaped holes at scale %s', (scale) => {
    let holes = 0;
    fc.assert(
      fc.property(starPolygons, (rings) => {
        expectTriangulated(createPolygon(rings.map((ring) => ring.map((value) => value * scale))));
        holes += rings.length - 1;
      }),
      { numRuns: 300 },
    );
    expect(holes).toBeGreaterThan(800);
  });

  test('plates with rows of square holes: flat corners and equal circles everywhere', () => {
    fc.assert(
      fc.property(gridPlates, (rings) => {
        expectTriangulated(createPolygon(rings));
      }),
      { numRuns: 150 },
    );
  });

  test('squeezed onto a line, where corners are a few units of rounding apart', () => {
    let valid = 0;
    let runs = 0;
    fc.assert(
      fc.property(starPolygons, fc.constantFrom(1e-14, 1e-15, 3e-16), (rings, width) => {
        const squeezed = rings.map((ring) =>
          ring.map((value, i) => (i % 2 ? ring[i - 1] * 0.7 + value * width : value)),
        );
        runs++;
        const polygon = createOrNull(squeezed);
        expect(polygon === null).toBe(ringsMeet(squeezed));
        if (polygon === null) return;
        valid++;
        expectTriangulated(polygon);
      }),
      { numRuns: 400 },
    );
    expect(valid / runs).toBeGreaterThan(0.3);
    expect(valid / runs).toBeLessThan(0.9);
  });

  test('snapped to a coarse grid, where corners line up with corners of other rings', () => {
    let valid = 0;
    let runs = 0;
    fc.assert(
      fc.property(starPolygons, fc.constantFrom(0.02, 0.05, 0.1), (rings, grid) => {
        const polygon = createOrNull(rings.map((ring) => ring.map((value) => Math.round(value / grid))));
        runs++;
        if (polygon === null) return;
        valid++;
        expectTriangulated(polygon);
      }),
      { numRuns: 500 },
    );
    expect(valid / runs).toBeGreaterThan(0.2);
  });

  test('scaling by a power of two changes no triangle, starting rings elsewhere not the smallest angle', () => {
    fc.assert(
      fc.property(starPolygons, fc.integer({ min: -40, max: 40 }), (rings, exponent) => {
        const polygon = createPolygon(rings);
        const triangles = triangulatePolygon(polygon).triangles;
        const scaled = createPolygon(rings.map((ring) => ring.map((value) => value * 2 ** exponent)));
        expect(triangulatePolygon(scaled).triangles).toEqual(triangles);

        const turned = { rings: polygon.rings.map((ring) => Float64Array.of(...ring.slice(4), ...ring.slice(0, 4))) };
        expect(smallestAngle(turned)).toBeCloseTo(smallestAngle(polygon), 9);
      }),
      { numRuns: 150 },
    );
  });

  test('leaves the polygon alone', () => {
    fc.assert(
      fc.property(starPolygons, (rings) => {
        const polygon = createPolygon(rings);
        const before = polygon.rings.map((ring) => ring.slice());
        triangulatePolygon(polygon);
        expect(polygon.rings).toEqual(before);
      }),
      { numRuns: 20 },
    );
  });
});

describe('flipToDelaunay', () => {
  test('flips the long diagonal of a kite once, and a fan of a regular polygon never', () => {
    const kite = Uint32Array.of(0, 1, 2, 0, 2, 3);
    expect(flipToDelaunay([0, 0, 2, -0.5, 4, 0, 2, 0.5], kite)).toBe(1);
    expect(flipToDelaunay([0, 0, 2, -0.5, 4, 0, 2, 0.5], kite)).toBe(0);
    expect(flipToDelaunay([0, 0, 1, 0, 1, 1, 0, 1], Uint32Array.of(0, 1, 2, 0, 2, 3))).toBe(0);
  });
});

/** The smallest angle, which constrained Delaunay triangulations maximize, however cocircular points are cut. */
function smallestAngle(polygon: Polygon): number {
  const { points, triangles } = triangulatePolygon(polygon);
  let smallest = Math.PI;
  for (let h = 0; h < triangles.length; h++) {
    const first = h - (h % 3);
    const [a, b, c] = [0, 1, 2].map((step) => 2 * triangles[first + ((h + step) % 3)]);
    const toB = Math.atan2(points[b + 1] - points[a + 1], points[b] - points[a]);
    const toC = Math.atan2(points[c + 1] - points[a + 1], points[c] - points[a]);
    smallest = Math.min(smallest, (toC - toB + 2 * Math.PI) % (2 * Math.PI));
  }
  return smallest;
}

function createOrNull(rings: number[][]): Polygon | null {
  try {
    return createPolygon(rings);
  } catch {
    return null;
  }
}

function onSpiral(step: number, growth: number): [number, number] {
  const angle = step * 0.35;
  const radius = growth * (1 + angle * 0.5);
  return [radius * Math.cos(angle), radius * Math.sin(angle)];
}
