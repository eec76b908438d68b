// One call for all methods and backends: each request uses the right one, all agree within their stated errors, and
// invalid requests throw.
import { describe, expect, test } from 'vitest';
import { computeField, computeFieldSync } from '../../src/field/compute-field.js';
import type { FieldMethod, FieldOptions } from '../../src/field/distance-field.js';
import { FIELD_METHODS } from '../../src/field/distance-field.js';
import { gridOverBox } from '../../src/field/grid.js';
import { compareFields } from '../../src/field/read/compare-fields.js';
import type { ImplicitShape } from '../../src/mesh/implicit/implicit-shape.js';
import { createPolygon } from '../../src/mesh/polygon/polygon.js';
import { laterCodeOf } from '../error-code.js';
import { boxMesh, torusGrid } from '../generators/surfaces.js';
import { requestExpectedDevice } from '../gpu/expected-device.js';

const torus = torusGrid(24, 12, 0.7, 0.25);
const frame = gridOverBox({ min: [-1.1, -1.1, -1.1], max: [1.1, 1.1, 1.1] }, 22);
const ball: ImplicitShape = { lipschitz: 1, value: (x, y, z) => Math.hypot(x, y, z) - 0.8 };

describe('computeField', () => {
  test('takes exact distances unless told otherwise, and a march for a function', async () => {
    expect((await computeField(torus, frame)).method).toBe('exact');
    expect(computeFieldSync(torus, frame).method).toBe('exact');
    expect((await computeField(ball, frame)).method).toBe('fast-marching');
  });

  test.each(FIELD_METHODS)('%s agrees with the exact field within the error it states', (method) => {
    const exact = computeFieldSync(torus, frame);
    const field = computeFieldSync(torus, frame, { method, errorSamples: 22 ** 3 });
    expect(field).toMatchObject({ method, backend: 'cpu', signed: true, closed: true, nearest: null });
    const { max, nodes } = compareFields(exact, field);
    expect(nodes).toBe(22 ** 3);
    // Samples are drawn with replacement, so the worst node may be missed; with as many as nodes not by much.
    expect(max).toBeLessThanOrEqual((field.error.kind === 'sampled' ? 1.5 : 1) * field.error.max + exact.error.max);
    expect(field.error.max).toBeLessThan(2 * frame.spacing);
  });

  test('answers the same on a device, within what it states', async () => {
    const device = await requestExpectedDevice();
    const exact = computeFieldSync(torus, frame);
    for (const method of ['exact', 'jump-flooding'] as const) {
      const field = await computeField(torus, frame, { method, backend: 'webgpu', device });
      expect(field).toMatchObject({ method, backend: 'webgpu' });
      expect(compareFields(exact, field).max).toBeLessThanOrEqual(field.error.max + exact.error.max);
    }
    // A software adapter is slower than the CPU: 'auto' leaves it.
    expect(device.isSoftware).toBe(true);
    expect((await computeField(torus, frame, { device })).backend).toBe('cpu');
    // A real one would be taken, but not for what only the CPU can do.
    const real = { ...device, isSoftware: false };
    expect((await computeField(ball, frame, { device: real })).backend).toBe('cpu');
    expect((await computeField(torus, frame, { device: real, method: 'fast-marching' })).backend).toBe('cpu');
    expect((await computeField(torus, frame, { device: real })).backend).toBe('webgpu');
    // Nor for grids that it cannot hold.
    const long = { origin: [-1.1, -1.1, 0] as const, spacing: 0.002, size: [1100, 2, 2] as const };
    expect((await computeField(torus, long, { device: real })).backend).toBe('cpu');
    expect(await laterCodeOf(() => computeField(torus, long, { device: real, backend: 'webgpu' }))).toBe('too-large');
  });

  test('works in the plane', () => {
    const square = createPolygon([[-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5]]);
    const plane = gridOverBox({ min: [-1, -1, 0], max: [1, 1, 0] }, 21);
    for (const method of FIELD_METHODS) {
      const field = computeFieldSync(square, plane, { method });
      expect(field.values[10 + 21 * 10]).toBeCloseTo(-0.5, 1);
      expect(Math.abs(field.values[0] - Math.SQRT1_2)).toBeLessThan(2 * plane.spacing);
    }
  });

  test('refuses what a method or a backend cannot do', async () => {
    const refused: [string, FieldOptions][] = [
      ['bad-argument', { method: 'guessing' as FieldMethod }],
      ['bad-argument', { backend: 'gpu' as 'cpu' }],
      ['no-gpu', { backend: 'webgpu' }],
      ['unsupported', { backend: 'webgpu', method: 'fast-marching' }],
      ['unsupported', { backend: 'webgpu', method: 'distance-transform' }],
      ['unsupported', { method: 'exact', speed: new Float64Array(22 ** 3).fill(1) }],
      ['unsupported', { method: 'distance-transform', nearest: true }],
      ['bad-argument', { maxDistance: Number.NaN }],
      ['bad-argument', { maxDistance: '3' as unknown as number }],
      ['bad-argument', { sides: 'left' as 'inside' }],
      ['bad-argument', { sign: 'parity' as 'none' }],
      ['aborted', { signal: { aborted: true } }],
    ];
    for (const [code, options] of refused)
      expect(await laterCodeOf(() => computeField(torus, frame, options))).toBe(code);
    expect(await laterCodeOf(() => computeFieldSync(torus, frame, { backend: 'webgpu' }))).toBe('bad-argument');
    for (const method of FIELD_METHODS.filter((name) => name !== 'fast-marching')) {
      expect(await laterCodeOf(() => computeField(ball, frame, { method }))).toBe('unsupported');
    }
  });

  test('leaves its input as it was', () => {
    const mesh = boxMesh([-0.5, -0.5, -0.5], [0.5, 0.5, 0.5]);
    const before = structuredClone(mesh);
    for (const method of FIELD_METHODS) computeFieldSync(mesh, frame, { method });
    expect(mesh).toEqual(before);
  });
});
