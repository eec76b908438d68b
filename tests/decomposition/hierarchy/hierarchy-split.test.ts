import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { PieceSplitter, SPLIT_RULES, type SplitRule } from '../../../src/decomposition/hierarchy/split-pieces.js';
import { findSpreadAxis } from '../../../src/decomposition/hierarchy/spread-axis.js';
import { findPieceCenters } from '../../../src/decomposition/pieces/piece-centers.js';
import { boxMesh, mesh, tetrahedron } from '../../generators/surfaces.js';

/** Splits points at these places on the x axis; returns the ids of both parts, each in ascending order. */
function splitLine(places: readonly number[], rule: SplitRule): [number[], number[]] {
  const centers = new Float64Array(3 * places.length);
  places.forEach((x, i) => {
    centers[3 * i] = x;
  });
  return splitPoints(centers, rule);
}

function splitPoints(centers: Float64Array, rule: SplitRule): [number[], number[]] {
  const ids = Uint32Array.from({ length: centers.length / 3 }, (_, i) => i);
  const cut = new PieceSplitter(centers, rule).split(ids, 0, ids.length);
  return [[...ids.subarray(0, cut)].sort((a, b) => a - b), [...ids.subarray(cut)].sort((a, b) => a - b)];
}

describe('splitting rules', () => {
  const places = [0, 1, 2, 3, 4, 5, 6, 7, 20, 100];

  test('midpoint cuts at the middle of the range', () => {
    expect(splitLine(places, 'midpoint')).toEqual([[0, 1, 2, 3, 4, 5, 6, 7, 8], [9]]);
  });

  test('median cuts the list in halves', () => {
    expect(splitLine(places, 'median')[1]).toEqual([5, 6, 7, 8, 9]);
  });

  test('mean cuts at the mean, 14.8', () => {
    expect(splitLine(places, 'mean')[1]).toEqual([8, 9]);
  });

  test('gap finds a gap in the center that is large, twice the next and a tenth of the range', () => {
    expect(splitLine([0, 1, 2, 3, 8, 9, 10, 11], 'gap')[1]).toEqual([4, 5, 6, 7]);
    // Exactly twice the second largest, exactly at a fifth of the values.
    expect(splitLine([0, 2, 3, 4, 5], 'gap')).toEqual([[0], [1, 2, 3, 4]]);
  });

  test('gap falls back on the mean where one of the three fails', () => {
    // Not in the central 60 %: one of ten values before it.
    const outside = [0, 50, 51, 52, 53, 54, 55, 56, 57, 58];
    expect(splitLine(outside, 'gap')).toEqual(splitLine(outside, 'mean'));
    expect(splitLine(outside, 'mean')[0]).toEqual([0]);
    // Less than twice the second largest.
    const rivals = [0, 10, 11, 12, 22, 41, 42, 43, 44];
    expect(splitLine(rivals, 'gap')).toEqual(splitLine(rivals, 'mean'));
    const even = [0, 1, 2.9, 3.9, 4.9, 5.9, 6.9, 7.9, 8.9, 9.9, 10.9, 12.4];
    expect(splitLine(even, 'gap')).toEqual(splitLine(even, 'mean'));
    // Less than a tenth of the range: forty steps of 1 and one of 2.1.
    const steps = Array.from({ length: 41 }, (_, i) => (i < 10 ? i : i + 1.1));
    expect(splitLine(steps, 'gap')).toEqual(splitLine(steps, 'mean'));
    expect(splitLine(steps, 'gap')[0]).not.toHaveLength(10);
  });

  test('splits equal values by id, whatever the rule', () => {
    for (const rule of SPLIT_RULES) {
      expect(splitLine([3, 3, 3, 3, 3], rule)).toEqual([
        [0, 1],
        [2, 3, 4],
      ]);
      expect(splitLine([7, 7], rule)).toEqual([[0], [1]]);
    }
  });

  test('leaves a piece on each side of any points, and keeps their order along the axis', () => {
    const coordinate = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.constantFrom(1, 1 + Number.EPSILON, 1e-300, 0),
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(coordinate, coordinate, coordinate), { minLength: 2, maxLength: 12 }),
        fc.constantFrom(...SPLIT_RULES),
        (points, rule) => {
          const [first, second] = splitPoints(Float64Array.from(points.flat()), rule);
          expect(first.length).toBeGreaterThan(0);
          expect(second.length).toBeGreaterThan(0);
          expect([...first, ...second].sort((a, b) => a - b)).toEqual(points.map((_, i) => i));
        },
      ),
      { numRuns: 400 },
    );
  });
});

