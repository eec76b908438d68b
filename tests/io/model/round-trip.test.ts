// What the writers write, the readers read: exactly, or rounded to single precision where the format has no more.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { identityMatrix } from '../../../src/core/affine.js';
import {
  createModel,
  type ModelFile,
  mergeModel,
  OUTPUT_FORMATS,
  type OutputFormat,
  readModel,
  writeModel,
} from '../../../src/io/index.js';
import { machinedVariants, toSingle } from '../../generators/machined-parts.js';
import { cubeMesh, type PlainMesh, textOf, torusMesh } from '../../generators/model-files.js';
import { isClosed, volume6 } from './read-file.js';

const EXACT = ['obj', 'ply', 'ply-ascii', 'off'] as const;

/** Turned by an angle, coordinates have all their digits. */
const machined = machinedVariants().filter(({ name }) => /turned$|far away$/.test(name));

const meshes: [string, PlainMesh][] = [
  ['cube', cubeMesh()],
  ['torus', torusMesh(17, 9)],
  ['torus × 1e-9', torusMesh(12, 8, 1e-9)],
  ['torus × 1e9', torusMesh(12, 8, 1e9)],
  [
    'unused vertex, degenerate and duplicate faces, −0',
    {
      positions: Float64Array.of(-0, 0, 0, 1, 0, 0, 0, 1, -0, 7, 7, 7, 0, 0, 0),
      indices: Uint32Array.of(0, 1, 2, 0, 0, 1, 0, 1, 2, 4, 2, 1),
    },
  ],
  ...machined.map(({ name, mesh }): [string, PlainMesh] => [name, mesh]),
];

async function roundTrip(model: PlainMesh | ModelFile, format: OutputFormat): Promise<ModelFile> {
  return readModel(await writeModel(model, format), { format: format.replace('-ascii', '') as 'obj' });
}

/** The mesh as corners, rounded by `round` and without the sign of zero: what STL keeps of it. */
function soup({ positions, indices }: PlainMesh, round: (x: number) => number): number[] {
  return [...indices].flatMap((id) => [0, 1, 2].map((axis) => round(positions[3 * id + axis]) + 0));
}

describe.each(meshes)('%s', (_name, mesh) => {
  test.each(EXACT)('%s: every bit', async (format) => {
    const read = mergeModel(await roundTrip(mesh, format));
    expect(read.indices).toEqual(mesh.indices);
    // By bits, so that −0 and 0 differ.
    expect(new BigUint64Array(read.positions.buffer)).toEqual(new BigUint64Array(mesh.positions.buffer));
  });

  test('stl: every corner in single precision; stl-ascii: every digit', async () => {
    expect(soup(mergeModel(await roundTrip(mesh, 'stl')), (x) => x)).toEqual(soup(mesh, Math.fround));
    expect(soup(mergeModel(await roundTrip(mesh, 'stl-ascii')), (x) => x)).toEqual(soup(mesh, (x) => x));
  });

  test('glb: every corner in single precision', async () => {
    expect(soup(mergeModel(await roundTrip(mesh, 'glb')), (x) => x)).toEqual(soup(mesh, Math.fround));
  });
});

test.each(machined)('$name: STL rounds and welds it, and nothing else', async ({ mesh }) => {
  const read = mergeModel(await roundTrip(mesh, 'stl'));
  expect(isClosed(read)).toBe(true);
  const rounded = toSingle(mesh);
  expect(read.positions.length).toBe(rounded.positions.length);
  expect(soup(read, (x) => x)).toEqual(soup(rounded, (x) => x));
});

test('closed meshes stay closed and outward in every format', async () => {
  const mesh = torusMesh(20, 11);
  for (const format of OUTPUT_FORMATS) {
    const read = mergeModel(await roundTrip(mesh, format));
    expect([format, isClosed(read), read.positions.length]).toEqual([format, true, mesh.positions.length]);
    expect(volume6(read) / volume6(mesh)).toBeCloseTo(1, 5);
  }
});

test('any doubles, through every exact format', async () => {
  const coordinate = fc.double({ min: -1e50, max: 1e50, noNaN: true });
  await fc.assert(
    fc.asyncProperty(fc.array(coordinate, { minLength: 9, maxLength: 9 }), async (values) => {
      const mesh = { positions: Float64Array.from(values), indices: Uint32Array.of(0, 1, 2) };
      for (const format of EXACT) {
        const read = mergeModel(await roundTrip(mesh, format));
        expect(new BigUint64Array(read.positions.buffer)).toEqual(new BigUint64Array(mesh.positions.buffer));
      }
    }),
    { numRuns: 300 },
  );
});

