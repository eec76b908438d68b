import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import { GpuVoronoi } from '../../../src/voronoi/gpu/gpu-voronoi.js';
import { computeVoronoi } from '../../../src/voronoi/image/compute-voronoi.js';
import type { PlaneSite } from '../../../src/voronoi/sites/plane-site.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { siteDistance } from '../site-distance.js';

let device: GpuDevice;
beforeAll(async () => {
  device = await requestExpectedDevice();
});

test('an image from the GPU is that of the CPU, and ids differ only at ties within the error', async () => {
  const random = createRandom(3);
  const sites = Array.from({ length: 300 }, (): PlaneSite => {
    const a = [random.range(-3, 5), random.range(0, 2)];
    const b = [a[0] + random.range(-0.3, 0.3), a[1] + random.range(-0.3, 0.3)];
    return { type: 'bezier', points: [a, b, [b[0], a[1]]] };
  });
  const options = { box: [-3, 0, 5, 2], resolution: 200, maxDistance: 0.3 };
  const onCpu = await computeVoronoi(sites, { ...options, backend: 'cpu' });
  const onGpu = await computeVoronoi(sites, { ...options, backend: 'webgpu', device });
  expect([onGpu.backend, onGpu.width, onGpu.height]).toEqual(['webgpu', onCpu.width, onCpu.height]);
  const error = onCpu.error + onGpu.error;
  let beyond = 0;
  let others = 0;
  for (let i = 0; i < onCpu.ids.length; i++) {
    const [id, other] = [onCpu.ids[i], onGpu.ids[i]];
    if (id === -1 || other === -1) {
      beyond++;
      if (id !== other) expect(Math.min(onCpu.distances[i], onGpu.distances[i])).toBeGreaterThan(0.3 - error);
      continue;
    }
    if (Math.abs(onCpu.distances[i] - onGpu.distances[i]) > error) expect.fail(`sample ${i}`);
    if (id === other) continue;
    others++;
    const x = -3 + ((i % onCpu.width) + 0.5) * onCpu.spacing[0];
    const y = (Math.floor(i / onCpu.width) + 0.5) * onCpu.spacing[1];
    expect(Math.abs(siteDistance(sites[id], x, y) - siteDistance(sites[other], x, y))).toBeLessThan(4 * error);
  }
  expect(beyond).toBeGreaterThan(0);
  expect(others).toBeLessThan(0.01 * onCpu.ids.length);
});

test("a software device is left alone by 'auto'", async () => {
  const image = await computeVoronoi([{ type: 'point', at: [0, 0] }], { resolution: 8, device });
  expect([image.backend, image.fallback]).toEqual(
    device.isSoftware ? ['cpu', 'software-adapter'] : ['webgpu', undefined],
  );
});

test('sites that move are followed in the same buffers, and bad options are refused', async () => {
  const box = [0, 0, 4, 2];
  const diagram = new GpuVoronoi(device, [{ type: 'point', at: [1, 1] }], { box, resolution: 40 });
  const { ids, distances } = diagram;
  const first = await diagram.read();
  expect([first.width, first.height, first.counters.elements]).toEqual([40, 20, 1]);
  expect(first.ids.every((id) => id === 0)).toBe(true);
  diagram.setSites([
    { type: 'point', at: [1, 1] },
    { type: 'segment', a: [3, -5], b: [3, 5] },
  ]);
  const second = await diagram.read();
  expect(second.ids.filter((id) => id === 1).length).toBeGreaterThan(300);
  expect(second.distances[39]).toBeCloseTo(0.95, 5);
  expect([diagram.ids, diagram.distances]).toEqual([ids, distances]);
  expect(() => diagram.setSites([{ type: 'point', at: [Number.NaN, 1] }])).toThrow(/NaN/);
  diagram.destroy();
  expect(() => new GpuVoronoi(device, [], { resolution: 4 })).toThrow(/box/);
  expect(() => new GpuVoronoi(device, [], { box, method: 'mesh' })).toThrow(/exact/);
  expect(() => new GpuVoronoi({} as never, [], { box })).toThrow(/device/);
});
