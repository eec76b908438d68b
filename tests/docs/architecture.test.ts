// docs/architecture.md names every folder of src with its purpose and its files: none missing, none that does not exist.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Rows such as: | `mesh/triangle` | one triangle | `closest-point`, `solid-angle` | */
function foldersOnPage(): Map<string, string[]> {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const rows = page.matchAll(/^\| `([a-z/]+)` \| ([^|]+) \| (`[^|]+`) \|$/gm);
  return new Map([...rows].map(([, folder, , files]) => [folder, files.split(', ').map((file) => file.slice(1, -1))]));
}

function foldersOfSource(): Map<string, string[]> {
  const folders = new Map<string, string[]>();
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name === 'index.ts') continue;
    const folder = relative(join(root, 'src'), entry.parentPath);
    folders.set(folder, [...(folders.get(folder) ?? []), entry.name.replace(/\.ts$/, '')]);
  }
  return folders;
}

test('the page lists the folders and files of src', () => {
  const page = foldersOnPage();
  const source = foldersOfSource();
  expect([...page.keys()].sort()).toEqual([...source.keys()].sort());
  for (const [folder, files] of source) expect([...page.get(folder)!].sort(), folder).toEqual(files.sort());
});
