// What a motion must be, what a query along one costs, and that it always ends.
import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { findModel } from '../../../src/models/catalogue.js';
import type { Motion } from '../../../src/proximity/impact/motion.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { timeOfImpact, validateMotion } from '../../../src/proximity/queries.js';
import { codeOf } from '../../error-code.js';
import { boxMesh } from '../../generators/surfaces.js';

const cube = new ProximityModel(boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]));
const at = (x: number, y = 0, z = 0): Pose => [x, y, z, 0, 0, 0, 1];

test.each<[string, unknown, object]>([
  ['no motion', null, {}],
  ['a motion of one body', { a: at(0) }, {}],
  ['an empty list', { a: at(0), b: [] }, {}],
  ['a number for a pose', { a: at(0), b: 3 }, {}],
  ['six numbers', { a: at(0), b: [0, 0, 0, 0, 0, 1] }, {}],
  ['a time that is no number', { a: at(0), b: [{ time: Number.NaN, pose: at(1) }] }, {}],
  ['times that do not grow', { a: at(0), b: [1, 1].map((time) => ({ time, pose: at(1) })) }, {}],
  ['a half turn', { a: at(0), b: { from: at(2), to: [2, 0, 0, 0, 1, 0, 0] } }, {}],
  ['a half turn but for rounding', { a: at(0), b: { from: at(2), to: [2, 0, 0, 0, 1, 0, -1e-12] } }, {}],
  ['a negative clearance', { a: at(0), b: at(2) }, { clearance: -1 }],
  ['an infinite clearance', { a: at(0), b: at(2) }, { clearance: Infinity }],
  ['a tolerance that is no number', { a: at(0), b: at(2) }, { tolerance: Number.NaN }],
  ['an end before the start', { a: at(0), b: at(2) }, { start: 1, end: 0 }],
  ['no pairs', { a: at(0), b: at(2) }, { maxPairs: 0 }],
])('refuses %s', (_, motion, options) => {
  expect(codeOf(() => timeOfImpact(cube, cube, motion as Motion, options))).toBe('bad-argument');
});

test('refuses coordinates that are not finite', () => {
  const motion = { a: at(0), b: { from: at(2), to: at(Number.NaN) } };
  expect(codeOf(() => timeOfImpact(cube, cube, motion))).toBe('non-finite');
});

test('models far from each other cost one pair of boxes for each segment', () => {
  const dragon = new ProximityModel(findModel('torus').build());
  const keys = Array.from({ length: 11 }, (_, i) => ({ time: i, pose: at(20 + i, 3) }));
  const { status, lower, counters } = timeOfImpact(dragon, dragon, { a: at(0), b: keys });
  expect({ status, lower }).toEqual({ status: 'clear', lower: 10 });
  expect(counters).toEqual({ volumePairs: 10, trianglePairs: 0, queries: 0 });
});

test('a pair that moves little asks one coherent distance query, and no more where that is enough', () => {
  const torus = new ProximityModel(findModel('torus').build());
  const pair = new Pair(torus, torus);
  // Two links of a chain, one through the other.
  const place = (i: number): Pose => [0.36 + 1e-4 * i, 0.01, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2];
  for (let i = 0; i < 20; i++) {
    const { status, counters } = pair.timeOfImpact({ a: at(0), b: { from: place(i), to: place(i + 1) } });
    expect(status).toBe('clear');
    expect(counters).toEqual({ volumePairs: 1, trianglePairs: 0, queries: 1 });
  }
});

test('bodies at rest are clear or meet at once', () => {
  expect(timeOfImpact(cube, cube, { a: at(0), b: at(2) })).toMatchObject({ status: 'clear', impact: false });
  expect(timeOfImpact(cube, cube, { a: at(0), b: at(0.5) })).toMatchObject({ status: 'impact', time: 0 });
  const { least } = validateMotion(cube, cube, { a: at(0), b: at(2) });
  expect(least).toMatchObject({ upper: 1 });
  expect(least!.lower).toBeGreaterThanOrEqual(0.99);
});

test('a search that is stopped says until when it has proven the motion clear', () => {
  const torus = new ProximityModel(findModel('torus').build());
  const motion: Motion = { a: at(0), b: { from: at(3), to: [0, 0, 0, 0, 0.6, 0, 0.8] } };
  const { lower } = timeOfImpact(torus, torus, motion);
  const stopped = timeOfImpact(torus, torus, motion, { maxPairs: 50 });
  expect(stopped).toMatchObject({ status: 'unresolved', impact: false, time: null, upper: null });
  expect(stopped.lower).toBeLessThanOrEqual(lower);
  expect(stopped.counters.volumePairs + stopped.counters.trianglePairs).toBeLessThan(200);
});
