// One step of each kernel against the oracle, and steps of the kernels against each other.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { couplingOf } from '../../src/ice/coefficients.js';
import { KERNEL_SOURCE } from '../../src/ice/cpu/ice-kernel-code.js';
import { createIce } from '../../src/ice/create-ice.js';
import type { IceBoundary } from '../../src/ice/ice.js';
import type { IceOptions } from '../../src/ice/options.js';
import { ratesAt } from '../oracles/ice-step.js';

const BOUNDARIES: IceBoundary[] = ['no-flux', 'fixed', 'periodic'];

/** Random smooth fields with flat parts of 0 and 1. */
function randomFields(size: readonly number[], seed: number): { phase: Float64Array; temperature: Float64Array } {
  const random = createRandom(seed);
  const [nx, ny, nz] = [size[0], size[1], size[2] ?? 1];
  const waves = Array.from({ length: 5 }, () => [
    random.range(-1, 1),
    random.range(-1, 1),
    random.range(-1, 1),
    random.next(),
  ]);
  const phase = new Float64Array(nx * ny * nz);
  const temperature = new Float64Array(nx * ny * nz);
  for (let c = 0; c < phase.length; c++) {
    const x = c % nx;
    const y = Math.floor(c / nx) % ny;
    const z = Math.floor(c / (nx * ny));
    let sum = 0;
    for (const [a, b, d, f] of waves) sum += Math.sin(0.5 * (a * x + b * y + d * z) + 6 * f);
    phase[c] = Math.fround(Math.min(1, Math.max(0, 0.5 + 0.5 * sum)));
    temperature[c] = Math.fround(0.5 + 0.3 * Math.sin(sum + x));
  }
  return { phase, temperature };
}

/** What a cell beyond the grid holds. */
function beyond(values: ArrayLike<number>, size: readonly number[], boundary: IceBoundary, wall: number | null) {
  const counts = [size[0], size[1], size[2] ?? 1];
  const look = (i: number, j: number, k: number): number => {
    const at = [i, j, k];
    let mirrored = 0;
    for (let axis = 0; axis < 3; axis++) {
      if (at[axis] >= 0 && at[axis] < counts[axis]) continue;
      if (boundary === 'periodic') at[axis] = (at[axis] + counts[axis]) % counts[axis];
      else {
        at[axis] = Math.min(counts[axis] - 1, Math.max(0, at[axis]));
        mirrored++;
      }
    }
    const value = values[at[0] + counts[0] * (at[1] + counts[1] * at[2])];
    return boundary === 'fixed' && wall !== null && mirrored === 1 ? 2 * wall - value : value;
  };
  return look;
}

async function worstAgainstOracle(options: IceOptions, seed: number): Promise<[number, number]> {
  const ice = await createIce({ still: 0, wallTemperature: 0.25, ...options, seeds: [] });
  const { phase, temperature } = randomFields(options.size, seed);
  ice.write({ phase, temperature });
  await ice.advance(1);
  const after = await ice.read();
  const [nx, ny, nz] = ice.size;
  const lambda = ice.parameters.model === 'karma-rappel' ? couplingOf(ice.parameters) : 0;
  const look = beyond(phase, options.size, ice.boundary, null);
  const warm = beyond(temperature, options.size, ice.boundary, 0.25);
  const latent = lambda === 0 ? ice.parameters.latentHeat : 1;
  let worst = [0, 0];
  for (let c = 0; c < phase.length; c++) {
    const cell = [c % nx, Math.floor(c / nx) % ny, Math.floor(c / (nx * ny))] as const;
    const rates = ratesAt({ ...ice.parameters, lambda }, look, warm, cell, ice.spacing, nz === 1 ? 2 : 3);
    const p = phase[c] + ice.timestep * rates.phase;
    const t = temperature[c] + ice.timestep * rates.diffusion + latent * (p - phase[c]);
    worst = [Math.max(worst[0], Math.abs(after.phase[c] - p)), Math.max(worst[1], Math.abs(after.temperature[c] - t))];
  }
  return worst as [number, number];
}

describe('a step', () => {
  const quiet = { noise: 0 };
  const cases: [string, IceOptions][] = [
    ['in the plane', { size: [21, 18], parameters: { ...quiet, delta: 0.1, fold: 6, orientation: 0.4 } }],
    ['of fold 5', { size: [17, 12], parameters: { ...quiet, delta: 0.2, fold: 5, orientation: -1 } }],
    ['of fold 1', { size: [17, 12], parameters: { ...quiet, delta: 0.2, fold: 1, orientation: 2 } }],
    ['without anisotropy', { size: [16, 9], preset: 'isotropic', parameters: quiet }],
    ['of the benchmark', { size: [19, 14], preset: 'pfhub-3a' }],
    ['in space', { size: [11, 9, 10], parameters: { ...quiet, delta: 0.1, fold: 6, orientation: 0.4, axial: -0.2 } }],
    ['in space of fold 3', { size: [9, 10, 6], parameters: { ...quiet, delta: 0.3, fold: 3, axial: 0 } }],
    ['of the benchmark in space', { size: [9, 7, 6], preset: 'pfhub-3a', timestep: 0.012 }],
  ];
  test.each(cases)('%s equals the oracle', async (_, options) => {
    for (const boundary of BOUNDARIES) {
      for (const [precision, bound] of [
        ['float64', 2e-11],
        ['float32', 2e-6],
      ] as const) {
        const worst = await worstAgainstOracle({ ...options, boundary, precision }, 7);
        expect(worst[0], `${boundary} ${precision}`).toBeLessThan(bound);
        expect(worst[1], `${boundary} ${precision}`).toBeLessThan(bound);
      }
    }
  });

  test.each([
    [[70, 45], 'explicit'],
    [[70, 45], 'semi-implicit'],
    [[37, 11, 13], 'explicit'],
    [[37, 11, 13], 'semi-implicit'],
  ] as const)('in single precision equals that in double precision but for rounding: %j %s', async (size, scheme) => {
    for (const boundary of BOUNDARIES) {
      const run = async (precision: 'float32' | 'float64') => {
        const ice = await createIce({ size, scheme, boundary, precision, wallTemperature: 0.1, seeds: [] });
        const room = new Uint8Array(size.reduce((a: number, b) => a * b, 1)).fill(1);
        for (let i = 100; i < 260; i++) room[i] = 0;
        const { phase, temperature } = randomFields(size, 3);
        ice.write({ phase: phase.map((p, i) => p * room[i]), temperature, room });
        await ice.advance(20);
        return ice.read();
      };
      const [single, double] = [await run('float32'), await run('float64')];
      let worst = 0;
      for (let i = 0; i < single.phase.length; i++) {
        worst = Math.max(worst, Math.abs(single.phase[i] - double.phase[i]));
        worst = Math.max(worst, Math.abs(single.temperature[i] - double.temperature[i]));
      }
      expect(worst, boundary).toBeLessThan(1e-5);
      // Obstacles stay free of ice.
      expect(double.phase.subarray(100, 260).every((p) => p === 0)).toBe(true);
    }
  });

  test('the module was compiled from its source', () => {
    const source = readFileSync(new URL('../../assembly/ice-kernel.ts', import.meta.url));
    expect(KERNEL_SOURCE).toBe(createHash('sha256').update(source).digest('hex'));
  });
});
