import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import type { SpaceSite } from '../../../src/voronoi/sites/space-site.js';
import { computeSpaceVoronoi, computeSpaceVoronoiSync } from '../../../src/voronoi/space/compute-space-voronoi.js';
import type { SpaceVoronoi, SpaceVoronoiOptions } from '../../../src/voronoi/space/space-voronoi.js';
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
  expect(diagram.error).toBeLessThan(1e-4);
  expect(wrongNodes(diagram, sites, maxDistance)).toEqual([]);
  const { ids } = diagram;
  const found = ids.filter((id) => id !== -1).length;
  expect(found).toBeGreaterThan(maxDistance === Infinity ? ids.length - 1 : 0.1 * ids.length);
  expect(found).toBeLessThan(maxDistance === Infinity ? Infinity : 0.99 * ids.length);
});

describe('distance meshes in space on the GPU', () => {
  const box = { min: [0, 0, 0] as Vec3, max: [1, 0.8, 0.6] as Vec3 };
  const draw = (sites: readonly SpaceSite[], options: SpaceVoronoiOptions) =>
    computeSpaceVoronoi(sites, { ...options, method: 'mesh', backend: 'webgpu', device });

  test.each([
    ['points', { count: 20, kinds: ['point'] }, Infinity],
    ['segments', { count: 20, kinds: ['segment'], length: 0.8 }, Infinity],
    ['triangles', { count: 20, kinds: ['triangle'], length: 0.8 }, Infinity],
    ['weights and a limit', { count: 40, weighted: true }, 0.2],
  ] as const)('%s are within the stated error of brute force', async (_, kind, maxDistance) => {
    const sites = randomSites(createRandom(11), kind);
    const diagram = await draw(sites, { box, resolution: 21, maxDistance });
    expect(diagram).toMatchObject({ backend: 'webgpu', method: 'mesh' });
    expect(diagram.counters.triangles).toBeGreaterThan(1000);
    expect(wrongNodes(diagram, sites, maxDistance)).toEqual([]);
    expect(diagram.ids.includes(-1)).toBe(maxDistance !== Infinity);
    // The processor's drawing has the same meshes, but its corners are exact.
    const onCpu = computeSpaceVoronoiSync(sites, { box, resolution: 21, maxDistance, method: 'mesh' });
    expect(diagram.error).toBeGreaterThan(onCpu.error);
    const steepest = Math.max(...sites.map(({ weight = 1 }) => 1 / weight));
    expect(diagram.error).toBeLessThan(onCpu.error + 0.76 * steepest * diagram.spacing);
    const others = diagram.ids.filter((id, node) => id !== onCpu.ids[node]).length;
    expect(others / diagram.ids.length).toBeLessThan(0.05);
  });

  test('nodes on the features of sites, needles, and slabs of one slice', async () => {
    const sites: SpaceSite[] = [
      { type: 'triangle', a: [0, 0, 0.5], b: [0.5, 0, 0.5], c: [0, 0.5, 0.5] },
      { type: 'segment', a: [0.75, 0, 0], b: [0.75, 0, 1] },
      { type: 'segment', a: [0.25, 0.75, 0.25], b: [1, 0.75, 0.25] },
      { type: 'point', at: [0.5, 0.5, 0.25] },
      { type: 'triangle', a: [1, 1, 0], b: [1, 1, 1], c: [0.5, 1, 1] },
      { type: 'triangle', a: [0, 1, 0], b: [1, 0.98, 0.1], c: [1, 1, 0.1] },
      { type: 'triangle', a: [0.1, 0.2, 0.7], b: [0.9, 0.201, 0.9], c: [0.5, 0.2, 0.8] },
    ];
    const cube = { min: [0, 0, 0] as Vec3, max: [1, 1, 1] as Vec3 };
    for (const error of [1 / 32, 1 / 320]) {
      const diagram = await draw(sites, { box: cube, resolution: 17, error });
      expect(wrongNodes(diagram, sites)).toEqual([]);
    }
    const none = await draw([], { resolution: 3 });
    expect([...none.ids]).toEqual(new Array(27).fill(-1));
  });
});

/** Nodes whose distance is off by more than the error, or whose site is farther than the nearest by more. */
function wrongNodes(diagram: SpaceVoronoi, sites: readonly SpaceSite[], maxDistance = Infinity): string[] {
  const { origin, spacing, size, ids, distances, error } = diagram;
  const wrong: string[] = [];
  for (let node = 0; node < ids.length; node++) {
    const place = [node % size[0], Math.floor(node / size[0]) % size[1], Math.floor(node / (size[0] * size[1]))];
    const p = place.map((index, axis) => origin[axis] + spacing * index);
    const { distance } = nearestSite(sites, p);
    const right =
      ids[node] === -1
        ? distance >= maxDistance - error && distances[node] === Infinity
        : Math.abs(distances[node] - distance) <= error && siteDistance(sites[ids[node]], p) - distance <= error;
    if (!right) wrong.push(`node ${node}: site ${ids[node]} at ${distances[node]}, not ${distance}`);
  }
  return wrong;
}
