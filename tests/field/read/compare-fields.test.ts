import { describe, expect, test } from 'vitest';
import type { Field } from '../../../src/field/grid.js';
import { compareFields } from '../../../src/field/read/compare-fields.js';
import { codeOf } from '../../error-code.js';

function fieldOf(...values: number[]): Field {
  return { origin: [1, 2, 3], spacing: 0.5, size: [3, 2, 1], values: Float64Array.from(values) };
}

describe('compareFields', () => {
  test('gives mean, root mean square and largest difference with its node', () => {
    const difference = compareFields(fieldOf(0, 1, 2, 3, 4, 5), fieldOf(0, 1, -2, 6, 4, 1));
    expect(difference).toEqual({ mean: 11 / 6, rms: Math.sqrt(41 / 6), max: 4, nodes: 6, worstNode: 2 });
    expect(compareFields(fieldOf(1, 1, 1, 1, 1, 1), fieldOf(1, 1, 1, 1, 1, 1))).toMatchObject({ max: 0, worstNode: 0 });
  });

  test('leaves out nodes that either field did not compute', () => {
    const a = fieldOf(Infinity, -Infinity, 1, 2, NaN, 0);
    const b = fieldOf(Infinity, 3, 1.5, Infinity, 7, 0.25);
    expect(compareFields(a, b)).toMatchObject({ mean: 0.375, max: 0.5, nodes: 2, worstNode: 2 });
    const none = compareFields(fieldOf(NaN, NaN, NaN, NaN, NaN, NaN), b);
    expect(none).toEqual({ mean: NaN, rms: NaN, max: NaN, nodes: 0, worstNode: -1 });
  });

  test('looks only at some nodes when asked to', () => {
    const a = fieldOf(0, 0, 0, 0, 0, 0);
    const b = fieldOf(1, 2, 3, -4, -5, -6);
    expect(compareFields(a, b, { maxDistance: 4 })).toMatchObject({ nodes: 4, max: 4, worstNode: 3 });
    expect(compareFields(a, b, { box: { min: [1, 0, 0], max: [1, 9, 0] } })).toMatchObject({ nodes: 2, mean: 3.5 });
  });

  test('refuses fields on different grids', () => {
    const a = fieldOf(0, 0, 0, 0, 0, 0);
    expect(codeOf(() => compareFields(a, { ...a, origin: [1, 2, 3.1] }))).toBe('bad-argument');
    expect(codeOf(() => compareFields(a, { ...a, spacing: 0.51 }))).toBe('bad-argument');
    expect(codeOf(() => compareFields(a, { ...a, size: [2, 3, 1] }))).toBe('bad-argument');
    expect(codeOf(() => compareFields(a, a, { maxDistance: -1 }))).toBe('bad-argument');
    expect(compareFields(a, { ...a, origin: [1 + 1e-8, 2, 3] }).nodes).toBe(6);
  });
});
