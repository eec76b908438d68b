import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../src/core/errors.js';
import type { Pose } from '../../src/core/pose.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import type { Vec3 } from '../../src/core/vec3.js';

const component = fc.double({ min: -100, max: 100, noNaN: true });
const vector = fc.tuple(component, component, component);
const anyPose = fc.tuple(vector, fc.integer()).map(([t, seed]) => pose.create(t, createRandom(seed).rotation()));

function expectClose(actual: ArrayLike<number>, expected: ArrayLike<number>, tolerance = 1e-11): void {
  expect(actual.length).toBe(expected.length);
  for (let i = 0; i < expected.length; i++) expect(Math.abs(actual[i] - expected[i])).toBeLessThanOrEqual(tolerance);
}

/** The same rotation may come with either sign of the quaternion. */
function expectSamePose(actual: Pose, expected: Pose): void {
  const sign = Math.sign(actual.slice(3).reduce((sum, value, i) => sum + value * expected[i + 3], 0));
  expectClose(
    actual.map((value, i) => (i < 3 ? value : sign * value)),
    expected,
  );
}

function codeOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (error instanceof NearfieldError) return error.code;
    throw error;
  }
  return 'no error';
}

test('worked example: a quarter turn about z, then a step along x', () => {
  const p = pose.create([10, 0, 0], [0, 0, 1, 1]);
  expectClose(p, [10, 0, 0, 0, 0, Math.SQRT1_2, Math.SQRT1_2]);
  expectClose(pose.transformPoint(p, [1, 0, 0]), [10, 1, 0]);
  expectClose(pose.transformVector(p, [1, 0, 0]), [0, 1, 0]);
  expectClose(pose.toMatrix4(p), [0, -1, 0, 10, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]);
});

test('multiply applies the second first; invert undoes; bInA is seen from A', () => {
  fc.assert(
    fc.property(anyPose, anyPose, vector, (a, b, p) => {
      expectClose(
        pose.transformPoint(pose.multiply(a, b), p),
        pose.transformPoint(a, pose.transformPoint(b, p)),
        1e-10,
      );
      expectSamePose(pose.multiply(a, pose.invert(a)), pose.identity());
      expectSamePose(pose.multiply(pose.invert(a), a), pose.identity());
      expectClose(pose.transformPoint(a, pose.transformPoint(pose.bInA(a, b), p)), pose.transformPoint(b, p), 1e-10);
    }),
  );
});

test('bInA keeps what lies between two bodies far from the origin', () => {
  const rotation = createRandom(3).rotation();
  // Every coordinate is a whole number, so that the two poses and their difference are exact.
  const near = pose.bInA(pose.create([0, 0, 0], rotation), pose.create([1, 2, 3], rotation));
  const far = pose.bInA(
    pose.create([2 ** 40, -(2 ** 40), 2 ** 41], rotation),
    pose.create([2 ** 40 + 1, 2 - 2 ** 40, 2 ** 41 + 3], rotation),
  );
  expect(far).toEqual(near);
});

test('toMatrix4 acts as the pose does and fromMatrix4 undoes it', () => {
  fc.assert(
    fc.property(anyPose, vector, (a, p) => {
      const m = pose.toMatrix4(a);
      const product = [0, 4, 8].map((row) => m[row] * p[0] + m[row + 1] * p[1] + m[row + 2] * p[2] + m[row + 3]);
      expectClose(pose.transformPoint(a, p), product);
      expectSamePose(pose.fromMatrix4(m), a);
      expect([...m.subarray(12)]).toEqual([0, 0, 0, 1]);
    }),
  );
});

test('fromMatrix4 reads matrices written with six decimals or in single precision', () => {
  fc.assert(
    fc.property(anyPose, (a) => {
      const m = pose.toMatrix4(a);
      const q = pose.fromMatrix4([...m].map((value) => Number(value.toFixed(6))));
      expect(Math.hypot(q[3], q[4], q[5], q[6])).toBeCloseTo(1, 14);
      expectClose(pose.toMatrix4(q), m, 1e-5);
      expectClose(pose.toMatrix4(pose.fromMatrix4(Float32Array.from(m))), m, 1e-5);
    }),
  );
});

test('fromColumnMajor reads what fromMatrix4 reads transposed, and toColumnMajor writes it', () => {
  const transposed = (m: ArrayLike<number>) => Array.from({ length: 16 }, (_, i) => m[4 * (i % 4) + (i >> 2)]);
  fc.assert(
    fc.property(anyPose, (a) => {
      expect(pose.toColumnMajor(a)).toEqual(Float64Array.from(transposed(pose.toMatrix4(a))));
      expect(pose.fromColumnMajor(transposed(pose.toMatrix4(a)))).toEqual(pose.fromMatrix4(pose.toMatrix4(a)));
    }),
  );
  // A quarter turn about z as three.js has it: x goes to y.
  const elements = [0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1];
  expectClose(pose.transformPoint(pose.fromColumnMajor(elements), [1, 0, 0]), [5, 7, 7]);
  expect(() => pose.fromMatrix4(elements)).toThrowError(/fromColumnMajor/);
  expect(() => pose.fromColumnMajor(transposed(elements))).toThrowError(/fromMatrix4/);
  const scaled = elements.map((value, i) => (i < 12 ? 2 * value : value));
  expect(() => pose.fromColumnMajor(scaled)).toThrowError(/Bake them into the mesh/);
});

