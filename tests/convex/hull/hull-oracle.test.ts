import { describe, expect, test } from 'vitest';
import { buildHull } from '../../../src/convex/index.js';
import { exactHull } from '../../oracles/convex-hull.js';
import { describeHull } from './describe-hull.js';
import { families, pointSets } from './point-sets.js';
import { validateHull } from './validate-hull.js';

const SETS_PER_FAMILY = 480;

describe('buildHull against brute force in whole numbers', () => {
  const dimensions = [0, 0, 0, 0];
  let sets = 0;
  let exactTests = 0;
  let dropped = 0;

  for (const { name, underflows = false } of families) {
    test(`agrees on ${name}`, () => {
      for (const { seed, points } of pointSets(name, SETS_PER_FAMILY)) {
        const hull = buildHull(points);
        const found = describeHull(hull);
        const truth = exactHull(points);
        expect(found, `seed ${seed}: ${points}`).toEqual(truth);
        if (!underflows) expect(validateHull(hull), `seed ${seed}: ${points}`).toEqual([]);
        sets++;
        dimensions[hull.dimension]++;
        exactTests += hull.exactTests;
        dropped += points.length / 3 - hull.vertices.length;
      }
    });
  }

  test('saw enough of every kind', () => {
    expect(sets).toBeGreaterThanOrEqual(10000);
    expect(Math.min(...dimensions)).toBeGreaterThan(100);
    expect(exactTests).toBeGreaterThan(sets);
    expect(dropped).toBeGreaterThan(sets);
  });
});
