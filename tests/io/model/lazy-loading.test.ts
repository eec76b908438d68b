// Users of the other formats do not load glTF-Transform or saxes: src/io reaches them only through import() of the
// folders gltf, collada, 3mf, svg and xml.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test.each([
  [['gltf'], '@gltf-transform', 2],
  [['3mf', 'collada', 'svg', 'xml'], 'saxes', 3],
])('only the folders %j import %s, and only import() reaches those folders', (names, library, uses) => {
  const folder = fileURLToPath(new URL('../../../src/io/', import.meta.url));
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (file) => file.endsWith('.ts') && !names.some((name) => file.startsWith(`${name}/`)),
  );
  const texts = files.map((file) => readFileSync(folder + file, 'utf8'));
  const fromLibrary = texts.filter((text) => text.includes(`from '${library}`));
  const any = names.join('|');
  const statically = texts.filter((text) =>
    new RegExp(`^(?:import|export) (?!type)[^;]*from '[./]+/(${any})/`, 'm').test(text),
  );
  const dynamically = texts.filter((text) => new RegExp(`await import\\('[./]+/(${any})/`).test(text));
  expect([fromLibrary.length, statically.length, dynamically.length]).toEqual([0, 0, uses]);
});
