// Culling on a GPU finds what culling on the CPU finds; both are held to all pairs of triangles.
import { beforeAll, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { CollisionCuller, type CullOptions } from '../../src/culling/collision-culler.js';
import type { GpuDevice } from '../../src/gpu/device.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { findModel } from '../../src/models/catalogue.js';
import { laterCodeOf } from '../error-code.js';
import { boxSoup, grazingScene } from '../generators/grazing-scenes.js';
import { requestExpectedDevice } from '../gpu/expected-device.js';
import { collideAllPairs } from '../oracles/all-pairs-collisions.js';

let device: GpuDevice;
beforeAll(async () => {
  device = await requestExpectedDevice();
});

function namesOf(numbers: Uint32Array, each: number): string[] {
  return Array.from({ length: numbers.length / each }, (_, i) => numbers.slice(each * i, each * (i + 1)).join(' '));
}

/** Two bodies with many triangles that cross in many places. */
function crossingTori(triangles: number): Mesh[] {
  const around = Math.round(Math.sqrt(triangles / 2));
  const torus = findModel('torus')!.build({ majorSegments: around, minorSegments: around });
  const moved = (shift: number): Mesh => ({
    ...torus,
    // Not along an axis: boxes of both would share many planes.
    positions: torus.positions.map((x, i) => x + shift * [1, 0.31, 0.17][i % 3] + 0.01 * Math.sin(9 * x)),
  });
  return [moved(0), moved(0.21), moved(50)];
}

test.each([
  ['lbvh', 1, 'fragments'],
  ['cullide', 32, 'fragments'],
  ['cullide', 5, 'fragments'],
  ['cullide', 24, 'queries'],
] as const)(
  'grazing scenes have the collisions of all pairs: %s at %i², %s',
  async (method, resolution, visibility) => {
    const random = createRandom(21);
    const culler = new CollisionCuller({
      method,
      resolution,
      visibility,
      output: 'triangles',
      backend: 'webgpu',
      device,
    });
    let pruned = 0;
    const onCpu = new CollisionCuller({ method: 'lbvh' });
    for (let scene = 0; scene < 16; scene++) {
      const objects = grazingScene(random);
      const result = await culler.cull(objects);
      const truth = collideAllPairs(objects);
      const geometry = result.stages.find(({ name }) => name === 'geometry');
      if (geometry !== undefined) pruned += result.stages[1].objects - geometry.objects;
      expect(result.backend).toBe('webgpu');
      expect(namesOf(result.exactPairs!, 2)).toEqual([...truth.objectPairs]);
      expect(namesOf(result.triangles!, 4).sort(), `scene ${scene}`).toEqual([...truth.trianglePairs].sort());
      const pairs = new Set(namesOf(result.pairs, 2));
      const twin = onCpu.cullSync(objects);
      expect(namesOf(method === 'lbvh' ? twin.pairs : twin.exactPairs!, 2).every((pair) => pairs.has(pair))).toBe(true);
    }
    if (visibility === 'queries') expect(pruned).toBeGreaterThan(0);
    culler.destroy();
  },
);

test('many triangles: as on the CPU', async () => {
  const objects = crossingTori(1600);
  for (const selfCollision of [false, true]) {
    const options: CullOptions = { method: 'lbvh', output: 'triangles', selfCollision };
    const onCpu = new CollisionCuller(options).cullSync(objects);
    const culler = new CollisionCuller({ ...options, backend: 'webgpu', device });
    for (let frame = 0; frame < 2; frame++) {
      const onGpu = await culler.cull(objects);
      expect(onGpu.triangles).toEqual(onCpu.triangles);
      expect([onGpu.exactPairs, onGpu.selfColliding]).toEqual([onCpu.exactPairs, onCpu.selfColliding]);
      expect(onCpu.trianglePairs).toBeGreaterThan(100);
      expect(onGpu.counters.candidates).toBeGreaterThanOrEqual(onCpu.counters.candidates);
      // Within a regular grid of triangles many boxes share a plane up to rounding.
      expect(onGpu.counters.candidates).toBeLessThan((selfCollision ? 1.2 : 1.05) * onCpu.counters.candidates);
      expect(onGpu.counters.pairsDecided).toBeLessThan(onCpu.counters.pairsDecided);
    }
    culler.destroy();
  }
});

test('visibility leaves few of many triangles, those that meet among them', async () => {
  const objects = crossingTori(450);
  const truth = new CollisionCuller({ output: 'triangles' }).cullSync(objects);
  const culler = new CollisionCuller({
    method: 'cullide',
    resolution: 64,
    output: 'triangles',
    backend: 'webgpu',
    device,
  });
  const result = await culler.cull(objects);
  expect(result.triangles).toEqual(truth.triangles);
  const left = (name: string) => result.stages.find((stage) => stage.name === name)!.triangles;
  expect(left('boxes')).toBeLessThan(left('input'));
  expect(left('triangles')).toBeLessThan(0.7 * left('boxes'));
  const onCpu = new CollisionCuller({ method: 'cullide', resolution: 64 }).cullSync(objects);
  expect(onCpu.stages.find(({ name }) => name === 'triangles')!.triangles).toBeLessThan(0.7 * left('boxes'));
  culler.destroy();
});

test('a list that is too small is made again, and then is large enough', async () => {
  const random = createRandom(4);
  const objects = Array.from({ length: 2 }, (): Mesh => {
    const positions = Float64Array.from({ length: 9 * 180 }, () => random.next());
    return { positions, indices: Uint32Array.from({ length: 3 * 180 }, (_, i) => i) };
  });
  const options: CullOptions = { method: 'lbvh', output: 'candidates' };
  const onCpu = new CollisionCuller(options).cullSync(objects);
  expect(onCpu.counters.candidates).toBeGreaterThan(17_000);
  const culler = new CollisionCuller({ ...options, backend: 'webgpu', device });
  for (const runs of [2, 1]) {
    const onGpu = await culler.cull(objects);
    expect(onGpu.counters.deviceRuns).toBe(runs);
    expect(onGpu.triangles).toEqual(onCpu.triangles);
  }
  culler.destroy();
});

test('ids that change are sent again, whatever happened between the calls', async () => {
  const [a, b, c] = [
    boxSoup([0, 0, 0], [1, 1, 1]),
    boxSoup([0.5, 0.5, 0.5], [2, 2, 2]),
    boxSoup([0.9, 0.9, 0.9], [3, 3, 3]),
  ];
  const part = (mesh: Mesh, from: number): Mesh => ({ ...mesh, indices: mesh.indices.slice(3 * from, 3 * from + 6) });
  const culler = new CollisionCuller({ method: 'lbvh', output: 'triangles', backend: 'webgpu', device });
  const bad = { ...b, indices: b.indices.with(0, 99) };
  const scenes = [
    [a, b],
    [part(a, 0), b],
    [part(a, 2), bad],
    [part(a, 2), b],
    [a, c, b],
    [b, a],
    [part(b, 4), a, c],
    [a, b],
  ];
  for (const [index, objects] of scenes.entries()) {
    if (index % 3 === 1) culler.cullSync([part(c, 6), a]);
    const expected = () => new CollisionCuller({ output: 'triangles' }).cullSync(objects).triangles;
    if (objects.includes(bad)) expect(await laterCodeOf(() => culler.cull(objects))).toBe('index-out-of-range');
    else expect((await culler.cull(objects)).triangles, `scene ${index}`).toEqual(expected());
  }
  culler.destroy();
});

test('no object, one object, bad input, calls at once, a software device', async () => {
  const box = boxSoup([0, 0, 0], [1, 1, 1]);
  const culler = new CollisionCuller({ backend: 'webgpu', device });
  for (const objects of [[], [box]]) {
    const { potential, pairs, exactPairs, trianglePairs, backend } = await culler.cull(objects);
    expect([potential.length, pairs.length, exactPairs!.length, trianglePairs, backend]).toEqual([
      0,
      0,
      0,
      0,
      'webgpu',
    ]);
  }
  expect(await laterCodeOf(() => culler.cull([box, { ...box, positions: box.positions.with(3, Number.NaN) }]))).toBe(
    'non-finite',
  );
  const first = culler.cull([box, box]);
  expect(await laterCodeOf(() => culler.cull([box, box]))).toBe('bad-argument');
  expect([...(await first).exactPairs!]).toEqual([0, 1]);
  const auto = await new CollisionCuller({ device }).cull([box, box]);
  expect([auto.backend, auto.fallback]).toEqual(
    device.isSoftware ? ['cpu', 'software-adapter'] : ['webgpu', undefined],
  );
});

test('a call while another is at work is refused on either backend, and does not change the first', async () => {
  const culler = new CollisionCuller({ backend: 'webgpu', device });
  const objects = crossingTori(200);
  const first = culler.cull(objects);
  expect(() => culler.cullSync(objects.slice(1))).toThrow(/still at work/);
  expect(await laterCodeOf(() => culler.cull(objects.slice(1)))).toBe('bad-argument');
  expect([...(await first).exactPairs!]).toEqual([0, 1]);
});
