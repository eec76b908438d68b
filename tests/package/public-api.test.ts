// The public face is written down in docs/public-api.txt, so that a change of it shows in a review. After a change that
// is meant: npx vitest run tests/package/public-api.test.ts -u
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { describePublicApi } from './public-api.js';

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'));
const chapters = Object.keys(manifest.exports)
  .map((name) => /^\.\/([a-z]+)$/.exec(name)?.[1])
  .filter((name) => name !== undefined);

test('the public names and their signatures are those of docs/public-api.txt', async () => {
  expect(chapters).toContain('proximity');
  await expect(describePublicApi(chapters)).toMatchFileSnapshot('../../docs/public-api.txt');
});
