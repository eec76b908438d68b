import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { type Field, frameBox, type GridFrame, nodeIndex, nodePosition } from '../../../src/field/grid.js';
import { FieldSampler } from '../../../src/field/read/field-sampler.js';
import { fieldGradient } from '../../../src/field/read/gradient.js';
import { sampleField, sampleFieldAt, sampleGradient, sampleGradientAt } from '../../../src/field/read/sample-field.js';
import { sampleFunction } from '../../../src/field/read/sample-function.js';
import { codeOf } from '../../error-code.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** A grid of n nodes along each side of [−1, 1]³, or of the square [−1, 1]² at z = 0. */
function cubeGrid(n: number, dimensions: 2 | 3 = 3): GridFrame {
  const origin: Vec3 = [-1, -1, dimensions === 2 ? 0 : -1];
  return { origin, spacing: 2 / (n - 1), size: [n, n, dimensions === 2 ? 1 : n] };
}

/** The interpolation written out as the weighted sum over the eight nodes, on a grid of finite values. */
function weightedSum(field: Field, point: Vec3): number {
  const cell = [0, 1, 2].map((axis) => {
    const place = (point[axis] - field.origin[axis]) / field.spacing;
    return field.size[axis] === 1 ? 0 : Math.min(field.size[axis] - 2, Math.floor(place));
  });
  let sum = 0;
  for (const [k, j, i] of [0, 1, 2, 3, 4, 5, 6, 7].map((c) => [c >> 2, (c >> 1) & 1, c & 1])) {
    let weight = 1;
    [i, j, k].forEach((step, axis) => {
      const share = field.size[axis] === 1 ? 0 : (point[axis] - field.origin[axis]) / field.spacing - cell[axis];
      weight *= step === 1 ? share : 1 - share;
    });
    if (weight !== 0) sum += weight * field.values[nodeIndex(field, cell[0] + i, cell[1] + j, cell[2] + k)];
  }
  return sum;
}

