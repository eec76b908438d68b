// One rule for choosing a backend everywhere: 'auto' uses the CPU and reports why, 'webgpu' throws, if a device is missing,
// lost before the call or lost during it.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import { computeField, computeFieldSync } from '../../src/field/compute-field.js';
import { gridOverBox } from '../../src/field/grid.js';
import { type Backend, chooseBackend, runOnBackend } from '../../src/gpu/choose-backend.js';
import { adoptGpuDevice, type GpuDevice } from '../../src/gpu/device.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measurePenetration } from '../../src/penetration/measure-penetration.js';
import type { PenetrationOptions } from '../../src/penetration/options.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { createRasterizer } from '../../src/raster/create-rasterizer.js';
import { codeOf, laterCodeOf } from '../error-code.js';
import { boxMesh, torusGrid } from '../generators/surfaces.js';
import { requestExpectedDevice } from './expected-device.js';

/** A device that counts as a real GPU. */
async function realDevice(): Promise<GpuDevice> {
  const { device } = await requestExpectedDevice();
  return adoptGpuDevice(device, 'real', false);
}

async function lostDevice(): Promise<GpuDevice> {
  const gpu = await realDevice();
  gpu.device.destroy();
  await gpu.lost;
  return gpu;
}

describe('chooseBackend', () => {
  test('takes the device, the CPU, or neither', async () => {
    const real = await realDevice();
    const software = { ...real, isSoftware: true };
    expect(chooseBackend({}, 'a')).toEqual({ device: null, fallback: null });
    expect(chooseBackend({ backend: 'cpu', device: real }, 'a')).toEqual({ device: null, fallback: null });
    expect(chooseBackend({ device: real }, 'a').device).toBe(real);
    expect(chooseBackend({ device: software }, 'a')).toEqual({ device: null, fallback: 'software-adapter' });
    expect(chooseBackend({ backend: 'webgpu', device: software }, 'a').device).toBe(software);
    expect(codeOf(() => chooseBackend({ backend: 'webgpu' }, 'a'))).toBe('no-gpu');
    expect(codeOf(() => chooseBackend({ backend: 'metal' as Backend }, 'a'))).toBe('bad-argument');
    real.device.destroy();
    await real.lost;
    expect(chooseBackend({ device: real }, 'a')).toEqual({ device: null, fallback: 'device-lost' });
    expect(codeOf(() => chooseBackend({ backend: 'webgpu', device: real }, 'a'))).toBe('device-lost');
  });

  test('what the caller did wrong is not tried again', async () => {
    const device = await realDevice();
    const fail = () => runOnBackend({ device }, 'a', () => computeField(torus, frame, { maxDistance: -1 }), never);
    const never = () => expect.unreachable('the CPU was asked');
    expect(await laterCodeOf(fail)).toBe('bad-argument');
    device.device.destroy();
  });
});

const torus = torusGrid(24, 12, 0.7, 0.25);
const frame = gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, 22);

describe('a field', () => {
  const expected = computeFieldSync(torus, frame);

  test('of a device lost before the call', async () => {
    const device = await lostDevice();
    const field = await computeField(torus, frame, { device });
    expect(field).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    expect(field.values).toEqual(expected.values);
    expect(await laterCodeOf(() => computeField(torus, frame, { device, backend: 'webgpu' }))).toBe('device-lost');
  });

  test('of a device lost during the call', async () => {
    const dying = async (backend: Backend) => {
      const device = await realDevice();
      const onProgress = (_: number, phase: string) => {
        if (phase === 'distances on the GPU') device.device.destroy();
      };
      return computeField(torus, frame, { device, backend, onProgress });
    };
    const field = await dying('auto');
    expect(field).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    expect(field.values).toEqual(expected.values);
    expect(await laterCodeOf(() => dying('webgpu'))).toBe('device-lost');
  });

  test('says nothing where nothing failed', async () => {
    const device = await realDevice();
    expect((await computeField(torus, frame, { device })).fallback).toBeUndefined();
    expect((await computeField(torus, frame)).fallback).toBeUndefined();
    expect((await computeField(torus, frame, { device, backend: 'cpu' })).fallback).toBeUndefined();
    device.device.destroy();
  });
});

describe.each(['rays', 'windows'] as const)('a depth by %s', (query) => {
  const a = new ProximityModel(torus);
  const b = new ProximityModel(boxMesh([-0.3, -0.3, -0.3], [0.3, 0.3, 0.3]));
  const there = pose.create([0.6, 0.1, 0]);
  const asked: PenetrationOptions = { method: 'image-space', query, resolution: 16 };
  const ask = (device: GpuDevice, backend: Backend) =>
    measurePenetration(a, b, pose.identity(), there, { ...asked, device, backend });
  const { query: _, ...byRays } = asked;
  const onCpu = async () =>
    query === 'rays'
      ? measurePenetrationSync(a, b, pose.identity(), there, byRays)
      : measurePenetration(a, b, pose.identity(), there, asked);

  test('of a device that stays', async () => {
    const device = await realDevice();
    const result = await ask(device, 'auto');
    expect(result).toMatchObject({ backend: 'webgpu', intersects: true });
    expect(result.fallback).toBeUndefined();
    device.device.destroy();
  });

  test('of a device lost before the call', async () => {
    const device = await lostDevice();
    const result = await ask(device, 'auto');
    expect(result).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    expect(result.vector).toEqual((await onCpu()).vector);
    expect(await laterCodeOf(() => ask(device, 'webgpu'))).toBe('device-lost');
  });

  test('of a device lost during the call', async () => {
    const dying = async (backend: Backend) => {
      const device = await realDevice();
      const answer = ask(device, backend);
      device.device.destroy();
      return answer;
    };
    const result = await dying('auto');
    expect(result).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    expect(result.vector).toEqual((await onCpu()).vector);
    expect(await laterCodeOf(() => dying('webgpu'))).toBe('device-lost');
  });
});

describe('a rasterizer', () => {
  test('of a device lost before', async () => {
    const device = await lostDevice();
    expect(createRasterizer({ device })).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    expect(codeOf(() => createRasterizer({ device, backend: 'webgpu' }))).toBe('device-lost');
    expect(createRasterizer().fallback).toBeUndefined();
  });

  test('of a device lost while it draws throws, and the next one draws on the CPU', async () => {
    const device = await realDevice();
    const rasterizer = createRasterizer({ device });
    expect(rasterizer.backend).toBe('webgpu');
    const target = rasterizer.createTarget(4, 4, 1);
    const reading = rasterizer.read(target, ['color']);
    device.device.destroy();
    expect(await laterCodeOf(() => reading)).toBe('device-lost');
    await device.lost;
    const next = createRasterizer({ device });
    expect(next).toMatchObject({ backend: 'cpu', fallback: 'device-lost' });
    const { color } = await next.read(next.createTarget(2, 2, 1), ['color']);
    expect([...color!]).toEqual([0, 0, 0, 0]);
  });
});
