import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NearfieldError } from '../../../src/core/errors.js';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { type MassProperties, massProperties } from '../../../src/mesh/report/mass-properties.js';
import {
  boxMesh,
  flipFaces,
  join,
  kleinGrid,
  mapPoints,
  mesh,
  openCube,
  reversed,
  shuffled,
  sphereGrid,
  tetrahedron,
  torusGrid,
} from '../../generators/surfaces.js';

type Matrix = readonly (readonly number[])[];

function expectClose(actual: number, expected: number, tolerance: number): void {
  expect(Math.abs(actual - expected)).toBeLessThanOrEqual(tolerance);
}

function expectMatrix(actual: Matrix, expected: Matrix, tolerance: number): void {
  for (let row = 0; row < 3; row++) {
    for (let column = 0; column < 3; column++) expectClose(actual[row][column], expected[row][column], tolerance);
  }
}

function diagonal(x: number, y: number, z: number): Matrix {
  return [
    [x, 0, 0],
    [0, y, 0],
    [0, 0, z],
  ];
}

describe('closed forms', () => {
  test('box', () => {
    const m = massProperties(boxMesh([1, 2, 3], [3, 6, 11]), 5);
    expectClose(m.volume, 64, 1e-12);
    expectClose(m.mass, 320, 1e-11);
    expectClose(m.area, 2 * (8 + 32 + 16), 1e-12);
    expect(m.centerOfMass.every((value, axis) => Math.abs(value - [2, 4, 7][axis]) < 1e-14)).toBe(true);
    expectMatrix(m.inertia, diagonal((320 * (16 + 64)) / 12, (320 * (4 + 64)) / 12, (320 * (4 + 16)) / 12), 1e-10);
  });

  test('corner tetrahedron', () => {
    const m = massProperties(tetrahedron());
    expectClose(m.volume, 1 / 6, 1e-16);
    expectClose(m.area, 1.5 + Math.sqrt(3) / 2, 1e-15);
    for (const value of m.centerOfMass) expectClose(value, 1 / 4, 1e-15);
    // About the corner: ∫x² = 1/60, ∫xy = 1/120; moved to the center by volume × offset products of 1/16.
    const square = 1 / 60 - 1 / 96;
    const product = 1 / 120 - 1 / 96;
    const off = -product;
    expectMatrix(
      m.inertia,
      [
        [2 * square, off, off],
        [off, 2 * square, off],
        [off, off, 2 * square],
      ],
      1e-16,
    );
  });

  test('box with a cavity: the outer less the inner', () => {
    const m = massProperties(join(boxMesh([0, 0, 0], [4, 4, 4]), reversed(boxMesh([1, 1, 1], [2, 2, 2]))));
    expectClose(m.volume, 63, 1e-12);
    for (const value of m.centerOfMass) expectClose(value, (64 * 2 - 1.5) / 63, 1e-14);
  });

  test('sphere and torus in the limit, at second order', () => {
    const errors = [8, 16, 32].map((n) => {
      const sphere = massProperties(sphereGrid(n, 2));
      const torus = massProperties(torusGrid(4 * n, 2 * n, 3, 1));
      const sphereVolume = (4 / 3) * Math.PI * 8;
      const torusVolume = 2 * Math.PI ** 2 * 3;
      expect(Math.hypot(...sphere.centerOfMass)).toBeLessThan(1e-13);
      expect(Math.hypot(...torus.centerOfMass)).toBeLessThan(1e-13);
      return [
        sphere.volume / sphereVolume - 1,
        sphere.area / (16 * Math.PI) - 1,
        sphere.inertia[1][1] / (0.4 * 4 * sphereVolume) - 1,
        torus.volume / torusVolume - 1,
        torus.area / (4 * Math.PI ** 2 * 3) - 1,
        torus.inertia[2][2] / (torusVolume * (9 + 0.75)) - 1,
        torus.inertia[0][0] / (torusVolume * (9 / 2 + 5 / 8)) - 1,
      ];
    });
    for (let k = 0; k < errors[0].length; k++) {
      expect(Math.abs(errors[2][k])).toBeLessThan(0.01);
      for (const [coarse, fine] of [
        [errors[0][k], errors[1][k]],
        [errors[1][k], errors[2][k]],
      ]) {
        const order = Math.log2(coarse / fine);
        expect(order).toBeGreaterThan(1.75);
        expect(order).toBeLessThan(2.25);
      }
    }
  });
});

