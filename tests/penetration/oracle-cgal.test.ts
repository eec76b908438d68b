// Penetration depth of small non-convex solids against exact Minkowski sums that CGAL made (tests/oracles/penetration/cgal).
import { describe, expect, test } from 'vitest';
import { readCgalPairs } from './cgal-pairs.js';
import { bodyOf, checkDepth, exactly, ROUNDING } from './check-depth.js';

describe('exact Minkowski sums', () => {
  const excesses: number[] = [];

  test.each(readCgalPairs().map((pair) => [pair.name, pair] as const))(
    '%s',
    (name, { a, b, depth, state, nearest }) => {
      const { result, excess } = checkDepth(name, bodyOf(a), bodyOf(b), exactly(depth));
      expect(result.intersects).toBe(state !== 'apart');
      expect(result.depth > 0).toBe(state === 'deep');
      if (state !== 'deep') return;
      excesses.push(excess);
      // As good as exact: then the vector ends at one of the nearest points.
      if (excess < 1e-7 && nearest.length < 8) {
        const misses = nearest.map((point) => Math.hypot(...point.map((value, k) => value - result.vector[k])));
        expect(Math.min(...misses)).toBeLessThan(1e-3 * depth);
      }
    },
  );

  test('most are found to rounding: the refinement gets from the pixel to the true nearest point', () => {
    const exact = excesses.filter((excess) => excess < ROUNDING).length;
    expect(excesses.length).toBeGreaterThanOrEqual(40);
    expect(exact / excesses.length).toBeGreaterThan(0.9);
  });
});
