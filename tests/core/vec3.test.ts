import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { ReadonlyVec3, Vec3 } from '../../src/core/vec3.js';
import * as vec3 from '../../src/core/vec3.js';

// Not so small that products of four of them underflow.
const component = fc.double({ min: -1e6, max: 1e6, noNaN: true }).map((value) => (Math.abs(value) < 1e-60 ? 0 : value));
const vector = fc.tuple(component, component, component);

/** Every operation with vectors in and a vector out, in a shape the checks below can call. */
const unary: Record<string, (a: ReadonlyVec3, out?: Vec3) => Vec3> = {
  scale: (a, out) => vec3.scale(a, -2.5, out),
  normalize: vec3.normalize,
  perpendicular: vec3.perpendicular,
};
const binary: Record<string, (a: ReadonlyVec3, b: ReadonlyVec3, out?: Vec3) => Vec3> = {
  add: vec3.add,
  subtract: vec3.subtract,
  addScaled: (a, b, out) => vec3.addScaled(a, b, 3, out),
  lerp: (a, b, out) => vec3.lerp(a, b, 0.3, out),
  cross: vec3.cross,
};

describe.each(Object.entries(unary))('%s', (_, operation) => {
  test('gives the same with out, with out aliasing the input, and from a typed array', () => {
    fc.assert(
      fc.property(vector, (a) => {
        const kept: Vec3 = [...a];
        const expected = operation(a);
        expect(a).toEqual(kept);
        expect(expected).not.toBe(a);
        const out: Vec3 = [7, 7, 7];
        expect(operation(a, out)).toBe(out);
        expect(out).toEqual(expected);
        expect(operation(Float64Array.from(a))).toEqual(expected);
        const alias: Vec3 = [...a];
        expect(operation(alias, alias)).toBe(alias);
        expect(alias).toEqual(expected);
      }),
    );
  });
});

describe.each(Object.entries(binary))('%s', (_, operation) => {
  test('gives the same with out, and with out aliasing the first, the second or both inputs', () => {
    fc.assert(
      fc.property(vector, vector, (a, b) => {
        const expected = operation(a, b);
        const out: Vec3 = [7, 7, 7];
        expect(operation(a, b, out)).toBe(out);
        expect(out).toEqual(expected);
        const first: Vec3 = [...a];
        expect(operation(first, b, first)).toEqual(expected);
        const second: Vec3 = [...b];
        expect(operation(a, second, second)).toEqual(expected);
        const both: Vec3 = [...a];
        expect(operation(both, both, both)).toEqual(operation(a, a));
      }),
    );
  });
});

test('worked examples', () => {
  expect(vec3.add([1, 2, 3], [10, 20, 30])).toEqual([11, 22, 33]);
  expect(vec3.subtract([1, 2, 3], [10, 20, 30])).toEqual([-9, -18, -27]);
  expect(vec3.scale([1, 2, 3], 2)).toEqual([2, 4, 6]);
  expect(vec3.addScaled([1, 2, 3], [1, 0, -1], 2)).toEqual([3, 2, 1]);
  expect(vec3.lerp([0, 10, 0], [10, 20, -10], 0.5)).toEqual([5, 15, -5]);
  expect(vec3.cross([1, 0, 0], [0, 1, 0])).toEqual([0, 0, 1]);
  expect(vec3.dot([1, 2, 3], [4, 5, 6])).toBe(32);
  expect(vec3.length([2, 3, 6])).toBe(7);
  expect(vec3.distance([1, 1, 1], [3, 4, 7])).toBe(7);
  expect(vec3.distanceSquared([1, 1, 1], [3, 4, 7])).toBe(49);
  expect(vec3.normalize([0, 0, -5])).toEqual([0, 0, -1]);
  expect(vec3.normalize([0, 0, 0])).toEqual([0, 0, 0]);
});

test('cross is at right angles to both and has the length of the area between them', () => {
  fc.assert(
    fc.property(vector, vector, (a, b) => {
      const n = vec3.cross(a, b);
      const bound = 1e-14 * vec3.length(a) * vec3.length(b);
      expect(Math.abs(vec3.dot(n, a))).toBeLessThanOrEqual(bound * vec3.length(a));
      expect(Math.abs(vec3.dot(n, b))).toBeLessThanOrEqual(bound * vec3.length(b));
      const area = (vec3.length(a) * vec3.length(b)) ** 2 - vec3.dot(a, b) ** 2;
      expect(Math.abs(vec3.dot(n, n) - area)).toBeLessThanOrEqual(1e-13 * (vec3.length(a) * vec3.length(b)) ** 2);
    }),
  );
});

test('normalize and perpendicular give unit vectors from 5e-324 to 1e308', () => {
  const any = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(fc.tuple(any, any, any), (a) => {
      fc.pre(a.some((value) => value !== 0));
      const unit = vec3.normalize(a);
      expect(vec3.length(unit)).toBeCloseTo(1, 14);
      const side = vec3.perpendicular(a);
      expect(vec3.length(side)).toBeCloseTo(1, 14);
      expect(Math.abs(vec3.dot(side, unit))).toBeLessThan(1e-15);
    }),
    { examples: [[[5e-324, 5e-324, 0]], [[1.7e308, 1.7e308, -1.7e308]], [[1e-320, 0, 0]]] },
  );
});
