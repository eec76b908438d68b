// Budgets are kept wherever the time goes. The clock is counted, not real: it goes on by a fixed amount whenever it is
// read, so that work between two readings takes no time, and a query that never looks at the clock would never end.
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Pose } from '../../src/core/pose.js';
import { findModel } from '../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { PenetrationPair } from '../../src/penetration/motion/penetration-pair.js';
import { preparePenetration } from '../../src/penetration/prepare-penetration.js';
import type { PenetrationResult } from '../../src/penetration/result.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { measureDistance } from '../../src/proximity/queries.js';
import { codeOf } from '../error-code.js';
import { selectFaces, sphereGrid } from '../generators/surfaces.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';

const mesh = findModel('cup').build({ segments: 24, wallBands: 16, handleBands: 10 });
const oracle = prepareOracle(mesh.positions, mesh.indices);
const HERE: Pose = [0, 0, 0, 0, 0, 0, 1];
const THERE: Pose = [0.1, 0.05, 0.02, 0, 0.6, 0, 0.8];

afterEach(() => {
  vi.restoreAllMocks();
});

/** A clock that goes on by a tenth of a millisecond with each reading; returns how often it was read. */
function countClock(): () => number {
  let readings = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => 0.1 * readings++);
  return () => readings;
}

/** A move of this answer separates the models, by the oracle, and they meet where they are. */
function checkMove(result: PenetrationResult): void {
  expect(result.intersects).toBe(true);
  expect(result.lower).toBeLessThanOrEqual(result.upper);
  expect(Math.hypot(...result.vector)).toBeCloseTo(result.upper, 12);
  const moved = HERE.map((value, k) => (k < 3 ? value + result.vector[k] : value));
  expect(measureByBruteForce(oracle, oracle, placeInFrame(mesh.positions, moved, THERE)).intersects).toBe(false);
}

describe('budgets', () => {
  test('of models that are not prepared: hulls are continued by the next query, and there is always an answer', () => {
    const a = new ProximityModel(mesh);
    const b = new ProximityModel(mesh);
    const readings = countClock();
    let queries = 0;
    let last: PenetrationResult;
    do {
      const before = readings();
      last = measurePenetrationSync(a, b, HERE, THERE, { maxMilliseconds: 36 });
      checkMove(last);
      // 360 readings are the budget; what remains after it reads the clock a few times more.
      expect(readings() - before).toBeLessThan(390);
      queries++;
    } while (last.levels.length === 0 && queries < 100);
    expect(queries).toBeGreaterThan(1);
    expect(queries).toBeLessThan(100);
  });

  test.each([0, 5, 50])('of %d ms for prepared models end in time, with an interval that holds', (limit) => {
    const a = new ProximityModel(mesh);
    preparePenetration(a);
    const readings = countClock();
    const result = measurePenetrationSync(a, a, HERE, THERE, { maxMilliseconds: limit, relativeGap: 1e-9 });
    expect(readings()).toBeLessThan(10 * limit + 30);
    expect(result.status).toBe('budget');
    // The balls inside are known: no budget is too short for them.
    expect(result.lower).toBeGreaterThan(0);
    checkMove(result);
  });

  test.each([0, 5, 50, 400])('of %d ms hold while models are solidified', (limit) => {
    const broken = { ...mesh, indices: mesh.indices.filter((_, i) => Math.floor(i / 3) % 97 !== 5) };
    const [a, b] = [new ProximityModel(broken), new ProximityModel(broken)];
    const solidify = { resolution: 12 };
    const readings = countClock();
    const result = measurePenetrationSync(a, b, HERE, THERE, { maxMilliseconds: limit, solidify });
    expect(readings()).toBeLessThan(10 * limit + 40);
    expect(result).toMatchObject({ status: 'budget', intersects: true });
    expect(result.lower).toBeLessThanOrEqual(result.upper);
    const moved = HERE.map((value, k) => (k < 3 ? value + result.vector[k] : value));
    expect(measureDistance(a, b, moved, THERE).intersects).toBe(false);
  });

  test('leave neither a stand-in that is not whole nor their deadline to the next query', () => {
    const ball = new ProximityModel(selectFaces(sphereGrid(4), (face) => face % 37 !== 5));
    const options = { solidify: { resolution: 8 }, relativeGap: 0.3 };
    const there: Pose = [1.3, 0, 0, 0, 0, 0, 1];
    countClock();
    expect(measurePenetrationSync(ball, ball, HERE, there, { ...options, maxMilliseconds: 3 }).solidified).toBe(
      undefined,
    );
    const whole = measurePenetrationSync(ball, ball, HERE, there, options);
    expect(whole.solidified!.errorA).toBeGreaterThan(0);
    measurePenetrationSync(ball, ball, HERE, there, { ...options, maxMilliseconds: 3 });
    const { lower, upper } = measurePenetrationSync(ball, ball, HERE, there, options);
    expect({ lower, upper }).toEqual({ lower: whole.lower, upper: whole.upper });
  });

  test('a longer budget never gives a wider interval by much, and no budget the whole answer', () => {
    const a = new ProximityModel(mesh);
    preparePenetration(a);
    countClock();
    const [short, long] = [1, 100].map((maxMilliseconds) =>
      measurePenetrationSync(a, a, HERE, THERE, { maxMilliseconds }),
    );
    const whole = measurePenetrationSync(a, a, HERE, THERE, { relativeGap: 0.3 });
    expect(long.upper).toBeLessThanOrEqual(short.upper);
    expect(long.lower).toBeGreaterThanOrEqual(short.lower);
    for (const { lower, upper } of [short, long]) {
      expect(lower).toBeLessThanOrEqual(whole.upper);
      expect(upper).toBeGreaterThanOrEqual(whole.lower);
    }
  });

  test('of pairs hold too, and the next query without one is whole', () => {
    const a = new ProximityModel(mesh);
    const readings = countClock();
    const first = new PenetrationPair(a, a, { maxMilliseconds: 20 }).measure(HERE, THERE);
    expect(readings()).toBeLessThan(220);
    expect(first.status).toBe('budget');
    expect(measurePenetrationSync(a, a, HERE, THERE, { relativeGap: 0.5 }).status).not.toBe('separate');
  });

  test('models whose boxes are apart are separate without preparation', () => {
    const a = new ProximityModel(mesh);
    const result = measurePenetrationSync(a, a, HERE, [9, 0, 0, 0, 0, 0, 1], { maxMilliseconds: 0 });
    expect(result).toMatchObject({ status: 'separate', intersects: false, depth: 0 });
  });

  test("the caller's abort is not a budget", () => {
    const a = new ProximityModel(mesh);
    preparePenetration(a);
    const options = { maxMilliseconds: 1e6, signal: { aborted: true } };
    expect(codeOf(() => measurePenetrationSync(a, a, HERE, THERE, options))).toBe('aborted');
  });
});
