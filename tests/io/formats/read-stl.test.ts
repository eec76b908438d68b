import { describe, expect, test } from 'vitest';
import { readModel } from '../../../src/io/index.js';
import { binaryStl, bytesOf, joinBytes } from '../../generators/model-files.js';
import { onlyMesh, readText } from '../model/read-file.js';

const twoFacets = [
  [0, 0, 0, 1, 0, 0, 0, 1, 0],
  [1, 0, 0, 1, 1, 0, 0, 1, 0],
];
const welded = { positions: [0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0], indices: [0, 1, 2, 1, 3, 2] };

function facet(...corners: string[]): string {
  return `facet normal 0 0 1\n outer loop\n${corners.map((corner) => `  vertex ${corner}\n`).join('')} endloop\nendfacet\n`;
}

describe('readStl', () => {
  test('welds exactly equal corners of a binary file in order of appearance', async () => {
    expect(onlyMesh(await readModel(binaryStl(twoFacets), { format: 'stl' }))).toEqual(welded);
  });

  test('a binary file whose header begins with "solid" is binary', async () => {
    for (const header of ['solid', 'solid part made by X\nfacet normal 0 0 1\nouter loop', 'solid '.padEnd(80, ' ')]) {
      expect(onlyMesh(await readModel(binaryStl(twoFacets, header), { format: 'stl' }))).toEqual(welded);
    }
  });

  test('less than a triangle of padding behind a binary file is ignored', async () => {
    const padded = joinBytes(binaryStl(twoFacets), new Uint8Array(49));
    expect(onlyMesh(await readModel(padded, { format: 'stl' }))).toEqual(welded);
  });

  test('−0 equals 0, almost equal does not', async () => {
    const bytes = binaryStl([
      [0, 0, 0, 1, 0, 0, 0, 1, 0],
      [-0, 0, -0, 1, 1e-30, 0, 0, 1, 0],
    ]);
    const { positions, indices } = onlyMesh(await readModel(bytes, { format: 'stl' }));
    expect(indices).toEqual([0, 1, 2, 0, 3, 2]);
    expect(positions.slice(0, 3).map((value) => Object.is(value, 0))).toEqual([true, true, true]);
  });

  test('reads text in any case, with any line ends, with wrong normals or none', async () => {
    const text = `solid two words\n${facet('0 0 0', '1 0 0', '0 1 0')}${facet('1 0 0', '1 1 0', '0 1 0')}endsolid two words\n`;
    const variants = [
      text,
      `\ufeff${text}`,
      text.toUpperCase(),
      text.replaceAll('\n', '\r\n'),
      text.replaceAll('\n', '\r'),
      text.replaceAll('normal 0 0 1', 'normal nan nan nan'),
      text.replaceAll(' normal 0 0 1', ''),
      `  \n${text.replaceAll('\n', '\n\n\t')}`,
    ];
    for (const variant of variants) expect(onlyMesh(await readText('stl', variant))).toEqual(welded);
  });

  test('the solids of a text file become groups, welded together', async () => {
    const text = `solid a\n${facet('0 0 0', '1 0 0', '0 1 0')}endsolid a\nsolid\nendsolid\nsolid b\n${facet('1 0 0', '1 1 0', '0 1 0')}endsolid\n`;
    const model = await readText('stl', text);
    expect(onlyMesh(model)).toEqual(welded);
    expect(model.meshes[0].groups).toEqual([
      { name: 'a', firstTriangle: 0, triangleCount: 1 },
      { name: 'b', firstTriangle: 1, triangleCount: 1 },
    ]);
  });

  test('facets with equal corners are kept', async () => {
    const model = await readModel(binaryStl([...twoFacets, [0, 0, 0, 0, 0, 0, 1, 1, 0]]), { format: 'stl' });
    expect(onlyMesh(model).indices).toEqual([...welded.indices, 0, 0, 3]);
  });

  test('text files keep digits beyond single precision', async () => {
    const model = await readText('stl', `solid\n${facet('0.1 1e-9 0', '123456789.123 0 0', '0 1 0')}endsolid\n`);
    expect(onlyMesh(model).positions.slice(0, 4)).toEqual([0.1, 1e-9, 0, 123456789.123]);
  });

  test('a text file of a length that no count fits is not taken for binary', async () => {
    expect(
      onlyMesh(await readModel(bytesOf(`solid\n${facet('0 0 0', '1 0 0', '0 1 0')}endsolid`), {})).indices,
    ).toEqual([0, 1, 2]);
  });
});
