import { describe, expect, test } from 'vitest';
import { transformField } from '../../../src/field/flood/transform-field.js';
import { type GridFrame, nodePosition } from '../../../src/field/grid.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { createPolygon } from '../../../src/mesh/polygon/polygon.js';
import { box } from '../../../src/models/primitives/box.js';
import { icosphere } from '../../../src/models/primitives/icosphere.js';
import { torus } from '../../../src/models/primitives/torus.js';
import { sequence } from '../../generators/sequence.js';
import { bruteDistance, bruteSignedDistance, segmentDistance } from '../../oracles/closed-form-fields.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

function moved(mesh: Mesh, scale: number, shift: readonly number[]): Mesh {
  return { positions: mesh.positions.map((x, i) => scale * x + shift[i % 3]), indices: mesh.indices };
}

/** Small triangles here and there: the sites of one are far from those of the next, which is where the error is largest. */
function specks(count: number, seed: number, size: number): Mesh {
  const random = sequence(seed);
  const positions: number[] = [];
  for (let n = 0; n < count; n++) {
    const center = [random(), random(), random()];
    for (let corner = 0; corner < 3; corner++) positions.push(...center.map((x) => x + size * (random() - 0.5)));
  }
  return {
    positions: Float64Array.from(positions),
    indices: Uint32Array.from(positions.keys()).subarray(0, 3 * count),
  };
}

/** Excess over the exact distance, in spacings: the least and the largest over all nodes. */
function excess(mesh: Mesh, frame: GridFrame): { least: number; most: number; bound: number } {
  const field = transformField(mesh, frame, { sign: 'none' });
  let least = Infinity;
  let most = -Infinity;
  for (let k = 0, node = 0; k < frame.size[2]; k++) {
    for (let j = 0; j < frame.size[1]; j++) {
      for (let i = 0; i < frame.size[0]; i++, node++) {
        const exact = bruteDistance(mesh.positions, mesh.indices, nodePosition(frame, i, j, k));
        least = Math.min(least, (field.values[node] - exact) / frame.spacing);
        most = Math.max(most, (field.values[node] - exact) / frame.spacing);
      }
    }
  }
  expect(field.error.kind).toBe('bound');
  return { least, most, bound: field.error.max / frame.spacing };
}

const around: GridFrame = { origin: [-0.75, -0.75, -0.75], spacing: 0.1, size: [16, 16, 16] };

