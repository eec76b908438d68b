// Fields by jump flooding, on the CPU and on a GPU, against brute force over all triangles, within the stated error.
import { beforeAll, describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { FieldOptions } from '../../../src/field/distance-field.js';
import { floodField } from '../../../src/field/flood/flood-field.js';
import { floodFieldOnGpu } from '../../../src/field/flood/flood-field-gpu.js';
import { type GridFrame, gridNodeCount } from '../../../src/field/grid.js';
import type { GpuDevice } from '../../../src/gpu/device.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { createPolygon } from '../../../src/mesh/polygon/polygon.js';
import { boxMesh, join, mapPoints, sphereGrid, torusGrid } from '../../generators/surfaces.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { bruteDistance, bruteSignedDistance, triangleDistance } from '../../oracles/closed-form-fields.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);
const grid = (n: number, low: number, high: number): GridFrame => ({
  origin: [low, low, low],
  spacing: (high - low) / (n - 1),
  size: [n, n, n],
});

function randomSoup(seed: number, triangles: number, size: number): Mesh {
  const random = createRandom(seed);
  const positions: number[] = [];
  for (let i = 0; i < triangles; i++) {
    const place = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
    for (let corner = 0; corner < 3; corner++) for (const x of place) positions.push(x + size * random.range(-1, 1));
  }
  return {
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(positions.slice(0, 3 * triangles).keys()),
  };
}

/** Slivers of every thinness, a segment and a point among them. */
function needles(seed: number): Mesh {
  const random = createRandom(seed);
  const positions: number[] = [];
  for (let i = 0; i < 30; i++) {
    const a = [0, 1, 2].map(() => random.range(-1, 1));
    const b = [0, 1, 2].map(() => random.range(-1, 1));
    const share = random.next();
    const thickness = i === 0 ? 0 : 10 ** random.range(-9, -1);
    const c = a.map((x, axis) => x + share * (b[axis] - x) + thickness * random.range(-1, 1));
    positions.push(...a, ...(i === 1 ? a : b), ...(i === 1 ? a : c));
  }
  return { positions: Float64Array.from(positions), indices: Uint32Array.from({ length: 90 }, (_, i) => i) };
}

function eachNode(
  { origin, spacing, size }: GridFrame,
  visit: (node: number, x: number, y: number, z: number) => void,
) {
  for (let k = 0, node = 0; k < size[2]; k++) {
    for (let j = 0; j < size[1]; j++) {
      for (let i = 0; i < size[0]; i++, node++) {
        visit(node, origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k);
      }
    }
  }
}

const CASES: readonly (readonly [string, Mesh, GridFrame])[] = [
  ['a box', boxMesh([-0.7, -0.5, -0.6], [0.5, 0.6, 0.7]), grid(14, -1, 1)],
  ['a torus', torusGrid(10, 7), { origin: [-3, -3, -1.1], spacing: 0.45, size: [14, 15, 6] }],
  ['two bodies, the grid around one', join(sphereGrid(3), boxMesh([3, 3, 3], [4, 4, 4])), grid(13, -1.3, 1.2)],
  ['a grid away from the surface', sphereGrid(3), grid(9, 4, 6)],
  ['a grid inside', boxMesh([-9, -9, -9], [9, 9, 9]), grid(10, -1, 1)],
  [
    'small and far from the origin',
    mapPoints(sphereGrid(3), (p) => p.map((x) => 1e-3 * x + 50)),
    grid(12, 49.998, 50.002),
  ],
  ['large', mapPoints(torusGrid(8, 6), (p) => p.map((x) => 1e6 * x)), grid(10, -3e6, 3e6)],
];

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});

const compute = async (
  onGpu: boolean,
  source: Parameters<typeof floodField>[0],
  frame: GridFrame,
  options?: FieldOptions,
) => (onGpu ? floodFieldOnGpu(gpu, source, frame, options) : floodField(source, frame, options));

