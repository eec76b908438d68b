// Growth in the threads of a pool, against the same growth in this thread.
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIce } from '../../src/ice/create-ice.js';
import type { IceState, IceWork } from '../../src/ice/ice.js';
import type { IceOptions } from '../../src/ice/options.js';
import { createIceOnModel } from '../../src/ice/shape/ice-on-model.js';
import { findModel } from '../../src/models/catalogue.js';
import type { PoolWorker } from '../../src/pool/port.js';
import { BatchPool } from '../../src/proximity/batch/batch-pool.js';
import { prepareInPool } from '../../src/proximity/batch/pool-queries.js';
import { serveBatches } from '../../src/proximity/batch/serve-batches.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { laterCodeOf } from '../error-code.js';
import { bundleWorkerScript } from '../proximity/batch/worker-script.js';

let script = '';
/** Pools of one, two and three workers, which growths share. */
let pools: readonly BatchPool[] = [];

beforeAll(async () => {
  script = await bundleWorkerScript();
  pools = [1, 2, 3].map(openPool);
});
afterAll(() => {
  for (const pool of pools) pool.close();
});

function openPool(count: number): BatchPool {
  return new BatchPool(Array.from({ length: count }, () => new Worker(script, { eval: true })));
}

const SEEDS = [
  { center: [0, 0, 0], radius: 0.1, phase: 1 },
  { center: [0.8, 0.5, 0.2], radius: 0.06, phase: 1 },
  { center: [-0.3, 0.3, 0.1], radius: 0.1, obstacle: true },
  { center: [-0.9, -0.6, 0], radius: 0.2, temperature: -0.4 },
];

interface Grown {
  readonly state: IceState;
  readonly work: IceWork;
}

/** Steps, a stroke, and more steps. */
async function grow(options: IceOptions, steps: number): Promise<Grown> {
  const ice = await createIce({ seeds: SEEDS, wallTemperature: -0.1, ...options });
  expect(ice.workers).toBe(options.pool?.size ?? 0);
  expect(ice.precision).toBe(options.precision ?? 'float32');
  const work = await ice.advance(steps);
  ice.paint([{ center: [0.3, -0.6, 0], radius: 0.1, phase: 1 }]);
  await ice.advance(steps >> 1);
  return { state: await ice.read(), work };
}

function expectSame(a: Grown, b: Grown): void {
  for (const name of ['phase', 'temperature'] as const) {
    expect(Buffer.from(a.state[name].buffer).equals(Buffer.from(b.state[name].buffer)), name).toBe(true);
  }
  expect([a.state.steps, a.state.time, a.work]).toEqual([b.state.steps, b.state.time, b.work]);
}

describe('the bits are those of one thread', () => {
  test.each([
    [[131, 97], 40],
    [[40, 27, 21], 12],
  ] as const)('with one, two and three workers: %j', async (size, steps) => {
    for (const options of [
      { band: true },
      { band: false, boundary: 'periodic' },
      { band: true, scheme: 'semi-implicit', boundary: 'fixed' },
      { band: false, scheme: 'semi-implicit', boundary: 'periodic' },
      { band: true, precision: 'float64', boundary: 'fixed' },
    ] as const) {
      const here = await grow({ size, ...options }, steps);
      expect(here.state.phase.filter((p) => p > 0 && p < 1).length).toBeGreaterThan(100);
      for (const pool of pools) expectSame(await grow({ size, ...options, pool }, steps), here);
    }
  });

  test('with more workers than tiles, and on a model', async () => {
    const [, , pool] = pools;
    expectSame(await grow({ size: [9, 5], pool }, 30), await grow({ size: [9, 5] }, 30));
    const torus = findModel('torus').build();
    const [here, there] = [
      await createIceOnModel(torus, { resolution: 24 }),
      await createIceOnModel(torus, { resolution: 24, pool }),
    ];
    await Promise.all([here.advance(20), there.advance(20)]);
    expect((await there.read()).phase).toEqual((await here.read()).phase);
  });

  test('with two growths at a time and other tasks between them', async () => {
    const [, pool] = pools;
    const one = { size: [120, 80] };
    const other = { size: [70, 90], seed: 5 };
    const model = new ProximityModel(findModel('torus').build());
    const [a, , b] = await Promise.all([
      grow({ ...one, pool }, 60),
      prepareInPool(pool, model),
      grow({ ...other, pool }, 60),
    ]);
    expectSame(a, await grow(one, 60));
    expectSame(b, await grow(other, 60));
  });
});