describe('transformField', () => {
  test('is never below the distance and above it by no more than the bound: solids', () => {
    for (const mesh of [
      icosphere.build({ radius: 0.5, subdivisions: 3 }),
      box.build({ width: 0.7, height: 0.5, depth: 0.9 }),
    ]) {
      const { least, most, bound } = excess(mesh, around);
      expect(bound).toBeCloseTo(Math.sqrt(3), 8);
      expect(least).toBeGreaterThan(-1e-12);
      expect(most).toBeLessThanOrEqual(bound);
      // The distance to the sites alone is off by up to half of √3.
      expect(most).toBeLessThan(0.6);
    }
  });

  test('the bound holds for specks, where it is tried hardest', () => {
    let worst = 0;
    for (let seed = 1; seed <= 6 * SOAK; seed++) {
      const frame: GridFrame = { origin: [0, 0, 0], spacing: 1 / 17, size: [18, 18, 18] };
      const { least, most, bound } = excess(specks(6, seed, 0.01), frame);
      expect(least).toBeGreaterThan(-1e-12);
      expect(most).toBeLessThanOrEqual(bound);
      worst = Math.max(worst, most);
    }
    expect(worst).toBeGreaterThan(0.3);
  });

  test('the surface reaches beyond the grid on all sides, or lies wholly beyond it', () => {
    const mesh = icosphere.build({ radius: 0.5, subdivisions: 3 });
    for (const frame of [
      { origin: [-0.3, -0.2, 0.1], spacing: 0.07, size: [9, 6, 8] },
      { origin: [0.8, 0.6, -0.4], spacing: 0.1, size: [5, 6, 7] },
      { origin: [-0.1, -0.1, -0.1], spacing: 0.05, size: [4, 4, 5] },
      // A slice of a solid: one node along z.
      { origin: [-0.7, -0.7, 0.2], spacing: 0.1, size: [15, 15, 1] },
    ] as GridFrame[]) {
      const { least, most, bound } = excess(mesh, frame);
      expect(least).toBeGreaterThan(-1e-12);
      expect(most).toBeLessThanOrEqual(bound);
    }
    const tiny: GridFrame = { origin: [0, 0, 0], spacing: 1e-4, size: [4, 4, 4] };
    expect(() => transformField(mesh, tiny)).toThrow(/reaches beyond the grid/);
  });

  test('signs are those of the winding number; scale and place do not matter', () => {
    const ring = torus.build({ majorSegments: 9, minorSegments: 6 });
    for (const [scale, shift] of [
      [1, [0, 0, 0]],
      [1e6, [0, 0, 0]],
      [1e-6, [0, 0, 0]],
      [1, [100, -50, 30]],
    ] as const) {
      const mesh = moved(ring, scale, shift);
      let [low, high] = [Infinity, -Infinity];
      for (let i = 0; i < ring.positions.length; i++) {
        low = Math.min(low, ring.positions[i]);
        high = Math.max(high, ring.positions[i]);
      }
      const spacing = ((high - low) / 11.7) * scale;
      const frame: GridFrame = {
        origin: [0, 1, 2].map((axis) => shift[axis] + scale * (low - 0.03)) as unknown as GridFrame['origin'],
        spacing,
        size: [13, 13, 13],
      };
      const field = transformField(mesh, frame);
      expect(field).toMatchObject({ method: 'distance-transform', backend: 'cpu', signed: true, closed: true });
      let insides = 0;
      for (let k = 0, node = 0; k < 13; k++) {
        for (let j = 0; j < 13; j++) {
          for (let i = 0; i < 13; i++, node++) {
            const exact = bruteSignedDistance(mesh.positions, mesh.indices, nodePosition(frame, i, j, k));
            if (exact < 0) insides++;
            expect(Math.sign(field.values[node])).toBe(Math.sign(exact));
            expect(Math.abs(field.values[node] - exact)).toBeLessThanOrEqual(field.error.max);
          }
        }
      }
      expect(insides).toBeGreaterThan(100);
    }
  });

  test('polygons in the plane: the bound is √2 spacings', () => {
    const polygon = createPolygon([
      [-0.8, -0.6, 0.7, -0.7, 0.9, 0.5, 0.1, 0.2, -0.6, 0.8],
      [-0.3, -0.3, 0.2, -0.4, 0.1, -0.05],
    ]);
    const frame: GridFrame = { origin: [-1.0313, -1.0117, 4], spacing: 0.05, size: [41, 41, 1] };
    const field = transformField(polygon, frame);
    expect(field.error.max / 0.05).toBeCloseTo(Math.SQRT2, 8);
    for (let j = 0, node = 0; j < 41; j++) {
      for (let i = 0; i < 41; i++, node++) {
        const [x, y] = nodePosition(frame, i, j, 0);
        let exact = Infinity;
        let crossings = 0;
        for (const ring of polygon.rings) {
          for (let p = 0; p < ring.length; p += 2) {
            const q = (p + 2) % ring.length;
            exact = Math.min(exact, segmentDistance([ring[p], ring[p + 1], 0], [ring[q], ring[q + 1], 0], [x, y, 0]));
            if (ring[p + 1] > y !== ring[q + 1] > y) {
              const at = ring[p] + ((y - ring[p + 1]) / (ring[q + 1] - ring[p + 1])) * (ring[q] - ring[p]);
              if (at > x) crossings++;
            }
          }
        }
        const value = field.values[node];
        expect(Math.abs(value) - exact).toBeGreaterThan(-1e-12);
        expect(Math.abs(value) - exact).toBeLessThanOrEqual(field.error.max);
        expect(value < 0).toBe(crossings % 2 === 1);
      }
    }
  });

  test('one side, a largest distance, no sign, open meshes', () => {
    const mesh = icosphere.build({ radius: 0.5, subdivisions: 2 });
    const both = transformField(mesh, around);
    const outside = transformField(mesh, around, { sides: 'outside' });
    const inside = transformField(mesh, around, { sides: 'inside' });
    const near = transformField(mesh, around, { maxDistance: 0.2 });
    const unsigned = transformField(mesh, around, { sign: 'none' });
    expect(unsigned.signed).toBe(false);
    let dropped = 0;
    for (let node = 0; node < both.values.length; node++) {
      const value = both.values[node];
      if (outside.values[node] !== value) {
        expect([outside.values[node], value < 0]).toEqual([-Infinity, true]);
        dropped++;
      }
      if (inside.values[node] !== value) expect([inside.values[node], value > 0]).toEqual([Infinity, true]);
      expect(near.values[node]).toBe(Math.abs(value) <= 0.2 ? value : Math.sign(value) * Infinity);
      expect(unsigned.values[node]).toBe(Math.abs(value));
    }
    expect(dropped).toBeGreaterThan(50);
    const open = { positions: mesh.positions, indices: mesh.indices.subarray(3) };
    expect(transformField(open, around).closed).toBe(false);
  });

  test('what belongs to other methods is refused', () => {
    const mesh = icosphere.build({ subdivisions: 1 });
    expect(() => transformField({ value: () => 1, lipschitz: 1 }, around)).toThrow(/implicit shape/);
    expect(() => transformField(mesh, around, { speed: new Float64Array(4096) })).toThrow(/no speed/);
    expect(() => transformField(mesh, around, { nearest: true })).toThrow(/no nearest triangles/);
    expect(() => transformField(mesh, around, { maxDistance: -1 })).toThrow(/from 0/);
    expect(() => transformField(mesh, around, { sides: 'left' as never })).toThrow(
      /sides is 'left'; give 'inside', 'outside' or 'both'/,
    );
    expect(() => transformField(mesh, around, { signal: { aborted: true } })).toThrow(/Stopped/);
  });
});
