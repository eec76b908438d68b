// Many questions as jobs of a pool: the bits of one thread, wherever the jobs are cut, and a pair that fails fails alone.
import { expect, test } from 'vitest';
import { findClashes } from '../../../src/clash/find-clashes.js';
import { gradeClashes } from '../../../src/clash/grade-clashes.js';
import { gradeClashesInPool } from '../../../src/clash/grade-clashes-in-pool.js';
import { NearfieldError } from '../../../src/core/errors.js';
import * as pose from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { findModel } from '../../../src/models/catalogue.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { measurePenetrationOfPairsInPool } from '../../../src/penetration/penetration-in-pool.js';
import { QueryBatch, runBatch } from '../../../src/proximity/batch/batch.js';
import { runBatchInPool } from '../../../src/proximity/batch/batch-in-pool.js';
import { findContactsOfPairsInPool } from '../../../src/proximity/batch/pool-queries.js';
import { PROXIMITY_TASKS } from '../../../src/proximity/batch/proximity-tasks.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { findContacts } from '../../../src/proximity/queries.js';
import { DirectPool } from '../../cluster/direct-pool.js';
import { codeOf, laterCodeOf } from '../../error-code.js';

const models = ['letter-a', 'letter-s', 'spoon'].map((name) => new ProximityModel(findModel(name).build()));
const sheet = new ProximityModel({
  positions: Float64Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
  indices: Uint32Array.of(0, 1, 2),
});
const here = pose.identity();

function pairsOf(count: number, reach: number) {
  const random = createRandom(3);
  return Array.from({ length: count }, () => ({
    a: models[random.integer(3)],
    b: models[random.integer(3)],
    poseA: here,
    poseB: [...random.direction().map((x) => reach * x), ...random.rotation()] as pose.Pose,
  }));
}

const timeless = (result: unknown): unknown =>
  JSON.parse(JSON.stringify(result, (key, value) => (/milliseconds/i.test(key) ? 0 : value)));

test('a batch of all kinds', async () => {
  const batch = new QueryBatch();
  for (const [i, { a, b, poseB }] of pairsOf(900, 0.7).entries()) {
    const [first, second] = [models.indexOf(a), models.indexOf(b)];
    if (i % 3 === 0) batch.addIntersection(first, second, here, poseB);
    else if (i % 3 === 1) batch.addWithin(first, second, here, poseB, 0.3);
    else batch.addDistance(first, second, here, poseB);
  }
  const alone = runBatch(models, batch);
  const pool = new DirectPool();
  const seen: number[] = [];
  const apart = await runBatchInPool(pool, models, batch, { onProgress: (fraction) => seen.push(fraction) });
  expect(apart).toEqual(alone);
  expect(pool.calls.length).toBeGreaterThan(1);
  expect(seen).toEqual([...seen].sort((p, q) => p - q));
  expect(seen.at(-1)).toBe(1);
  const share = alone.hits.reduce((sum, hit) => sum + hit, 0) / batch.count;
  expect(share).toBeGreaterThan(0.2);
  expect(share).toBeLessThan(0.8);
  const empty = await runBatchInPool(pool, models, new QueryBatch());
  expect(empty).toEqual(runBatch(models, new QueryBatch()));
});

test('contacts and depths of many pairs, one of which has none', async () => {
  const pool = new DirectPool();
  const near = pairsOf(400, 0.8);
  const contacts = await findContactsOfPairsInPool(pool, near, { tolerance: 0.3 });
  expect(contacts).toEqual(near.map(({ a, b, poseA, poseB }) => findContacts(a, b, poseA, poseB, { tolerance: 0.3 })));
  expect(pool.calls.length).toBeGreaterThan(1);
  const deep = pairsOf(20, 0.1);
  const depths = await measurePenetrationOfPairsInPool(pool, [...deep, { ...deep[0], a: sheet }]);
  const failed = depths.pop();
  expect(failed).toBeInstanceOf(NearfieldError);
  expect((failed as NearfieldError).code).toBe('open-mesh');
  expect(timeless(depths)).toEqual(
    timeless(deep.map(({ a, b, poseA, poseB }) => measurePenetrationSync(a, b, poseA, poseB))),
  );
});

test('grades of clashes, within a time and without', async () => {
  const parts = pairsOf(12, 0.4).map(({ a, poseB }, i) => ({ name: `${i}`, model: a, pose: poseB }));
  const all = [...parts, { name: 'sheet', model: sheet, pose: here }];
  const clashes = findClashes(all, { clearance: 0.05 }).clashes;
  const pool = new DirectPool();
  // No limit: a busy machine must not decide.
  const how = { pairMilliseconds: Infinity, relativeGap: 0.1 };
  const graded = await gradeClashesInPool(pool, all, clashes, how);
  expect(graded).toEqual(gradeClashes(all, clashes, how));
  expect(new Set(graded.map(({ grade }) => grade)).size).toBeGreaterThan(1);
  expect(graded.some(({ reason }) => reason !== null)).toBe(true);
  expect(pool.calls.length).toBeGreaterThan(1);
  const late = await gradeClashesInPool(pool, all, clashes, { maxMilliseconds: 0 });
  expect(late).toEqual(gradeClashes(all, clashes, { maxMilliseconds: 0 }));
});

test('refuses a value that is not a list of pairs, here and in the worker', async () => {
  const pool = new DirectPool();
  const [pair] = pairsOf(1, 1);
  for (const pairs of [null, [null], [{ ...pair, a: null }], [{ ...pair, poseB: [1] }]]) {
    expect(await laterCodeOf(() => measurePenetrationOfPairsInPool(pool, pairs as never))).toBe('bad-argument');
  }
  expect(await laterCodeOf(() => findContactsOfPairsInPool(pool, [pair], { tolerance: -1 }))).toBe('bad-argument');
  expect(await laterCodeOf(() => measurePenetrationOfPairsInPool(pool, [pair], { trace: () => {} }))).toBe(
    'bad-argument',
  );
  expect(pool.calls).toEqual([]);
  const task = PROXIMITY_TASKS['proximity/contacts-of-pairs'];
  for (const input of [
    { models: [0, 0], poses: new Float64Array(14) },
    { models: Uint32Array.of(0, 1), poses: new Float64Array(14) },
    { models: Uint32Array.of(0, 0), poses: new Float64Array(13) },
  ]) {
    expect(codeOf(() => task([models[0]], { ...input, options: { tolerance: 1 } } as never, {}))).toBe('bad-argument');
  }
});
