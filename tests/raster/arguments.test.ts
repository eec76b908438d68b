// Arguments that types forbid but programs pass anyway: both rasterizers throw the same error.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import type { GpuDevice } from '../../src/gpu/device.js';
import { createRasterizer } from '../../src/raster/create-rasterizer.js';
import { createWebGpuRasterizer } from '../../src/raster/gpu/rasterizer-gpu.js';
import type { RasterGeometry, Rasterizer, RasterTarget } from '../../src/raster/raster.js';
import { createSoftwareRasterizer } from '../../src/raster/software/software-rasterizer.js';
import { requestExpectedDevice } from '../gpu/expected-device.js';

let gpu: GpuDevice;
beforeAll(async () => {
  gpu = await requestExpectedDevice();
});
afterAll(() => gpu.device.destroy());

/** The code of what a call throws, at once or later. */
async function refusal(call: () => unknown): Promise<string> {
  try {
    await call();
  } catch (error) {
    if (error instanceof NearfieldError) return error.code;
    throw error;
  }
  return 'accepted';
}

const VIEW = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1];
const TRIANGLE = [-1, -1, 0.5, 3, -1, 0.5, -1, 3, 0.5];
const IDS = Uint32Array.of(0, 1, 2);

/** A rasterizer without its types. */
interface Untyped {
  readonly createGeometry: (...given: unknown[]) => RasterGeometry;
  readonly createTarget: (...given: unknown[]) => RasterTarget;
  readonly draw: (...given: unknown[]) => void;
  readonly read: (...given: unknown[]) => Promise<unknown>;
  readonly reduce: (...given: unknown[]) => Promise<unknown>;
}

type Call = (rasterizer: Untyped, target: RasterTarget, geometry: RasterGeometry) => unknown;
const drawing =
  (draws: (geometry: RasterGeometry) => unknown): Call =>
  (rasterizer, target, geometry) =>
    rasterizer.draw(target, VIEW, draws(geometry));
const reducing =
  (...given: unknown[]): Call =>
  (rasterizer, target) =>
    rasterizer.reduce(target, ...given);

const REFUSALS: readonly [string, string, Call][] = [
  ['no positions', 'bad-argument', (rasterizer) => rasterizer.createGeometry(null, IDS)],
  ['text for positions', 'bad-argument', (rasterizer) => rasterizer.createGeometry('012345678', IDS)],
  ['texts for coordinates', 'non-finite', (rasterizer) => rasterizer.createGeometry(TRIANGLE.map(String), IDS)],
  ['null for a coordinate', 'non-finite', (rasterizer) => rasterizer.createGeometry([null, ...TRIANGLE.slice(1)], IDS)],
  ['big integers', 'non-finite', (rasterizer) => rasterizer.createGeometry(new BigInt64Array(9), IDS)],
  ['text for a width', 'bad-argument', (rasterizer) => rasterizer.createTarget('4', 4, 1)],
  ['no target to draw into', 'bad-argument', (rasterizer) => rasterizer.draw(null, VIEW, [])],
  ['no matrices', 'bad-argument', (rasterizer, target) => rasterizer.draw(target, null, [])],
  ['text for matrices', 'bad-argument', (rasterizer, target) => rasterizer.draw(target, '0123456789012345', [])],
  ['no draws', 'bad-argument', drawing(() => undefined)],
  ['a draw that is no list', 'bad-argument', drawing((geometry) => ({ geometry, state: {} }))],
  ['null for a draw', 'bad-argument', drawing(() => [null])],
  ['no geometry', 'bad-argument', drawing(() => [{ state: {} }])],
  ['no state', 'bad-argument', drawing((geometry) => [{ geometry }])],
  ['text for a state', 'bad-argument', drawing((geometry) => [{ geometry, state: 'less' }])],
  ['text for yes or no', 'bad-argument', drawing((geometry) => [{ geometry, state: { depthWrite: 'no' } }])],
  [
    'a million million triangles',
    'index-out-of-range',
    drawing((geometry) => [{ geometry, state: {}, triangleCount: 1e12 }]),
  ],
  ['null to clear to', 'bad-argument', (rasterizer, target) => rasterizer.draw(target, VIEW, [], null)],
  ['text for a depth', 'bad-argument', (rasterizer, target) => rasterizer.draw(target, VIEW, [], { depth: '1' })],
  ['no images', 'bad-argument', (rasterizer, target) => rasterizer.read(target)],
  ['an image that is no list', 'bad-argument', (rasterizer, target) => rasterizer.read(target, 'depth')],
  ['an unknown image', 'bad-argument', (rasterizer, target) => rasterizer.read(target, ['normals'])],
  ['undefined for an image', 'bad-argument', (rasterizer, target) => rasterizer.read(target, [undefined])],
  ['no target to read', 'bad-argument', (rasterizer) => rasterizer.read(null, ['depth'])],
  ['no reduction', 'bad-argument', reducing(VIEW)],
  ['null for a reduction', 'bad-argument', reducing(VIEW, null)],
  ['no matrices to reduce by', 'bad-argument', reducing(null, { operation: 'min', value: 'depth' })],
  [
    'no target to reduce',
    'bad-argument',
    (rasterizer) => rasterizer.reduce(null, VIEW, { operation: 'min', value: 'depth' }),
  ],
];

describe.each<[string, () => Rasterizer]>([
  ['in software', createSoftwareRasterizer],
  ['by render pipelines', () => createWebGpuRasterizer(gpu)],
])('%s', (_, create) => {
  test.each(REFUSALS)('%s: %s', async (_name, code, call) => {
    const rasterizer = create();
    const target = rasterizer.createTarget(4, 4, 1);
    const geometry = rasterizer.createGeometry(TRIANGLE, IDS);
    expect(await refusal(() => call(rasterizer as unknown as Untyped, target, geometry))).toBe(code);
    // And it still draws.
    rasterizer.draw(target, VIEW, [{ geometry, state: {} }], {});
    const { color } = await rasterizer.read(target, ['color']);
    expect([...color!]).toEqual(new Array(16).fill(1));
  });

  test('a new target is cleared', async () => {
    const rasterizer = create();
    const { color, depth } = await rasterizer.read(rasterizer.createTarget(2, 2, 2), ['color', 'depth']);
    expect([...color!, ...depth!]).toEqual([...new Array(8).fill(0), ...new Array(8).fill(1)]);
  });
});

test('a device is one that was requested or adopted', async () => {
  const devices: unknown[] = [{}, 5, gpu.device, { device: gpu.device }];
  for (const device of devices as GpuDevice[]) {
    expect(await refusal(() => createRasterizer({ backend: 'webgpu', device }))).toBe('bad-argument');
    expect(await refusal(() => createRasterizer({ device }))).toBe('bad-argument');
    expect(await refusal(() => createWebGpuRasterizer(device))).toBe('bad-argument');
  }
  const none = null as unknown as undefined;
  expect(await refusal(() => createWebGpuRasterizer(none as unknown as GpuDevice))).toBe('bad-argument');
  expect(await refusal(() => createRasterizer({ backend: 'webgpu', device: none }))).toBe('no-gpu');
  expect(createRasterizer({ device: none }).backend).toBe('cpu');
  expect(createRasterizer(none).backend).toBe('cpu');
});
