import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as box from '../../src/core/box.js';

const positions = fc
  .array(fc.double({ min: -1e3, max: 1e3, noNaN: true }), { minLength: 3, maxLength: 60 })
  .map((values) => values.slice(0, values.length - (values.length % 3)));

test('the box of positions is the extremes of each axis and holds every point', () => {
  fc.assert(
    fc.property(positions, (values) => {
      const bounds = box.ofPositions(values);
      for (let axis = 0; axis < 3; axis++) {
        const onAxis = values.filter((_, i) => i % 3 === axis);
        expect(bounds.min[axis]).toBe(Math.min(...onAxis));
        expect(bounds.max[axis]).toBe(Math.max(...onAxis));
      }
      for (let i = 0; i < values.length; i += 3) expect(box.contains(bounds, values.slice(i, i + 3))).toBe(true);
    }),
  );
});

test('worked example', () => {
  const bounds = box.ofPositions([0, 0, 0, 2, 3, 6, 1, 1, 1]);
  expect(bounds).toEqual({ min: [0, 0, 0], max: [2, 3, 6] });
  expect(box.size(bounds)).toEqual([2, 3, 6]);
  expect(box.center(bounds)).toEqual([1, 1.5, 3]);
  expect(box.diagonal(bounds)).toBe(7);
  expect(box.isEmpty(bounds)).toBe(false);
  expect(box.grow(bounds, 1)).toEqual({ min: [-1, -1, -1], max: [3, 4, 7] });
  expect(bounds).toEqual({ min: [0, 0, 0], max: [2, 3, 6] });
});

test('contains is closed and refuses what is outside on any one axis, and NaN', () => {
  const bounds = { min: [0, 0, 0], max: [1, 1, 1] } as box.Box;
  expect(box.contains(bounds, [0, 1, 0])).toBe(true);
  for (let axis = 0; axis < 3; axis++) {
    for (const value of [-1e-300, 1 + 1e-15, Number.NaN]) {
      const point = [0.5, 0.5, 0.5];
      point[axis] = value;
      expect(box.contains(bounds, point)).toBe(false);
    }
  }
});

test('the empty box', () => {
  const empty = box.ofPositions([]);
  expect(box.isEmpty(empty)).toBe(true);
  expect(box.diagonal(empty)).toBe(0);
  expect(box.contains(empty, [0, 0, 0])).toBe(false);
  expect(box.isEmpty(box.ofPositions([1, 2, 3]))).toBe(false);
});

test('the center of a huge box is finite', () => {
  expect(box.center({ min: [1e308, 0, 0], max: [1.5e308, 0, 0] })).toEqual([1.25e308, 0, 0]);
});
