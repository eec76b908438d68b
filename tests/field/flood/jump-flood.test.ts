// Jump flooding: never a wrong distance, rarely a site that is not the nearest; the GPU's answer is equal bit for bit.
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import {
  type FloodNeighbors,
  floodSteps,
  type JumpFloodVariant,
  jumpFlood,
} from '../../../src/field/flood/jump-flood.js';
import { jumpFloodOnGpu } from '../../../src/field/flood/jump-flood-gpu.js';
import type { GridSize } from '../../../src/field/grid.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const VARIANTS: readonly JumpFloodVariant[] = ['jfa', '1+jfa', 'jfa+1'];
const NEIGHBORS: readonly FloodNeighbors[] = ['all', 'axes'];
const neighborsOn = ([, , nz]: GridSize) => (nz === 1 ? NEIGHBORS.slice(0, 1) : NEIGHBORS);
const countNodes = ([nx, ny, nz]: GridSize) => nx * ny * nz;

function randomSites(size: GridSize, count: number, seed: number): Int32Array {
  const random = createRandom(seed);
  const sites = new Int32Array(countNodes(size)).fill(-1);
  for (let i = 0; i < count; i++) sites[random.integer(sites.length)] = i;
  return sites;
}

/** Squares of the distances to the nearest site, by looking at all of them. */
function bruteForce([nx, ny, nz]: GridSize, sites: Int32Array): Float64Array {
  const places: number[][] = [];
  const place = (node: number) => [node % nx, Math.floor(node / nx) % ny, Math.floor(node / (nx * ny))];
  for (let node = 0; node < sites.length; node++) if (sites[node] !== -1) places.push(place(node));
  return Float64Array.from({ length: nx * ny * nz }, (_, node) => {
    const [i, j, k] = place(node);
    return Math.min(...places.map(([x, y, z]) => (x - i) ** 2 + (y - j) ** 2 + (z - k) ** 2));
  });
}

function assertValid([nx, ny]: GridSize, sites: Int32Array, result: ReturnType<typeof jumpFlood>): void {
  const { nearest, distancesSquared } = result;
  let wrong = 0;
  for (let node = 0; node < sites.length; node++) {
    const site = nearest[node];
    if (site < 0 || sites[site] === -1) wrong++;
    const dx = (site % nx) - (node % nx);
    const dy = (Math.floor(site / nx) % ny) - (Math.floor(node / nx) % ny);
    const dz = Math.floor(site / (nx * ny)) - Math.floor(node / (nx * ny));
    if (dx * dx + dy * dy + dz * dz !== distancesSquared[node]) wrong++;
  }
  expect(wrong).toBe(0);
}

const SIZES: readonly GridSize[] = [
  [1, 1, 1],
  [5, 3, 1],
  [16, 16, 1],
  [17, 31, 1],
  [100, 37, 1],
  [300, 2, 1],
  [1, 257, 1],
  [64, 64, 1],
  [90, 70, 1],
  [9, 7, 5],
  [16, 16, 16],
  [33, 20, 3],
  [2, 3, 40],
];

