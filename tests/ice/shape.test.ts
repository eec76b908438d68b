import { describe, expect, test } from 'vitest';
import { createIce } from '../../src/ice/create-ice.js';
import { measureIce } from '../../src/ice/measure-ice.js';
import { iceHeights } from '../../src/ice/shape/ice-heights.js';
import { iceMesh } from '../../src/ice/shape/ice-mesh.js';
import { createIceOnModel } from '../../src/ice/shape/ice-on-model.js';
import { drawIce } from '../../src/ice/shape/ice-picture.js';
import { inspectMesh } from '../../src/mesh/report/report.js';
import { findModel } from '../../src/models/catalogue.js';
import { laterCodeOf } from '../error-code.js';

describe('painting', () => {
  test('sets the cells whose centers are in a stroke, and no other', async () => {
    const ice = await createIce({
      size: [20, 10],
      spacing: 1,
      origin: [0, 0],
      seeds: [],
      parameters: { epsilon: 0.1 },
    });
    ice.paint([
      { center: [2, 2], radius: 1, phase: 1 },
      { center: [10, 5], to: [14, 5], radius: 1.2, temperature: -1 },
      { center: [14, 5], radius: 0, obstacle: true, phase: 1 },
    ]);
    const { phase, temperature, room } = await ice.read();
    const cells = [...phase.keys()].filter((c) => phase[c] === 1);
    expect(cells).toEqual([22, 41, 42, 43, 62]);
    expect([...temperature].filter((t) => t === -1)).toHaveLength(3 * 5 + 2);
    expect([...room!].filter((open) => open === 0)).toHaveLength(1);
    expect(room![5 * 20 + 14]).toBe(0);
    ice.paint([{ center: [14, 5], radius: 0, obstacle: false }]);
    expect((await ice.read()).room!.every((open) => open === 1)).toBe(true);
  });

  test('a wall of obstacles keeps ice on its side', async () => {
    const seeds = [
      { center: [-0.6, 0], radius: 0.1, phase: 1 },
      { center: [0, -2], to: [0, 2], radius: 0.05, obstacle: true },
    ];
    const ice = await createIce({ size: [60, 30], seeds });
    await ice.advance(1200);
    const { phase } = await ice.read();
    const right = [...phase.keys()].filter((c) => c % 60 > 32);
    expect(right.every((c) => phase[c] === 0)).toBe(true);
    expect(phase[15 * 60 + 20]).toBeGreaterThan(0.9);
  });
});

describe('shapes', () => {
  test('flat ice has a closed mesh of its area and thickness', async () => {
    const ice = await createIce({ size: [50, 50], spacing: 0.1, seeds: [{ center: [0, 0], radius: 2, phase: 1 }] });
    const state = await ice.read();
    const mesh = iceMesh(state, { thickness: 0.3, rim: 0.01 });
    const report = inspectMesh(mesh);
    expect([report.closed, report.manifold, report.components, report.genus]).toEqual([true, true, 1, 0]);
    expect(report.volume! / (Math.PI * 4 * 0.6)).toBeGreaterThan(0.85);
    expect(report.volume! / (Math.PI * 4 * 0.6)).toBeLessThan(1.1);
    const heights = iceHeights(state, { thickness: 0.3 });
    expect(Math.max(...heights.values)).toBeCloseTo(0.3, 10);
    expect(heights.values[0]).toBe(0);
    expect(iceMesh(await (await createIce({ size: [9, 9], seeds: [] })).read()).indices).toHaveLength(0);
  });

  test('ice in space has the mesh of its phase', async () => {
    const ice = await createIce({ size: [24, 24, 24], spacing: 1, parameters: { epsilon: 0.1 } });
    ice.write({
      phase: Float64Array.from({ length: 24 ** 3 }, (_, c) => {
        const r = Math.hypot((c % 24) - 11.5, (Math.floor(c / 24) % 24) - 11.5, Math.floor(c / 576) - 11.5);
        return Math.min(1, Math.max(0, 0.5 + (8 - r) / 4));
      }),
    });
    const report = inspectMesh(iceMesh(await ice.read()));
    expect([report.closed, report.manifold, report.genus]).toEqual([true, true, 0]);
    expect(report.volume! / ((4 / 3) * Math.PI * 512)).toBeCloseTo(1, 1.5);
    const { extent, solidFraction } = measureIce(await ice.read(), ice.parameters);
    expect(extent!.max[0]).toBeCloseTo(8, 1);
    expect(solidFraction * 24 ** 3).toBeGreaterThan(2000);
  });

  test('a picture shows ice, and a background through it', async () => {
    const ice = await createIce({ size: [32, 24], seeds: [{ center: [-0.3, 0], radius: 0.15, phase: 1 }] });
    const state = await ice.read();
    const plain = drawIce(state);
    expect([plain.width, plain.height, plain.channels, plain.pixels.length]).toEqual([32, 24, 3, 32 * 24 * 3]);
    const stripes = Uint8Array.from({ length: 32 * 24 }, (_, c) => (c % 4 < 2 ? 255 : 0));
    const over = drawIce(state, { background: { width: 32, height: 24, channels: 1, pixels: stripes } });
    // Far from the ice the background is as it was.
    expect([...over.pixels.subarray(3 * 24, 3 * 28)]).toEqual([255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 0, 0]);
  });

  test('grows on a model, outside it and near it only', async () => {
    const torus = findModel('torus').build();
    const ice = await createIceOnModel(torus, { resolution: 32, reach: 0.3, seed: 3 });
    await ice.advance(80);
    const state = await ice.read();
    const closed = [...state.phase.keys()].filter((c) => state.room![c] === 0);
    expect(closed.length).toBeGreaterThan(1000);
    expect(closed.every((c) => state.phase[c] === 0)).toBe(true);
    const report = inspectMesh(iceMesh(state));
    expect(report.closed).toBe(true);
    expect(report.volume!).toBeGreaterThan(0.02);
    const grown = async () => {
      const again = await createIceOnModel(torus, { resolution: 20, reach: 0.3, seed: 3 });
      await again.advance(20);
      return (await again.read()).phase;
    };
    expect(await grown()).toEqual(await grown());
  });
});

