import { describe, expect, test } from 'vitest';
import { NearfieldError } from '../../../src/core/errors.js';
import { type ModelFile, mergeModel, readModel } from '../../../src/io/index.js';
import {
  bytesOf,
  cubeMesh,
  type GltfParts,
  packBuffers,
  packTestGlb,
  simpleGltf,
  torusMesh,
} from '../../generators/model-files.js';
import { failureOf, isClosed, onlyMesh, volume6 } from '../model/read-file.js';

function read(gltf: GltfParts): Promise<ModelFile> {
  return readModel(packTestGlb(gltf), { format: 'glb' });
}

/** A glTF whose primitives are given, over accessors of the arrays. */
function gltfOf(
  primitives: object[],
  accessors: { array: ArrayBufferView; componentType: number; type: string; count: number; [key: string]: unknown }[],
): GltfParts {
  const gltf = simpleGltf(cubeMesh());
  const { binary, bufferViews } = packBuffers(...accessors.map(({ array }) => array));
  gltf.json.bufferViews = bufferViews;
  gltf.json.buffers = [{ byteLength: binary.length }];
  gltf.json.accessors = accessors.map(({ array: _, ...definition }, bufferView) => ({ bufferView, ...definition }));
  gltf.json.meshes[0].primitives = primitives;
  return { json: gltf.json, binary };
}

const positions4 = {
  array: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0),
  componentType: 5126,
  type: 'VEC3',
  count: 4,
};
const indices = (...ids: number[]) => ({
  array: Uint8Array.from(ids),
  componentType: 5121,
  type: 'SCALAR',
  count: ids.length,
});
const corners = (model: ModelFile) => {
  const { positions, indices: ids } = onlyMesh(model);
  return ids.map((id) => positions.slice(3 * id, 3 * id + 2).join(''));
};

describe('scenes', () => {
  test('one mesh shown by several nodes is one mesh and several parts, transforms multiplied down', async () => {
    const gltf = simpleGltf(cubeMesh());
    const half = Math.SQRT1_2;
    gltf.json.scenes = [{ nodes: [0, 3] }];
    gltf.json.nodes = [
      { name: 'arm', translation: [10, 0, 0], rotation: [0, 0, half, half], children: [1, 2] },
      { name: 'hand', mesh: 0, translation: [1, 0, 0], scale: [2, 2, 2] },
      { mesh: 0 },
      { name: 'matrix', mesh: 0, matrix: [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 6, 7, 1] },
    ];
    const model = await read(gltf);
    expect(model.meshes).toHaveLength(1);
    expect(model.meshes[0].name).toBe('shape');
    expect(model.parts.map(({ name, meshIndex }) => [name, meshIndex])).toEqual([
      ['hand', 0],
      ['shape', 0],
      ['matrix', 0],
    ]);
    // Rotated a quarter turn about z, the child's step along x goes along y.
    const expected = [0, -2, 0, 10, 2, 0, 0, 1, 0, 0, 2, 0, 0, 0, 0, 1];
    model.parts[0].transform.forEach((value, i) => {
      expect(value).toBeCloseTo(expected[i], 14);
    });
    expect([...model.parts[2].transform]).toEqual([1, 0, 0, 5, 0, 1, 0, 6, 0, 0, 1, 7, 0, 0, 0, 1]);
  });

  test('the default scene is read, without one the first, without scenes all nodes, without nodes all meshes', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.nodes = [
      { name: 'a', mesh: 0 },
      { name: 'b', mesh: 0, children: [2] },
      { name: 'c', mesh: 0 },
    ];
    gltf.json.scenes = [{ nodes: [0] }, { nodes: [1] }];
    const names = async () => (await read(gltf)).parts.map(({ name }) => name).join('');
    gltf.json.scene = 1;
    expect(await names()).toBe('bc');
    delete gltf.json.scene;
    expect(await names()).toBe('a');
    delete gltf.json.scenes;
    expect(await names()).toBe('abc');
    delete gltf.json.nodes;
    expect(await names()).toBe('shape');
  });

  test('matrices are kept exactly, shear included', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.nodes[0].matrix = [0.1, 0, 0, 0, 0.7, 0.2, 0, 0, 0, 0, 0.3, 0, 1 / 3, 0, 0, 1];
    expect([...(await read(gltf)).parts[0].transform]).toEqual([
      0.1,
      0.7,
      0,
      1 / 3,
      0,
      0.2,
      0,
      0,
      0,
      0,
      0.3,
      0,
      0,
      0,
      0,
      1,
    ]);
  });

  test('a mirroring transform turns the triangles over when parts are merged', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.nodes[0].scale = [-1, 2, 1];
    const merged = mergeModel(await read(gltf));
    expect(isClosed(merged)).toBe(true);
    expect(volume6(merged)).toBeCloseTo(12, 12);
  });

  test('instances of EXT_mesh_gpu_instancing become parts', async () => {
    const gltf = gltfOf(
      [{ attributes: { POSITION: 0 }, indices: 1 }],
      [
        positions4,
        indices(0, 1, 2),
        { array: Float32Array.of(1, 2, 3, 4, 5, 6), componentType: 5126, type: 'VEC3', count: 2 },
        {
          array: Int8Array.of(0, 0, 0, 127, 0, 0, 127, 0),
          componentType: 5120,
          type: 'VEC4',
          count: 2,
          normalized: true,
        },
        { array: Float32Array.of(2, 2, 2, 1, 1, -1), componentType: 5126, type: 'VEC3', count: 2 },
      ],
    );
    gltf.json.extensionsUsed = gltf.json.extensionsRequired = ['EXT_mesh_gpu_instancing'];
    gltf.json.nodes[0].translation = [100, 0, 0];
    gltf.json.nodes[0].extensions = {
      EXT_mesh_gpu_instancing: { attributes: { TRANSLATION: 2, ROTATION: 3, SCALE: 4 } },
    };
    const { parts, meshes } = await read(gltf);
    expect(meshes).toHaveLength(1);
    expect(parts.map(({ name }) => name)).toEqual(['part 0', 'part 1']);
    expect([...parts[0].transform]).toEqual([2, 0, 0, 101, 0, 2, 0, 2, 0, 0, 2, 3, 0, 0, 0, 1]);
    expect([...parts[1].transform]).toEqual([-1, 0, 0, 104, 0, -1, 0, 5, 0, 0, -1, 6, 0, 0, 0, 1]);
    delete gltf.json.nodes[0].extensions.EXT_mesh_gpu_instancing.attributes.ROTATION;
    gltf.json.accessors[4].count = 1;
    expect((await failureOf(packTestGlb(gltf), {})).message).toMatch(/one count; it has 2, 1/);
  });
});

