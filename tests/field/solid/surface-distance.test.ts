// Bounds of the largest distance between surfaces, against distances of many points by comparing all triangles.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boundLargestDistance } from '../../../src/field/solid/surface-distance.js';
import { SurfaceSearch } from '../../../src/field/solid/surface-search.js';
import { randomMesh } from '../../generators/random-meshes.js';
import { boxMesh, mapPoints, sheet, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { distanceTo, farthestOf, samplePoints } from './sample-surface.js';

describe('largest distance of a surface from another', () => {
  test('no sample is farther than the upper bound, none of the pairs has a loose one', () => {
    let tight = 0;
    let pairs = 0;
    fc.assert(
      fc.property(randomMesh, randomMesh, (a, b) => {
        const { lower, upper } = boundLargestDistance(a, new SurfaceSearch(b), { tolerance: 1e-3 });
        const farthest = farthestOf(samplePoints(a, 20), b);
        expect(farthest).toBeLessThanOrEqual(upper);
        expect(lower).toBeLessThanOrEqual(upper);
        expect(upper).toBeLessThanOrEqual(Math.max(1.02 * lower, lower + 1e-3) + 1e-9);
        pairs++;
        if (farthest > 0.95 * upper - 1e-3) tight++;
      }),
      { seed: 4, numRuns: 60 },
    );
    // Corners are among the samples, and hold the farthest point of most pairs.
    expect(tight / pairs).toBeGreaterThan(0.7);
  });

  test('is exact to the tolerance where the answer is known', () => {
    const inner = boxMesh([-1, -1, -1], [1, 1, 1]);
    const outer = boxMesh([-2, -2, -2], [2, 2, 2]);
    const options = { tolerance: 1e-4 };
    const outward = boundLargestDistance(outer, new SurfaceSearch(inner), options);
    expect(outward.upper).toBeGreaterThanOrEqual(Math.sqrt(3));
    expect(outward.upper).toBeLessThan(1.021 * Math.sqrt(3));
    const inward = boundLargestDistance(inner, new SurfaceSearch(outer), options);
    expect(inward.upper).toBeGreaterThanOrEqual(1);
    expect(inward.upper).toBeLessThan(1.021);
    // The same surface cut into other triangles has distance zero.
    const same = boundLargestDistance(
      boxMesh(),
      new SurfaceSearch(mapPoints(boxMesh(), ([x, y, z]) => [y, z, x])),
      options,
    );
    expect(same.upper).toBeLessThan(2e-4);
  });

  test('points inside a solid do not count on request', () => {
    const ball = sphereGrid(12);
    const small = sphereGrid(8, 0.3);
    const search = new SurfaceSearch(ball);
    expect(boundLargestDistance(small, search, { tolerance: 1e-3 }).upper).toBeGreaterThan(0.69);
    expect(boundLargestDistance(small, search, { tolerance: 1e-3, solid: true }).upper).toBeLessThan(1.1e-3);
    const half = sphereGrid(8, 0.3, [1, 0, 0]);
    const { upper } = boundLargestDistance(half, search, { tolerance: 1e-3, solid: true });
    const farthest = Math.max(...samplePoints(half, 10).map((p) => (Math.hypot(...p) > 1 ? distanceTo(ball, p) : 0)));
    expect(upper).toBeGreaterThanOrEqual(farthest);
    expect(upper).toBeLessThan(1.03 * farthest);
  });

  test('an exhausted budget leaves a wider bound that still holds', () => {
    const a = torusGrid(20, 12);
    const b = sheet(4);
    const search = new SurfaceSearch(b);
    const full = boundLargestDistance(a, search, { tolerance: 1e-6 });
    const cut = boundLargestDistance(a, search, { tolerance: 1e-6, maxPieces: 8 });
    expect(cut.upper).toBeGreaterThanOrEqual(full.upper);
    expect(cut.lower).toBeLessThanOrEqual(full.upper);
  });
});
