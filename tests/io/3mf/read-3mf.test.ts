import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import { type ModelFile, mergeModel, readModel } from '../../../src/io/index.js';
import { assertMesh } from '../../../src/mesh/mesh.js';
import { bytesOf, cubeMesh, torusMesh } from '../../generators/model-files.js';
import { meshObject, modelXml, pack3mf } from '../../generators/three-mf.js';
import { failureOf } from '../model/read-file.js';

const cube = meshObject(1, cubeMesh(), 'name="cube"');

async function read(model: string, others: Parameters<typeof pack3mf>[1] = []): Promise<ModelFile> {
  return readModel(await pack3mf(model, others));
}

describe('a 3MF package', () => {
  test('has a part for each item, with the unit of the file and one mesh for items of one object', async () => {
    const items = '<item objectid="1"/><item objectid="1" transform="0 1 0 -1 0 0 0 0 1 10 20 30"/>';
    const model = await read(modelXml(cube, items, 'unit="inch"'));
    expect(model).toMatchObject({ format: '3mf', unit: 0.0254 });
    expect(model.meshes).toHaveLength(1);
    expect([...model.meshes[0].mesh.positions]).toEqual([...cubeMesh().positions]);
    expect([...model.meshes[0].mesh.indices]).toEqual([...cubeMesh().indices]);
    // Rows in the file: (x, y, z) goes to (10 − y, 20 + x, 30 + z).
    expect([...model.parts[1].transform]).toEqual([0, -1, 0, 10, 1, 0, 0, 20, 0, 0, 1, 30, 0, 0, 0, 1]);
  });

  test('without a unit is in millimeters', async () => {
    expect((await read(modelXml(cube, '<item objectid="1"/>', ''))).unit).toBe(0.001);
  });

  test('multiplies the placements of components and names the objects that hold a part', async () => {
    const step = 'transform="1 0 0 0 1 0 0 0 1 1 0 0"';
    const pair = `<object id="2" name="pair"><components><component objectid="1"/><component objectid="1" ${step}/></components></object>`;
    const all = `<object id="3" name="all"><components><component objectid="2" ${step}/></components></object>`;
    const { parts, meshes } = await read(
      modelXml(cube + pair + all, '<item objectid="3" transform="2 0 0 0 2 0 0 0 2 0 0 5"/>'),
    );
    expect(meshes).toHaveLength(1);
    expect(parts.map(({ name, path, transform: m }) => [name, path, m[0], m[3], m[11]])).toEqual([
      ['cube', ['all', 'pair'], 2, 2, 5],
      ['cube', ['all', 'pair'], 2, 4, 5],
    ]);
  });

  test('may have objects in other files of the archive', async () => {
    const other = { path: '3D/part.model', bytes: bytesOf(modelXml(cube, '')) };
    const model = modelXml('', '<item objectid="1" p:path="/3D/part.model"/>');
    expect((await read(model, [other])).parts).toHaveLength(1);
    expect(await failureOf(await pack3mf(model), {})).toMatchObject({ code: 'file-format' });
  });

  test('leaves supports out, with a warning', async () => {
    const support = meshObject(2, cubeMesh(), 'type="support"');
    const { parts, warnings } = await read(modelXml(cube + support, '<item objectid="1"/><item objectid="2"/>'));
    expect(parts).toHaveLength(1);
    expect(warnings).toEqual([expect.stringMatching(/supports.*\(1 /)]);
  });

  test.each([
    [
      'a required extension that is not read',
      'unit="meter" requiredextensions="z" xmlns:z="http://z"',
      '<item objectid="1"/>',
      'unsupported',
    ],
    ['an unknown unit', 'unit="ell"', '<item objectid="1"/>', 'file-format'],
    ['an item without object', 'unit="meter"', '<item objectid="7"/>', 'file-format'],
    ['an empty build', 'unit="meter"', '', 'empty-mesh'],
    [
      'a transform of eleven numbers',
      'unit="meter"',
      '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 0 0"/>',
      'file-format',
    ],
  ])('with %s is refused', async (_, attributes, items, code) => {
    expect(await failureOf(await pack3mf(modelXml(cube, items, attributes)), {})).toMatchObject({ code });
  });

  test('whose objects contain themselves is refused', async () => {
    const a = '<object id="1"><components><component objectid="2"/><component objectid="2"/></components></object>';
    const b = '<object id="2"><components><component objectid="1"/></components></object>';
    expect(await failureOf(await pack3mf(modelXml(a + b, '<item objectid="1"/>')), {})).toMatchObject({
      code: 'too-large',
    });
  });

  test('that is damaged is refused or read as a valid model', async () => {
    const random = createRandom(5);
    const text = modelXml(
      meshObject(1, torusMesh(6, 5), 'name="ring"'),
      '<item objectid="1" transform="1 0 0 0 1 0 0 0 1 1 0 0"/>',
    );
    let readCount = 0;
    for (let i = 0; i < 400; i++) {
      let edited = text;
      for (let edits = 1 + random.integer(2); edits > 0; edits--) {
        const at = random.integer(edited.length);
        edited =
          edited.slice(0, at) +
          ['', '9', '-', ' ', '<', 'e5', '"'][random.integer(7)] +
          edited.slice(at + random.integer(2));
      }
      const bytes = await pack3mf(edited);
      const outcome = await readModel(random.integer(6) === 0 ? bytes.slice(0, random.integer(bytes.length)) : bytes, {
        format: '3mf',
      }).catch((error: unknown) => error);
      if (outcome instanceof NearfieldError) continue;
      if (outcome instanceof Error) throw outcome;
      assertMesh(mergeModel(outcome as ModelFile));
      readCount++;
    }
    expect(readCount).toBeGreaterThan(40);
    expect(readCount).toBeLessThan(360);
  });
});