describe('a growth in workers', () => {
  test('reports progress, stops at an abort after a whole step, and goes on', async () => {
    const [, pool] = pools;
    const ice = await createIce({ size: [256, 256], band: false, pool });
    const controller = new AbortController();
    const fractions: number[] = [];
    const onProgress = (fraction: number): void => {
      fractions.push(fraction);
      if (fractions.length === 3) controller.abort();
    };
    expect(await laterCodeOf(() => ice.advance(100_000, { onProgress, signal: controller.signal }))).toBe('aborted');
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    const stoppedAt = ice.steps;
    expect(stoppedAt).toBeGreaterThan(0);
    expect(stoppedAt).toBeLessThan(100_000);
    await ice.advance(5);
    const plain = await createIce({ size: [256, 256], band: false });
    await plain.advance(stoppedAt + 5);
    expect((await ice.read()).phase).toEqual((await plain.read()).phase);
  });

  test('is not painted on while it grows, and reads wait', async () => {
    const ice = await createIce({ size: [64, 64], pool: pools[0] });
    const running = ice.advance(200);
    const after = ice.advance(100);
    expect(() => ice.paint([{ center: [0, 0], radius: 1, phase: 1 }])).toThrow('await');
    expect((await ice.read()).steps).toBe(300);
    expect([(await running).steps, (await after).steps]).toEqual([200, 100]);
    ice.paint([{ center: [0, 0], radius: 1, phase: 1 }]);
    expect((await ice.advance(0)).steps).toBe(0);
  });

  test('an error of the progress callback stops it and comes out', async () => {
    const ice = await createIce({ size: [128, 128], band: false, pool: pools[1] });
    let reports = 0;
    const onProgress = (): void => {
      if (++reports > 2) throw new RangeError('enough');
    };
    await expect(ice.advance(1e6, { onProgress })).rejects.toThrow('enough');
    expect((await ice.advance(3)).steps).toBe(3);
  });

  test('without shared memory this thread does the steps, and it says so', async () => {
    const { port1, port2 } = new MessageChannel();
    serveBatches(port2);
    const pool = new BatchPool([port1 as unknown as PoolWorker], { shared: false });
    const ice = await createIce({ size: [32, 32], pool });
    expect(ice.workers).toBe(0);
    await ice.advance(20);
    const plain = await createIce({ size: [32, 32] });
    await plain.advance(20);
    expect((await ice.read()).phase).toEqual((await plain.read()).phase);
    pool.close();
    port2.close();
  });

  test('a script that serves no ice, a closed pool and a lost worker are told', async () => {
    const { port1, port2 } = new MessageChannel();
    serveBatches(port2);
    const without = new BatchPool([port1 as unknown as PoolWorker]);
    const unserved = await createIce({ size: [32, 32], pool: without });
    expect(await laterCodeOf(() => unserved.advance(1))).toBe('unsupported');
    without.close();
    port2.close();
    const worker = new Worker(script, { eval: true });
    const pool = new BatchPool([new Worker(script, { eval: true }), worker]);
    const ice = await createIce({ size: [256, 256], band: false, pool });
    await ice.advance(3);
    const running = laterCodeOf(() => ice.advance(1e6));
    setTimeout(() => worker.terminate(), 100);
    expect(await running).toBe('device-lost');
    expect(await laterCodeOf(() => ice.read())).toBe('device-lost');
    pool.close();
    const late = await createIce({ size: [32, 32], pool });
    expect(await laterCodeOf(() => late.advance(1))).toBe('bad-argument');
    expect(await laterCodeOf(() => createIce({ size: [32, 32], pool: {} as BatchPool }))).toBe('bad-argument');
  });
});