describe('fromMatrix4 refuses', () => {
  const rigid = [...pose.toMatrix4(pose.create([1, 2, 3], [0.1, 0.2, 0.3, 0.9]))];
  /** The rigid matrix with its rotation multiplied from the right by a 3×3 matrix. */
  const deform = (d: number[]): number[] => {
    const m = [...rigid];
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) {
        m[4 * row + column] = [0, 1, 2].reduce((sum, k) => sum + rigid[4 * row + k] * d[3 * k + column], 0);
      }
    }
    return m;
  };
  test.each([
    ['uniform scale', deform([2, 0, 0, 0, 2, 0, 0, 0, 2])],
    ['slight scale', deform([1.0001, 0, 0, 0, 1, 0, 0, 0, 1])],
    ['shear', deform([1, 0.01, 0, 0, 1, 0, 0, 0, 1])],
    ['a mirror image', deform([-1, 0, 0, 0, 1, 0, 0, 0, 1])],
    ['a point reflection', deform([-1, 0, 0, 0, -1, 0, 0, 0, -1])],
    ['zero', new Array(16).fill(0)],
    ['huge scale', deform([1e200, 0, 0, 0, 1e200, 0, 0, 0, 1e200])],
    ['perspective', rigid.map((value, i) => (i === 12 ? 0.1 : value))],
    ['column-major order', [0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15].map((i) => rigid[i])],
    ['fifteen numbers', rigid.slice(1)],
  ])('%s', (_, matrix) => {
    expect(codeOf(() => pose.fromMatrix4(matrix))).toBe('bad-argument');
  });
  test('what is not finite', () => {
    expect(codeOf(() => pose.fromMatrix4(rigid.map((v, i) => (i === 5 ? Number.NaN : v))))).toBe('non-finite');
    expect(codeOf(() => pose.fromMatrix4(rigid.map((v, i) => (i === 3 ? Infinity : v))))).toBe('non-finite');
  });
  test('but not the rigid matrix itself', () => {
    expect(codeOf(() => pose.fromMatrix4(rigid))).toBe('no error');
  });
});

describe('parse', () => {
  test('normalizes', () => {
    expectClose(pose.parse([1, 2, 3, 0, 0, 0, -4]), [1, 2, 3, 0, 0, 0, -1]);
    expectClose(pose.parse([0, 0, 0, 1e-310, 0, 0, 1e-310]), [0, 0, 0, Math.SQRT1_2, 0, 0, Math.SQRT1_2]);
    expectClose(pose.parse(Float64Array.of(0, 0, 0, 1e308, 1e308, 1e308, 1e308)), [0, 0, 0, 0.5, 0.5, 0.5, 0.5]);
  });
  test('refuses numbers that are not a pose', () => {
    expect(codeOf(() => pose.parse([1, 2, 3, 0, 0, 0, 0]))).toBe('bad-argument');
    expect(codeOf(() => pose.parse([1, 2, 3, 0, 0, -0, 0]))).toBe('bad-argument');
    expect(codeOf(() => pose.parse([1, 2, 3, 0, 0, 1]))).toBe('bad-argument');
    expect(codeOf(() => pose.parse([1, 2, 3, 0, 0, 0, 1, 0]))).toBe('bad-argument');
    expect(codeOf(() => pose.parse([1, Number.NaN, 3, 0, 0, 0, 1]))).toBe('non-finite');
    expect(codeOf(() => pose.parse([1, 2, 3, 0, 0, 0, Infinity]))).toBe('non-finite');
    expect(codeOf(() => pose.create([0, 0, 0], [0, 0, 0, 0]))).toBe('bad-argument');
  });
});

test('every operation writes to out, which may be an input', () => {
  fc.assert(
    fc.property(anyPose, anyPose, vector, (a, b, v) => {
      for (const operation of [pose.multiply, pose.bInA]) {
        const expected = operation(a, b);
        const out = pose.identity();
        expect(operation(a, b, out)).toBe(out);
        expect(out).toEqual(expected);
        const first: Pose = [...a];
        expect(operation(first, b, first)).toEqual(expected);
        const second: Pose = [...b];
        expect(operation(a, second, second)).toEqual(expected);
        const both: Pose = [...a];
        expect(operation(both, both, both)).toEqual(operation(a, a));
      }
      const self: Pose = [...a];
      expect(pose.invert(self, self)).toBe(self);
      expect(self).toEqual(pose.invert(a));
      for (const operation of [pose.transformPoint, pose.transformVector]) {
        const alias: Vec3 = [...v];
        expect(operation(a, alias, alias)).toBe(alias);
        expect(alias).toEqual(operation(a, v));
      }
      const matrix = new Float64Array(16).fill(9);
      expect(pose.toMatrix4(a, matrix)).toBe(matrix);
      expect(matrix).toEqual(pose.toMatrix4(a));
    }),
    { numRuns: 30 },
  );
});
