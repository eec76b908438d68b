// Malformed and truncated files: each ends in the expected error, with the line or the byte.
import { describe, expect, test } from 'vitest';
import { type ModelFormat, readModel } from '../../../src/io/index.js';
import {
  binaryStl,
  bytesOf,
  cubeMesh,
  type GltfParts,
  joinBytes,
  packTestGlb,
  simpleGltf,
} from '../../generators/model-files.js';
import { failureOf } from './read-file.js';

type Row = readonly [
  name: string,
  content: string | Uint8Array,
  code: string,
  location: { line: number } | { byte: number },
  message?: RegExp,
];

function check(format: ModelFormat, rows: readonly Row[]): void {
  for (const [name, content, code, location, message = /./] of rows) {
    test(name, async () => {
      const bytes = typeof content === 'string' ? bytesOf(content) : content;
      const error = await failureOf(bytes, { format, fileName: 'the.file' });
      expect(error.code).toBe(code);
      expect(error.location).toMatchObject({ file: 'the.file', ...location });
      expect(error.message).toMatch(message);
      expect(error.message).toMatch('line' in location ? `line ${location.line}:` : `byte ${location.byte}:`);
      expect(error.message).toMatch(/\.$/);
    });
  }
}

describe('OBJ', () => {
  const three = 'v 0 0 0\nv 1 0 0\nv 0 1 0\n';
  check('obj', [
    ['a word for a coordinate', 'v 0 0 0\nv 1 zero 0\n', 'file-format', { line: 2 }, /y coordinate is "zero"/],
    ['two coordinates', 'v 0 0\nv 1 0 0\n', 'file-format', { line: 1 }, /line ends where the z coordinate/],
    ['the file ends in a vertex', 'v 0 0 0\nv 1 0', 'file-truncated', { line: 2 }],
    ['NaN', `${three}v nan 0 0\nf 1 2 3\n`, 'non-finite', { line: 4 }],
    ['infinity by exponent', `${three}v 1e999 0 0\nf 1 2 3\n`, 'non-finite', { line: 4 }],
    ['a coordinate too large', `${three}v 1e60 0 0\nf 1 2 3\n`, 'non-finite', { line: 4 }],
    ['a decimal comma', `v 0,5 0 0\n`, 'file-format', { line: 1 }, /"0,5"/],
    ['two vertices in a face', `${three}f 1 2\n`, 'file-format', { line: 4 }, /2 vertices/],
    ['an empty face', `${three}f 1 2 3\nf\n`, 'file-format', { line: 5 }],
    ['the file ends in a face', `${three}f 1 2`, 'file-truncated', { line: 4 }],
    ['id 0', `${three}f 0 1 2\n`, 'index-out-of-range', { line: 4 }, /begin at 1/],
    [
      'an id beyond the last vertex',
      `${three}f 1 2 3\nf 1 2 9\nf 1 2 4\n`,
      'index-out-of-range',
      { line: 5 },
      /vertex 9/,
    ],
    ['an id before the first vertex', `${three}f -4 -1 -2\n`, 'index-out-of-range', { line: 4 }],
    ['an enormous id', `${three}f 1 2 99999999999999999999\n`, 'index-out-of-range', { line: 4 }],
    ['a fractional id', `${three}f 1 2 3.5\n`, 'file-format', { line: 4 }],
    ['a word for an id', `${three}f 1 2 x\n`, 'file-format', { line: 4 }],
    ['nonsense behind a slash', `${three}f 1/a 2 3\n`, 'file-format', { line: 4 }],
    ['four ids in a corner', `${three}f 1/1/1/1 2 3\n`, 'file-format', { line: 4 }],
    ['an unknown statement', `${three}f 1 2 3\nwobble 1\n`, 'file-format', { line: 5 }, /"wobble"/],
    ['a statement that runs another file', `${three}call other.obj\nf 1 2 3\n`, 'unsupported', { line: 4 }],
    ['no faces', `${three}`, 'empty-mesh', { line: 4 }],
    ['only comments', `# nothing\n`, 'empty-mesh', { line: 2 }],
    [
      'line numbers with CRLF and continuations',
      'v 0 0 0\r\nv 1 \\\r\n 0 0\r\nv x 0 0\r\n',
      'file-format',
      { line: 4 },
    ],
    ['UTF-16', Uint8Array.of(0xff, 0xfe, 0x76, 0, 0x20, 0), 'file-format', { line: 1 }, /UTF-8/],
    ['a binary file', Uint8Array.of(1, 0, 2, 0, 255), 'file-format', { line: 1 }],
  ]);
});

