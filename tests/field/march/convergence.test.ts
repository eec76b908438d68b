import { describe, expect, test } from 'vitest';
import { nodeIndex } from '../../../src/field/grid.js';
import { marchFromBand } from '../../../src/field/march/march-from-band.js';
import { annulusDistance, circleDistance, sphereDistance, torusDistance } from '../../oracles/closed-form-fields.js';
import { centeredFrame, closedFormBand, fittedOrder, measureConvergence } from './measure-convergence.js';

const RESOLUTIONS = [24, 36, 48, 72];
const COMMON = { resolutions: RESOLUTIONS, half: 1.1, bandLength: 0.2 };

describe('convergence of the march', () => {
  test.each([
    ['sphere', sphereDistance(1)],
    ['sphere off the nodes', sphereDistance(0.8, [0.03, 0.05, -0.02])],
    ['torus', torusDistance(0.7, 0.3)],
  ])('is of second order in the mean for a smooth %s', (_, distance) => {
    const rows = measureConvergence(distance, { ...COMMON, order: 2 });
    expect(fittedOrder(rows)).toBeGreaterThanOrEqual(1.8);
    for (const row of rows.slice(1)) expect(row.meanOrder).toBeGreaterThanOrEqual(1.8);
    // The largest error is at the center or on the medial axis, where the distance has no derivative.
    expect(fittedOrder(rows, 'max')).toBeGreaterThan(0.75);
  });

  test.each([
    ['sphere', sphereDistance(1)],
    ['torus', torusDistance(0.7, 0.3)],
  ])('is of first order for a smooth %s with the first-order scheme', (_, distance) => {
    const order = fittedOrder(measureConvergence(distance, { ...COMMON, order: 1 }));
    expect(order).toBeGreaterThan(0.8);
    expect(order).toBeLessThan(1.2);
  });

  test.each([
    ['circle', circleDistance(0.9, [0.01, -0.03])],
    ['annulus', annulusDistance(0.4, 0.9)],
  ])('is of second order in the plane for a %s', (_, distance) => {
    const resolutions = [48, 72, 96, 144];
    const options = { ...COMMON, resolutions, bandLength: 0.1, plane: true };
    expect(fittedOrder(measureConvergence(distance, { ...options, order: 2 }))).toBeGreaterThanOrEqual(1.8);
    expect(fittedOrder(measureConvergence(distance, { ...options, order: 1 }))).toBeLessThan(1.2);
  });

  test('gives the values that others get at the center of the unit sphere', () => {
    const frame = centeredFrame(1.1, 60);
    const center = nodeIndex(frame, 29, 29, 29);
    const distance = sphereDistance(1);
    const at = (order: 1 | 2, width: number): number =>
      marchFromBand(frame, closedFormBand(frame, distance, width * frame.spacing), { order }).values[center];
    expect(at(1, 1)).toBeCloseTo(-0.9224, 3);
    expect(at(2, 2)).toBeCloseTo(-0.9572, 3);
    expect(distance(...([29, 29, 29].map((i) => -1.1 + frame.spacing * i) as [number, number, number]))).toBeCloseTo(
      -0.9677,
      4,
    );
  });
});
