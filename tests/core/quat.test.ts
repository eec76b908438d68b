import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Quat, ReadonlyQuat } from '../../src/core/quat.js';
import * as quat from '../../src/core/quat.js';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';

const rotation = fc.integer().map((seed) => createRandom(seed).rotation());
const component = fc.double({ min: -100, max: 100, noNaN: true });
const vector = fc.tuple(component, component, component);

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-13): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThanOrEqual(tolerance);
}

/** q·v·q* by the textbook product of quaternions as scalar and vector parts, in nested arrays. */
function sandwich(q: ReadonlyQuat, v: Vec3): number[] {
  const product = (p: number[], r: number[]): number[] => {
    const [a, b, c, d] = p;
    const [e, f, g, h] = r;
    return [
      a * e - b * f - c * g - d * h,
      a * f + b * e + c * h - d * g,
      a * g - b * h + c * e + d * f,
      a * h + b * g - c * f + d * e,
    ];
  };
  return product(product([q[3], q[0], q[1], q[2]], [0, ...v]), [q[3], -q[0], -q[1], -q[2]]).slice(1);
}

test('worked examples', () => {
  const quarter = quat.fromAxisAngle([0, 0, 1], Math.PI / 2);
  expectClose(quarter, [0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  expectClose(quat.rotate(quarter, [1, 0, 0]), [0, 1, 0]);
  expectClose(quat.multiply(quarter, quarter), [0, 0, 1, 0]);
  expectClose(quat.conjugate([1, 2, 3, 4]), [-1, -2, -3, 4]);
  expectClose(quat.normalize([0, 0, 0, -2]), [0, 0, 0, -1]);
  expect(quat.normalize([0, 0, 0, 0])).toEqual([0, 0, 0, 0]);
  expect(quat.identity()).toEqual([0, 0, 0, 1]);
});

test('rotate is the sandwich product and the matrix product', () => {
  fc.assert(
    fc.property(rotation, vector, (q, v) => {
      const rotated = quat.rotate(q, v);
      expectClose(rotated, sandwich(q, v), 1e-11);
      const m = quat.toMatrix3(q);
      expectClose(
        rotated,
        [0, 3, 6].map((row) => m[row] * v[0] + m[row + 1] * v[1] + m[row + 2] * v[2]),
        1e-11,
      );
    }),
  );
});

test('multiply applies the second first', () => {
  fc.assert(
    fc.property(rotation, rotation, vector, (a, b, v) => {
      expectClose(quat.rotate(quat.multiply(a, b), v), quat.rotate(a, quat.rotate(b, v)), 1e-11);
    }),
  );
});

describe('fromMatrix3', () => {
  const expectSameRotation = (actual: Quat, q: ReadonlyQuat): void => {
    const sign = Math.sign(actual[0] * q[0] + actual[1] * q[1] + actual[2] * q[2] + actual[3] * q[3]);
    expectClose(
      actual.map((value) => value * sign),
      q,
    );
  };
  test('undoes toMatrix3', () => {
    fc.assert(fc.property(rotation, (q) => expectSameRotation(quat.fromMatrix3(quat.toMatrix3(q)), q)));
  });
  test('takes each of its four branches: half turns about x, y, z and small turns', () => {
    for (const axis of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ] as Vec3[]) {
      for (const angle of [Math.PI, Math.PI - 1e-9, 3, 1e-9, -3]) {
        const q = quat.fromAxisAngle(axis, angle);
        expectSameRotation(quat.fromMatrix3(quat.toMatrix3(q)), q);
      }
    }
  });
});

test('every operation writes to out, which may be an input', () => {
  fc.assert(
    fc.property(rotation, rotation, vector, (a, b, v) => {
      const out: Quat = [9, 9, 9, 9];
      expect(quat.multiply(a, b, out)).toBe(out);
      expect(out).toEqual(quat.multiply(a, b));
      let alias: Quat = [...a];
      expect(quat.multiply(alias, b, alias)).toEqual(out);
      alias = [...b];
      expect(quat.multiply(a, alias, alias)).toEqual(out);
      alias = [...a];
      expect(quat.multiply(alias, alias, alias)).toEqual(quat.multiply(a, a));
      alias = [...a];
      expect(quat.conjugate(alias, alias)).toEqual(quat.conjugate(a));
      alias = [...a];
      expect(quat.normalize(alias, alias)).toEqual(quat.normalize(a));
      const turned: Vec3 = [...v];
      expect(quat.rotate(a, turned, turned)).toBe(turned);
      expect(turned).toEqual(quat.rotate(a, v));
      expect(quat.fromAxisAngle([0, 1, 0], 0.3, out)).toBe(out);
      expect(quat.fromMatrix3(quat.toMatrix3(a), out)).toBe(out);
      const matrix = new Float64Array(9);
      expect(quat.toMatrix3(a, matrix)).toBe(matrix);
    }),
    { numRuns: 30 },
  );
});

test('normalize keeps tiny and huge quaternions', () => {
  expectClose(quat.normalize([1e-320, 0, 0, 1e-320]), [Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
  expectClose(quat.normalize([1.7e308, 1.7e308, 1.7e308, 1.7e308]), [0.5, 0.5, 0.5, 0.5]);
});