describe('sampleField', () => {
  test('gives linear functions exactly, in space and in the plane', () => {
    const random = createRandom(1);
    for (const dimensions of [2, 3] as const) {
      const slope: Vec3 = [2, -3, dimensions === 2 ? 0 : 0.5];
      const linear = (x: number, y: number, z: number) => 1 + slope[0] * x + slope[1] * y + slope[2] * z;
      const field = sampleFunction(cubeGrid(7, dimensions), linear);
      for (let i = 0; i < 200; i++) {
        const p: Vec3 = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
        expect(sampleField(field, p)).toBeCloseTo(linear(...p), 13);
        const gradient = sampleGradient(field, p);
        for (let axis = 0; axis < 3; axis++) expect(gradient[axis]).toBeCloseTo(slope[axis], 12);
      }
    }
  });

  test('is the weighted sum of the nodes around a point', () => {
    const random = createRandom(2);
    for (const dimensions of [2, 3] as const) {
      const field = sampleFunction(cubeGrid(6, dimensions), () => random.normal());
      for (let i = 0; i < 500; i++) {
        const p: Vec3 = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
        expect(sampleField(field, p)).toBeCloseTo(weightedSum(field, p), 12);
      }
    }
  });

  test('has the value of every node at its position, wherever the grid lies', () => {
    fc.assert(
      fc.property(
        fc.tuple(...[0, 1, 2].map(() => fc.double({ min: -1e3, max: 1e3, noNaN: true }))),
        fc.double({ min: 1e-3, max: 1e3, noNaN: true }),
        (origin, spacing) => {
          let next = 0;
          const field = sampleFunction({ origin: origin as Vec3, spacing, size: [4, 3, 5] }, () => next++);
          for (let k = 0; k < 5; k++) {
            for (let j = 0; j < 3; j++) {
              for (let i = 0; i < 4; i++) {
                expect(sampleField(field, nodePosition(field, i, j, k))).toBe(nodeIndex(field, i, j, k));
              }
            }
          }
        },
      ),
      { numRuns: 50 * SOAK },
    );
  });

  test('ends at the border, or goes on as at the nearest point', () => {
    const field = sampleFunction(cubeGrid(5), (x, y, z) => x + 10 * y + 100 * z);
    expect(sampleField(field, [1.001, 0, 0])).toBeNaN();
    expect(sampleField(field, [0, -1.001, 0])).toBeNaN();
    expect(sampleGradient(field, [0, 0, 2])).toEqual([NaN, NaN, NaN]);
    expect(sampleField(field, [7, 0.3, -9], { outside: 'clamp' })).toBeCloseTo(1 + 3 - 100, 12);
    expect(sampleGradient(field, [7, 0.3, -9], undefined, { outside: 'clamp' })[2]).toBeCloseTo(100, 11);
    const plane = sampleFunction(cubeGrid(5, 2), (x, y) => x * y);
    expect(sampleField(plane, [0.5, 0.5, 99])).toBe(0.25);
  });

  test('answers NaN beside nodes that were not computed, and only there', () => {
    for (const missing of [Infinity, -Infinity, NaN]) {
      const field = sampleFunction(cubeGrid(7), (x, y, z) => x + y + z);
      const hole = nodePosition(field, 3, 3, 3);
      field.values[nodeIndex(field, 3, 3, 3)] = missing;
      const h = field.spacing;
      const random = createRandom(4);
      let beside = 0;
      for (let i = 0; i < 500; i++) {
        const p = hole.map((x) => x + random.range(-1.5, 1.5) * h) as Vec3;
        const isBeside = p.every((x, axis) => Math.abs(x - hole[axis]) < h);
        if (isBeside) beside++;
        const value = sampleField(field, p);
        if (isBeside) expect(value).toBeNaN();
        else expect(value).toBeCloseTo(p[0] + p[1] + p[2], 12);
        const gradient = sampleGradient(field, p);
        // Elsewhere one-sided differences stand in, which are exact here.
        if (isBeside) expect(gradient).toEqual([NaN, NaN, NaN]);
        else for (const component of gradient) expect(component).toBeCloseTo(1, 11);
      }
      expect(beside / 500).toBeGreaterThan(0.2);
      expect(sampleField(field, hole)).toBeNaN();
      // A face of the cell without the missing node is computed, though the cell is not.
      expect(sampleField(field, [hole[0] + h, hole[1] + 0.3 * h, hole[2] + 0.2 * h])).toBeCloseTo(1.5 * h, 12);
    }
  });

  test('reads many points into the same array, with and without one given', () => {
    const random = createRandom(5);
    const field = sampleFunction(cubeGrid(6), () => random.normal());
    const points = new Float64Array(300).map(() => random.range(-1.1, 1.1));
    const values = sampleFieldAt(field, points);
    const gradients = sampleGradientAt(field, points);
    const room = new Float64Array(100);
    expect(sampleFieldAt(field, points, room)).toBe(room);
    expect(room).toEqual(values);
    const sampler = new FieldSampler(field);
    const gradient: Vec3 = [0, 0, 0];
    for (let i = 0; i < 100; i++) {
      const p: Vec3 = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
      expect(values[i]).toBe(sampleField(field, p));
      expect([...gradients.subarray(3 * i, 3 * i + 3)]).toEqual(sampleGradient(field, p));
      sampler.gradient(...p, gradient);
      expect(gradient).toEqual(sampleGradient(field, p));
    }
    const missing = values.filter((value) => Number.isNaN(value)).length;
    expect(missing).toBeGreaterThan(5);
    expect(missing).toBeLessThan(60);
  });

  test('does not change when the grid is scaled or moved', () => {
    const random = createRandom(6);
    const field = sampleFunction(cubeGrid(5), () => random.normal());
    for (const scale of [1e-6, 1, 1e6]) {
      for (const shift of [0, 3]) {
        const moved = {
          ...field,
          origin: field.origin.map((x) => scale * (x + shift)) as Vec3,
          spacing: scale * field.spacing,
        };
        for (let i = 0; i < 50; i++) {
          const p: Vec3 = [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)];
          const q = p.map((x) => scale * (x + shift)) as Vec3;
          expect(sampleField(moved, q)).toBeCloseTo(sampleField(field, p), 10);
          const gradient = sampleGradient(moved, q);
          sampleGradient(field, p).forEach((g, axis) => {
            expect(scale * gradient[axis]).toBeCloseTo(g, 9);
          });
        }
      }
    }
  });

  test('refuses what is no point, no field, or has no room', () => {
    const field = sampleFunction(cubeGrid(3), () => 0);
    expect(codeOf(() => sampleField(field, [NaN, 0, 0]))).toBe('non-finite');
    expect(codeOf(() => sampleGradient(field, [0, Infinity, 0]))).toBe('non-finite');
    expect(codeOf(() => sampleFieldAt(field, Float64Array.of(0, 0, NaN)))).toBe('non-finite');
    expect(codeOf(() => sampleFieldAt(field, new Float64Array(4)))).toBe('bad-argument');
    expect(codeOf(() => sampleFieldAt(field, new Float64Array(6), new Float64Array(1)))).toBe('bad-argument');
    expect(codeOf(() => sampleGradientAt(field, new Float64Array(6), new Float64Array(5)))).toBe('bad-argument');
    expect(codeOf(() => sampleField({ ...field, values: new Float64Array(5) }, [0, 0, 0]))).toBe('bad-argument');
    expect(codeOf(() => sampleField(field, [0, 0, 0], { outside: 'zero' as 'nan' }))).toBe('bad-argument');
    expect(codeOf(() => sampleFunction(cubeGrid(3), () => NaN))).toBe('non-finite');
    expect(codeOf(() => sampleFunction({ ...cubeGrid(3), spacing: 0 }, () => 1))).toBe('bad-argument');
  });
});

