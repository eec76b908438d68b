// Growth on a GPU against the CPU, which its numbers follow step by step: rounding differs, and instability of the front
// makes the difference grow, so the bounds are for some steps only.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { GpuDevice } from '../../src/gpu/device.js';
import { createIce } from '../../src/ice/create-ice.js';
import type { IceState } from '../../src/ice/ice.js';
import type { IceOptions } from '../../src/ice/options.js';
import { ICE_PRESETS } from '../../src/ice/parameters.js';
import { requestExpectedDevice } from '../gpu/expected-device.js';

let device: GpuDevice;
beforeAll(async () => {
  device = await requestExpectedDevice();
});
afterAll(() => device.device.destroy());

const onGpu = (options: IceOptions) => createIce({ ...options, backend: 'webgpu', device });

function worst(a: IceState, b: IceState): number {
  let most = 0;
  for (let i = 0; i < a.phase.length; i++) {
    most = Math.max(most, Math.abs(a.phase[i] - b.phase[i]), Math.abs(a.temperature[i] - b.temperature[i]));
  }
  return most;
}

const SEEDS = [
  { center: [0, 0, 0], radius: 0.11, phase: 1 },
  { center: [-0.35, 0.31, 0.1], radius: 0.1, obstacle: true },
  { center: [0.4, -0.3, 0], radius: 0.12, temperature: -0.4 },
];

describe('growth on a GPU', () => {
  test.each([
    ['no-flux', [75, 70], {}],
    ['fixed', [75, 70], {}],
    ['periodic', [75, 70], { fold: 5, orientation: 0.3 }],
    ['no-flux', [20, 19, 12], { axial: -0.1 }],
    ['fixed', [20, 17, 9], {}],
    ['periodic', [20, 17, 12], { fold: 3 }],
  ] as const)('follows the CPU: %s, %j, %j', async (boundary, size, parameters) => {
    const options = { size, boundary, parameters, seeds: SEEDS, wallTemperature: 0.2 };
    const steps = size.length === 2 ? 60 : 20;
    const cpu = await createIce({ ...options, backend: 'cpu' });
    const gpu = await onGpu(options);
    for (const ice of [cpu, gpu]) {
      await ice.advance(steps / 2);
      ice.paint([{ center: [0.2, 0.3, 0.1], to: [0.4, 0.3, 0.1], radius: 0.05, phase: 1, temperature: 0.1 }]);
      ice.paint([{ center: [-0.35, 0.31, 0.1], radius: 0.03, obstacle: false }]);
      await ice.advance(steps / 2);
    }
    expect(gpu.backend).toBe('webgpu');
    const [a, b] = [await cpu.read(), await gpu.read()];
    expect(worst(a, b)).toBeLessThan(2e-5);
    expect(b.room).toEqual(a.room);
    expect(b.steps).toBe(steps);
    gpu.free();
    await expect(gpu.advance(1)).rejects.toThrow('freed');
  });

  test('follows the CPU in the benchmark', async () => {
    const options = { size: [60, 60], preset: 'pfhub-3a', seeds: [{ center: [0, 0], radius: 8, phase: 1 }] } as const;
    const cpu = await createIce(options);
    const gpu = await onGpu({ ...options, band: false });
    for (const ice of [cpu, gpu]) await ice.advance(300);
    expect(worst(await cpu.read(), await gpu.read())).toBeLessThan(2e-5);
  });

  test.each([
    // The full grid does two steps in one pass, the band one.
    ['no-flux', [150, 130]],
    ['periodic', [101, 130]],
    ['periodic', [80, 40, 48]],
  ] as const)('the band gives the bits of the full grid: %s, %j', async (boundary, size) => {
    const run = async (band: boolean) => {
      const ice = await onGpu({ size, boundary, band, seeds: SEEDS });
      const work = await ice.advance(size.length === 2 ? 10 : 3);
      ice.paint([{ center: [-0.6, -0.6, 0], radius: 0.1, phase: 1 }]);
      await ice.advance(size.length === 2 ? 7 : 2);
      const state = await ice.read();
      ice.free();
      return { work, bytes: [state.phase, state.temperature].map((values) => Buffer.from(values.buffer)) };
    };
    const [banded, full] = [await run(true), await run(false)];
    expect(banded.bytes.map((bytes, i) => bytes.equals(full.bytes[i]))).toEqual([true, true]);
    expect(banded.work.computedTiles).toBeLessThan(full.work.tiles);
    expect(banded.work.phaseTiles).toBeLessThan(banded.work.computedTiles);
  });

  test('two steps in one pass have the bits of two passes, on small and narrow grids too', async () => {
    // Few kinds of growth: a software adapter takes seconds to compile each.
    for (const [boundary, size] of [
      ['periodic', [67, 31]],
      ['periodic', [5, 3]],
      ['periodic', [1, 70]],
      ['fixed', [61, 33]],
      ['fixed', [2, 1]],
    ] as const) {
      const unit = ICE_PRESETS.dendritic.spacing;
      const seeds = [
        { center: [0, 0], radius: 3.6 * unit, phase: 1 },
        { center: [0, 12 * unit], radius: 2 * unit, phase: 0.3 },
        { center: [5 * unit, 0], radius: 1.2 * unit, obstacle: true },
      ];
      const options = { boundary, size, seeds, band: false };
      const [twice, once] = [await onGpu(options), await onGpu(options)];
      await twice.advance(5);
      for (let step = 0; step < 5; step++) await once.advance(1);
      const [a, b] = [await twice.read(), await once.read()];
      expect(a).toEqual(b);
      if (size[1] > 30) expect(a.phase.some((p) => p > 0 && p < 1)).toBe(true);
    }
  });

  test('writes one field and keeps the other', async () => {
    const ice = await onGpu({ size: [33, 20] });
    ice.write({ temperature: new Float64Array(660).fill(0.25) });
    ice.write({ phase: Float64Array.from({ length: 660 }, (_, i) => (i % 7) / 8) });
    const { phase, temperature } = await ice.read();
    expect(temperature.every((t) => t === 0.25)).toBe(true);
    expect(phase.every((p, i) => p === (i % 7) / 8)).toBe(true);
  });

  test('refuses what only the CPU does; auto falls back and says why', async () => {
    await expect(onGpu({ size: [8, 8], scheme: 'semi-implicit' })).rejects.toThrow('runs on the CPU');
    await expect(onGpu({ size: [8, 8], precision: 'float64' })).rejects.toThrow('runs on the CPU');
    const auto = await createIce({ size: [8, 8], device });
    expect([auto.backend, auto.fallback]).toEqual(
      device.isSoftware ? ['cpu', 'software-adapter'] : ['webgpu', undefined],
    );
  });
});