describe('bad input', () => {
  test.each([
    [{ size: [8] }, 'size'],
    [{ size: [8, 0] }, 'size along y'],
    [{ size: [8, 8], preset: 'snow' }, 'preset'],
    [{ size: [8, 8], timestep: 1 }, 'stable up to'],
    [{ size: [8, 8], timestep: 2e-4 }, 'semi-implicit'],
    [{ size: [8, 8], parameters: { fold: 2.5 } }, 'fold'],
    [{ size: [8, 8], parameters: { delta: 1 } }, 'delta'],
    [{ size: [8, 8], parameters: { gama: 1 } }, "did you mean 'gamma'"],
    [{ size: [8, 8], seeds: [{ center: [0, Number.NaN], radius: 1 }] }, 'center of stroke 0'],
    [{ size: [8, 8], seeds: [{ center: [0, 0], radius: 1, phase: 2 }] }, 'phase of stroke 0'],
    [{ size: [8, 8], seed: 0.5 }, 'seed'],
    [{ size: [8, 8], still: -1 }, 'still'],
    [{ size: [8, 8], boundary: 'open' }, 'boundary'],
  ])('%j is refused with a reason', async (options, words) => {
    await expect(createIce(options as never)).rejects.toThrow(words);
  });

  test('too many cells, other arrays, wrong steps and a freed growth are refused', async () => {
    expect(await laterCodeOf(() => createIce({ size: [20_000, 20_000] }))).toBe('too-large');
    const ice = await createIce({ size: [8, 8] });
    expect(() => ice.write({ phase: new Float64Array(3) })).toThrow('64 numbers');
    expect(() => ice.write({ phase: new Float64Array(64).fill(Number.NaN) })).toThrow('Cell 0');
    await expect(ice.advance(1.5)).rejects.toThrow('whole number');
    ice.free();
    await expect(ice.advance(1)).rejects.toThrow('freed');
  });

  test('a growth that becomes unstable is told, not returned', async () => {
    const ice = await createIce({ size: [32, 32], parameters: { fold: 64, delta: 0.9 } });
    await ice.advance(20);
    expect(await laterCodeOf(() => ice.read())).toBe('non-finite');
  });

  test('an abort leaves the state of the last step', async () => {
    const ice = await createIce({ size: [256, 256] });
    let reports = 0;
    const signal = {
      get aborted() {
        return reports > 3;
      },
    };
    const onProgress = () => {
      reports++;
    };
    await expect(ice.advance(100_000, { signal, onProgress })).rejects.toThrow('Stopped');
    expect(ice.steps).toBeGreaterThan(0);
    expect((await ice.read()).steps).toBe(ice.steps);
  });
});
