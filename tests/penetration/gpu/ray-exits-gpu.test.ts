// Exits of rays that the GPU follows in single precision, against UnionRays in double precision, pixel by pixel; and
// the tiles it settles as a whole, against their pixels followed one by one.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  localAgainstGlobal,
  type PenetrationPair,
  penetrationBenchmarks,
} from '../../../bench/scenarios/penetration.js';
import { readBuffers } from '../../../src/gpu/buffer.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { GpuFaults } from '../../../src/gpu/faults.js';
import { GpuMinkowskiPlanes } from '../../../src/penetration/gpu/minkowski-planes-gpu.js';
import { GpuRayExits } from '../../../src/penetration/gpu/ray-exits-gpu.js';
import { pixelCenter, writeDirection } from '../../../src/penetration/union/cube-views.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { collectPairs, placePair, submitPass } from './scenes-gpu.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** Exits agree to this share of the two radii, but for rays that graze: a ray leaves earlier or later by much there. */
const ROUNDING = 5e-6;
const GRAZING = 0.005;

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});
afterAll(() => gpu.device.destroy());

const [, touching, grates, letters] = penetrationBenchmarks;

function buildScene({ meshA, meshB, poseA, poseB }: PenetrationPair, bound: number) {
  const pair = placePair(meshA, meshB, poseA, poseB);
  const { gpuA, gpuB, pairs } = collectPairs(gpu, pair, bound);
  const planes = new GpuMinkowskiPlanes(gpu);
  const faults = new GpuFaults(gpu);
  faults.watch('sums', () =>
    submitPass(gpu, (pass) => planes.encode(pass, pair.a, pair.b, gpuA, gpuB, pair.placement, pairs)),
  );
  return { pair, planes, faults, exits: new GpuRayExits(gpu) };
}

type Scene = ReturnType<typeof buildScene>;

async function followAll({ planes, faults, exits, pair }: Scene, resolution: number, bound: number) {
  faults.watch('rays', () =>
    submitPass(gpu, (pass) => exits.encode(pass, planes, resolution, bound / pair.unit, true)),
  );
  const [bytes] = await readBuffers(gpu, faults, 'exits', [exits.exits]);
  return new Float32Array(bytes);
}

describe('exits', () => {
  test.each([
    ['letters', letters, 0.04, 16],
    ['the C and the I', localAgainstGlobal, 0.9, 16],
    ['touching tori', touching, 0.3, 12],
    ['grates', grates, 0.8, 12],
  ] as const)('of %s are those of the CPU', async (_, pairOf, bound, side) => {
    const resolution = side * Math.round(Math.sqrt(SOAK));
    const scene = buildScene(pairOf, bound);
    const { pair } = scene;
    const found = await followAll(scene, resolution, bound);
    const direction = new Float64Array(3);
    let grazing = 0;
    let early = 0;
    for (let i = 0; i < found.length; i++) {
      const view = Math.floor(i / resolution ** 2);
      const row = Math.floor(i / resolution) % resolution;
      writeDirection(direction, view, pixelCenter(i % resolution, resolution), -pixelCenter(row, resolution));
      const [x, y, z] = direction.map((value) => value / Math.hypot(...direction));
      const count = pair.leaves.gather(0, 0, 0, bound * x, bound * y, bound * z);
      const exit = Math.min(bound, pair.union.trace(pair.leaves.list, 0, count, x, y, z, bound));
      if (exit < bound) early++;
      if (Math.abs(found[i] * pair.unit - exit) > ROUNDING * pair.unit) grazing++;
    }
    scene.planes.destroy();
    scene.exits.destroy();
    expect(grazing).toBeLessThanOrEqual(GRAZING * found.length);
    // Some rays end before the bound, some do not.
    expect(early).toBeGreaterThan(0);
    expect(early).toBeLessThan(found.length);
  });

  test('of probes are those of pixels', async () => {
    const bound = 0.8;
    const scene = buildScene(grates, bound);
    const { exits, planes, faults, pair } = scene;
    const all = await followAll(scene, 8, bound);
    faults.watch('probes', () => submitPass(gpu, (pass) => exits.encodeProbes(pass, planes, 8, bound / pair.unit)));
    const [bytes] = await readBuffers(gpu, faults, 'exits', [exits.tileExits]);
    const found = exits.listTiles(bytes);
    expect(found.length).toBe(all.filter((exit) => exit < Math.fround(bound / pair.unit)).length);
    expect(found.length).toBeGreaterThan(0);
    for (const { exit, view, column, row } of found) {
      expect(Math.abs(exit - all[(view * 8 + row) * 8 + column])).toBeLessThanOrEqual(ROUNDING);
    }
    planes.destroy();
    exits.destroy();
  });

  test('tiles that are settled hold no pixel that leaves before the bound, and the others tell their nearest', async () => {
    const bound = 0.9;
    const resolution = 104;
    const scene = buildScene(localAgainstGlobal, bound);
    const { exits, planes, faults, pair } = scene;
    const all = await followAll(scene, resolution, bound);
    faults.watch('rays', () => submitPass(gpu, (pass) => exits.encode(pass, planes, resolution, bound / pair.unit)));
    const [bytes] = await readBuffers(gpu, faults, 'exits', [exits.tileExits]);
    const tiles = exits.listTiles(bytes);
    expect(exits.settled).toBeGreaterThan(exits.tileCount / 10);
    expect(tiles.length).toBeGreaterThan(10);
    const least = new Map<number, number>();
    for (let i = 0; i < all.length; i++) {
      const view = Math.floor(i / resolution ** 2);
      const key = tileOf(view, i % resolution, Math.floor(i / resolution) % resolution);
      least.set(key, Math.min(least.get(key) ?? Infinity, all[i]));
    }
    for (const { exit, view, column, row } of tiles) {
      const key = tileOf(view, column, row);
      expect(Math.abs(exit - least.get(key)!)).toBeLessThanOrEqual(ROUNDING);
      expect(all[(view * resolution + row) * resolution + column]).toBeCloseTo(exit, 5);
      least.delete(key);
    }
    for (const exit of least.values()) expect(exit).toBeGreaterThanOrEqual(bound / pair.unit - ROUNDING);
    expect(tiles.map(({ exit }) => exit)).toEqual(tiles.map(({ exit }) => exit).sort((p, q) => p - q));
    planes.destroy();
    exits.destroy();
  });
});

function tileOf(view: number, column: number, row: number): number {
  return (view * 1024 + Math.floor(row / 8)) * 1024 + Math.floor(column / 8);
}