describe('fieldGradient', () => {
  const smooth = (x: number, y: number, z: number) => Math.sin(2 * x) * Math.exp(y) + Math.cos(x * z);
  const slopes = (x: number, y: number, z: number): Vec3 => [
    2 * Math.cos(2 * x) * Math.exp(y) - z * Math.sin(x * z),
    Math.sin(2 * x) * Math.exp(y),
    -x * Math.sin(x * z),
  ];

  test('converges to second order at every node, the border included', () => {
    const errors = [9, 17, 33, 65].map((n) => {
      const field = sampleFunction(cubeGrid(n), smooth);
      const gradient = fieldGradient(field);
      let worst = 0;
      for (let k = 0; k < n; k++) {
        for (let j = 0; j < n; j++) {
          for (let i = 0; i < n; i++) {
            const exact = slopes(...nodePosition(field, i, j, k));
            const node = nodeIndex(field, i, j, k);
            const off = [gradient.x[node], gradient.y[node], gradient.z[node]].map((g, axis) => g - exact[axis]);
            worst = Math.max(worst, ...off.map(Math.abs));
          }
        }
      }
      return worst;
    });
    for (let i = 1; i < errors.length; i++) expect(Math.log2(errors[i - 1] / errors[i])).toBeGreaterThan(1.8);
  });

  test('converges to second order between the nodes when interpolated, as values do', () => {
    const random = createRandom(7);
    const points = new Float64Array(3000).map(() => random.range(-1, 1));
    const errors = [9, 17, 33, 65].map((n) => {
      const field = sampleFunction(cubeGrid(n), smooth);
      const values = sampleFieldAt(field, points);
      const gradients = sampleGradientAt(field, points);
      let valueError = 0;
      let gradientError = 0;
      for (let i = 0; i < values.length; i++) {
        const p: Vec3 = [points[3 * i], points[3 * i + 1], points[3 * i + 2]];
        valueError = Math.max(valueError, Math.abs(values[i] - smooth(...p)));
        slopes(...p).forEach((slope, axis) => {
          gradientError = Math.max(gradientError, Math.abs(gradients[3 * i + axis] - slope));
        });
      }
      return [valueError, gradientError];
    });
    for (let i = 1; i < errors.length; i++) {
      expect(Math.log2(errors[i - 1][0] / errors[i][0])).toBeGreaterThan(1.8);
      expect(Math.log2(errors[i - 1][1] / errors[i][1])).toBeGreaterThan(1.7);
    }
  });

  test('is interpolated the same way beside the border and far from it', () => {
    // The same values in a larger grid: what the fast way far from the border gives, and the sum over nodes beside it.
    const random = createRandom(8);
    const large = sampleFunction(cubeGrid(8), () => random.normal());
    const { x, y, z } = fieldGradient(large);
    const box = frameBox(large);
    for (let i = 0; i < 300; i++) {
      const p = box.min.map((low, axis) => random.range(low, box.max[axis])) as Vec3;
      const expected = [x, y, z].map((values) => weightedSum({ ...large, values }, p));
      sampleGradient(large, p).forEach((g, axis) => {
        expect(g).toBeCloseTo(expected[axis], 11);
      });
    }
  });

  test('takes one-sided differences beside nodes that were not computed, and gives NaN at them', () => {
    const values = Float64Array.of(0, 1, 4, Infinity, 16, -Infinity, 36, 49, NaN);
    const row: Field = { origin: [0, 0, 0], spacing: 1, size: [9, 1, 1], values };
    const gradient = fieldGradient(row);
    // x² by second-order differences is exact; node 4 has no neighbor and node 6 only one, node 7.
    expect([...gradient.x]).toEqual([0, 2, 4, NaN, NaN, NaN, 13, 13, NaN]);
    expect(gradient.y.every((slope) => slope === 0)).toBe(true);
  });
});