test('more vertices than 16 bits count keep their ids in GLB', async () => {
  const mesh = torusMesh(300, 250);
  const read = soup(mergeModel(await roundTrip(mesh, 'glb')), (x) => x);
  const written = soup(mesh, Math.fround);
  expect(read).toHaveLength(written.length);
  expect(read.findIndex((value, i) => value !== written[i])).toBe(-1);
});

describe('models of several parts', () => {
  const place = (...rows: number[]) => Float64Array.of(...rows, 0, 0, 0, 1);
  const model: ModelFile = {
    format: 'glb',
    meshes: [
      { name: 'box', mesh: cubeMesh(), color: [0.25, 0.5, 0.75, 1] },
      { name: 'ring', mesh: torusMesh(6, 5) },
    ],
    parts: [
      { name: 'left', meshIndex: 0, transform: place(1, 0, 0, -1 / 3, 0, 1, 0, 0, 0, 0, 1, 0) },
      { name: 'right', meshIndex: 0, transform: place(0, -1, 0, 10.1, 1, 0, 0, 0, 0, 0, 1, 0) },
      { name: 'mirrored', meshIndex: 1, transform: place(-2, 0, 0, 0, 0, 2, 0, 20, 0, 0, 2, 0) },
    ],
  };

  test('GLB keeps meshes, parts, names, placements to the last bit, and colors', async () => {
    const read = await roundTrip(model, 'glb');
    expect(read.format).toBe('glb');
    expect(read.parts).toEqual(model.parts);
    expect(read.meshes.map(({ name, color }) => [name, color])).toEqual([
      ['box', [0.25, 0.5, 0.75, 1]],
      ['ring', undefined],
    ]);
    expect(read.meshes.map(({ mesh }) => mesh.indices.length)).toEqual([36, 180]);
  });

  test('GLB has a material everywhere that shows without an environment: neither metal nor double-sided', async () => {
    const bytes = await writeModel(model, 'glb');
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    const { meshes, materials } = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    for (const { primitives } of meshes) {
      for (const { material } of primitives) {
        expect(materials[material].pbrMetallicRoughness.metallicFactor).toBe(0);
        expect(materials[material].pbrMetallicRoughness.roughnessFactor ?? 1).toBe(1);
        expect(materials[material].doubleSided ?? false).toBe(false);
      }
    }
    const colors = materials.map((each: { pbrMetallicRoughness: { baseColorFactor: number[] } }) => {
      return each.pbrMetallicRoughness.baseColorFactor;
    });
    expect(colors).toEqual([
      [0.25, 0.5, 0.75, 1],
      [0.8, 0.8, 0.8, 1],
    ]);
  });

  test('GLB of many meshes has a handful of buffer views, each accessor within one', async () => {
    const meshes = Array.from({ length: 200 }, (_, i) => ({ name: `m${i}`, mesh: cubeMesh() }));
    const parts = meshes.map(({ name }, meshIndex) => ({ name, meshIndex, transform: identityMatrix() }));
    const bytes = await writeModel({ format: 'glb', meshes, parts }, 'glb');
    const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(12, true);
    const json = JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length)));
    expect(json.bufferViews).toHaveLength(2);
    expect(json.accessors).toHaveLength(400);
    for (const { bufferView, byteOffset = 0, count, type } of json.accessors) {
      const end = byteOffset + count * (type === 'VEC3' ? 12 : 2);
      expect(end).toBeLessThanOrEqual(json.bufferViews[bufferView].byteLength);
    }
    expect((await readModel(bytes)).parts.map(({ name }) => name)).toEqual(parts.map(({ name }) => name));
  });

  test('GLB writes colored groups as primitives and reads them back', async () => {
    const groups = [
      { name: 'bottom', firstTriangle: 0, triangleCount: 2, color: [1, 0, 0, 1] as const },
      { name: 'glass', firstTriangle: 4, triangleCount: 8, color: [0, 0, 1, 0.25] as const },
    ];
    const read = await roundTrip(
      createModel({ name: 'box', mesh: cubeMesh(), groups, color: [0, 1, 0, 1] }, 'obj'),
      'glb',
    );
    expect(read.meshes[0].groups).toEqual([
      groups[0],
      { name: '', firstTriangle: 2, triangleCount: 2, color: [0, 1, 0, 1] },
      groups[1],
    ]);
    expect(isClosed(read.meshes[0].mesh)).toBe(true);
  });

  test('a placement with shear is worked into a copy, for glTF has none', async () => {
    const sheared = { ...model.parts[0], transform: place(1, 0.5, 0, 3, 0, -1, 0, 0, 0, 0, 1, 0) };
    const read = await roundTrip({ ...model, parts: [model.parts[0], sheared] }, 'glb');
    expect(read.meshes).toHaveLength(2);
    expect(read.parts[1].transform[1]).toBe(0);
    const [before, after] = [
      mergeModel({ ...model, parts: [sheared] }),
      mergeModel({ ...read, parts: [read.parts[1]] }),
    ];
    expect(soup(after, (x) => x)).toEqual(soup(before, Math.fround));
    expect(volume6(after)).toBeCloseTo(6, 6);
  });

  test('the other formats hold the merged mesh, OBJ with a group for each part', async () => {
    const merged = mergeModel(model);
    expect(merged.positions).toHaveLength(3 * (8 + 8 + 30));
    expect(isClosed(merged)).toBe(true);
    expect(volume6(merged)).toBeCloseTo(12 + 8 * volume6(torusMesh(6, 5)), 9);
    for (const format of EXACT) expect(mergeModel(await roundTrip(model, format))).toEqual(merged);
    expect((await roundTrip(model, 'obj')).meshes[0].groups).toEqual([
      { name: 'left', firstTriangle: 0, triangleCount: 12 },
      { name: 'right', firstTriangle: 12, triangleCount: 12 },
      { name: 'mirrored', firstTriangle: 24, triangleCount: 60 },
    ]);
  });

  test('OBJ groups go out and come back, names made safe', async () => {
    const groups = [
      { name: 'top #1', firstTriangle: 2, triangleCount: 2 },
      { name: 'two\nlines\\', firstTriangle: 6, triangleCount: 6 },
    ];
    const read = await roundTrip(createModel({ name: 'box', mesh: cubeMesh(), groups }, 'obj'), 'obj');
    expect(read.meshes[0].groups?.map(({ name, firstTriangle }) => [name, firstTriangle])).toEqual([
      ['', 0],
      ['top #1', 2],
      ['', 4],
      ['two lines', 6],
    ]);
  });
});

