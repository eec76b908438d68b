import { describe, expect, test } from 'vitest';
import { onlyMesh, readText } from '../model/read-file.js';

const square = 'v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n';

describe('readObj', () => {
  test('keeps ids and cuts polygons into fans in file order', async () => {
    const model = await readText('obj', `${square}v 0.5 2 0\nf 2 3 4\nf 1 2 3 5 4\n`);
    expect(onlyMesh(model)).toEqual({
      positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0, 0.5, 2, 0],
      indices: [1, 2, 3, 0, 1, 2, 0, 2, 4, 0, 4, 3],
    });
    expect(model.format).toBe('obj');
    expect(model.parts).toEqual([
      { name: 'model', meshIndex: 0, transform: Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1) },
    ]);
    expect(model.meshes[0].groups).toBeUndefined();
  });

  test('takes v, v/vt, v//vn and v/vt/vn, mixed, negative ids and explicit plus signs', async () => {
    const faces = 'vt 0 0\nvn 0 0 1\nf 1 2/1 3//1\nf 1/1/1 -2/-1/-1 +4\nf -4 -3 -2 -1\nf 1/ 2/ 3/\n';
    expect(onlyMesh(await readText('obj', square + faces)).indices).toEqual([
      0, 1, 2, 0, 2, 3, 0, 1, 2, 0, 2, 3, 0, 1, 2,
    ]);
  });

  test('negative ids count back from the face, not from the end of the file', async () => {
    const model = await readText('obj', 'v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\nv 0 0 1\nf -4 -3 -1\n');
    expect(onlyMesh(model).indices).toEqual([0, 1, 2, 0, 1, 3]);
  });

  test('a face may stand before its vertices', async () => {
    expect(onlyMesh(await readText('obj', `f 1 2 3\n${square}`)).indices).toEqual([0, 1, 2]);
  });

  test('comments, blank lines, CRLF, CR, tabs, continuations and a byte order mark', async () => {
    const lines = [
      '\ufeff# a square',
      '',
      'v\t0 0 0 # first',
      'v 1 0 0',
      '  v 1 \\',
      ' 1 0',
      'v 0 1 0',
      'f 1 2 \\',
      '3 4#end',
    ];
    for (const end of ['\n', '\r\n', '\r']) {
      const model = await readText('obj', lines.join(end));
      expect(onlyMesh(model)).toEqual({ positions: [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], indices: [0, 1, 2, 0, 2, 3] });
    }
  });

  test('colors and weights behind coordinates, lines, points and free-form statements are passed over', async () => {
    const text = `v 0 0 0 1\nv 1 0 0 0.5 0.5 0.5\nv 0 1 0 1 255 0 0\nvp 1\nl 1 2 3\np 1\ns off\nusemtl a b\nmtllib x.mtl\n
      cstype bezier\ndeg 3\ncurv 0 1 1 2 3\nend\nf 1 2 3\n`;
    expect(onlyMesh(await readText('obj', text)).indices).toEqual([0, 1, 2]);
  });

  test('g and o become groups; empty ones vanish', async () => {
    const model = await readText('obj', `${square}f 1 2 3\no left wing\nf 1 2 3 4\ng\ng empty\ng naïve #2\nf 2 3 4\n`);
    expect(model.meshes[0].groups).toEqual([
      { name: '', firstTriangle: 0, triangleCount: 1 },
      { name: 'left wing', firstTriangle: 1, triangleCount: 2 },
      { name: 'naïve #2', firstTriangle: 3, triangleCount: 1 },
    ]);
  });

  test('faces that name a vertex twice are kept, for ids are those of the file', async () => {
    expect(onlyMesh(await readText('obj', `${square}f 1 1 2\nf 1 2 3\n`)).indices).toEqual([0, 0, 1, 0, 1, 2]);
  });
});
