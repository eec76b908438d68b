import { describe, expect, test } from 'vitest';
import { onlyMesh, readText } from '../model/read-file.js';

const squarePositions = [0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0];
const square = { positions: squarePositions, indices: [0, 1, 2, 0, 2, 3] };
const rows = ['0 0 0', '1 0 0', '1 1 0', '0 1 0'];

describe('readOff', () => {
  test('keyword and counts on one line or two, without edges, without the keyword', async () => {
    for (const head of ['OFF\n4 1 4', 'OFF 4 1 4', 'OFF\n4 1', '4 1 0', '# c\n\nOFF # keyword\n# counts\n4 1 0']) {
      expect(onlyMesh(await readText('off', `${head}\n${rows.join('\n')}\n4 0 1 2 3\n`)), head).toEqual(square);
    }
  });

  test('colors, normals and texture coordinates of COFF, NOFF, STOFF and their mixtures are passed over', async () => {
    for (const keyword of ['OFF', 'COFF', 'NOFF', 'STOFF', 'CNOFF', 'NCOFF', 'STCNOFF']) {
      const body = `${rows.map((row) => `${row} 255 0 0 255`).join('\n')}\n4 0 1 2 3 0.5 0.5 0.5\n`;
      expect(onlyMesh(await readText('off', `${keyword}\n4 1 0\n${body}`)), keyword).toEqual(square);
    }
  });

  test('comments between and behind lines, CRLF, several faces in order', async () => {
    const text = `OFF\r\n4 2 0\r\n${rows.join(' # vertex\r\n# between\r\n')}\r\n\r\n3 1 2 3 # face\r\n4 0 1 2 3\r\n# end\r\n`;
    expect(onlyMesh(await readText('off', text))).toEqual({
      positions: squarePositions,
      indices: [1, 2, 3, 0, 1, 2, 0, 2, 3],
    });
  });

  test('lines beyond the announced counts are passed over with a warning, comments without', async () => {
    const text = `OFF\n4 1 0\n${rows.join('\n')}\n4 0 1 2 3\n\n# faces\n`;
    const model = await readText('off', `${text}3 0 1 2\nwhatever\n`);
    expect(onlyMesh(model)).toEqual(square);
    expect(model.warnings).toEqual([
      'line 10: more lines follow than the 4 vertices and 1 faces declared; they are ignored.',
    ]);
    expect((await readText('off', text)).warnings).toBeUndefined();
  });
});
