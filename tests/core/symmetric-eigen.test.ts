import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { symmetricEigen } from '../../src/core/symmetric-eigen.js';

const entry = fc.double({ min: -1, max: 1, noNaN: true });

describe('symmetricEigen', () => {
  test('sorts the entries of a diagonal matrix', () => {
    const { values, vectors } = symmetricEigen(1, 0, 0, 5, 0, 3);
    expect(values).toEqual([5, 3, 1]);
    expect(vectors).toEqual([
      [0, 1, 0],
      [0, 0, 1],
      [1, 0, 0],
    ]);
  });

  test('knows the eigenvalues of [[2, 1, 0], [1, 2, 0], [0, 0, 7]]', () => {
    const { values, vectors } = symmetricEigen(2, 1, 0, 2, 0, 7);
    expect(values[0]).toBeCloseTo(7, 14);
    expect(values[1]).toBeCloseTo(3, 14);
    expect(values[2]).toBeCloseTo(1, 14);
    expect(vectors[1][0]).toBeCloseTo(Math.SQRT1_2, 14);
    expect(vectors[1][1]).toBeCloseTo(Math.SQRT1_2, 14);
    expect(vectors[2][0] * vectors[2][1]).toBeCloseTo(-0.5, 14);
  });

  test('answers the axes for zero and for multiples of the identity', () => {
    for (const value of [0, 1, -3]) {
      const { values, vectors } = symmetricEigen(value, 0, 0, value, 0, value);
      expect(values).toEqual([value, value, value]);
      expect(vectors.flat()).toEqual([1, 0, 0, 0, 1, 0, 0, 0, 1]);
    }
  });

  test('satisfies A v = λ v with orthonormal vectors, at every scale', () => {
    fc.assert(
      fc.property(
        fc.tuple(entry, entry, entry, entry, entry, entry),
        fc.constantFrom(1, 1e-150, 1e150, 1e-9),
        (given, scale) => {
          const [xx, xy, xz, yy, yz, zz] = given.map((value) => value * scale);
          const size = Math.max(...given.map(Math.abs)) * scale;
          const rows = [
            [xx, xy, xz],
            [xy, yy, yz],
            [xz, yz, zz],
          ];
          const { values, vectors } = symmetricEigen(xx, xy, xz, yy, yz, zz);
          for (let i = 0; i < 3; i++) {
            const v = vectors[i];
            for (let r = 0; r < 3; r++) {
              const product = rows[r][0] * v[0] + rows[r][1] * v[1] + rows[r][2] * v[2];
              expect(Math.abs(product - values[i] * v[r])).toBeLessThanOrEqual(1e-14 * size);
            }
            for (let j = 0; j < 3; j++) {
              const dot = v[0] * vectors[j][0] + v[1] * vectors[j][1] + v[2] * vectors[j][2];
              expect(Math.abs(dot - (i === j ? 1 : 0))).toBeLessThan(1e-14);
            }
            expect(Math.max(...v)).toBe(Math.max(...v.map(Math.abs)));
          }
          expect(values[0] >= values[1] && values[1] >= values[2]).toBe(true);
        },
      ),
      { numRuns: 500 },
    );
  });
});
