import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createModel, type ModelFile, mergeModel, readModel } from '../../../src/io/index.js';
import { inspectMesh } from '../../../src/mesh/index.js';
import { ifcText } from '../../generators/ifc-file.js';
import { bytesOf } from '../../generators/model-files.js';
import { failureOf } from '../model/read-file.js';

const read = (text = ifcText()): Promise<ModelFile> => readModel(bytesOf(text));

/** The box of a part in the world. */
function boxOf(model: ModelFile, part: number) {
  const { parts, meshes } = model;
  const single = { ...createModel(meshes[parts[part].meshIndex], 'ifc'), parts: [{ ...parts[part], meshIndex: 0 }] };
  return inspectMesh(mergeModel(single));
}

describe('an IFC file', () => {
  test('has its products in meters with z up, named, with class, GlobalId and storey, without spaces and openings', async () => {
    const model = await read();
    expect(model).toMatchObject({ format: 'ifc', unit: 1 });
    const storey = 'ground floor';
    expect(model.parts.map(({ name, about }) => [name, about])).toEqual(
      expect.arrayContaining([
        ['wall', { id: '0wall00000000000000001', kind: 'IfcWall', storey }],
        ['column', { id: '0column000000000000001', kind: 'IfcColumn', storey }],
      ]),
    );
    expect(model.parts).toHaveLength(5);
    const plate = model.parts.find(({ about }) => about?.kind === 'IfcPlate')!;
    // A product without a name gets its class; it is in the storey of what it is part of.
    expect(plate.name).toMatch(/^IfcPlate \d+$/);
    expect(plate.path).toEqual(['house', 'site', 'building', storey, 'column']);
    expect(plate.about?.storey).toBe(storey);
    const column = boxOf(
      model,
      model.parts.findIndex(({ name }) => name === 'column'),
    );
    expect(column.closed).toBe(true);
    for (const [axis, [low, high]] of [
      [1.85, 2.15],
      [-0.15, 0.15],
      [0, 3],
    ].entries()) {
      expect(column.box.min[axis]).toBeCloseTo(low, 6);
      expect(column.box.max[axis]).toBeCloseTo(high, 6);
    }
  });

  test('has openings cut, and one mesh for products of one shape', async () => {
    const model = await read();
    const walls = model.parts.flatMap(({ name }, i) => (name === 'wall' ? [i] : []));
    expect(walls.map((i) => boxOf(model, i).volume)).toEqual([
      expect.closeTo(2.4 - 0.2, 6),
      expect.closeTo(2.4, 6),
      expect.closeTo(2.4, 6),
    ]);
    const [first, second, third] = walls.map((i) => model.parts[i].meshIndex);
    expect(second).toBe(third);
    expect(first).not.toBe(second);
  });

  test('that is cut off is refused, and so is one without products, or without the package', async () => {
    const text = ifcText();
    for (const share of [0.1, 0.5, 0.95]) {
      expect(await failureOf(bytesOf(text.slice(0, share * text.length)), { format: 'ifc' })).toMatchObject({
        code: 'file-truncated',
      });
    }
    const empty = text.replace(/#\d+=IFC(WALL|COLUMN|PLATE)\(.*\n/g, '');
    expect(await failureOf(bytesOf(empty), {})).toMatchObject({ code: 'empty-mesh' });
    const packages = { 'web-ifc': () => Promise.reject(new Error('Cannot find package')) };
    expect(await failureOf(bytesOf(text), { packages })).toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/npm install web-ifc@/),
    });
  });

  test('with lines that are missing or damaged gives an error or fewer parts, and does not crash', async () => {
    const lines = ifcText().split('\n');
    let readCount = 0;
    for (let i = 3; i < lines.length - 3; i += 3) {
      const outcome = await read(lines.filter((_, k) => k !== i).join('\n')).catch((error: unknown) => error);
      if (outcome instanceof NearfieldError) continue;
      if (outcome instanceof Error) throw outcome;
      expect((outcome as ModelFile).parts.length).toBeLessThanOrEqual(5);
      readCount++;
    }
    expect(readCount).toBeGreaterThan(5);
  });
});
