import { describe, expect, test } from 'vitest';
import { createModel, detectFormat, formatOfFileName, type ModelFile, mergeModel } from '../../../src/io/index.js';
import { binaryStl, bytesOf, cubeMesh, packTestGlb, simpleGltf } from '../../generators/model-files.js';

const identity = () => Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1);

describe('mergeModel', () => {
  test('a single mesh at its own place is returned as it is', () => {
    const mesh = cubeMesh();
    expect(mergeModel(createModel({ name: 'cube', mesh }, 'obj'))).toBe(mesh);
  });

  test('parts are placed and follow each other; the model is not changed', () => {
    const mesh = cubeMesh();
    const moved = identity();
    moved[3] = 5;
    const model: ModelFile = {
      format: 'glb',
      meshes: [{ name: 'cube', mesh }],
      parts: [
        { name: 'a', meshIndex: 0, transform: identity() },
        { name: 'b', meshIndex: 0, transform: moved },
      ],
    };
    const merged = mergeModel(model);
    expect([...merged.positions.subarray(24, 30)]).toEqual([5, 0, 0, 6, 0, 0]);
    expect([...merged.indices.subarray(36, 39)]).toEqual([8, 10, 11]);
    expect(mesh).toEqual(cubeMesh());
  });

  test('refuses models that make no sense', () => {
    const model = createModel({ name: 'cube', mesh: cubeMesh() }, 'obj');
    const withTransform = (edit: (m: Float64Array) => void) => {
      const transform = identity();
      edit(transform);
      return { ...model, parts: [{ ...model.parts[0], transform }] };
    };
    const group = { name: 'g', firstTriangle: 0, triangleCount: 13 };
    const cases: [string, ModelFile][] = [
      ['empty-mesh', { ...model, parts: [] }],
      ['bad-argument', { ...model, parts: [{ ...model.parts[0], meshIndex: 1 }] }],
      ['bad-argument', { ...model, parts: [{ ...model.parts[0], transform: new Float64Array(16) }] }],
      ['bad-argument', { ...model, meshes: [{ ...model.meshes[0], groups: [group] }] }],
      [
        'bad-argument',
        {
          ...model,
          meshes: [
            {
              ...model.meshes[0],
              groups: [
                { ...group, triangleCount: 3 },
                { ...group, firstTriangle: 2, triangleCount: 1 },
              ],
            },
          ],
        },
      ],
      ['bad-argument', withTransform((m) => (m[5] = Number.NaN))],
      ['bad-argument', withTransform((m) => (m[12] = 1))],
      ['non-finite', withTransform((m) => (m[0] = 1e51))],
    ];
    for (const [code, bad] of cases) expect(() => mergeModel(bad)).toThrow(expect.objectContaining({ code }));
  });

  test('instances that would fill the memory are refused before anything is allocated', () => {
    const mesh = { positions: new Float64Array(9), indices: new Uint32Array(3 * 2 ** 20) };
    const parts = Array.from({ length: 200 }, () => ({ name: '', meshIndex: 0, transform: identity() }));
    expect(() => mergeModel({ format: 'glb', meshes: [{ name: '', mesh }], parts })).toThrow(
      expect.objectContaining({ code: 'too-large' }),
    );
  });
});

describe('formats', () => {
  test('by the ending of the name, in any case', () => {
    expect(formatOfFileName('a/b.c/Model.STL')).toBe('stl');
    expect(formatOfFileName('C:\\models\\x.gltf')).toBe('gltf');
    expect(formatOfFileName('archive.zip')).toBeNull();
    expect(formatOfFileName('folder.obj/readme')).toBeNull();
    expect(detectFormat(bytesOf('ply\n'), 'misnamed.obj')).toBe('obj');
  });

  test('by the content', () => {
    const glb = packTestGlb(simpleGltf(cubeMesh()));
    const cases: [Uint8Array, string | null][] = [
      [glb, 'glb'],
      [bytesOf('\ufeff {"asset":{}}'), 'gltf'],
      [bytesOf('ply\r\nformat ascii 1.0'), 'ply'],
      [bytesOf('solid x\nfacet'), 'stl'],
      [binaryStl([[0, 0, 0, 1, 0, 0, 0, 1, 0]], 'v 1 2 3\nply'), 'stl'],
      [bytesOf('# exported\n\nOFF\n3 1 0'), 'off'],
      [bytesOf('STCNOFF 3 1 0'), 'off'],
      [bytesOf('# Blender\nmtllib a.mtl\nv 0 0 0'), 'obj'],
      [bytesOf('# c\r\nv 0 0 0\r\n'), 'obj'],
      [bytesOf('hello world'), null],
      [new Uint8Array(200), null],
      [new Uint8Array(0), null],
    ];
    for (const [bytes, format] of cases) expect(detectFormat(bytes, 'unknown.bin')).toBe(format);
  });
});
