// STEP and IGES by the optional package, on the files that it ships with.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRigidCopies } from '../../../src/io/cad/rigid-copies.js';
import { CHORD_ERROR, type ModelFile, mergeModel, type ReadModelOptions, readModel } from '../../../src/io/index.js';
import { inspectMesh } from '../../../src/mesh/index.js';
import { torusMesh } from '../../generators/model-files.js';
import { failureOf } from '../model/read-file.js';

const folder = join(dirname(createRequire(import.meta.url).resolve('occt-import-js')), '../test/testfiles');
const bytesOf = (name: string): Uint8Array => new Uint8Array(readFileSync(join(folder, name)));
const read = (name: string, options: ReadModelOptions = {}): Promise<ModelFile> =>
  readModel(bytesOf(name), { fileName: name, ...options });

describe('a STEP assembly', () => {
  test('has its parts by name, with the tree, in millimeters; each shape is divided once', async () => {
    const model = await read('cax-if/as1-oc-214.stp');
    expect(model).toMatchObject({ format: 'step', unit: 0.001, chordError: CHORD_ERROR });
    const counts = new Map<string, number>();
    for (const { name } of model.parts) counts.set(name, (counts.get(name) ?? 0) + 1);
    // The bracket assembly stands twice, with three bolts and nuts each.
    expect(Object.fromEntries(counts)).toEqual({ nut: 8, bolt: 6, 'l-bracket': 2, plate: 1, rod: 1 });
    expect(model.meshes).toHaveLength(5);
    expect(model.parts.every(({ path }) => path?.[0] === 'as1')).toBe(true);
    const merged = inspectMesh(mergeModel(model), { selfIntersections: false });
    expect(merged.closed).toBe(true);
    expect(merged.box.max[0] - merged.box.min[0]).toBeCloseTo(200, 6);
    expect(model.meshes.every(({ color }) => color !== undefined)).toBe(true);
  });

  test('is finer with a smaller chord error: the volume of a cone nears its limit from below', async () => {
    const volumes: number[] = [];
    for (const chordError of [0.5, 0.02]) {
      const model = await read('cax-if/sg1-c5-214.stp', { chordError });
      expect(model.chordError).toBe(chordError);
      volumes.push(inspectMesh(mergeModel(model), { selfIntersections: false }).volume!);
    }
    expect(volumes[1]).not.toBe(volumes[0]);
    expect(Math.abs(volumes[1] - volumes[0]) / volumes[1]).toBeLessThan(0.05);
  });

  test('is in millimeters whatever the unit of its file', async () => {
    for (const unit of ['mm', 'm', 'in']) {
      const { box } = inspectMesh(mergeModel(await read(`cube-units/cube-${unit}.step`)));
      for (const axis of [0, 1, 2]) expect(box.max[axis] - box.min[axis]).toBeCloseTo(1000, 6);
    }
  });
});

test('an IGES file is read', async () => {
  const model = await read('cube-10x10mm/Cube 10x10.igs');
  expect(model.format).toBe('iges');
  expect(inspectMesh(mergeModel(model)).volume).toBeCloseTo(1000, 6);
});

describe('what cannot be read', () => {
  test('a file cut off, one whose shapes are elsewhere, and one without the package say so', async () => {
    const whole = bytesOf('cube-units/cube-mm.step');
    expect(await failureOf(whole.slice(0, 0.7 * whole.length), { format: 'step' })).toMatchObject({
      code: 'file-truncated',
    });
    expect(await failureOf(bytesOf('cax-if/s1_pe_214/foot_asm.stp'), {})).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/other files/),
    });
    const packages = { 'occt-import-js': () => Promise.reject(new Error('Cannot find package')) };
    expect(await failureOf(whole, { packages })).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/npm install occt-import-js@/),
    });
    expect(await failureOf(whole, { chordError: 0 })).toMatchObject({ code: 'bad-argument' });
  });

  test('damaged files end in an error or a model', async () => {
    const lines = new TextDecoder().decode(bytesOf('simple-basic-cube/cube.stp')).split('\n');
    const outcomes = { read: 0, refused: 0 };
    for (let i = 10; i < lines.length - 3; i += 12) {
      const bytes = new TextEncoder().encode(lines.filter((_, k) => k !== i).join('\n'));
      const outcome = await readModel(bytes, { format: 'step' }).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome.name).toBe('NearfieldError');
      outcomes[outcome instanceof Error ? 'refused' : 'read']++;
    }
    expect(outcomes.read + outcomes.refused).toBeGreaterThan(5);
  });
});

describe('copies', () => {
  const ring = torusMesh(12, 8);
  const move = (turn: number, offset: number, stretch = 1) => {
    const [c, s] = [Math.cos(turn), Math.sin(turn)];
    const positions = Float64Array.from(ring.positions);
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y] = [positions[i], positions[i + 1]];
      positions[i] = stretch * (c * x - s * y) + offset;
      positions[i + 1] = s * x + c * y - offset;
    }
    return { positions, indices: ring.indices };
  };

  test('that are turned and moved are found with their placement; stretched and mirrored ones are not', () => {
    const copies = findRigidCopies([ring, move(0.7, 300), move(0, 0, 1 + 1e-6), move(0, 0, -1), move(2, -9)]);
    expect(copies.map(({ original }) => original)).toEqual([0, 0, 2, 3, 0]);
    const { transform: m } = copies[1];
    const target = move(0.7, 300).positions;
    for (let i = 0; i < target.length; i += 3) {
      for (let row = 0; row < 3; row++) {
        const [x, y, z] = ring.positions.subarray(i, i + 3);
        expect(m[4 * row] * x + m[4 * row + 1] * y + m[4 * row + 2] * z + m[4 * row + 3]).toBeCloseTo(
          target[i + row],
          10,
        );
      }
    }
  });
});