describe('covariance', () => {
  /** A lopsided solid, so that no moment vanishes by symmetry. */
  const lopsided = mapPoints(torusGrid(9, 7), ([x, y, z]) => [x + 0.3 * y * y, 0.7 * y + 0.2 * x * z, z + 0.1 * x]);
  const base = massProperties(lopsided);
  const rotateMatrix = (r: Float64Array, m: Matrix): Matrix =>
    [0, 1, 2].map((i) =>
      [0, 1, 2].map((j) => {
        let sum = 0;
        for (let k = 0; k < 3; k++) for (let l = 0; l < 3; l++) sum += r[3 * i + k] * m[k][l] * r[3 * j + l];
        return sum;
      }),
    );
  const size = Math.max(...base.inertia.flat().map(Math.abs));

  test('rotation turns the center and the tensor', () => {
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const q = createRandom(seed).rotation();
        const m = massProperties(mapPoints(lopsided, (p) => quat.rotate(q, p)));
        expectClose(m.volume, base.volume, 1e-13 * base.volume);
        expectClose(m.area, base.area, 1e-13 * base.area);
        quat.rotate(q, base.centerOfMass).forEach((value, axis) => {
          expectClose(m.centerOfMass[axis], value, 1e-13);
        });
        expectMatrix(m.inertia, rotateMatrix(quat.toMatrix3(q), base.inertia), 1e-12 * size);
      }),
    );
  });

  test('translation by 1e6 moves the center; the rest keeps ten digits, as the coordinates do', () => {
    const m = massProperties(mapPoints(lopsided, ([x, y, z]) => [x + 1e6, y - 1e6, z + 1e6]));
    expectClose(m.volume, base.volume, 1e-9 * base.volume);
    base.centerOfMass.forEach((value, axis) => {
      expectClose(m.centerOfMass[axis], value + [1e6, -1e6, 1e6][axis], 1e-9);
    });
    expectMatrix(m.inertia, base.inertia, 1e-9 * size);
  });

  test('translation that coordinates hold exactly changes nothing but the center', () => {
    const coarse = mapPoints(lopsided, (p) => p.map((value) => Math.round(value * 1024) / 1024));
    const near = massProperties(coarse);
    const far = massProperties(mapPoints(coarse, ([x, y, z]) => [x + 2 ** 20, y - 2 ** 21, z + 2 ** 22]));
    expectClose(far.volume, near.volume, 1e-14 * near.volume);
    // The center itself is rounded to the spacing of numbers near 2^22, and the second moments are taken about it.
    expectMatrix(far.inertia, near.inertia, 1e-14 * size);
  });

  test.each([1e-6, 1e6, 1e-30, 1e30, 1e-60])('scale by %d', (factor) => {
    const m = massProperties(mapPoints(lopsided, (p) => p.map((value) => value * factor)));
    expectClose(m.volume / factor ** 3, base.volume, 1e-12 * base.volume);
    expectClose(m.area / factor ** 2, base.area, 1e-12 * base.area);
    base.centerOfMass.forEach((value, axis) => {
      expectClose(m.centerOfMass[axis] / factor, value, 1e-12);
    });
    const f = (row: readonly number[]): number[] => row.map((value) => value / factor ** 3 / factor ** 2);
    expectMatrix(m.inertia.map(f), base.inertia, 1e-12 * size);
  });

  test('the other way round, volume and tensor change sign and the center stays', () => {
    const m = massProperties(reversed(lopsided));
    expectClose(m.volume, -base.volume, 1e-13 * base.volume);
    base.centerOfMass.forEach((value, axis) => {
      expectClose(m.centerOfMass[axis], value, 1e-14);
    });
    expectMatrix(
      m.inertia,
      base.inertia.map((row) => row.map((value) => -value)),
      1e-13 * size,
    );
  });

  test('faces and vertices in another order change only rounding', () => {
    const m = massProperties(shuffled(lopsided, createRandom(1)));
    expectClose(m.volume, base.volume, 1e-13 * base.volume);
    expectMatrix(m.inertia, base.inertia, 1e-13 * size);
  });

  test('is symmetric, with principal moments that obey the triangle inequality', () => {
    const i = base.inertia;
    expect([i[0][1], i[0][2], i[1][2]]).toEqual([i[1][0], i[2][0], i[2][1]]);
    expect(i[0][0] + i[1][1]).toBeGreaterThan(i[2][2]);
    expect(i[1][1] + i[2][2]).toBeGreaterThan(i[0][0]);
    expect(i[2][2] + i[0][0]).toBeGreaterThan(i[1][1]);
  });
});