describe('jumpFlood', () => {
  test('halves its steps from half the next power of two', () => {
    expect(floodSteps([8, 3, 1], 'jfa')).toEqual([4, 2, 1]);
    expect(floodSteps([9, 3, 1], '1+jfa')).toEqual([1, 8, 4, 2, 1]);
    expect(floodSteps([9, 3, 1], 'jfa+1')).toEqual([8, 4, 2, 1, 1]);
    expect(floodSteps([1, 1, 1], 'jfa')).toEqual([]);
  });

  test('one site, all sites, none', () => {
    const size: GridSize = [13, 9, 1];
    const none = new Int32Array(countNodes(size)).fill(-1);
    expect(jumpFlood(size, none).nearest.every((site) => site === -1)).toBe(true);
    expect(jumpFlood(size, none).distancesSquared.every((square) => square === Infinity)).toBe(true);
    const one = none.slice();
    one[13 * 4 + 7] = 0;
    const { nearest, distancesSquared } = jumpFlood(size, one);
    expect(nearest.every((site) => site === 13 * 4 + 7)).toBe(true);
    expect(distancesSquared[0]).toBe(7 * 7 + 4 * 4);
    const all = jumpFlood(size, new Int32Array(countNodes(size)));
    expect(jumpFlood(size, one, { neighbors: 'axes' })).toEqual(jumpFlood(size, one));
    expect(all.nearest).toEqual(Int32Array.from({ length: countNodes(size) }, (_, node) => node));
  });

  test.each(VARIANTS)('%s gives sites that are there, and mostly the nearest', (variant) => {
    let wrong = 0;
    let nodes = 0;
    for (let seed = 0; seed < 12 * SOAK; seed++) {
      const size: GridSize = seed % 3 === 2 ? [21, 17, 13] : [90, 61 + seed, 1];
      const sites = randomSites(size, [3, 40, 600][seed % 4] ?? 150, seed);
      const result = jumpFlood(size, sites, { variant });
      assertValid(size, sites, result);
      const exact = bruteForce(size, sites);
      nodes += exact.length;
      for (let node = 0; node < exact.length; node++) {
        if (result.distancesSquared[node] !== exact[node]) wrong++;
        if (result.distancesSquared[node] < exact[node]) throw new Error(`too near at ${node}`);
      }
    }
    expect(wrong / nodes).toBeLessThan({ jfa: 3e-3, '1+jfa': 6e-4, 'jfa+1': 2e-3 }[variant]);
    // A step more errs less, and none is exact: the rate says that the comparison can fail.
    if (variant === 'jfa') expect(wrong).toBeGreaterThan(0);
  });

  test('axis by axis it errs more often, and little', () => {
    const wrong: Record<string, number> = { all: 0, axes: 0 };
    let nodes = 0;
    let excess = 0;
    for (let seed = 0; seed < 8 * SOAK; seed++) {
      const size: GridSize = seed % 2 === 0 ? [21, 17, 13] : [14, 33, 20];
      const sites = randomSites(size, [3, 40, 300, 900][seed % 4], seed);
      const exact = bruteForce(size, sites);
      nodes += exact.length;
      for (const neighbors of NEIGHBORS) {
        const result = jumpFlood(size, sites, { neighbors });
        assertValid(size, sites, result);
        for (let node = 0; node < exact.length; node++) {
          if (result.distancesSquared[node] !== exact[node]) wrong[neighbors]++;
          excess = Math.max(excess, Math.sqrt(result.distancesSquared[node]) - Math.sqrt(exact[node]));
        }
      }
    }
    expect(wrong.all).toBeLessThan(wrong.axes);
    expect(wrong.axes / nodes).toBeLessThan(1.5e-3);
    expect(excess).toBeLessThan(1);
  });

  test('refuses what it cannot flood', () => {
    const cannot = (code: string) => expect.objectContaining({ code });
    expect(() => jumpFlood([4, 4, 1], new Int32Array(15))).toThrow(cannot('bad-argument'));
    expect(() => jumpFlood([0, 4, 1], new Int32Array(0))).toThrow(cannot('bad-argument'));
    expect(() => jumpFlood([20000, 1, 1], new Int32Array(20000))).toThrow(cannot('too-large'));
    expect(() => jumpFlood([2000, 1, 2], new Int32Array(4000))).toThrow(cannot('too-large'));
    expect(() => jumpFlood([4, 4, 1], new Int32Array(16), { variant: 'jfa2' as 'jfa' })).toThrow(
      cannot('bad-argument'),
    );
    expect(() => jumpFlood([4, 4, 1], new Int32Array(16), { neighbors: 'some' as 'all' })).toThrow(
      cannot('bad-argument'),
    );
  });
});

describe('jumpFloodOnGpu', () => {
  let gpu: GpuDevice;
  beforeAll(async () => {
    gpu = await requestExpectedDevice();
  });

  test.each(SIZES)('is the CPU’s answer, bit for bit, on %i × %i × %i nodes', async (...size) => {
    const nodes = countNodes(size);
    let seed = nodes;
    for (const variant of VARIANTS) {
      // The variants differ in their steps alone: of none, one and all nodes as sites one of them says enough.
      const few = [Math.ceil(nodes / 300), Math.ceil(nodes / 8)];
      for (const count of variant === 'jfa' ? [0, 1, ...few, 20 * nodes] : few) {
        const sites = randomSites(size, count, seed++);
        for (const neighbors of neighborsOn(size)) {
          const options = { variant, neighbors };
          expect(await jumpFloodOnGpu(gpu, size, sites, options)).toEqual(jumpFlood(size, sites, options));
        }
      }
    }
  });

  test.each([
    [200, 150, 1],
    [4096, 3, 1],
    [2, 8192, 1],
    [8300, 3, 1],
    [3, 2, 1024],
    // Columns that one workgroup cannot hold.
    [700, 3, 2],
    [1024, 2, 3],
  ] as GridSize[])('and on %i × %i × %i', async (...size) => {
    for (const count of [0, 1, 300]) {
      const sites = randomSites(size, count, count + 1);
      // The first and the last node: the longest distances that keys must hold.
      if (count === 300) sites[0] = sites[sites.length - 1] = 0;
      for (const neighbors of neighborsOn(size)) {
        const options = { neighbors };
        expect(await jumpFloodOnGpu(gpu, size, sites, options)).toEqual(jumpFlood(size, sites, options));
      }
    }
  });

  test('refuses the same, a grid beyond its buffers, and a lost device', async () => {
    await expect(jumpFloodOnGpu(gpu, [4, 4, 1], new Int32Array(15))).rejects.toMatchObject({ code: 'bad-argument' });
    const small = await requestExpectedDevice();
    const limited = { ...small, device: { limits: { maxBufferSize: 1000, maxStorageBufferBindingSize: 1000 } } };
    await expect(
      jumpFloodOnGpu(limited as unknown as GpuDevice, [16, 16, 1], new Int32Array(256)),
    ).rejects.toMatchObject({ code: 'too-large', message: expect.stringContaining("backend 'cpu'") });
    small.device.destroy();
    await small.lost;
    await expect(jumpFloodOnGpu(small, [4, 4, 1], new Int32Array(16))).rejects.toMatchObject({ code: 'device-lost' });
  });
});
