// Penetrating points from a GPU: the same error bound, and the same samples as the CPU's up to rounding.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { findModel } from '../../../src/models/catalogue.js';
import { SpacePivot } from '../../../src/pivot/space/space-pivot.js';
import { laterCodeOf } from '../../error-code.js';
import { moved, randomSolid, surfaceArea } from '../../generators/deforming-solids.js';
import { boxMesh, mesh, openCube, sphereGrid } from '../../generators/surfaces.js';
import { requestExpectedDevice } from '../../gpu/expected-device.js';
import { checkSide, pointOf } from './check-side.js';

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

describe('penetrating points from a GPU', () => {
  test('keep the error bound on random pairs', async () => {
    const device = await requestExpectedDevice();
    const random = createRandom(21);
    let hits = 0;
    let deep = 0;
    let pairs = 0;
    for (let pair = 0; pair < 40; pair++) {
      const a = randomSolid(random);
      const b = moved(randomSolid(random), [3 * random.next() - 1.5, 2 * random.next() - 1, 2 * random.next() - 1]);
      const pivot = new SpacePivot({ error: [0.15, 0.1, 0.07][pair % 3], backend: 'webgpu', device });
      const answer = await pivot.penetration(a, b);
      expect(answer.backend).toBe('webgpu');
      pairs++;
      if (answer.intersects) hits++;
      deep += checkSide(answer.a, a, b, answer.error, pair, 1e-4);
      deep += checkSide(answer.b, b, a, answer.error, pair, 1e-4);
      pivot.destroy();
    }
    expect(hits / pairs).toBeGreaterThan(0.5);
    expect(hits / pairs).toBeLessThan(1);
    expect(deep).toBeGreaterThan(60);
    device.device.destroy();
  });

  test('are those of the CPU for deforming cylinders', async () => {
    const device = await requestExpectedDevice();
    const cylinder = findModel('cylinder')!.build({ segments: 30, bands: 20, capRings: 3 });
    const gpu = new SpacePivot({ error: 0.03, backend: 'webgpu', device });
    for (const phase of [0, 1]) {
      const bend = (by: number, sign: number) => ({
        positions: cylinder.positions.map((x, n) =>
          n % 3 === 0 ? x + by + sign * 0.05 * Math.sin(4 * cylinder.positions[n + 1] + phase) : x,
        ),
        indices: cylinder.indices,
      });
      const a = bend(0, 1);
      const b = bend(0.25, -1);
      const onGpu = await gpu.penetration(a, b);
      // The GPU's samples are a little denser; the CPU's at its spacing are the same.
      const onCpu = new SpacePivot({ error: (onGpu.spacing * Math.sqrt(3)) / 2 / (1 - 2 ** -16) }).penetrationSync(
        a,
        b,
      );
      expect(onCpu.spacing).toBeCloseTo(onGpu.spacing, 14);
      for (const side of ['a', 'b'] as const) {
        const places = new Map<string, number>();
        const key = (points: Float64Array, n: number): string =>
          pointOf(points, n)
            .map((x) => Math.round(x / onCpu.spacing))
            .join();
        for (let n = 0; n < onCpu[side].count; n++) places.set(key(onCpu[side].points, n), n);
        let common = 0;
        for (let n = 0; n < onGpu[side].count; n++) {
          const twin = places.get(key(onGpu[side].points, n));
          if (twin === undefined) continue;
          common++;
          expect(Math.abs(onGpu[side].depths[n] - onCpu[side].depths[twin])).toBeLessThan(1e-5);
          expect(Math.abs(onGpu[side].areas[n] - onCpu[side].areas[twin])).toBeLessThan(0.02 * onCpu.spacing ** 2);
        }
        expect(common / onCpu[side].count).toBeGreaterThan(0.97);
        expect(onGpu[side].count / onCpu[side].count).toBeLessThan(1.03);
        expect(Math.abs(sum(onGpu[side].areas) / sum(onCpu[side].areas) - 1)).toBeLessThan(0.01);
      }
      expect(Math.abs(onGpu.depth - onCpu.depth)).toBeLessThan(1e-5);
      if (phase === 0) expect(await gpu.penetration(a, b)).toEqual(onGpu);
    }
    gpu.destroy();
    device.device.destroy();
  });

  test('are found on large faces, on rows through edges, and nowhere for solids apart', async () => {
    const device = await requestExpectedDevice();
    const pivot = new SpacePivot({ error: 0.05, backend: 'webgpu', device });
    const small = sphereGrid(4, 0.5);
    const inside = await pivot.penetration(small, boxMesh([-2, -2, -2], [2, 2, 2]));
    expect(sum(inside.a.areas)).toBeCloseTo(surfaceArea(small), 2);
    expect(inside.b.count).toBe(0);
    // Corners and edges on rows of samples: multiples of the spacing, in binary fractions of it.
    const step = inside.spacing;
    const aligned = await pivot.penetration(
      boxMesh([0, 0, 0], [8 * step, 8 * step, 8 * step]),
      boxMesh([4 * step, 4 * step, 4 * step], [12 * step, 12 * step, 12 * step]),
    );
    expect(aligned.intersects).toBe(true);
    expect(aligned.depth).toBeLessThanOrEqual(4 * step + 0.05);
    const apart = await pivot.penetration(boxMesh(), boxMesh([0.9, 0.9, 1.001], [2, 2, 2]));
    expect([apart.intersects, apart.a.count, apart.b.count]).toEqual([false, 0, 0]);
    pivot.destroy();
    device.device.destroy();
  });

  test('are refused, or computed on the CPU, where single precision does not suffice', async () => {
    const device = await requestExpectedDevice();
    const only = new SpacePivot({ error: 0.01, backend: 'webgpu', device });
    // Faces five hundred times as long as the error, and a hundred times as long as high.
    const thin = mesh(
      [
        [-1, 0, 0],
        [4, 0, 0],
        [1, 0.05, 0],
        [1, -0.025, 0.05],
        [1, -0.025, -0.05],
      ],
      [
        [0, 2, 3],
        [0, 3, 4],
        [0, 4, 2],
        [1, 3, 2],
        [1, 4, 3],
        [1, 2, 4],
      ],
    );
    const flat = { positions: thin.positions.map((x, n) => (n % 3 === 0 ? x : 0.5 * x)), indices: thin.indices };
    expect(await laterCodeOf(() => only.penetration(flat, boxMesh()))).toBe('unsupported');
    const far = boxMesh([-50, -50, -50], [0.5, 0.5, 0.5]);
    expect(await laterCodeOf(() => only.penetration(far, boxMesh()))).toBe('unsupported');
    expect(await laterCodeOf(() => only.penetration(openCube(), boxMesh()))).toBe('open-mesh');
    expect(await laterCodeOf(() => new SpacePivot({ backend: 'webgpu' }).penetration(boxMesh(), boxMesh()))).toBe(
      'no-gpu',
    );
    const either = new SpacePivot({ error: 0.01, device: { ...device, isSoftware: false } });
    const answer = await either.penetration(far, boxMesh());
    expect([answer.backend, answer.fallback]).toEqual(['cpu', 'unsupported']);
    const first = only.penetration(boxMesh(), boxMesh([0.5, 0.5, 0.5], [2, 2, 2]));
    expect(await laterCodeOf(() => only.penetration(boxMesh(), boxMesh()))).toBe('bad-argument');
    expect((await first).intersects).toBe(true);
    only.destroy();
    device.device.destroy();
  });
});
