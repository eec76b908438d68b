// Functions that read a field return the same for a sparse field as for the dense field with its values.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { denseField } from '../../src/field/any-field.js';
import { writeFieldNpy } from '../../src/field/files/field-file.js';
import { layersOf, rangeOfField } from '../../src/field/files/field-layers.js';
import { extractIsosurface } from '../../src/field/isosurface/isosurface.js';
import { compareFields } from '../../src/field/read/compare-fields.js';
import { sampleField, sampleGradient } from '../../src/field/read/sample-field.js';
import { sliceField } from '../../src/field/read/slice-field.js';
import { computeSparseField } from '../../src/field/sparse/compute-sparse-field.js';
import { torusGrid } from '../generators/surfaces.js';

const frame = { origin: [-1.1, -1.05, -0.5], spacing: 0.07, size: [33, 31, 15] } as const;
const sparse = computeSparseField(torusGrid(24, 12, 0.7, 0.25), frame, { bandWidth: 3 });
const dense = denseField(sparse);

test('values and gradients at points', () => {
  const random = createRandom(4);
  let known = 0;
  for (let i = 0; i < 2000; i++) {
    const point = [0, 1, 2].map((axis) => {
      const length = frame.spacing * (frame.size[axis] - 1);
      return frame.origin[axis] + length * (1.1 * random.next() - 0.05);
    }) as [number, number, number];
    for (const options of [undefined, { outside: 'clamp' }] as const) {
      const value = sampleField(dense, point, options);
      if (Number.isNaN(value)) expect(sampleField(sparse, point, options)).toBeNaN();
      else expect(sampleField(sparse, point, options)).toBeCloseTo(value, 12);
      if (!Number.isNaN(value)) known++;
      const expected = sampleGradient(dense, point, [0, 0, 0], options);
      const gradient = sampleGradient(sparse, point, [0, 0, 0], options);
      for (let axis = 0; axis < 3; axis++) {
        if (Number.isNaN(expected[axis])) expect(gradient[axis]).toBeNaN();
        else expect(gradient[axis]).toBeCloseTo(expected[axis], 10);
      }
    }
  }
  expect(known).toBeGreaterThan(500);
  expect(known).toBeLessThan(3500);
  expect(() => sampleField(sparse, [0, 0, 0], { outside: 'far' as 'nan' })).toThrow(/outside/);
});

test('slices, between nodes, at nodes and at the last layer', () => {
  for (const axis of [0, 1, 2] as const) {
    const last = frame.size[axis] - 1;
    const end = frame.origin[axis] + frame.spacing * last;
    for (const position of [frame.origin[axis] + 4.3 * frame.spacing, { node: 5 }, { node: last }, end]) {
      const expected = sliceField(dense, axis, position);
      const slice = sliceField(sparse, axis, position);
      expect({ ...slice, values: null }).toEqual({ ...expected, values: null });
      for (let i = 0; i < slice.values.length; i++) {
        if (Number.isFinite(expected.values[i])) expect(slice.values[i]).toBeCloseTo(expected.values[i], 12);
        else expect(slice.values[i]).toBe(expected.values[i]);
      }
    }
    expect(() => sliceField(sparse, axis, end + 1)).toThrow(/grid goes/);
    expect(() => sliceField(sparse, axis, { node: last + 1 })).toThrow(/whole number/);
  }
});

test('range, layers, files, differences and isosurfaces', () => {
  expect(rangeOfField(sparse)).toEqual(rangeOfField(dense));
  for (let k = 0; k < frame.size[2]; k++) expect(layersOf(sparse).layer(k)).toEqual(layersOf(dense).layer(k));
  expect(writeFieldNpy(sparse)).toEqual(writeFieldNpy(dense));
  const { max, nodes } = compareFields(sparse, dense);
  expect(max).toBe(0);
  expect(nodes).toBe(frame.size[0] * frame.size[1] * frame.size[2] - rangeOfField(dense).unknown);
  expect(compareFields(dense, sparse)).toEqual(compareFields(sparse, dense));
  expect(extractIsosurface(sparse, 0.05).indices.length).toBe(extractIsosurface(dense, 0.05).indices.length);
  expect(() => extractIsosurface(sparse, 0, { cap: true })).toThrow(/cap/);
});
