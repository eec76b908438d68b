// Users of the other formats do not load glTF-Transform or saxes: src/io reaches them only through import() of the
// folders gltf and collada.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test.each([
  ['gltf', '@gltf-transform', 2],
  ['collada', 'saxes', 1],
])('only the folder %s imports %s, and only import() reaches that folder', (name, library, uses) => {
  const folder = fileURLToPath(new URL('../../../src/io/', import.meta.url));
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !file.startsWith(`${name}/`),
  );
  const texts = files.map((file) => readFileSync(folder + file, 'utf8'));
  const fromLibrary = texts.filter((text) => text.includes(`from '${library}`));
  const statically = texts.filter((text) => new RegExp(`from '[./]+/${name}/`).test(text));
  const dynamically = texts.filter((text) => new RegExp(`await import\\('[./]+/${name}/`).test(text));
  expect([fromLibrary.length, statically.length, dynamically.length]).toEqual([0, 0, uses]);
});
