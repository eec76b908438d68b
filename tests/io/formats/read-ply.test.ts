import { describe, expect, test } from 'vitest';
import { readModel } from '../../../src/io/index.js';
import { bytesOf, joinBytes } from '../../generators/model-files.js';
import { onlyMesh, readText } from '../model/read-file.js';

const header = (lines: string[], format = 'ascii') =>
  ['ply', `format ${format} 1.0`, ...lines, 'end_header', ''].join('\n');
const xyz = ['property float x', 'property float y', 'property float z'];
const faceList = ['property list uchar int vertex_indices'];
const square = '0 0 0\n1 0 0\n1 1 0\n0 1 0\n';
const squarePositions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];

/** Appends values of PLY types to a binary body. */
function pack(littleEndian: boolean, values: readonly (readonly [string, number])[]): Uint8Array {
  const bytes: number[] = [];
  for (const [type, value] of values) {
    const view = new DataView(new ArrayBuffer(8));
    const size = { char: 1, uchar: 1, short: 2, ushort: 2, int: 4, uint: 4, float: 4, double: 8 }[type]!;
    if (type === 'char' || type === 'uchar') view.setUint8(0, value);
    else if (type === 'short' || type === 'ushort') view.setInt16(0, value, littleEndian);
    else if (type === 'int' || type === 'uint') view.setInt32(0, value, littleEndian);
    else if (type === 'float') view.setFloat32(0, value, littleEndian);
    else view.setFloat64(0, value, littleEndian);
    for (let i = 0; i < size; i++) bytes.push(view.getUint8(i));
  }
  return Uint8Array.from(bytes);
}

describe('readPly', () => {
  test('text: ids as in the file, fans, any line ends', async () => {
    const text = `${header(['comment made by hand', 'obj_info x', 'element vertex 4', ...xyz, 'element face 2', ...faceList])}${square}4 0 1 2 3\n3 1 2 3\n`;
    for (const end of ['\n', '\r\n', '\r']) {
      const mesh = onlyMesh(await readText('ply', text.replaceAll('\n', end)));
      expect(mesh).toEqual({ positions: squarePositions, indices: [0, 1, 2, 0, 2, 3, 1, 2, 3] });
    }
  });

  test('text: other properties, unknown elements and lists are passed over, in any order', async () => {
    const text = `${header([
      'element camera 1',
      'property list uchar float view',
      'property float far',
      'element vertex 4',
      'property uchar red',
      'property double z',
      'property list int float weights',
      'property short y',
      'property float quality',
      'property int8 x',
      'element face 1',
      'property list uint8 float uv',
      'property uchar flags',
      'property list uint16 uint32 vertex_index',
      'element edge 1',
      'property int a',
    ])}2 0.5 0.5 9\n255 0 0 0 nan 0\n255 0 1 0.5 0 inf 1\n255 0 2 0.5 0.5 1 2 1\n255 0 0 1 0 0\n\n3 0 0 1 7 4 0 1 2 3\n5\n`;
    expect(onlyMesh(await readText('ply', text))).toEqual({ positions: squarePositions, indices: [0, 1, 2, 0, 2, 3] });
  });

  test('binary, both orders, mixed types in any order, faces before vertices', async () => {
    for (const littleEndian of [true, false]) {
      const text = header(
        [
          'element face 2',
          'property uchar flags',
          'property list ushort short vertex_index',
          'property list uchar double extra',
          'element vertex 4',
          'property double z',
          'property list uchar int none',
          'property ushort y',
          'property float x',
          'property char tail',
          'element rest 3',
          'property uint v',
        ],
        littleEndian ? 'binary_little_endian' : 'binary_big_endian',
      );
      const face = (ids: number[]) => [
        ['uchar', 7] as const,
        ['ushort', ids.length] as const,
        ...ids.map((id) => ['short', id] as const),
        ['uchar', 1] as const,
        ['double', 0.5] as const,
      ];
      const vertex = (x: number, y: number) => [
        ['double', -2.5] as const,
        ['uchar', 2] as const,
        ['int', 9] as const,
        ['int', 9] as const,
        ['ushort', y] as const,
        ['float', x] as const,
        ['char', 1] as const,
      ];
      const body = pack(littleEndian, [
        ...face([0, 1, 2, 3]),
        ...face([3, 1, 0]),
        ...vertex(0, 0),
        ...vertex(1, 0),
        ...vertex(1, 1),
        ...vertex(0.25, 1000),
        ['uint', 1],
        ['uint', 2],
        ['uint', 3],
      ]);
      const mesh = onlyMesh(await readModel(joinBytes(bytesOf(text), body), {}));
      expect(mesh).toEqual({
        positions: [0, 0, -2.5, 1, 0, -2.5, 1, 1, -2.5, 0.25, 1000, -2.5],
        indices: [0, 1, 2, 0, 2, 3, 3, 1, 0],
      });
    }
  });

  test('binary data that begins with bytes of a line break is kept whole behind LF and CRLF headers', async () => {
    const lines = header(['element vertex 3', ...xyz, 'element face 1', ...faceList], 'binary_little_endian');
    // 9.2196e-41 and its like are the bytes 0a 01 01 00.
    const tricky = new DataView(Uint8Array.of(0x0a, 0x01, 0x01, 0x00).buffer).getFloat32(0, true);
    const floats = [tricky, 0, 0, 1, 0, 0, 0, 1, 0].map((value) => ['float', value] as const);
    const body = pack(true, [...floats, ['uchar', 3], ['int', 0], ['int', 1], ['int', 2]]);
    for (const text of [lines, lines.replaceAll('\n', '\r\n')]) {
      const mesh = onlyMesh(await readModel(joinBytes(bytesOf(text), body), {}));
      expect(mesh).toEqual({ positions: [tricky, 0, 0, 1, 0, 0, 0, 1, 0], indices: [0, 1, 2] });
    }
  });

  test('triangle strips: alternate winding, restarts, turns without area dropped', async () => {
    const text = `${header(['element vertex 4', ...xyz, 'element tristrips 1', 'property list int int vertex_indices'])}${square}11 0 1 2 3 3 0 -1 3 2 1 0\n`;
    expect(onlyMesh(await readText('ply', text)).indices).toEqual([0, 1, 2, 2, 1, 3, 3, 2, 1, 1, 2, 0]);
  });

  test('an element without properties takes no room, whatever its count', async () => {
    const lines = ['element nothing 4000000000', 'element vertex 4', ...xyz, 'element face 1', ...faceList];
    expect(onlyMesh(await readText('ply', `${header(lines)}${square}3 0 1 2\n`)).indices).toEqual([0, 1, 2]);
  });

  test('doubles keep all their digits', async () => {
    const text = `${header(['element vertex 3', ...xyz, 'element face 1', ...faceList])}0.1 -1e-9 123456789.123456789\n1 0 0\n0 1 0\n3 0 1 2`;
    expect(onlyMesh(await readText('ply', text)).positions.slice(0, 3)).toEqual([0.1, -1e-9, 123456789.12345679]);
  });
});