describe('STL', () => {
  const facet = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';
  const one = [0, 0, 0, 1, 0, 0, 0, 1, 0];
  check('stl', [
    ['text: cut after a facet', `solid\n${facet}`, 'file-truncated', { line: 9 }],
    ['text: cut in a vertex', `solid\n${facet.slice(0, 50)}`, 'file-truncated', { line: 5 }],
    [
      'text: four vertices',
      `solid\n${facet.replace('endloop', 'vertex 1 1 0\nendloop')}endsolid\n`,
      'file-format',
      { line: 7 },
      /"endloop"/,
    ],
    [
      'text: two vertices',
      `solid\n${facet.replace('vertex 0 1 0\n', '')}endsolid\n`,
      'file-format',
      { line: 6 },
      /"vertex"/,
    ],
    [
      'text: a word for a coordinate',
      `solid\n${facet.replace('1 0 0', '1 O 0')}endsolid\n`,
      'file-format',
      { line: 5 },
    ],
    ['text: NaN', `solid\n${facet.replace('1 0 0', 'NaN 0 0')}endsolid\n`, 'non-finite', { line: 5 }],
    ['text: too large', `solid\n${facet.replace('1 0 0', '1e300 0 0')}endsolid\n`, 'non-finite', { line: 5 }],
    ['text: a line missing', `solid\n${facet.replace('outer loop\n', '')}endsolid\n`, 'file-format', { line: 3 }],
    ['text: no facets', 'solid empty\nendsolid empty\n', 'empty-mesh', { line: 3 }],
    ['text: something behind the end', `solid\n${facet}endsolid\nhello\n`, 'file-format', { line: 10 }],
    ['binary: shorter than its header', new Uint8Array(83), 'file-truncated', { byte: 83 }],
    [
      'binary: cut in a triangle',
      binaryStl([one, one]).subarray(0, 150),
      'file-truncated',
      { byte: 150 },
      /2 triangles/,
    ],
    ['binary: four billion triangles', binaryStl([one], 'x', 0xffffffff), 'file-truncated', { byte: 134 }],
    [
      'binary: fewer triangles announced than there are',
      binaryStl([one, one, one], 'x', 1),
      'file-format',
      { byte: 80 },
    ],
    ['binary: no triangles', binaryStl([]), 'empty-mesh', { byte: 80 }],
    ['binary: NaN', binaryStl([one, [0, 0, 0, 1, Number.NaN, 0, 0, 1, 0]]), 'non-finite', { byte: 158 }],
    ['binary: infinity', binaryStl([[0, 0, 0, 1, 0, 0, 0, 1, Number.NEGATIVE_INFINITY]]), 'non-finite', { byte: 120 }],
    ['other text', 'this is a letter to someone\n'.repeat(9), 'file-truncated', { byte: 252 }],
  ]);
});

