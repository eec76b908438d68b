// Random growths: the band and workers against the full grid in one thread, finite numbers, obstacles, conserved heat.
import { Worker } from 'node:worker_threads';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { BatchPool } from '../../src/proximity/batch/batch-pool.js';
import { checkGrowth } from '../ice/random-growths.js';
import { bundleWorkerScript } from '../proximity/batch/worker-script.js';

const FIRST = 1000;
const GROWTHS = Number(process.env.NEARFIELD_ICE_GROWTHS ?? 400);
let pools: readonly BatchPool[] = [];

beforeAll(async () => {
  const script = await bundleWorkerScript();
  pools = [1, 2, 3].map(
    (count) => new BatchPool(Array.from({ length: count }, () => new Worker(script, { eval: true }))),
  );
});
afterAll(() => {
  for (const pool of pools) pool.close();
});

test(`${GROWTHS} growths hold what they promise`, async () => {
  const bad: string[] = [];
  for (let seed = FIRST; seed < FIRST + GROWTHS; seed++) bad.push(...(await checkGrowth(seed, pools)));
  expect(bad).toEqual([]);
});
