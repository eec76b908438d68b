// Hulls of machined parts: thousands of points on a few planes and lines, exactly or up to rounding.
import { expect, test } from 'vitest';
import { buildHull } from '../../../src/convex/index.js';
import { machinedVariants } from '../../generators/machined-parts.js';
import { validateHull } from './validate-hull.js';

test.each(machinedVariants())('the hull of $name is sound', ({ mesh }) => {
  const hull = buildHull(mesh.positions);
  expect(hull.dimension).toBe(3);
  expect(validateHull(hull)).toEqual([]);
});