describe('what writers refuse', () => {
  test('coordinates that single precision cannot hold', async () => {
    const mesh = cubeMesh(1e40);
    for (const format of ['stl', 'glb'] as const) {
      await expect(writeModel(mesh, format)).rejects.toMatchObject({ code: 'unsupported', location: { vertex: 1 } });
    }
    expect(mergeModel(await roundTrip(mesh, 'ply'))).toEqual(mesh);
  });

  test('bad meshes, formats and models', async () => {
    const bad = { positions: Float64Array.of(0, 0, 0), indices: Uint32Array.of(0, 1, 2) };
    for (const format of OUTPUT_FORMATS) {
      await expect(writeModel(bad, format)).rejects.toMatchObject({ code: 'index-out-of-range' });
    }
    await expect(writeModel(cubeMesh(), 'dxf' as 'obj')).rejects.toMatchObject({ code: 'bad-argument' });
    await expect(writeModel(cubeMesh(), 'obj', { signal: { aborted: true } })).rejects.toMatchObject({
      code: 'aborted',
    });
  });
});

test('text is written as people write it', async () => {
  const triangle = { positions: Float64Array.of(0, 0, 0, 1.5, 0, 0, 0, 1e-7, -0), indices: Uint32Array.of(0, 1, 2) };
  const text = async (format: OutputFormat) => textOf(await writeModel(triangle, format, { name: 'flag' }));
  expect(await text('obj')).toBe('v 0 0 0\nv 1.5 0 0\nv 0 1e-7 -0\nf 1 2 3\n');
  expect(await text('off')).toBe('OFF\n3 1 0\n0 0 0\n1.5 0 0\n0 1e-7 -0\n3 0 1 2\n');
  expect(await text('stl-ascii')).toBe(
    'solid flag\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1.5 0 0\nvertex 0 1e-7 -0\nendloop\nendfacet\nendsolid flag\n',
  );
  expect(await text('ply-ascii')).toBe(
    'ply\nformat ascii 1.0\ncomment written by nearfield\nelement vertex 3\nproperty double x\nproperty double y\n' +
      'property double z\nelement face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1.5 0 0\n0 1e-7 -0\n3 0 1 2\n',
  );
});
