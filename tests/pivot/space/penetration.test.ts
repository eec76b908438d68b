// Penetrating points against brute force: the error bound from both sides, on random pairs at four resolutions.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { SpacePivot } from '../../../src/pivot/space/space-pivot.js';
import { moved, randomSolid, surfaceArea } from '../../generators/deforming-solids.js';
import { boxMesh, join, mapPoints, reversed, sphereGrid, toSoup } from '../../generators/surfaces.js';
import { checkSide, pointOf } from './check-side.js';

describe('penetrating points', () => {
  test('keep the error bound on random pairs at four resolutions', () => {
    const random = createRandom(11);
    const pivots = [0.3, 0.15, 0.08, 0.04].map((error) => new SpacePivot({ error }));
    let pairs = 0;
    let hits = 0;
    let deep = 0;
    for (let pair = 0; pair < 60; pair++) {
      const a = randomSolid(random);
      const b = moved(randomSolid(random), [2.6 * random.next() - 1.3, 2 * random.next() - 1, 2 * random.next() - 1]);
      for (const [level, pivot] of pivots.entries()) {
        const answer = pivot.penetrationSync(a, b);
        pairs++;
        if (answer.intersects) hits++;
        deep += checkSide(answer.a, a, b, answer.error, 4 * pair + level);
        deep += checkSide(answer.b, b, a, answer.error, 4 * pair + level);
        expect(answer.depth).toBe(Math.max(0, ...answer.a.depths, ...answer.b.depths));
      }
    }
    expect(hits / pairs).toBeGreaterThan(0.5);
    expect(hits / pairs).toBeLessThan(0.95);
    expect(deep).toBeGreaterThan(300);
  });

  test('have areas that sum up to the area of surface inside, whatever the resolution', () => {
    const small = mapPoints(sphereGrid(6, 0.5), ([x, y, z]) => [x + 0.11, y - 0.07, z + 0.05]);
    const large = boxMesh([-2, -2, -2], [2, 2, 2]);
    for (const error of [0.2, 0.1, 0.03]) {
      const { a, b } = new SpacePivot({ error }).penetrationSync(small, large);
      expect(a.areas.reduce((sum, area) => sum + area, 0)).toBeCloseTo(surfaceArea(small), 9);
      expect(b.count).toBe(0);
    }
    // Half of a box in another: five faces, each by half or whole.
    const half = boxMesh([0.013, -0.5, -0.5], [2.013, 0.5, 0.5]);
    const host = boxMesh([-1, -1, -1], [1, 1, 1]);
    const errors = [0.1, 0.05, 0.025].map((error) => {
      const { a } = new SpacePivot({ error }).penetrationSync(half, host);
      const area = 1 + 4 * (1 - 0.013);
      return Math.abs(a.areas.reduce((sum, each) => sum + each, 0) - area) / (error * 4);
    });
    // The cut, of length 4, moves by at most the error.
    for (const share of errors) expect(share).toBeLessThanOrEqual(1);
  });

  test('find what is wholly inside, and several parts at once', () => {
    const pivot = new SpacePivot({ error: 0.05 });
    const inner = join(
      boxMesh([-0.4, -0.1, -0.1], [-0.2, 0.1, 0.1]),
      boxMesh([0.2, -0.1, -0.1], [0.4, 0.1, 0.1]),
      boxMesh([3, 3, 3], [4, 4, 4]),
    );
    const answer = pivot.penetrationSync(inner, boxMesh([-1, -1, -1], [1, 1, 1]));
    expect(answer.a.count).toBeGreaterThan(20);
    expect(answer.b.count).toBe(0);
    expect(Math.abs(answer.depth - 0.8)).toBeLessThanOrEqual(0.05);
    expect(answer.box!.max[0]).toBeLessThan(0.46);
  });

  test('are none for solids that are apart or in a cavity', () => {
    const pivot = new SpacePivot({ error: 0.05 });
    const apart = pivot.penetrationSync(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1]));
    expect([apart.intersects, apart.a.count, apart.b.count, apart.depth, apart.box]).toEqual([false, 0, 0, 0, null]);
    expect(apart.counters.nodes).toBe(0);
    const hollow = join(boxMesh([-2, -2, -2], [2, 2, 2]), reversed(boxMesh([-1, -1, -1], [1, 1, 1])));
    expect(pivot.penetrationSync(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]), hollow).intersects).toBe(false);
  });

  test('do not depend on seams, on faces that point inward, on scale or on earlier frames', () => {
    const a = randomSolid(createRandom(3));
    const b = moved(randomSolid(createRandom(4)), [0.4, 0.2, 0.1]);
    const pivot = new SpacePivot({ error: 0.06 });
    const answer = pivot.penetrationSync(a, b);
    expect(answer.a.count).toBeGreaterThan(20);
    expect(pivot.penetrationSync(reversed(a), toSoup(b)).a.depths).toEqual(answer.a.depths);
    pivot.penetrationSync(moved(a, [0.1, 0, 0]), boxMesh());
    expect(pivot.penetrationSync(a, b)).toEqual(answer);
    expect(new SpacePivot({ error: 0.06 }).penetrationSync(a, b)).toEqual(answer);
    const swapped = pivot.penetrationSync(b, a);
    expect([swapped.a, swapped.b]).toEqual([answer.b, answer.a]);
    for (const scale of [2 ** -20, 2 ** 20]) {
      const scaled = new SpacePivot({ error: 0.06 * scale }).penetrationSync(
        moved(a, [0, 0, 0], scale),
        moved(b, [0, 0, 0], scale),
      );
      expect(scaled.a.depths.map((depth) => depth / scale)).toEqual(answer.a.depths);
    }
  });

  test('have unit directions far from the origin, where depths are smaller than rounding of points allows', () => {
    const far = 2 ** 20;
    const a = boxMesh([far, 0, 0], [far + 1, 1, 1]);
    const b = boxMesh([far + 0.5, 0.5 - 2 ** -30, 0.25], [far + 2, 2, 0.75]);
    const { a: samples, b: others } = new SpacePivot({ error: 0.05 }).penetrationSync(a, b);
    expect(samples.count).toBeGreaterThan(10);
    for (const { count, directions } of [samples, others]) {
      for (let n = 0; n < count; n++) expect(Math.hypot(...pointOf(directions, n))).toBeCloseTo(1, 14);
    }
  });

  test('are the same in one block and in many', () => {
    const a = sphereGrid(12, 1);
    const b = moved(a, [0.3, 0.4, 0.2]);
    // More samples than one block holds.
    const pivot = new SpacePivot({ error: 0.009 });
    const { a: samples, counters, error } = pivot.penetrationSync(a, b);
    expect(counters.nodes).toBeGreaterThan(2 ** 22);
    const total = samples.areas.reduce((sum, area) => sum + area, 0);
    const coarse = new SpacePivot({ error: 0.03 }).penetrationSync(a, b);
    expect(Math.abs(total - coarse.a.areas.reduce((sum, area) => sum + area, 0))).toBeLessThan(0.04 * 6.3);
    expect(checkSide(samples, a, b, error, 1)).toBeGreaterThan(2);
    const places = new Set(Array.from({ length: samples.count }, (_, n) => pointOf(samples.points, n).join()));
    expect(places.size).toBe(samples.count);
  });
});
