import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { packPlaneElements, type SampleFrame } from '../../../src/voronoi/gpu/gpu-elements.js';
import { nearestSitesOnGpu } from '../../../src/voronoi/gpu/nearest-sites-gpu.js';
import { planeElements } from '../../../src/voronoi/sites/plane-elements.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { siteDistance } from '../site-distance.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});

/** Compares one sample in `every` with the least of all distances; returns how many of these have a site. */
async function check(
  sites: readonly PlaneSite[],
  frame: SampleFrame,
  { maxDistance = Infinity, every = 1 } = {},
): Promise<number> {
  const packed = packPlaneElements(planeElements(sites, 1e-3), frame);
  const { ids, distances } = await nearestSitesOnGpu(gpu, packed, frame, maxDistance);
  let found = 0;
  const wrong: string[] = [];
  for (let node = 0; node < ids.length; node += every) {
    const x = frame.origin[0] + frame.spacing[0] * (node % frame.size[0]);
    const y = frame.origin[1] + frame.spacing[1] * Math.floor(node / frame.size[0]);
    const all = sites.map((site) => siteDistance(site, x, y));
    const least = all.reduce((a, b) => Math.min(a, b), Infinity);
    const right =
      ids[node] === -1
        ? least >= maxDistance - packed.error && distances[node] === Infinity
        : Math.abs(distances[node] - least) <= packed.error &&
          all[ids[node]] - least <= 2 * packed.error &&
          least <= maxDistance + packed.error;
    if (!right) wrong.push(`sample ${node}: site ${ids[node]} at ${distances[node]}, not ${least}`);
    if (ids[node] !== -1) found++;
  }
  expect(wrong).toEqual([]);
  return found;
}

function randomSites(seed: number, count: number, size: number, weighted: boolean): PlaneSite[] {
  const random = createRandom(seed);
  const place = (): number[] => [random.range(-0.2 * size, 1.2 * size), random.range(-0.2 * size, 1.2 * size)];
  return Array.from({ length: count }, (_, i): PlaneSite => {
    const weights = weighted ? { weight: random.range(0.5, 2), offset: random.range(-0.1, 0.1) * size } : {};
    const center = place();
    const near = (): number[] => center.map((x) => x + random.range(-0.1, 0.1) * size);
    const radius = random.range(0.01, 0.2) * size;
    const kinds: PlaneSite[] = [
      { type: 'point', at: center, ...weights },
      { type: 'segment', a: center, b: near(), ...weights },
      { type: 'polygon', rings: [[center, near(), near()]], ...weights },
      { type: 'circle', center, radius, ...weights },
      { type: 'arc', center, radius, from: random.range(-4, 4), to: random.range(-4, 10), ...weights },
      { type: 'polyline', points: [center, near(), near(), near()], ...weights },
    ];
    return kinds[i % kinds.length];
  });
}

describe('the nearest sites on a GPU', () => {
  test('are those of all distances, for every kind of site', async () => {
    for (const [seed, count] of [
      [1, 1],
      [2, 7],
      [3, 60],
      [4, 400],
    ]) {
      const frame: SampleFrame = { origin: [0.5, 0.5, 0], spacing: [1, 1.25, 1], size: [77, 50, 1] };
      expect(await check(randomSites(seed, count, 70, false), frame)).toBe(77 * 50);
    }
  });

  test('follow weights and offsets', async () => {
    const frame: SampleFrame = { origin: [0, 0, 0], spacing: [0.01, 0.01, 1], size: [64, 64, 1] };
    await check(randomSites(5, 40, 0.64, true), frame);
  });

  test('end at the largest distance', async () => {
    const frame: SampleFrame = { origin: [0, 0, 0], spacing: [1, 1, 1], size: [64, 64, 1] };
    const found = await check(randomSites(6, 20, 64, false), frame, { maxDistance: 3 });
    expect(found).toBeGreaterThan(400);
    expect(found).toBeLessThan(3500);
  });

  test('are found far from the origin, at small scale, and where nothing is', async () => {
    await check(randomSites(7, 30, 5e-7, false), { origin: [0, 0, 0], spacing: [1e-8, 1e-8, 1], size: [48, 33, 1] });
    const away = randomSites(8, 30, 60, false).map((site): PlaneSite => ({ ...site, offset: 5 }));
    await check(away, { origin: [300, -200, 0], spacing: [2, 2, 1], size: [40, 40, 1] });
    expect(await check([], { origin: [0, 0, 0], spacing: [1, 1, 1], size: [20, 20, 1] })).toBe(0);
  });

  test('stay right when every site is a candidate everywhere and the lists do not fit', async () => {
    // All on one circle around the samples, equally far: no list can leave any out.
    const sites = Array.from({ length: 2100 }, (_, i): PlaneSite => {
      const angle = (2 * Math.PI * i) / 2100;
      return { type: 'point', at: [32 + 1e4 * Math.cos(angle), 32 + 1e4 * Math.sin(angle)] };
    });
    await check(sites, { origin: [0, 0, 0], spacing: [1, 1, 1], size: [64, 64, 1] }, { every: 41 });
  });
});
