// Depth of models that bound no solid: the interval must hold the depth of the solid they were made from.
import { describe, expect, test } from 'vitest';
import * as pose from '../../src/core/pose.js';
import type { GpuDevice } from '../../src/gpu/device.js';
import { measurePenetrationSync } from '../../src/penetration/measure-on-cpu.js';
import { measurePenetration } from '../../src/penetration/measure-penetration.js';
import { ProximityModel } from '../../src/proximity/proximity-model.js';
import { codeOf } from '../error-code.js';
import { boxMesh, join, mapPoints, selectFaces, sheet, sphereGrid } from '../generators/surfaces.js';

const at = (x: number, y = 0, z = 0): pose.Pose => [x, y, z, 0, 0, 0, 1];
const O = pose.identity();

describe('penetration of models that are no solids', () => {
  test('an interval that holds the depth of the whole spheres', () => {
    const whole = new ProximityModel(sphereGrid(6));
    const broken = new ProximityModel(selectFaces(sphereGrid(6), (face) => face % 37 !== 5));
    for (const x of [1.3]) {
      const { depth } = measurePenetrationSync(whole, whole, O, at(x));
      expect(() => measurePenetrationSync(broken, whole, O, at(x))).toThrow(/solidify/);
      const found = measurePenetrationSync(broken, whole, O, at(x), {
        solidify: { resolution: 14 },
        relativeGap: 0.05,
      });
      expect(found.lower).toBeLessThanOrEqual(depth);
      expect(found.upper).toBeGreaterThanOrEqual(depth);
      expect(found.solidified!.errorA).toBeGreaterThan(0);
      expect(found.solidified!.errorB).toBe(0);
      // The spacing is 0.15; shrinking takes the error and a part of a spacing from each side.
      expect(found.lower).toBeGreaterThan(depth - 0.6);
      expect(found.upper).toBeLessThan(depth + 0.45);
      expect(Math.hypot(...found.vector)).toBeCloseTo(found.upper, 12);
    }
  });

  test('crossing boxes in one mesh, exactly known', async () => {
    const crossing = new ProximityModel(join(boxMesh([0, 0, 0], [2, 1, 1]), boxMesh([0.5, -1, 0.2], [1, 2, 0.8])));
    const box = new ProximityModel(boxMesh([0, 0, 0], [4, 4, 0.5]));
    const placed = at(-1, -1, 0.7);
    // The box covers the cross from z = 0.7 to 1.2, of which the cross has 0.3: up is the shortest way out.
    const options = { solidify: { resolution: 32 } };
    const found = await measurePenetration(crossing, box, O, placed, options);
    expect(found.lower).toBeLessThanOrEqual(0.3);
    expect(found.upper).toBeGreaterThanOrEqual(0.3);
    expect(found.upper).toBeLessThan(0.6);
    expect(found.lower).toBeGreaterThan(0);
    // Certificates are computed on the CPU, also those of the solids inside, whatever device is named.
    const device = { device: { features: new Set() }, pipelines: {}, isLost: false, isSoftware: false };
    const named = { ...options, backend: 'webgpu', device: device as unknown as GpuDevice } as const;
    const onCpu = await measurePenetration(crossing, box, O, placed, named);
    expect(onCpu).toMatchObject({ lower: found.lower, upper: found.upper, vector: found.vector });
  });

  test('a sheet has depth up to its thickness, and none is promised', () => {
    const flat = new ProximityModel(mapPoints(sheet(4), ([x, y]) => [x, y, 0]));
    const ball = new ProximityModel(sphereGrid(8, 1, [2, 2, 0.5]));
    const found = measurePenetrationSync(flat, ball, O, O, { solidify: { resolution: 16, thickness: 0.1 } });
    expect(found).toMatchObject({ intersects: true, lower: 0 });
    // Below the ball is the shortest way: half a radius.
    expect(found.upper).toBeGreaterThanOrEqual(0.5);
    expect(found.upper).toBeLessThan(1.2);
  });

  test('models that are apart by more than the error stay so; nearer ones may overlap', () => {
    const broken = new ProximityModel(selectFaces(sphereGrid(8), (face) => face % 61 !== 5));
    const whole = new ProximityModel(sphereGrid(8));
    const options = { solidify: { resolution: 20 } };
    expect(measurePenetrationSync(broken, whole, O, at(3), options)).toMatchObject({
      intersects: false,
      upper: 0,
      lower: 0,
    });
    const near = measurePenetrationSync(broken, whole, O, at(2.01), options);
    expect(near.lower).toBe(0);
    expect(near.upper).toBeGreaterThan(0);
    expect(near.upper).toBeLessThan(0.4);
    expect(near.vector[0]).toBeLessThan(0);
  });

  test('solids are measured as they are, and bad options refused', () => {
    const box = new ProximityModel(boxMesh());
    const plain = measurePenetrationSync(box, box, O, at(0.7));
    const asked = measurePenetrationSync(box, box, O, at(0.7), { solidify: true });
    expect(asked).toMatchObject({
      depth: plain.depth,
      lower: plain.lower,
      status: 'exact',
      solidified: { errorA: 0, errorB: 0 },
    });
    const open = new ProximityModel(selectFaces(boxMesh(), (face) => face > 1));
    expect(codeOf(() => measurePenetrationSync(open, box, O, O, { solidify: { resolution: 1 } }))).toBe('bad-argument');
    expect(codeOf(() => measurePenetrationSync(open, box, O, O, { solidify: 7 as never }))).toBe('bad-argument');
  });
});
