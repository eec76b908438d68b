import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import type { PoolWorker } from '../../../src/pool/port.js';
import type { PoolOptions } from '../../../src/pool/worker-pool.js';
import { type BatchAnswers, type BatchQueries, QueryBatch, runBatch } from '../../../src/proximity/batch/batch.js';
import { BatchPool } from '../../../src/proximity/batch/batch-pool.js';
import { serveBatches } from '../../../src/proximity/batch/serve-batches.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { measureDistance, testIntersection, testTolerance } from '../../../src/proximity/queries.js';
import { boxMesh, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { bundleWorkerScript } from './worker-script.js';

const models = [torusGrid(12, 6, 0.7, 0.25), sphereGrid(6, 0.8), boxMesh([-1, -0.5, -0.5], [1, 0.5, 0.5])].map(
  (mesh) => new ProximityModel(mesh),
);

function makeBatch(count: number, seed = 17): QueryBatch {
  const random = createRandom(seed);
  const batch = new QueryBatch();
  const somewhere = (): Pose => {
    const [x, y, z] = [0, 1, 2].map(() => random.range(-1.1, 1.1));
    return [x, y, z, ...random.rotation()];
  };
  for (let k = 0; k < count; k++) {
    const [a, b] = [random.integer(3), random.integer(3)];
    if (k % 3 === 0) batch.addIntersection(a, b, somewhere(), somewhere());
    else if (k % 3 === 1) batch.addWithin(a, b, somewhere(), somewhere(), 0.15);
    else batch.addDistance(a, b, somewhere(), somewhere(), k % 2 === 0 ? 0.5 : undefined);
  }
  return batch;
}

/** The bits of the answers: NaN equals itself, 0 is not −0. */
const bitsOf = ({ hits, distances, points, counters }: BatchAnswers) => ({
  hits: [...hits],
  distances: [...new BigUint64Array(distances.slice().buffer)],
  points: [...new BigUint64Array(points.slice().buffer)],
  counters,
});

let script = '';
const pools: BatchPool[] = [];

beforeAll(async () => {
  script = await bundleWorkerScript();
});

afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

function openPool(workers: PoolWorker[], options?: PoolOptions): BatchPool {
  const pool = new BatchPool(workers, options);
  pools.push(pool);
  return pool;
}

const threads = (count: number): Worker[] => Array.from({ length: count }, () => new Worker(script, { eval: true }));
const refusal = (run: Promise<unknown>) =>
  run.then(
    () => ({ code: 'answered', message: '' }),
    (error: { code: string; message: string }) => error,
  );

describe('runBatch', () => {
  test('answers each query as a stateless call does', () => {
    const batch = makeBatch(300);
    const answers = runBatch(models, batch);
    const hits = { yes: 0, no: 0 };
    for (let k = 0; k < batch.count; k++) {
      const [a, b] = [models[batch.models[2 * k]], models[batch.models[2 * k + 1]]];
      const poseA = batch.poses.slice(14 * k, 14 * k + 7);
      const poseB = batch.poses.slice(14 * k + 7, 14 * k + 14);
      if (k % 3 === 0) {
        expect(answers.hits[k]).toBe(Number(testIntersection(a, b, poseA, poseB).intersects));
        expect(answers.distances[k]).toBeNaN();
      } else if (k % 3 === 1) {
        expect(answers.hits[k]).toBe(Number(testTolerance(a, b, poseA, poseB, 0.15).within));
        expect(answers.points[6 * k]).toBeNaN();
      } else {
        const cutoff = batch.limits[k];
        const { intersects, distance, witness } = measureDistance(a, b, poseA, poseB, { cutoff });
        expect(answers.hits[k]).toBe(Number(intersects));
        expect(answers.distances[k]).toBe(distance ?? Infinity);
        const points = [...answers.points.subarray(6 * k, 6 * k + 6)];
        if (witness === null) expect(points.every(Number.isNaN)).toBe(true);
        else expect(points).toEqual([...witness.pointA, ...witness.pointB]);
      }
      hits[answers.hits[k] === 1 ? 'yes' : 'no']++;
    }
    expect(hits.yes / batch.count).toBeGreaterThan(0.3);
    expect(hits.yes / batch.count).toBeLessThan(0.7);
    expect(answers.counters.volumePairs).toBeGreaterThan(batch.count);
  });

  test('answers no queries', () => {
    expect(runBatch(models, new QueryBatch()).hits).toHaveLength(0);
  });

  test('keeps the allowed errors', () => {
    const batch = makeBatch(300);
    const exact = runBatch(models, batch).distances;
    const loose = runBatch(models, batch, { relativeError: 0.5 }).distances;
    let larger = 0;
    for (let k = 0; k < batch.count; k++) {
      if (!(exact[k] > 0 && exact[k] < 0.3)) continue;
      expect(loose[k]).toBeGreaterThanOrEqual(exact[k] * (1 - 1e-12));
      expect(loose[k]).toBeLessThanOrEqual(1.5 * exact[k] * (1 + 1e-12));
      if (loose[k] > exact[k]) larger++;
    }
    expect(larger).toBeGreaterThan(0);
  });

  test('refuses what cannot be answered, and names the query', () => {
    const batch = makeBatch(5);
    const altered = (change: (queries: QueryBatch) => void): BatchQueries => {
      const copy = makeBatch(5);
      change(copy);
      return copy;
    };
    expect(() => runBatch(models.slice(0, 1), batch)).toThrow(/names model/);
    expect(() =>
      runBatch(
        models,
        altered((q) => (q.kinds[3] = 7)),
      ),
    ).toThrow(/Query 3/);
    expect(() =>
      runBatch(
        models,
        altered((q) => (q.poses[14 * 2] = Number.NaN)),
      ),
    ).toThrow(/query 2/);
    expect(() =>
      runBatch(
        models,
        altered((q) => (q.limits[1] = -1)),
      ),
    ).toThrow(/query 1/);
    expect(() =>
      runBatch(
        models,
        altered((q) => (q.count = 99)),
      ),
    ).toThrow(/need 99/);
    expect(() => batch.addDistance(-1, 0, [0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1])).toThrow(/model is -1/);
    expect(() => batch.addWithin(0, 0, [0, 0, 0, 0, 0, 0, 1], [0, 0, 0, 0, 0, 0, 1], -1)).toThrow(/tolerance/);
    expect(() => runBatch(models, batch, { signal: { aborted: true } })).toThrow(/Stopped/);
  });
});

describe('BatchPool', () => {
  test.each([1, 2, 3])(
    'gives the bits of a single thread with %d workers, in shared memory and by messages',
    async (count) => {
      const batch = makeBatch(400);
      const expected = bitsOf(runBatch(models, batch));
      for (const shared of [true, false]) {
        const pool = openPool(threads(count), { shared });
        expect(pool.size).toBe(count);
        expect(bitsOf(await pool.run(models, batch))).toEqual(expected);
      }
    },
  );

  test('answers batch after batch, with other models, in the order asked', async () => {
    const pool = openPool(threads(2));
    const order: number[] = [];
    const batches = [makeBatch(50, 1), makeBatch(70, 2), makeBatch(0), makeBatch(60, 3)];
    const lists = [models, [...models].reverse(), models, models];
    const all = await Promise.all(
      batches.map(async (batch, k) => {
        const answers = await pool.run(lists[k], batch);
        order.push(k);
        return bitsOf(answers);
      }),
    );
    expect(order).toEqual([0, 1, 2, 3]);
    for (const [k, bits] of all.entries()) expect(bits).toEqual(bitsOf(runBatch(lists[k], batches[k])));
  });

  test('serves over any port: here one in the same thread', async () => {
    const { port1, port2 } = new MessageChannel();
    serveBatches(port2);
    const batch = makeBatch(100);
    const pool = openPool([port1], { shared: false });
    expect(bitsOf(await pool.run(models, batch))).toEqual(bitsOf(runBatch(models, batch)));
    port1.close();
  });

  test('tells progress, and stops when asked to', async () => {
    const pool = openPool(threads(2));
    const batch = makeBatch(2000);
    const told: number[] = [];
    await pool.run(models, batch, { onProgress: (fraction) => told.push(fraction) });
    expect(told[0]).toBe(0);
    expect(told.at(-1)).toBe(1);
    expect(told.length).toBeGreaterThan(10);
    expect(told.every((value, k) => k === 0 || value > told[k - 1])).toBe(true);

    const controller = new AbortController();
    const stopped = refusal(
      pool.run(models, batch, { signal: controller.signal, onProgress: (f) => f > 0 && controller.abort() }),
    );
    expect((await stopped).code).toBe('aborted');
    expect((await refusal(pool.run(models, batch, { signal: { aborted: true } }))).code).toBe('aborted');
    const late = new AbortController();
    const running = refusal(pool.run(models, makeBatch(20_000), { signal: late.signal }));
    setImmediate(() => late.abort());
    expect((await running).code).toBe('aborted');
    // The pool goes on.
    expect((await pool.run(models, makeBatch(10))).hits).toHaveLength(10);
  });

  test('says so when a worker dies at work, and goes on with the others', async () => {
    const dying = new Worker(
      `const { parentPort } = require('node:worker_threads');
       parentPort.on('message', ({ type }) => {
         if (type === 'hello') parentPort.postMessage({ type: 'ready' });
         if (type === 'range') process.exit(3);
       });`,
      { eval: true },
    );
    const pool = openPool([...threads(1), dying]);
    const batch = makeBatch(300);
    const lost = await refusal(pool.run(models, batch));
    expect(lost.message).toMatch(/worker of the pool is lost: it ended with code 3/);
    expect(pool.size).toBe(1);
    expect(bitsOf(await pool.run(models, batch))).toEqual(bitsOf(runBatch(models, batch)));
  });

  test('says so when a worker throws, does not start, or is no server', async () => {
    const batch = makeBatch(30);
    const throwing = openPool([new Worker("throw new Error('no luck')", { eval: true })]);
    expect((await refusal(throwing.run(models, batch))).message).toMatch(/lost: no luck/);
    expect((await refusal(throwing.run(models, batch))).message).toMatch(/lost: no luck/);
    const deaf = openPool([new Worker('setInterval(() => {}, 1000)', { eval: true })], { startTimeout: 300 });
    expect((await refusal(deaf.run(models, batch))).message).toMatch(/no answer within 300 ms/);
    expect(() => new BatchPool([])).toThrow(/no workers/);
    expect(() => new BatchPool([{ postMessage: () => {} }])).toThrow(/addEventListener/);
  });

  test('refuses after it is closed, and rejects what is at work then', async () => {
    const pool = openPool(threads(1));
    const batch = makeBatch(20_000);
    const running = refusal(pool.run(models, batch, { onProgress: (f) => f > 0 && pool.close() }));
    expect((await running).message).toMatch(/closed/);
    expect((await refusal(pool.run(models, batch))).message).toMatch(/closed/);
  });

  test('hands on what a query throws', async () => {
    const failing: PoolWorker = {
      postMessage: (message) => {
        const { type, run } = message as { type: string; run: number };
        const reply =
          type === 'hello'
            ? { type: 'ready' }
            : { type: 'failed', run, code: 'degenerate', message: 'a bad one', location: { face: 2 } };
        if (type !== 'begin') setTimeout(() => hear(new MessageEvent('message', { data: reply })), 0);
      },
      addEventListener: (type, listener) => {
        if (type === 'message') hear = listener;
      },
    };
    let hear: (event: Event) => void = () => {};
    const pool = openPool([failing], { shared: false });
    expect(await refusal(pool.run(models, makeBatch(3)))).toMatchObject({
      code: 'degenerate',
      message: 'a bad one',
      location: { face: 2 },
    });
  });
});
