import { describe, expect, test } from 'vitest';
import { buildAssembly } from '../../src/clash/assembly.js';
import { identityMatrix } from '../../src/core/affine.js';
import * as pose from '../../src/core/pose.js';
import { createRandom } from '../../src/core/random.js';
import { splitPlacement } from '../../src/core/split-placement.js';
import { type ModelFile, type ModelPart, mergeModel } from '../../src/io/model/model-file.js';
import type { Mesh } from '../../src/mesh/mesh.js';
import { boxMesh, sphereGrid } from '../generators/surfaces.js';

const at = (x: number, y = 0, z = 0): Float64Array => Float64Array.of(1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z, 0, 0, 0, 1);

const fileOf = (mesh: Mesh, parts: readonly { name: string; transform: Float64Array }[]): ModelFile => ({
  format: 'glb',
  meshes: [{ name: 'mesh', mesh }],
  parts: parts.map((part): ModelPart => ({ ...part, meshIndex: 0 })),
});

describe('splitPlacement', () => {
  test('a placement is its stretch followed by its pose', () => {
    const random = createRandom(3);
    for (let run = 0; run < 200; run++) {
      const size = [1, 1e-9, 1e9][run % 3];
      const m = Float64Array.from({ length: 16 }, (_, i) =>
        i > 11 ? 0 : random.range(-1, 1) * (i % 4 === 1 ? 1e-4 : 1) * size,
      );
      m[15] = 1;
      if (run % 10 === 9) m.set([0, 0, 0], 4);
      const { pose: placed, stretch } = splitPlacement(m);
      expect(Math.hypot(...placed.slice(3))).toBeCloseTo(1, 12);
      const [x, y, z, w] = placed.slice(3);
      const r = [
        [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
      ];
      for (let row = 0; row < 3; row++) {
        expect(placed[row]).toBe(m[4 * row + 3]);
        for (let column = 0; column < 3; column++) {
          const product = [0, 1, 2].reduce((sum, k) => sum + r[row][k] * stretch[4 * k + column], 0);
          expect(Math.abs(product - m[4 * row + column])).toBeLessThan(1e-14 * 4 * size);
        }
      }
    }
  });
});

describe('buildAssembly', () => {
  test('parts stand where the merged model has them, whatever their placement', () => {
    const random = createRandom(5);
    const mesh = sphereGrid(3, 1, [0.3, 0.2, 0.1]);
    const parts = Array.from({ length: 40 }, (_, i) => {
      const m = identityMatrix();
      for (let k = 0; k < 12; k++) m[k] = random.range(-2, 2);
      // Every other one is rigid but for a scale along x, mirrored or not.
      if (i % 2 === 0) {
        m.set(pose.toMatrix4(pose.create([m[3], m[7], m[11]], random.rotation())));
        const scale = [1, -1, 0.5, -3][(i / 2) % 4];
        for (const k of [0, 4, 8]) m[k] *= scale;
      }
      return { name: `part ${i}`, transform: m };
    });
    const file = fileOf(mesh, parts);
    const placed = buildAssembly(file);
    expect(placed.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
    for (const [i, part] of placed.entries()) {
      const merged = mergeModel({ ...file, parts: [file.parts[i]] });
      expect(part.model.mesh.indices).toEqual(merged.indices);
      for (let v = 0; v < merged.positions.length; v += 3) {
        const [x, y, z] = part.model.mesh.positions.subarray(v, v + 3);
        const point = pose.transformPoint(part.pose, [x, y, z]);
        for (let k = 0; k < 3; k++) expect(point[k]).toBeCloseTo(merged.positions[v + k], 12);
      }
      // Solids stay solids: no mirror image is inside out.
      expect(part.model.outward).toBe(true);
    }
    // Ten of each of the four scales.
    expect(new Set(placed.filter((_, i) => i % 2 === 0).map(({ model }) => model)).size).toBe(4);
  });

  test('parts of one shape share a model, whatever their place; stretches are told apart', () => {
    const spin = (angle: number, scale: number): Float64Array => {
      const [c, n] = [Math.cos(angle), Math.sin(angle)];
      const m = [c, -n, 0, 1, n, c, 0, 2, 0, 0, 1, 3].map((value, i) => (i % 4 === 3 ? value : scale * value));
      return Float64Array.of(...m, 0, 0, 0, 1);
    };
    // As many exporters do: single precision, which is no rotation to double precision.
    const single = spin(0.7, 1e-3).map(Math.fround);
    const file = fileOf(boxMesh(), [
      ...[0, 1, 2, 3].map((angle) => ({ name: 'bolt', transform: spin(angle, 1e-3) })),
      { name: 'single', transform: single },
      { name: 'plain', transform: spin(1, 1) },
      { name: 'longer', transform: spin(0, 1.001e-3) },
    ]);
    const models = buildAssembly(file).map(({ model }) => model);
    expect(new Set(models).size).toBe(3);
    expect(new Set(models.slice(0, 5)).size).toBe(1);
    expect(models[5].mesh).toBe(file.meshes[0].mesh);
  });

  test('names are told apart, within a file and between files', () => {
    const two = fileOf(boxMesh(), [
      { name: 'bolt', transform: at(0) },
      { name: 'bolt', transform: at(2) },
      { name: 'bolt (2)', transform: at(4) },
      { name: '', transform: at(6) },
    ]);
    const one = fileOf(boxMesh(), [{ name: 'nut', transform: at(0) }]);
    const namesOf = (...args: Parameters<typeof buildAssembly>): string[] =>
      buildAssembly(...args).map(({ name }) => name);
    expect(namesOf(two)).toEqual(['bolt', 'bolt (2)', 'bolt (2) (2)', 'part']);
    expect(namesOf([one, one])).toEqual(['nut', 'nut (2)']);
    expect(namesOf([one, two], { modelNames: ['a.glb', 'b.glb'] }).slice(0, 3)).toEqual([
      'a.glb',
      'b.glb: bolt',
      'b.glb: bolt (2)',
    ]);
    expect(namesOf(one, { modelNames: ['a.glb'] })).toEqual(['nut']);
  });

  test('refuses what cannot be placed, and says which part of which model', () => {
    const refusal = (transform: Float64Array): (() => unknown) => {
      const file = fileOf(boxMesh(), [{ name: 'gear', transform }]);
      return () => buildAssembly([file], { modelNames: ['a.glb'] });
    };
    expect(refusal(at(Number.NaN))).toThrow(/^a\.glb: .*"gear"/);
    expect(refusal(at(1e60))).toThrow(/^a\.glb: .*"gear".* beyond/);
    expect(refusal(Float64Array.of(1e60, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1))).toThrow(
      /^a\.glb: .*"gear".* scaled/,
    );
    expect(() => buildAssembly({ format: 'glb', meshes: [], parts: [] })).toThrow(/no parts/);
    expect(() => buildAssembly([], { modelNames: ['a'] })).toThrow(/1 modelNames for 0 models/);
    expect(buildAssembly([])).toEqual([]);
  });

  test('stops when asked to', () => {
    const file = fileOf(boxMesh(), [{ name: 'gear', transform: at(0) }]);
    expect(() => buildAssembly(file, { signal: { aborted: true } })).toThrow(/request/);
  });
});