test('agrees with counting random points in an ellipsoid', () => {
  const ellipsoid = mapPoints(sphereGrid(24), ([x, y, z]) => [3 * x + 5, 2 * y, z]);
  const m = massProperties(ellipsoid);
  const random = createRandom(9);
  const n = 200_000;
  let inside = 0;
  let sumX = 0;
  let sumYY = 0;
  for (let i = 0; i < n; i++) {
    const [x, y, z] = [random.range(-3, 3), random.range(-2, 2), random.range(-1, 1)];
    if ((x / 3) ** 2 + (y / 2) ** 2 + z ** 2 > 1) continue;
    inside++;
    sumX += x + 5;
    sumYY += y * y + z * z;
  }
  const cell = 48 / n;
  expect(inside / n).toBeGreaterThan(0.45);
  expect(Math.abs(m.volume / (inside * cell) - 1)).toBeLessThan(0.02);
  expect(Math.abs(m.centerOfMass[0] - sumX / inside)).toBeLessThan(0.02);
  expect(Math.abs(m.inertia[0][0] / (sumYY * cell) - 1)).toBeLessThan(0.03);
});

describe('refuses', () => {
  const codeOf = (given: Mesh, density?: number): string => {
    try {
      const m: MassProperties = massProperties(given, density);
      return `volume ${m.volume}`;
    } catch (error) {
      return (error as NearfieldError).code;
    }
  };
  test('what bounds no solid', () => {
    expect(codeOf(openCube())).toBe('open-mesh');
    expect(codeOf(flipFaces(boxMesh(), (face) => face === 3))).toBe('not-oriented');
    expect(codeOf(kleinGrid(6, 6))).toBe('not-oriented');
    expect(
      codeOf(
        mesh(
          [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
          ],
          [
            [0, 1, 2],
            [0, 2, 1],
          ],
        ),
      ),
    ).toBe('degenerate');
    expect(
      codeOf(
        mesh(
          [
            [0, 0, 0],
            [1, 0, 0],
            [0, 1, 0],
          ],
          [[0, 1, 1]],
        ),
      ),
    ).toBe('degenerate');
    expect(codeOf(mapPoints(boxMesh(), () => [1, 1, 1]))).toBe('degenerate');
  });
  test('a sheet of two sides at any angle, where rounding leaves some volume', () => {
    const disc = Array.from({ length: 50 }, (_, i) => [Math.cos(i), Math.sin(i), 0]);
    const faces = Array.from({ length: 48 }, (_, i) => [0, i + 1, i + 2]);
    const sheet = mesh(disc, [...faces, ...faces.map(([a, b, c]) => [c, b, a])]);
    for (let seed = 0; seed < 20; seed++) {
      const q = createRandom(seed).rotation();
      expect(codeOf(mapPoints(sheet, (p) => quat.rotate(q, p)))).toBe('degenerate');
    }
  });
  test('but not a plate a millionth as thick as it is wide', () => {
    expect(codeOf(boxMesh([0, 0, 0], [1, 1, 1e-6]))).toBe('volume 0.000001');
    expectClose(massProperties(boxMesh([0, 0, 0], [1, 1, 1e-12])).volume, 1e-12, 1e-26);
  });
  test('an invalid density', () => {
    for (const density of [0, -1, Number.NaN, Infinity]) expect(codeOf(boxMesh(), density)).toBe('bad-argument');
  });
});