describe('findSpreadAxis', () => {
  test('finds the long axis of a box whatever fills it', () => {
    const random = createRandom(3);
    const points: number[] = [];
    for (let i = 0; i < 8; i++) points.push(i & 1 ? 1 : -1, i & 2 ? 5 : -5, i & 4 ? 2 : -2);
    // A cloud along x would win if points counted, not the hull.
    for (let i = 0; i < 200; i++) points.push(random.range(-0.9, 0.9), 0.001 * random.next(), 0);
    const [x, y, z] = findSpreadAxis(Float64Array.from(points));
    expect(Math.abs(x)).toBeLessThan(1e-12);
    expect(y).toBeCloseTo(1, 12);
    expect(Math.abs(z)).toBeLessThan(1e-12);
  });

  test('takes the polygon of coplanar points, the line of collinear ones and an axis for one point', () => {
    const flat = findSpreadAxis(Float64Array.of(0, 0, 1, 4, 4, 1, 5, 3, 1, 1, -1, 1));
    expect(flat[2]).toBe(0);
    expect(flat[0]).toBeCloseTo(Math.SQRT1_2, 12);
    const line = findSpreadAxis(Float64Array.of(1, 2, 3, 1, 0, 3, 1, 7, 3));
    expect(line).toEqual([0, 1, 0]);
    expect(findSpreadAxis(Float64Array.of(1, 2, 3, 1, 2, 3))).toEqual([1, 0, 0]);
  });

  test('turns with the points, at every scale', () => {
    const random = createRandom(11);
    for (const scale of [1e-9, 1e-3, 1, 1e9]) {
      const points = Float64Array.from({ length: 90 }, (_, i) => scale * random.range(-1, 1) * [5, 2, 1][i % 3]);
      const [c, s] = [Math.cos(0.7), Math.sin(0.7)];
      const turned = Float64Array.from(points, (value, i) => {
        const [x, y] = [points[i - (i % 3)], points[i - (i % 3) + 1]];
        return i % 3 === 0 ? c * x - s * y : i % 3 === 1 ? s * x + c * y : value;
      });
      const [x, y, z] = findSpreadAxis(points);
      const [u, v, w] = findSpreadAxis(turned);
      expect(Math.abs((c * x - s * y) * u + (s * x + c * y) * v + z * w)).toBeCloseTo(1, 9);
    }
  });
});

describe('findPieceCenters', () => {
  test('is the center of mass of a solid piece', () => {
    expect([...findPieceCenters(decomposeSurface(boxMesh([1, 2, 3], [3, 6, 9])))]).toEqual([2, 4, 6]);
    for (const value of findPieceCenters(decomposeSurface(tetrahedron()))) expect(value).toBeCloseTo(0.25, 14);
  });

  test('is the center of the area of a flat piece', () => {
    const points = [
      [0, 0, 5],
      [3, 0, 5],
      [3, 1, 5],
      [0, 1, 5],
    ];
    const quad = mesh(points, [
      [0, 1, 2],
      [0, 2, 3],
    ]);
    const centers = findPieceCenters(decomposeSurface(quad));
    expect(centers).toHaveLength(3);
    expect(centers[0]).toBeCloseTo(1.5, 14);
    expect(centers[1]).toBeCloseTo(0.5, 14);
    expect(centers[2]).toBeCloseTo(5, 14);
  });
});