describe('primitives', () => {
  test('triangles, strips and fans, with indices and without', async () => {
    const cases: [number, number[] | null, string[]][] = [
      [4, [0, 1, 2, 2, 1, 3], ['00', '10', '01', '01', '10', '11']],
      [5, null, ['00', '10', '01', '01', '10', '11']],
      [5, [0, 1, 2, 2, 3, 1], ['00', '10', '01', '11', '01', '10']],
      [6, [0, 1, 3, 2], ['00', '10', '11', '00', '11', '01']],
      [6, null, ['00', '10', '01', '00', '01', '11']],
    ];
    for (const [mode, ids, expected] of cases) {
      const primitive = { mode, attributes: { POSITION: 0 }, ...(ids && { indices: 1 }) };
      expect(corners(await read(gltfOf([primitive], [positions4, indices(...(ids ?? [0]))]))), `${mode}`).toEqual(
        expected,
      );
    }
    const nine = {
      array: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
      componentType: 5126,
      type: 'VEC3',
      count: 6,
    };
    const plain = onlyMesh(await read(gltfOf([{ attributes: { POSITION: 0 } }], [nine])));
    expect(plain.indices).toEqual([0, 1, 2, 1, 3, 2]);
  });

  test('primitives of a mesh are merged and welded; points and lines are passed over; colors become groups', async () => {
    const gltf = gltfOf(
      [
        { attributes: { POSITION: 0 }, indices: 1, material: 0 },
        { attributes: { POSITION: 0 }, mode: 1 },
        { attributes: { POSITION: 0 }, indices: 2, material: 1 },
      ],
      [positions4, indices(0, 1, 2), indices(2, 1, 3)],
    );
    gltf.json.materials = [
      { name: 'red', pbrMetallicRoughness: { baseColorFactor: [1, 0, 0, 0.5] } },
      { name: 'plain' },
    ];
    const model = await read(gltf);
    expect(onlyMesh(model).indices).toEqual([0, 1, 2, 2, 1, 3]);
    expect(model.meshes[0].groups).toEqual([
      { name: 'red', firstTriangle: 0, triangleCount: 1, color: [1, 0, 0, 0.5] },
      { name: 'plain', firstTriangle: 1, triangleCount: 1, color: [1, 1, 1, 1] },
    ]);
  });

  test('a cube with 24 vertices, split at its edges for normals, is closed once read', async () => {
    const cube = cubeMesh();
    const split = Float32Array.from(
      [...cube.indices].flatMap((id) => [...cube.positions.subarray(3 * id, 3 * id + 3)]),
    );
    const model = await read(
      gltfOf([{ attributes: { POSITION: 0 } }], [{ array: split, componentType: 5126, type: 'VEC3', count: 36 }]),
    );
    const { mesh } = model.meshes[0];
    expect(mesh.positions).toHaveLength(24);
    expect(isClosed(mesh)).toBe(true);
    expect(volume6(mesh)).toBeCloseTo(6, 12);
  });

  test('meshes over one large vertex buffer take only their own vertices, and equal ones are shared', async () => {
    const gltf = gltfOf(
      [{ attributes: { POSITION: 0 }, indices: 1 }],
      [positions4, indices(0, 1, 2), indices(1, 3, 2)],
    );
    gltf.json.meshes.push({ name: 'second', primitives: [{ attributes: { POSITION: 0 }, indices: 2 }] });
    gltf.json.meshes.push({ name: 'third', primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] });
    gltf.json.materials = [{ pbrMetallicRoughness: { baseColorFactor: [0, 1, 0, 1] } }];
    gltf.json.nodes = [{ mesh: 0 }, { mesh: 1 }, { mesh: 2 }];
    gltf.json.scenes = [{ nodes: [0, 1, 2] }];
    const { meshes } = await read(gltf);
    expect(meshes.map(({ mesh }) => mesh.positions.length)).toEqual([9, 9, 9]);
    expect([...meshes[1].mesh.positions]).toEqual([1, 0, 0, 1, 1, 0, 0, 1, 0]);
    expect(meshes[2].mesh).toBe(meshes[0].mesh);
    expect(meshes.map(({ color }) => color)).toEqual([undefined, undefined, [0, 1, 0, 1]]);
  });
});