describe.each([
  ['floodField', false],
  ['floodFieldOnGpu', true],
])('%s', (_, onGpu) => {
  test.each(CASES)('is the signed distance of brute force: %s', async (_, mesh, frame) => {
    const field = await compute(onGpu, mesh, frame);
    expect(field).toMatchObject({
      method: 'jump-flooding',
      backend: onGpu ? 'webgpu' : 'cpu',
      signed: true,
      closed: true,
    });
    expect(field.error.kind).toBe('bound');
    const { max } = field.error;
    const extent = Math.max(...mesh.positions.map(Math.abs), ...frame.origin.map(Math.abs));
    expect(max).toBeLessThan(onGpu ? 2e-5 * extent : 1e-12 * extent);
    let worst = 0;
    eachNode(frame, (node, x, y, z) => {
      const exact = bruteSignedDistance(mesh.positions, mesh.indices, [x, y, z]);
      worst = Math.max(worst, Math.abs(Math.abs(field.values[node]) - Math.abs(exact)));
      if (Math.abs(exact) > max) expect(Math.sign(field.values[node])).toBe(Math.sign(exact));
    });
    expect(worst).toBeLessThanOrEqual(max + 1e-13 * extent);
    if (onGpu) expect(worst).toBeGreaterThan(0);
  });

  test('soups and slivers, with the nearest triangle', async () => {
    for (let seed = 0; seed < 6 * SOAK; seed++) {
      const mesh =
        seed % 3 === 2 ? needles(seed) : randomSoup(seed, 10 ** (seed % 3) * 20, seed % 2 === 0 ? 0.5 : 0.05);
      const frame: GridFrame = { origin: [-1.2, -1.1, -1.3], spacing: 0.23, size: [11, 12, 10] };
      const field = await compute(onGpu, mesh, frame, { sign: 'none', nearest: true });
      expect(field.signed).toBe(false);
      const nearest = field.nearest!;
      let worst = 0;
      let worstNearest = 0;
      eachNode(frame, (node, x, y, z) => {
        const exact = bruteDistance(mesh.positions, mesh.indices, [x, y, z]);
        worst = Math.max(worst, Math.abs(field.values[node] - exact));
        const corners = [0, 1, 2].map((corner) => {
          const vertex = 3 * mesh.indices[3 * nearest[node] + corner];
          return mesh.positions.subarray(vertex, vertex + 3);
        });
        const own = triangleDistance(corners[0], corners[1], corners[2], [x, y, z]);
        worstNearest = Math.max(worstNearest, own - exact);
      });
      expect(worst).toBeLessThanOrEqual(field.error.max + 1e-14);
      expect(worstNearest).toBeLessThanOrEqual(2 * field.error.max + 1e-14);
    }
  });

  test('a polygon in the plane', async () => {
    const polygon = createPolygon([
      [0, 0, 4, 0, 4, 3, 0, 3],
      [1, 1, 1, 2, 2, 2, 2, 1],
    ]);
    const frame: GridFrame = { origin: [-1, -1, 5], spacing: 0.25, size: [25, 21, 1] };
    const field = await compute(onGpu, polygon, frame, { nearest: true });
    const at = (x: number, y: number) => field.values[(x + 1) * 4 + 25 * (y + 1) * 4];
    const { max } = field.error;
    for (const [x, y, distance] of [
      [-1, -1, Math.SQRT2],
      [2, -1, 1],
      [3, 1.5, -1],
      [1.5, 1.5, 0.5],
      [0.5, 0.5, -0.5],
    ]) {
      expect(Math.abs(at(x, y) - distance)).toBeLessThanOrEqual(max);
    }
    expect(field.nearest![0]).toBeGreaterThanOrEqual(0);
    expect(max).toBeLessThan(1e-4);
  });

  test('beyond the largest distance, and on the side not asked for, values are infinite', async () => {
    const mesh = sphereGrid(4);
    const frame = grid(15, -1.6, 1.6);
    const whole = await compute(onGpu, mesh, frame, { nearest: true });
    const near = await compute(onGpu, mesh, frame, { maxDistance: 0.3, nearest: true });
    const inside = await compute(onGpu, mesh, frame, { sides: 'inside' });
    const counts = [0, 0];
    for (let node = 0; node < gridNodeCount(frame); node++) {
      const value = whole.values[node];
      const isNear = Math.abs(value) <= 0.3;
      expect(near.values[node]).toBe(isNear ? value : Math.sign(value) * Infinity);
      expect(near.nearest![node]).toBe(isNear ? whole.nearest![node] : -1);
      const isBand = Math.abs(value) <= (Math.sqrt(3) / 2) * (1 + 1e-9) * frame.spacing;
      expect(inside.values[node]).toBe(value < 0 || isBand ? value : Infinity);
      counts[Number(isNear)]++;
    }
    expect(Math.min(...counts)).toBeGreaterThan(500);
  });

  test('an open mesh says so', async () => {
    const sphere = sphereGrid(3);
    const open = { positions: sphere.positions, indices: sphere.indices.slice(3) };
    expect((await compute(onGpu, open, grid(6, -1.5, 1.5))).closed).toBe(false);
  });

  test('refuses what it cannot measure', async () => {
    const refuse = async (code: string, ...[source, frame, options]: Parameters<typeof floodField>) =>
      expect((async () => compute(onGpu, source, frame, options))()).rejects.toMatchObject({ code });
    const mesh = sphereGrid(2);
    const frame = grid(5, -1, 1);
    await refuse('unsupported', { value: () => 0, lipschitz: 1 }, frame);
    await refuse('unsupported', mesh, frame, { speed: new Float64Array(125) });
    await refuse('bad-argument', mesh, frame, { maxDistance: -1 });
    await refuse('bad-argument', mesh, frame, { sides: 'all' as 'both' });
    await refuse('bad-argument', mesh, frame, { sign: 'odd' as 'none' });
    await refuse('too-large', mesh, { ...frame, size: [1100, 2, 2] });
  });
});

test('the device gives the same bits each time, and a lost one says so', async () => {
  const mesh = torusGrid(20, 12);
  const frame = grid(16, -3, 3);
  const first = await floodFieldOnGpu(gpu, mesh, frame, { nearest: true });
  const second = await floodFieldOnGpu(gpu, mesh, frame, { nearest: true });
  expect(second.values).toEqual(first.values);
  expect(second.nearest).toEqual(first.nearest);
  const other = await requestExpectedDevice();
  other.device.destroy();
  await other.lost;
  await expect(floodFieldOnGpu(other, mesh, frame)).rejects.toMatchObject({ code: 'device-lost' });
});
