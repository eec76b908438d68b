import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { computeSpaceVoronoi } from '../../../src/voronoi/space/compute-space-voronoi.js';
import { randomSites } from '../../generators/space-sites.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { nearestSite, siteDistance } from '../../oracles/brute-force-space-voronoi.js';

let device: GpuDevice;
beforeAll(async () => {
  device = await requestExpectedDevice();
});

test.each([
  ['points', { count: 30, kinds: ['point'] }, Infinity],
  ['all kinds', { count: 60 }, Infinity],
  ['weights and a limit', { count: 40, weighted: true }, 0.2],
] as const)('%s in space on the GPU have the nearest of all distances', async (_, kind, maxDistance) => {
  const sites = randomSites(createRandom(5), kind);
  const box = { min: [0, 0, 0], max: [1, 0.8, 0.6] } as {
    min: [number, number, number];
    max: [number, number, number];
  };
  const diagram = await computeSpaceVoronoi(sites, { box, resolution: 21, maxDistance, backend: 'webgpu', device });
  expect(diagram.backend).toBe('webgpu');
  const { origin, spacing, size, ids, distances, error } = diagram;
  expect(error).toBeLessThan(1e-4);
  const wrong: string[] = [];
  let found = 0;
  for (let node = 0; node < ids.length; node++) {
    const place = [node % size[0], Math.floor(node / size[0]) % size[1], Math.floor(node / (size[0] * size[1]))];
    const p = place.map((index, axis) => origin[axis] + spacing * index);
    const { distance } = nearestSite(sites, p);
    const right =
      ids[node] === -1
        ? distance >= maxDistance - error && distances[node] === Infinity
        : Math.abs(distances[node] - distance) <= error && siteDistance(sites[ids[node]], p) - distance <= error;
    if (!right) wrong.push(`node ${node}: site ${ids[node]} at ${distances[node]}, not ${distance}`);
    if (ids[node] !== -1) found++;
  }
  expect(wrong).toEqual([]);
  expect(found).toBeGreaterThan(maxDistance === Infinity ? ids.length - 1 : 0.1 * ids.length);
  expect(found).toBeLessThan(maxDistance === Infinity ? Infinity : 0.99 * ids.length);
});

test('distance meshes in space are refused on the GPU', async () => {
  const refused = computeSpaceVoronoi([], { method: 'mesh', backend: 'webgpu', device });
  await expect(refused).rejects.toThrow(/cpu/);
});
