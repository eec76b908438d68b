// docs/architecture.md names every chapter in the order of the layers and every folder of src with its purpose: none
// missing, none that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { LAYERS } from '../layers.js';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');

/** The first cells of the rows of all tables with these column titles, such as: | `mesh/triangle` | one triangle | */
function firstCells(titles: string): string[] {
  const tables = page.split(`${titles}\n|---|---|\n`).slice(1);
  return tables.flatMap((table) =>
    [...table.split('\n\n')[0].matchAll(/^\| `([a-z\d/-]+)` \| [^|]+ \|$/gm)].map((row) => row[1]),
  );
}

function foldersOfSource(): string[] {
  const files = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true });
  const folders = files
    .filter((entry) => entry.isFile() && entry.name !== 'index.ts')
    .map((entry) => relative(join(root, 'src'), entry.parentPath));
  return [...new Set(folders)];
}

test('the page lists the chapters in the order of the layers', () => {
  expect(firstCells('| chapter | what it holds |')).toEqual(LAYERS);
});

test('the picture has the chapters in the order of the layers, from the lowest row up', () => {
  const picture = readFileSync(join(root, 'docs/layers.svg'), 'utf8');
  const drawn = [...picture.matchAll(/class="chapter" x="([\d.]+)" y="([\d.]+)"[^>]*>([a-z-]+)</g)];
  const sorted = drawn.sort((a, b) => Number(b[2]) - Number(a[2]) || Number(a[1]) - Number(b[1]));
  expect(sorted.map(([, , , name]) => name)).toEqual(LAYERS);
});

test('the page has one line for each folder of src', () => {
  expect(firstCells('| folder | purpose |').sort()).toEqual(foldersOfSource().sort());
});
