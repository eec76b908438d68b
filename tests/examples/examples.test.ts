// The examples, built as their users build them and run: the pages in Chromium, the service in Node.
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { build, type PreviewServer, preview } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// @ts-expect-error: plain JavaScript, as its users run it.
import { createService } from '../../examples/node-service/service.js';
import { writeModel } from '../../src/io/index.js';
import { findModel } from '../../src/mesh/index.js';
import { packageByName } from '../../vitest.config.js';
import { launchBrowser, newPage } from '../browser/lab-page.js';

const examples = fileURLToPath(new URL('../../examples', import.meta.url));

describe('pages', () => {
  let browser: Browser;
  let folder: string;
  let server: PreviewServer;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'nearfield-examples-'));
    for (const name of ['three', 'react', 'worker']) {
      await build({
        root: join(examples, name),
        configFile: false,
        logLevel: 'error',
        base: './',
        resolve: { alias: packageByName },
        worker: { format: 'es' },
        build: { outDir: join(folder, name), emptyOutDir: true, chunkSizeWarningLimit: 5000 },
      });
    }
    server = await preview({
      root: folder,
      configFile: false,
      logLevel: 'error',
      build: { outDir: folder },
      preview: { host: '127.0.0.1', port: 0 },
    });
    browser = await launchBrowser([]);
  });

  afterAll(async () => {
    await browser?.close();
    await server?.close();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Opens an example; whatever it complains of fails the test. */
  async function visit(name: string, look: (page: Page) => Promise<void>): Promise<void> {
    const page = await newPage(browser, { viewport: { width: 320, height: 240 } });
    const complaints: string[] = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    const { port } = server.httpServer.address() as AddressInfo;
    await page.goto(`http://127.0.0.1:${port}/${name}/index.html`);
    await look(page);
    await page.close();
    expect(complaints).toEqual([]);
  }

  /** The answer on the page once it matches. */
  async function answer(page: Page, pattern: RegExp): Promise<RegExpExecArray> {
    await expect.poll(() => page.textContent('#answer')).toMatch(pattern);
    return pattern.exec((await page.textContent('#answer'))!)!;
  }

  test('three.js: the distance changes with the scene', async () => {
    await visit('three', async (page) => {
      const distances = new Set<string>();
      const look = async (): Promise<number> => {
        const [, distance] = await answer(page, /^distance (\d+\.\d{4})$/);
        // The knot is within 1.5 of its center, the box farther than 0.3 from that and nearer than 4.
        expect(Number(distance)).toBeLessThan(4);
        return distances.add(distance).size;
      };
      await expect.poll(look).toBe(3);
    });
  });

  test('react-three-fiber: a ball that swings into a box is at 0 there', async () => {
    await visit('react', async (page) => {
      await answer(page, /^distance [12]\.\d{4}$/);
      await answer(page, /^distance 0\.0000$/);
    });
  });

  test('worker: the depth of a spoon in a cup', async () => {
    await visit('worker', async (page) => {
      const [, depth, least] = await answer(page, /^depth (\S+), at least (\S+)$/);
      expect(Number(depth)).toBeCloseTo(0.0905, 3);
      expect(Number(least)).toBeGreaterThan(0.999 * Number(depth) - 1e-4);
    });
  });
});

describe('the service', () => {
  const service = createService();
  let url: string;

  beforeAll(async () => {
    await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
    url = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  });
  afterAll(() => service.close());

  const post = (body: string): Promise<Response> => fetch(url, { method: 'POST', body });
  const file = async (format: 'stl' | 'glb'): Promise<string> =>
    Buffer.from(await writeModel(findModel('box').build(), format)).toString('base64');

  test('measures files of two formats, apart and overlapping', async () => {
    const [a, b] = [await file('stl'), await file('glb')];
    const apart = await post(JSON.stringify({ a, b, poseB: [3, 0, 0, 0, 0, 0, 1] }));
    expect(apart.status).toBe(200);
    expect(await apart.json()).toMatchObject({ distance: expect.closeTo(2, 6) });
    const over = await (await post(JSON.stringify({ a, b, poseB: [0.75, 0, 0, 0, 0, 0, 1] }))).json();
    expect(over).toMatchObject({ distance: 0, depth: { upper: expect.closeTo(0.25, 5) } });
  });

  test('says what is wrong', async () => {
    expect((await post('{')).status).toBe(400);
    expect((await post('{}')).status).toBe(422);
    const damaged = await post(JSON.stringify({ a: 'AAAA', b: await file('stl') }));
    expect(damaged.status).toBe(422);
    expect(await damaged.json()).toMatchObject({ error: 'file-format' });
  });
});
