import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { writeJson } from '../../src/cli/write-json.js';

test.each([
  ['nothing', null],
  ['a number', 3],
  ['a list', [1, { a: 2 }]],
  ['no list', { a: 1, b: undefined, c: ['x', null], 'd"': 'é\n' }],
  ['long lists', { a: 1, list: Array.from({ length: 10_000 }, (_, i) => ({ i, x: [i / 3] })), b: undefined, c: [] }],
  ['a list of exactly two pieces', { list: Array.from({ length: 8192 }, (_, i) => i), last: Array(5000).fill(null) }],
])('%s: the characters of JSON.stringify, also through a slow pipe', async (_, value) => {
  const stream = new PassThrough({ highWaterMark: 64 });
  const read = text(stream);
  await writeJson(stream, value);
  stream.end();
  expect(await read).toBe(`${JSON.stringify(value)}\n`);
});