describe('accessors', () => {
  test('interleaved, with offsets', async () => {
    const gltf = gltfOf(
      [{ attributes: { POSITION: 0 }, indices: 1 }],
      [
        {
          array: Float32Array.of(9, 0, 0, 0, 9, 1, 0, 0, 9, 0, 1, 0, 9),
          componentType: 5126,
          type: 'VEC3',
          count: 3,
          byteOffset: 4,
        },
        { array: Uint16Array.of(7, 7, 0, 1, 2), componentType: 5123, type: 'SCALAR', count: 3, byteOffset: 4 },
      ],
    );
    gltf.json.bufferViews[0].byteStride = 16;
    expect(onlyMesh(await read(gltf))).toEqual({ positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
  });

  test('quantized and normalized', async () => {
    const shorts = { array: Int16Array.of(0, 0, 0, 100, 0, 0, 0, -7, 3), componentType: 5122, type: 'VEC3', count: 3 };
    const plain = await read(gltfOf([{ attributes: { POSITION: 0 } }], [shorts]));
    expect(onlyMesh(plain).positions).toEqual([0, 0, 0, 100, 0, 0, 0, -7, 3]);
    const types: [ArrayBufferView, number, number[]][] = [
      [Int8Array.of(0, 0, 0, 127, -128, -127, 64, 0, 0), 5120, [0, 0, 0, 1, -1, -1, 64 / 127, 0, 0]],
      [Uint8Array.of(0, 0, 0, 255, 51, 0, 0, 255, 0), 5121, [0, 0, 0, 1, 0.2, 0, 0, 1, 0]],
      [Int16Array.of(0, 0, 0, 32767, -32768, 0, 1, 0, 0), 5122, [0, 0, 0, 1, -1, 0, 1 / 32767, 0, 0]],
      [Uint16Array.of(0, 0, 0, 65535, 13107, 0, 1, 0, 0), 5123, [0, 0, 0, 1, 0.2, 0, 1 / 65535, 0, 0]],
    ];
    for (const [array, componentType, expected] of types) {
      const gltf = gltfOf(
        [{ attributes: { POSITION: 0 } }],
        [{ array, componentType, type: 'VEC3', count: 3, normalized: true }],
      );
      gltf.json.extensionsUsed = gltf.json.extensionsRequired = ['KHR_mesh_quantization'];
      expect(onlyMesh(await read(gltf)).positions).toEqual(expected);
    }
  });

  test('sparse, over data and over zeros, with the accessor at an offset of its own', async () => {
    const gltf = gltfOf(
      [{ attributes: { POSITION: 0 } }],
      [
        {
          array: Float32Array.of(7, 0, 0, 0, 1, 0, 0, 0, 1, 0),
          componentType: 5126,
          type: 'VEC3',
          count: 3,
          byteOffset: 4,
        },
        { array: Uint8Array.of(1, 2), componentType: 5121, type: 'SCALAR', count: 2 },
        { array: Float32Array.of(5, 0, 0, 0, 6, 0), componentType: 5126, type: 'VEC3', count: 2 },
      ],
    );
    gltf.json.accessors[0].sparse = {
      count: 2,
      indices: { bufferView: 1, componentType: 5121 },
      values: { bufferView: 2 },
    };
    expect(onlyMesh(await read(gltf)).positions).toEqual([0, 0, 0, 5, 0, 0, 0, 6, 0]);
    gltf.json.accessors[0].sparse.count = 1;
    expect(onlyMesh(await read(gltf)).positions).toEqual([0, 0, 0, 5, 0, 0, 0, 1, 0]);
    gltf.json.accessors[0].sparse.count = 2;
    delete gltf.json.accessors[0].bufferView;
    delete gltf.json.accessors[0].byteOffset;
    expect(onlyMesh(await read(gltf)).positions).toEqual([0, 0, 0, 5, 0, 0, 0, 6, 0]);
  });
});

describe('buffers', () => {
  const gltf = simpleGltf(torusMesh(4, 5));
  const text = (uri: string) => {
    const buffers = [{ ...gltf.json.buffers[0], uri }];
    return bytesOf(`\ufeff${JSON.stringify({ ...gltf.json, buffers }, null, 1)}`);
  };

  test('from other files through resolve, from data URIs, from the binary chunk: the same', async () => {
    const asked: string[] = [];
    const resolve = async (uri: string) => {
      asked.push(uri);
      return gltf.binary;
    };
    const outside = await readModel(text('sub/my%20data.bin'), { fileName: 'torus.gltf', resolve });
    const base64 = btoa(String.fromCharCode(...gltf.binary));
    const inside = await readModel(text(`data:application/octet-stream;base64,${base64}`), { fileName: 'torus.gltf' });
    const binary = await read(gltf);
    expect(asked).toEqual(['sub/my%20data.bin']);
    expect([outside.format, inside.format, binary.format]).toEqual(['gltf', 'gltf', 'glb']);
    expect(inside.meshes).toEqual(binary.meshes);
    expect(outside.meshes).toEqual(binary.meshes);
  });

  test('a view into a larger buffer of memory reads the same', async () => {
    const packed = packTestGlb(gltf);
    const inMemory = new Uint8Array(packed.length + 7);
    inMemory.set(packed, 3);
    expect((await readModel(inMemory.subarray(3, 3 + packed.length), {})).meshes).toEqual((await read(gltf)).meshes);
  });

  test('what cannot be fetched is told', async () => {
    const lines = new TextDecoder().decode(text('a.bin')).split('\n');
    const lineOfBuffer = lines.findIndex((line) => line.includes('"buffers"')) + 2;
    expect(await failureOf(text('a.bin'), { fileName: 'a.gltf' })).toMatchObject({
      code: 'file-not-found',
      location: { line: lineOfBuffer },
    });
    const broken = { fileName: 'a.gltf', resolve: () => Promise.reject(new Error('no network')) };
    expect(await failureOf(text('a.bin'), broken)).toMatchObject({
      code: 'file-not-found',
      message: expect.stringMatching(/no network/),
    });
    const own = { fileName: 'a.gltf', resolve: () => Promise.reject(new NearfieldError('too-large', 'mine')) };
    expect(await failureOf(text('a.bin'), own)).toMatchObject({ code: 'too-large', message: 'mine' });
    const short = { fileName: 'a.gltf', resolve: async () => gltf.binary.subarray(1) };
    expect(await failureOf(text('a.bin'), short)).toMatchObject({ code: 'file-truncated' });
    expect(await failureOf(text('data:;base64,%%%'), { fileName: 'a.gltf' })).toMatchObject({ code: 'file-format' });
  });

  test('buffers that only other things use are not fetched', async () => {
    const { json, binary } = structuredClone(gltf);
    json.buffers.push({ byteLength: 4, uri: 'animation.bin' });
    json.images = [{ uri: 'missing.png' }];
    json.skins = [{ joints: [99] }];
    json.animations = ['nonsense'];
    expect((await read({ json, binary })).meshes).toHaveLength(1);
  });
});

describe('extensions', () => {
  test('other required extensions: those of looks are accepted, unknown ones refused', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.extensionsRequired = [
      'KHR_materials_unlit',
      'KHR_texture_transform',
      'EXT_texture_webp',
      'KHR_lights_punctual',
    ];
    expect((await read(gltf)).parts).toHaveLength(1);
    gltf.json.extensionsRequired = ['ACME_geometry'];
    expect(await failureOf(packTestGlb(gltf), {})).toMatchObject({ code: 'unsupported' });
  });
});

describe('what is left out', () => {
  test('skins, morph targets and animations are named in warnings', async () => {
    const gltf = simpleGltf(cubeMesh());
    expect((await read(gltf)).warnings).toBeUndefined();
    gltf.json.nodes[0].skin = 0;
    gltf.json.skins = [{ joints: [0] }];
    gltf.json.meshes[0].primitives[0].targets = [{ POSITION: 0 }];
    gltf.json.animations = [{}, {}];
    const { warnings } = await read(gltf);
    expect(warnings).toHaveLength(3);
    expect(warnings!.join(' ')).toMatch(/skin.*\(1 .*morph.*\(1 .*animations.*\(2 /);
  });

  test('nodes that are not visible, with all below them', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.extensionsRequired = ['KHR_node_visibility'];
    gltf.json.scenes[0].nodes = [0, 1, 2];
    gltf.json.nodes = [
      { name: 'a', mesh: 0 },
      { name: 'b', children: [3], extensions: { KHR_node_visibility: { visible: false } } },
      { name: 'c', mesh: 0, extensions: { KHR_node_visibility: { visible: true } } },
      { name: 'd', mesh: 0 },
    ];
    expect((await read(gltf)).parts.map(({ name }) => name)).toEqual(['a', 'c']);
  });
});

describe('memory', () => {
  test('a small .gltf with a long buffer beside it is read', async () => {
    const gltf = simpleGltf(torusMesh(60, 60));
    gltf.json.buffers[0].uri = 'torus.bin';
    const text = bytesOf(JSON.stringify(gltf.json));
    // The positions take more than 64 bytes for each byte of the text.
    expect(12 * 60 * 60 + 2 * 6 * 60 * 60).toBeGreaterThan(64 * text.length);
    const model = await readModel(text, { format: 'gltf', resolve: async () => gltf.binary });
    expect(model.meshes[0].mesh.indices.length).toBe(6 * 60 * 60);
  });

  test('a count of four billion is refused before anything is allocated', async () => {
    const edits: ((gltf: GltfParts) => void)[] = [
      (gltf) => {
        gltf.json.accessors[0].count = 4e9;
      },
      (gltf) => {
        gltf.json.accessors[0] = { componentType: 5126, count: 4e9, type: 'VEC3' };
      },
      (gltf) => {
        gltf.json.accessors[1].count = 4e9;
      },
    ];
    for (const edit of edits) {
      const gltf = simpleGltf(cubeMesh());
      edit(gltf);
      expect(['too-large', 'file-truncated']).toContain((await failureOf(packTestGlb(gltf), {})).code);
    }
  });

  test('many accessors over the same bytes cannot multiply the file', async () => {
    const gltf = simpleGltf(torusMesh(40, 40));
    for (let i = 0; i < 400; i++) {
      gltf.json.accessors.push({ ...gltf.json.accessors[1] });
      gltf.json.meshes[0].primitives.push({ attributes: { POSITION: 0 }, indices: 2 + i });
    }
    expect(await failureOf(packTestGlb(gltf), {})).toMatchObject({ code: 'too-large' });
  });

  test('a long chain of nodes does not exhaust the stack', async () => {
    const gltf = simpleGltf(cubeMesh());
    gltf.json.nodes = Array.from({ length: 20_000 }, (_, i) => ({ children: [i + 1], translation: [1, 0, 0] }));
    gltf.json.nodes.push({ mesh: 0 });
    expect((await read(gltf)).parts[0].transform[3]).toBe(20_000);
  });
});
