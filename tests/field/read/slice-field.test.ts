import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { type Field, nodeIndex } from '../../../src/field/grid.js';
import { sampleField } from '../../../src/field/read/sample-field.js';
import { sampleFunction } from '../../../src/field/read/sample-function.js';
import { sliceField } from '../../../src/field/read/slice-field.js';
import { codeOf } from '../../error-code.js';

const random = createRandom(1);
const field = sampleFunction({ origin: [-1, 2, 0.1], spacing: 0.3, size: [5, 4, 6] }, () => random.normal());

/** A point in space from the x, y and z of a slice along an axis. */
function placeInSpace(axis: number, x: number, y: number, along: number): [number, number, number] {
  return axis === 0 ? [along, x, y] : axis === 1 ? [x, along, y] : [x, y, along];
}

describe('sliceField', () => {
  test('holds the values of a layer of nodes', () => {
    for (const axis of [0, 1, 2] as const) {
      for (let node = 0; node < field.size[axis]; node++) {
        const slice = sliceField(field, axis, { node });
        expect(slice.size[2]).toBe(1);
        expect(sliceField(field, axis, field.origin[axis] + field.spacing * node)).toEqual(slice);
        for (let j = 0; j < slice.size[1]; j++) {
          for (let i = 0; i < slice.size[0]; i++) {
            const at = placeInSpace(axis, i, j, node);
            expect(slice.values[nodeIndex(slice, i, j, 0)]).toBe(field.values[nodeIndex(field, ...at)]);
          }
        }
      }
    }
  });

  test('is the interpolated field everywhere in its plane', () => {
    for (const axis of [0, 1, 2] as const) {
      for (let run = 0; run < 50; run++) {
        const along = field.origin[axis] + field.spacing * random.range(0, field.size[axis] - 1);
        const slice = sliceField(field, axis, along);
        expect(slice.origin[2]).toBeCloseTo(along, 14);
        const x = slice.origin[0] + slice.spacing * random.range(0, slice.size[0] - 1);
        const y = slice.origin[1] + slice.spacing * random.range(0, slice.size[1] - 1);
        expect(sampleField(slice, [x, y, 0])).toBeCloseTo(sampleField(field, placeInSpace(axis, x, y, along)), 11);
      }
    }
  });

  test('was not computed beside a node that was not', () => {
    const values = Float64Array.of(1, -Infinity, Infinity, 2, 3, Infinity, Infinity, -Infinity);
    const small: Field = { origin: [0, 0, 0], spacing: 1, size: [2, 2, 2], values };
    expect([...sliceField(small, 2, 0.5).values]).toEqual([2, Infinity, Infinity, -Infinity]);
    // Between two that were not, it has the side of the nearer one, never NaN, which no file takes.
    expect(sliceField(small, 2, 0.25).values[1]).toBe(-Infinity);
    expect(sliceField(small, 2, 0.75).values[1]).toBe(Infinity);
    expect([...sliceField(small, 2, 0).values]).toEqual([1, -Infinity, Infinity, 2]);
  });

  test('refuses axes, places and fields that are none', () => {
    expect(codeOf(() => sliceField(field, 3 as 2, 0))).toBe('bad-argument');
    expect(codeOf(() => sliceField(field, 0, -1.01))).toBe('bad-argument');
    expect(codeOf(() => sliceField(field, 0, NaN))).toBe('bad-argument');
    expect(codeOf(() => sliceField(field, 0, { node: 5 }))).toBe('index-out-of-range');
    expect(codeOf(() => sliceField(field, 0, { node: 0.5 }))).toBe('index-out-of-range');
    expect(codeOf(() => sliceField(sliceField(field, 0, { node: 0 }), 2, 0))).toBe('bad-argument');
  });
});
