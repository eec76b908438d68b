// Tasks of a pool in real threads, against the same calls in this thread.
import { MessageChannel, Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import * as pose from '../../../src/core/pose.js';
import { createRandom } from '../../../src/core/random.js';
import { writeHierarchy } from '../../../src/decomposition/hierarchy/hierarchy-file.js';
import { computeFieldSync } from '../../../src/field/compute-field.js';
import { computeFieldInPool } from '../../../src/field/field-in-pool.js';
import { gridOverBox } from '../../../src/field/grid.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { measurePenetrationInPool } from '../../../src/penetration/penetration-in-pool.js';
import type { PoolWorker } from '../../../src/pool/port.js';
import { BatchPool } from '../../../src/proximity/batch/batch-pool.js';
import { findContactsInPool, prepareInPool } from '../../../src/proximity/batch/pool-queries.js';
import { serveBatches } from '../../../src/proximity/batch/serve-batches.js';
import { areHullsAsked, hullsOf } from '../../../src/proximity/hulls/model-hulls.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { findContacts } from '../../../src/proximity/queries.js';
import { laterCodeOf } from '../../error-code.js';
import { sheet, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { bundleWorkerScript } from './worker-script.js';

const here = pose.identity();
const torus = (): ProximityModel => new ProximityModel(torusGrid(12, 8, 0.7, 0.25));
let script = '';
const pools: BatchPool[] = [];

beforeAll(async () => {
  script = await bundleWorkerScript();
});
afterEach(() => {
  for (const pool of pools.splice(0)) pool.close();
});

function openPool(count: number, options?: { shared: boolean }): BatchPool {
  const pool = new BatchPool(
    Array.from({ length: count }, () => new Worker(script, { eval: true })),
    options,
  );
  pools.push(pool);
  return pool;
}

/** A pool whose one worker is this thread. */
function openOwnPool(): { pool: BatchPool; close(): void } {
  const { port1, port2 } = new MessageChannel();
  serveBatches(port2, { echo: (_, input: unknown) => input, never: () => new Promise(() => {}) });
  const pool = new BatchPool([port1 as unknown as PoolWorker], { shared: false });
  pools.push(pool);
  return { pool, close: () => port2.close() };
}

/** Without what depends on the clock. */
function timeless<Result extends { levels: readonly object[] }>({ levels, ...rest }: Result): object {
  const strip = (value: object): object =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !/milliseconds/i.test(key)));
  return { ...strip(rest), levels: levels.map(strip) };
}

describe.each([true, false])('in threads, with shared memory: %s', (shared) => {
  test('hulls are those made here, and the model has them', async () => {
    const pool = openPool(1, { shared });
    const [there, local] = [torus(), torus()];
    await prepareInPool(pool, there);
    expect(areHullsAsked(there)).toBe(true);
    expect(writeHierarchy(hullsOf(there))).toEqual(writeHierarchy(hullsOf(local)));
  });

  test('contacts, depths and fields have the same bits as here, for more tasks than workers', async () => {
    const pool = openPool(2, { shared });
    const random = createRandom(3);
    const [a, b] = [torus(), new ProximityModel(sphereGrid(6, 0.5))];
    const poses = Array.from({ length: 7 }, () =>
      pose.create([random.range(-0.9, 0.9), random.range(-0.9, 0.9), random.range(-0.9, 0.9)], random.rotation()),
    );
    const depths = await Promise.all(poses.map((place) => measurePenetrationInPool(pool, a, b, here, place)));
    expect(depths.some(({ intersects }) => intersects) && depths.some(({ intersects }) => !intersects)).toBe(true);
    expect(depths.map(timeless)).toEqual(poses.map((place) => timeless(measurePenetrationSync(a, b, here, place))));
    const options = { tolerance: 0.3 };
    const contacts = await Promise.all(poses.map((place) => findContactsInPool(pool, a, b, here, place, options)));
    expect(contacts.some((result) => result.contacts.length > 0)).toBe(true);
    expect(contacts).toEqual(poses.map((place) => findContacts(a, b, here, place, options)));
    const frame = gridOverBox({ min: [-1, -1, -1], max: [1, 1, 1] }, 12);
    expect(await computeFieldInPool(pool, a.mesh, frame)).toEqual(computeFieldSync(a.mesh, frame));
  });
});

describe('failures', () => {
  test('are those of the call: an open mesh, a bad option, a task that the script lacks', async () => {
    const pool = openPool(1);
    const open = new ProximityModel(sheet(2));
    expect(await laterCodeOf(() => measurePenetrationInPool(pool, open, torus(), here, here))).toBe('open-mesh');
    const trace = (): void => {};
    expect(await laterCodeOf(() => measurePenetrationInPool(pool, open, open, here, here, { trace }))).toBe(
      'bad-argument',
    );
    expect(await laterCodeOf(() => pool.call('no/such', [], null))).toBe('unsupported');
    expect(await laterCodeOf(() => pool.call('toString', [], null))).toBe('unsupported');
    // The worker goes on.
    await prepareInPool(pool, torus());
  });

  test('what cannot be sent is refused, and the next task runs', async () => {
    const { pool } = openOwnPool();
    expect(await laterCodeOf(() => pool.call('echo', [], { call: () => 0 }))).toBe('bad-argument');
    expect(await pool.call('echo', [], { x: [1, 2] })).toEqual({ x: [1, 2] });
  });

  test('an abort ends a waiting and a running task; the pool goes on', async () => {
    const pool = openPool(1);
    const dense = new ProximityModel(torusGrid(64, 48, 0.7, 0.25));
    const controllers = [new AbortController(), new AbortController()];
    const tasks = controllers.map(({ signal }) =>
      laterCodeOf(() =>
        measurePenetrationInPool(pool, dense, dense, here, pose.create([0.1, 0.2, 0.3], [0, 0, 0, 1]), {
          relativeGap: 1e-9,
          maxCells: 1e9,
          signal,
        }),
      ),
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    for (const controller of controllers) controller.abort();
    expect(await Promise.all(tasks)).toEqual(['aborted', 'aborted']);
    await prepareInPool(pool, torus());
  });

  test('a lost worker and a closed pool reject what is running and what waits', async () => {
    const { pool, close } = openOwnPool();
    const lost = [0, 1].map(() => laterCodeOf(() => pool.call('never', [], null)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    close();
    expect(await Promise.all(lost)).toEqual(['device-lost', 'device-lost']);
    const closed = openOwnPool().pool;
    const tasks = [0, 1].map(() => laterCodeOf(() => closed.call('never', [], null)));
    await new Promise((resolve) => setTimeout(resolve, 50));
    closed.close();
    expect(await Promise.all(tasks)).toEqual(['aborted', 'aborted']);
    expect(await laterCodeOf(() => closed.call('echo', [], 1))).toBe('bad-argument');
  });
});
