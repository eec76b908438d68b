// Users of the other formats do not load glTF-Transform: src/io reaches it only through import() of its gltf folder.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

test('only the gltf folder imports glTF-Transform, and only import() reaches that folder', () => {
  const folder = fileURLToPath(new URL('../../../src/io/', import.meta.url));
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((name) =>
    /^(?!gltf\/).*\.ts$/.test(name),
  );
  const texts = files.map((name) => readFileSync(folder + name, 'utf8'));
  const fromLibrary = texts.filter((text) => /from '@gltf-transform/.test(text));
  const statically = texts.filter((text) => /from '[./]+\/gltf\//.test(text));
  const dynamically = texts.filter((text) => /await import\('[./]+\/gltf\//.test(text));
  expect([fromLibrary.length, statically.length, dynamically.length]).toEqual([0, 0, 2]);
});