describe('PLY', () => {
  const head = 'ply\nformat ascii 1.0\n';
  const vertices = 'element vertex 3\nproperty float x\nproperty float y\nproperty float z\n';
  const faces = 'element face 1\nproperty list uchar int vertex_indices\n';
  const full = `${head}${vertices}${faces}end_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n`;
  const binaryHead = full.slice(0, full.indexOf('end_header') + 11).replace('ascii', 'binary_little_endian');
  const floats = new Uint8Array(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
  const face = (length: number, ...ids: number[]) =>
    joinBytes(Uint8Array.of(length), new Uint8Array(Int32Array.from(ids).buffer));
  const binary = (...body: Uint8Array[]) => joinBytes(bytesOf(binaryHead), ...body);
  const at = binaryHead.length;
  check('ply', [
    ['another first line', `plyx\n${full}`, 'file-format', { line: 1 }],
    ['cut in the header', full.slice(0, 60), 'file-truncated', { line: 5 }],
    ['no format', full.replace('format ascii 1.0\n', ''), 'file-format', { line: 8 }],
    ['an unknown format', full.replace('ascii', 'ebcdic'), 'file-format', { line: 2 }],
    ['another version', full.replace('1.0', '2.0'), 'unsupported', { line: 2 }],
    ['an unknown header line', full.replace('element face', 'elephant face'), 'file-format', { line: 7 }],
    ['an unknown type', full.replace('float y', 'quad y'), 'file-format', { line: 5 }],
    ['a property before any element', full.replace('element vertex 3\n', ''), 'file-format', { line: 3 }],
    ['an element declared twice', full.replace('element face 1', 'element vertex 1'), 'file-format', { line: 7 }],
    ['a count that is no number', full.replace('vertex 3', 'vertex three'), 'file-format', { line: 3 }],
    ['a negative count', full.replace('vertex 3', 'vertex -3'), 'file-format', { line: 3 }],
    ['no z', full.replace('float z', 'float w'), 'file-format', { line: 3 }, /"z"/],
    ['a list for x', full.replace('property float x', 'property list uchar float x'), 'file-format', { line: 3 }],
    ['no list of ids', full.replace('vertex_indices', 'corners'), 'file-format', { line: 7 }],
    ['no vertices', `${head}${faces}end_header\n3 0 1 2\n`, 'index-out-of-range', { line: 6 }],
    ['no faces', `${head}${vertices}end_header\n0 0 0\n1 0 0\n0 1 0\n`, 'empty-mesh', { line: 10 }],
    ['four billion vertices', full.replace('vertex 3', 'vertex 4000000000'), 'file-truncated', { line: 3 }],
    ['four billion faces', full.replace('face 1', 'face 4000000000'), 'file-truncated', { line: 7 }],
    ['text: cut after the vertices', full.slice(0, -8), 'file-truncated', { line: 7 }],
    ['text: one face too few', full.replace('face 1', 'face 2'), 'file-truncated', { line: 14 }],
    [
      'text: a face missing behind long lines',
      `${full.replace('face 1', 'face 2').trim()}${' '.repeat(20)}\n`,
      'file-truncated',
      { line: 14 },
    ],
    [
      'text: too few values',
      full.replace('1 0 0\n', '1 0\n').replace('3 0 1 2', '3 0 1 2 '),
      'file-format',
      { line: 11 },
    ],
    ['text: too many values', full.replace('1 0 0\n', '1 0 0 9\n'), 'file-format', { line: 11 }],
    ['text: NaN', full.replace('1 0 0\n', '1 nan 0\n'), 'non-finite', { line: 11 }],
    ['text: too large', full.replace('1 0 0\n', '1 1e51 0\n'), 'non-finite', { line: 11 }],
    ['text: id beyond the last', full.replace('3 0 1 2', '3 0 1 3'), 'index-out-of-range', { line: 13 }],
    ['text: negative id', full.replace('3 0 1 2', '3 0 1 -1'), 'index-out-of-range', { line: 13 }],
    ['text: fractional id', full.replace('3 0 1 2', '3 0 1 1.5'), 'index-out-of-range', { line: 13 }],
    ['text: two vertices in a face', full.replace('3 0 1 2', '2 0 1'), 'file-format', { line: 13 }],
    ['text: a negative length', full.replace('3 0 1 2', '-3 0 1 2'), 'file-format', { line: 13 }],
    ['text: a length beyond the line', full.replace('3 0 1 2', '9 0 1 2'), 'file-format', { line: 13 }],
    ['binary: no body', binary(), 'file-truncated', { byte: at }],
    ['binary: cut in a vertex', binary(floats.subarray(0, 30)), 'file-truncated', { byte: at + 30 }],
    ['binary: cut in a face', binary(floats, face(3, 0, 1)), 'file-truncated', { byte: at + 45 }],
    ['binary: id beyond the last', binary(floats, face(3, 0, 1, 7)), 'index-out-of-range', { byte: at + 36 }],
    ['binary: negative id', binary(floats, face(3, 0, 1, -1)), 'index-out-of-range', { byte: at + 36 }],
    ['binary: one vertex in a face', binary(floats, face(1, 0)), 'file-format', { byte: at + 36 }],
    [
      'binary: infinity',
      binary(new Uint8Array(Float32Array.of(0, 0, 0, 1, Infinity, 0, 0, 1, 0).buffer), face(3, 0, 1, 2)),
      'non-finite',
      { byte: at + 12 },
    ],
    [
      'binary: four billion vertices',
      joinBytes(bytesOf(binaryHead.replace('vertex 3', 'vertex 4294967295')), floats),
      'file-truncated',
      { byte: at + 45 },
    ],
  ]);
});

describe('OFF', () => {
  const body = '0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n';
  check('off', [
    ['another keyword', `OOF\n3 1 0\n${body}`, 'file-format', { line: 1 }],
    ['binary', 'OFF BINARY\n', 'unsupported', { line: 1 }],
    ['four dimensions', `4OFF\n3 1 0\n${body}`, 'unsupported', { line: 1 }],
    ['any dimensions', `nOFF\n3 1 0\n${body}`, 'unsupported', { line: 1 }],
    ['no counts', 'OFF\n', 'file-truncated', { line: 2 }],
    ['one count', `OFF\n3\n${body}`, 'file-format', { line: 2 }],
    ['a negative count', `OFF\n-3 1 0\n${body}`, 'file-format', { line: 2 }],
    ['no faces', 'OFF\n3 0 0\n0 0 0\n1 0 0\n0 1 0\n', 'empty-mesh', { line: 2 }],
    ['four billion vertices', `OFF\n4000000000 1 0\n${body}`, 'file-truncated', { line: 2 }],
    ['four billion faces', `OFF\n3 4000000000 0\n${body}`, 'file-truncated', { line: 2 }],
    ['a short vertex', `OFF\n3 1 0\n0 0 0\n1 0\n0 1 0\n3 0 1 2  \n`, 'file-format', { line: 4 }],
    ['NaN', `OFF\n3 1 0\n0 0 0\n1 nan 0\n0 1 0\n3 0 1 2\n`, 'non-finite', { line: 4 }],
    ['a face missing', `OFF\n3 2 0\n0.000 0.000 0.000\n1 0 0\n0 1 0\n3 0 1 2\n`, 'file-truncated', { line: 7 }],
    ['an id beyond the last', `OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n`, 'index-out-of-range', { line: 6 }],
    ['a negative id', `OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 -1\n`, 'index-out-of-range', { line: 6 }],
    ['two vertices in a face', `OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1    \n`, 'file-format', { line: 6 }],
    ['more ids announced than listed', `OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n4 0 1 2\n`, 'file-format', { line: 6 }],
  ]);
});

describe('glTF', () => {
  const edited = (edit: (gltf: GltfParts) => void): Uint8Array => {
    const gltf = simpleGltf(cubeMesh());
    edit(gltf);
    return packTestGlb(gltf);
  };
  /** The byte in the GLB where the value whose JSON follows `before` begins. */
  const byteAfter = (glb: Uint8Array, before: string): number => {
    const index = new TextDecoder('latin1').decode(glb).indexOf(before);
    expect(index).toBeGreaterThan(0);
    return index + before.length;
  };
  const cases: [string, (gltf: GltfParts) => void, string, string, RegExp?][] = [
    [
      'an accessor that does not exist',
      ({ json }) => (json.meshes[0].primitives[0].attributes.POSITION = 9),
      'file-format',
      '"POSITION":',
      /POSITION is 9/,
    ],
    ['a mesh that does not exist', ({ json }) => (json.nodes[0].mesh = 3), 'file-format', '"mesh":'],
    ['a scene that does not exist', ({ json }) => (json.scene = 3), 'file-format', '"scene":'],
    ['a child that does not exist', ({ json }) => (json.nodes[0].children = [4]), 'file-format', '"children":['],
    [
      'a node that is its own child',
      ({ json }) => (json.nodes[0].children = [0]),
      'file-format',
      '"nodes":[0]}],"nodes":[',
      /parent/,
    ],
    [
      'no position',
      ({ json }) => delete json.meshes[0].primitives[0].attributes.POSITION,
      'file-format',
      '"primitives":[',
    ],
    ['an unknown mode', ({ json }) => (json.meshes[0].primitives[0].mode = 9), 'file-format', '"mode":'],
    ['positions of two numbers', ({ json }) => (json.accessors[0].type = 'VEC2'), 'file-format', '"type":'],
    [
      'fractional indices',
      ({ json }) => (json.accessors[1].componentType = 5126),
      'file-format',
      '"bufferView":1,"componentType":',
    ],
    ['a count that is a string', ({ json }) => (json.accessors[0].count = '8'), 'file-format', '"count":'],
    ['a count beyond the view', ({ json }) => (json.accessors[0].count = 9), 'file-truncated', '"accessors":['],
    [
      'a view beyond the buffer',
      ({ json }) => (json.bufferViews[0].byteLength = 500),
      'file-truncated',
      '"bufferViews":[',
    ],
    [
      'a buffer longer than its data',
      ({ json }) => (json.buffers[0].byteLength = 999),
      'file-truncated',
      '"buffers":[',
    ],
    ['an offset out of step', ({ json }) => (json.accessors[0].byteOffset = 1), 'file-format', '"accessors":['],
    [
      'a buffer without data',
      ({ json }) => (json.bufferViews[0].buffer = json.buffers.push({ byteLength: 4 }) - 1),
      'file-format',
      '"buffers":[{"byteLength":168},',
    ],
    [
      'a count of corners not divisible by three',
      ({ json }) => (json.accessors[1].count = 35),
      'file-format',
      '"primitives":[',
    ],
    [
      'an index beyond the last vertex',
      ({ binary }) => new DataView(binary.buffer).setUint16(96, 8, true),
      'index-out-of-range',
      '"primitives":[',
    ],
    ['NaN', ({ binary }) => new DataView(binary.buffer).setFloat32(0, Number.NaN, true), 'non-finite', '"accessors":['],
    ['a matrix of 15 numbers', ({ json }) => (json.nodes[0].matrix = Array(15).fill(1)), 'file-format', '"matrix":'],
    [
      'a projective matrix',
      ({ json }) => (json.nodes[0].matrix = [1, 0, 0, 1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]),
      'file-format',
      '"matrix":',
    ],
    [
      'a zero quaternion',
      ({ json }) => (json.nodes[0].rotation = [0, 0, 0, 0]),
      'file-format',
      '"nodes":[0]}],"nodes":[',
    ],
    [
      'transforms that overflow',
      ({ json }) =>
        (json.nodes = [
          { scale: [1e300, 1, 1], children: [1] },
          { scale: [1e300, 1, 1], mesh: 0 },
        ]),
      'non-finite',
      '"children":[1]},',
    ],
    ['another version', ({ json }) => (json.asset.version = '1.0'), 'unsupported', '"version":'],
    ['no asset', ({ json }) => delete json.asset, 'unsupported', 'JSON'],
  ];
  test.each(cases)('GLB: %s', async (_name, edit, code, before, message = /./) => {
    const glb = edited((gltf) => void edit(gltf));
    const error = await failureOf(glb, { format: 'glb' });
    expect(error.code).toBe(code);
    expect(error.message).toMatch(message);
    expect(error.location).toEqual({ byte: byteAfter(glb, before) });
  });

  test('GLB: a sparse index beyond the last', async () => {
    const glb = edited(({ json, binary }) => {
      new DataView(binary.buffer).setUint16(96, 8, true);
      json.accessors[0].sparse = {
        count: 2,
        indices: { bufferView: 1, componentType: 5123 },
        values: { bufferView: 0 },
      };
    });
    expect(await failureOf(glb, { format: 'glb' })).toMatchObject({
      code: 'index-out-of-range',
      location: { byte: byteAfter(glb, '"sparse":') },
    });
  });

  const glb = edited(() => {});
  const withWord = (offset: number, value: number): Uint8Array => {
    const copy = glb.slice();
    new DataView(copy.buffer).setUint32(offset, value, true);
    return copy;
  };
  check('glb', [
    ['container: cut in the header', glb.subarray(0, 9), 'file-truncated', { byte: 9 }],
    ['container: cut in the data', glb.subarray(0, 600), 'file-truncated', { byte: 600 }],
    ['container: version 1', withWord(4, 1), 'unsupported', { byte: 4 }],
    ['container: a chunk of four billion bytes', withWord(12, 0xffffffff), 'file-truncated', { byte: 12 }],
    ['container: no JSON chunk', withWord(16, 0x004e4942), 'file-format', { byte: 16 }],
    ['container: nothing behind the header', withWord(8, 12), 'file-truncated', { byte: 12 }],
  ]);
  check('gltf', [
    ['JSON: a comma too many', '{\n "asset": {"version": "2.0"},\n}', 'file-format', { line: 3 }],
    ['JSON: cut in a string', '{\n "asset": {"versi', 'file-truncated', { line: 2 }],
    ['JSON: cut in a word', '{"a": [1, 2.5e3, -4, null, true, "\\u00e4\\n"],\n"b": tru', 'file-truncated', { line: 2 }],
    ['JSON: a number with a leading zero', '{"a":\n01}', 'file-format', { line: 2 }],
    ['JSON: no object', '\n[]', 'file-format', { line: 2 }],
    [
      'JSON: a wrong type deep inside',
      '{"asset":{"version":"2.0"},\n"meshes":[{"primitives":\n[{"mode":"4"}]}]}',
      'file-format',
      { line: 3 },
    ],
    ['JSON: a list that is an object', '{"asset":{"version":"2.0"},\n"meshes":{}}', 'file-format', { line: 2 }],
  ]);

  test('a scene without triangles', async () => {
    const empty = edited(({ json }) => {
      json.meshes[0].primitives[0].mode = 1;
    });
    expect(await failureOf(empty, { format: 'glb' })).toMatchObject({ code: 'empty-mesh' });
  });
});

describe('every format', () => {
  test('an empty file, no bytes at all, and a file that nothing tells the format of', async () => {
    expect(await failureOf(new Uint8Array(0), { fileName: 'a.obj' })).toMatchObject({
      code: 'file-truncated',
      location: { file: 'a.obj', byte: 0 },
    });
    expect(await failureOf(bytesOf('hello'), {})).toMatchObject({ code: 'file-format', location: { byte: 0 } });
    expect(await failureOf('v 0 0 0' as unknown as Uint8Array, {})).toMatchObject({ code: 'bad-argument' });
  });

  test('reading can be watched and stopped', async () => {
    const text = bytesOf('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n');
    const seen: number[] = [];
    await readModel(text, { format: 'obj', onProgress: (fraction) => seen.push(fraction) });
    expect(seen[0]).toBe(0);
    expect(seen.at(-1)).toBe(1);
    expect(await failureOf(text, { format: 'obj', signal: { aborted: true } })).toMatchObject({ code: 'aborted' });
  });
});
