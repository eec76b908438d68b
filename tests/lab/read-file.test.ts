// What the page opens: by itself, or by the lab's server where an optional package is needed.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type ModelFile, readModel } from 'nearfield/io';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readOpened } from '../../lab/worker/read-file.js';
import { type LabServer, startLabServer } from '../../src/cli/lab-server.js';
import { dracoGltf } from '../generators/compressed-gltf.js';
import { cubeMesh, packTestGlb } from '../generators/model-files.js';
import { meshObject, modelXml, pack3mf } from '../generators/three-mf.js';

const folder = mkdtempSync(join(tmpdir(), 'nearfield-read-file-'));
const stepFolder = join(dirname(createRequire(import.meta.url).resolve('occt-import-js')), '../test/testfiles');
const step = new Uint8Array(readFileSync(join(stepFolder, 'cube-units/cube-mm.step')));
let server: LabServer;

/** A worker of a page at an address, whose requests name their origin as those of browsers do. */
function standAt(url: string): void {
  const { origin } = new URL(url);
  vi.stubGlobal('self', { location: { href: `${url}assets/worker.js` } });
  const plain = globalThis.fetch;
  vi.stubGlobal('fetch', (address: URL, options: RequestInit) => plain(address, { ...options, headers: { origin } }));
}

beforeAll(async () => {
  writeFileSync(join(folder, 'index.html'), '<!doctype html>');
  server = await startLabServer({ folder, port: 0 });
});

afterAll(async () => {
  vi.unstubAllGlobals();
  await server.close();
  rmSync(folder, { recursive: true });
});

test('3MF is read without a server, with its parts and unit', async () => {
  const items = '<item objectid="1"/><item objectid="1" transform="1 0 0 0 1 0 0 0 1 5 0 0"/>';
  const bytes = await pack3mf(modelXml(meshObject(1, cubeMesh(), 'name="cube"'), items, 'unit="inch"'));
  const { parts, unit } = await readOpened(bytes, { fileName: 'two.3mf' });
  expect([parts.map(({ name }) => name), unit]).toEqual([['cube', 'cube'], 0.0254]);
});

describe('a file that needs a package', () => {
  test('is the same model from the server, arrays and all', async () => {
    standAt(server.url);
    const shown = ({ meshes, parts, unit, chordError }: ModelFile) => ({ meshes, parts, unit, chordError });
    expect(shown(await readOpened(step, { fileName: 'cube.stp' }))).toEqual(
      shown(await readModel(step, { fileName: 'cube.stp' })),
    );
    const draco = await dracoGltf(cubeMesh());
    expect((await readOpened(packTestGlb(draco), { fileName: 'cube.glb' })).meshes[0].mesh.indices).toHaveLength(36);
  });

  test('fails as the library does where it is damaged, and tells what to install where there is no server', async () => {
    standAt(server.url);
    await expect(readOpened(step.slice(0, 0.7 * step.length), { fileName: 'half.stp' })).rejects.toMatchObject({
      code: 'file-truncated',
    });
    standAt('http://127.0.0.1:1/');
    await expect(readOpened(step, { fileName: 'cube.stp' })).rejects.toMatchObject({
      code: 'unsupported',
      message: expect.stringMatching(/npm install nearfield occt-import-js, then npx nearfield lab "cube.stp"/),
    });
  });
});
