// A million points in bodies that are bent and stretched at random: the depth of the deformed distance field against the
// exact depth. Prints how errors are distributed, by depth.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { tetrahedralizeMesh } from '../../src/elastic/tetrahedra/tetrahedralize-mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { estimateErrors } from '../oracles/depth-estimate.js';

/** Classes of exact depths, in mean edges. */
const LIMITS = [0.1, 0.5, 1, Infinity];

test('estimates of depth at a million points', { timeout: 3_600_000 }, () => {
  const ball = tetrahedralizeMesh(findModel('sphere').build({ radius: 1 }), { size: 0.45 }).mesh;
  const random = createRandom(1);
  let [all, shallow, largest] = [0, 0, 0];
  const classes = LIMITS.map((): number[] => []);
  for (let round = 0; round < 100; round++) {
    const c = Array.from({ length: 9 }, () => random.range(-0.1, 0.1));
    const bend = ([x, y, z]: readonly number[]): [number, number, number] => [
      x + c[0] * x + c[1] * y * y + c[2] * z,
      y + c[3] * y + c[4] * x * z + c[5] * x,
      z + c[6] * z + c[7] * Math.sin(2 * x) + c[8] * y,
    ];
    const errors = estimateErrors(ball, bend, 10_000, round);
    errors.errors.forEach((error, i) => {
      classes[LIMITS.findIndex((limit) => errors.depths[i] < limit)].push(error);
    });
    all += errors.all / 100;
    shallow += errors.shallow / 100;
    largest = Math.max(largest, errors.largest);
  }
  classes.forEach((list, i) => {
    const sorted = Float64Array.from(list).sort();
    const shares = [0.5, 0.9, 0.99, 0.999].map((share) => sorted[Math.floor(share * sorted.length)].toFixed(4));
    console.log(
      `to ${LIMITS[i]} edges: ${sorted.length} points; median, 90, 99, 99.9 %, most:`,
      ...shares,
      sorted.at(-1),
    );
  });
  expect(classes.reduce((sum, { length }) => sum + length, 0)).toBe(1e6);
  expect(shallow).toBeLessThan(0.02);
  expect(all).toBeLessThan(0.1);
  expect(largest).toBeLessThan(1);
});
