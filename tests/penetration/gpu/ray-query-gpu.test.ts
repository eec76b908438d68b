// The whole query on the GPU against that on the CPU: both are confirmed upper estimates of the same depth.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localAgainstGlobal, penetrationBenchmarks } from '../../../bench/scenarios/penetration.js';
import * as pose from '../../../src/core/pose.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findModel } from '../../../src/models/catalogue.js';
import { GpuRayQuery } from '../../../src/penetration/gpu/ray-query-gpu.js';
import { measurePenetrationSync } from '../../../src/penetration/measure-on-cpu.js';
import { offerRoots } from '../../../src/penetration/union/descent.js';
import { UnionRays } from '../../../src/penetration/union/union-rays.js';
import { VoidTest } from '../../../src/penetration/union/void-test.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { type PlacedPair, placePair } from './scenes-gpu.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** By how much either estimate may be above the other: what the walk from one pixel rather than its neighbor leaves. */
const SLACK = 2e-3;

let gpu: GpuDevice;
let query: GpuRayQuery;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
  query = new GpuRayQuery(gpu);
});
afterAll(() => {
  query.destroy();
  gpu.device.destroy();
});

async function measureByGpu(pair: PlacedPair, resolution: number): Promise<number> {
  const { a, b, placement, leaves, union, separation } = pair;
  offerRoots(a, b, placement, separation);
  expect(GpuRayQuery.suits(a, b, union, separation)).toBe(true);
  await query.run(a, b, placement, leaves, union, separation, resolution);
  const [x, y, z] = separation.vector!;
  expect(separation.isApart(x, y, z)).toBe(true);
  expect(Math.hypot(x, y, z)).toBeCloseTo(separation.distance, 6);
  return separation.distance;
}

async function compare(meshA: Mesh, meshB: Mesh, poseA: pose.Pose, poseB: pose.Pose, resolution: number) {
  const pair = placePair(meshA, meshB, poseA, poseB);
  const expected = measurePenetrationSync(pair.modelA, pair.modelB, poseA, poseB, {
    method: 'image-space',
    resolution,
  });
  const depth = await measureByGpu(pair, resolution);
  expect(depth).toBeLessThanOrEqual(expected.depth * (1 + SLACK));
  expect(depth).toBeGreaterThanOrEqual(expected.depth * (1 - SLACK));
  return depth;
}

describe('depths', () => {
  test('the C and the I: 0.65, out of the mouth', async () => {
    const { meshA, meshB, poseA, poseB } = localAgainstGlobal;
    expect(await compare(meshA, meshB, poseA, poseB, 48)).toBeCloseTo(0.65, 6);
  });

  test('letters', async () => {
    const { meshA, meshB, poseA, poseB } = penetrationBenchmarks[3];
    await compare(meshA, meshB, poseA, poseB, 48);
    const { timings } = query;
    expect(timings.sums).toBe(8);
    expect(timings.finished).toBeGreaterThan(0);
  });

  test('turned letters, at all sizes and places', async () => {
    const { meshA, meshB } = penetrationBenchmarks[3];
    const random = createRandom(11);
    for (let i = 0; i < 2 * SOAK; i++) {
      const scale = 10 ** random.range(-6, 6);
      const scaled = (mesh: Mesh): Mesh => ({ ...mesh, positions: mesh.positions.map((value) => value * scale) });
      const turn = quat.fromAxisAngle([random.next(), random.next(), 0.5], random.range(-3, 3));
      const at = [0.4 * scale * random.next(), 0.4 * scale * random.next(), 0] as const;
      await compare(scaled(meshA), scaled(meshB), pose.identity(), pose.create([...at], turn), 48);
    }
  });

  test('two rounds: rays at full resolution after probes', async () => {
    const torus = findModel('torus').build({ majorRadius: 1, minorRadius: 0.3, majorSegments: 10, minorSegments: 6 });
    const poseB = pose.create([1.9, 0, 0.05], quat.fromAxisAngle([1, 0.1, 0], 1.5));
    await compare(torus, torus, pose.identity(), poseB, 96);
    expect(query.timings.settled).toBeGreaterThan(0.5);
  });
});

test('leaves voids and shallow overlaps to the CPU', () => {
  const box = findModel('box').build();
  const small: Mesh = { ...box, positions: box.positions.map((value) => value / 4) };
  const pair = placePair(small, box, pose.identity(), pose.identity());
  const { a, b, placement, separation, sums, union } = pair;
  const voids = new VoidTest(a, b, placement);
  expect(voids.possible).toBe(true);
  separation.distance = 1;
  expect(GpuRayQuery.suits(a, b, union, separation)).toBe(true);
  expect(GpuRayQuery.suits(a, b, new UnionRays(sums, voids, null, separation.size), separation)).toBe(false);
  separation.distance = 1e-6;
  expect(GpuRayQuery.suits(a, b, union, separation)).toBe(false);
});
