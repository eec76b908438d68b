// Code for this view, in the page: both languages, the reason where there is no command, and the files to save.
import { readFile } from 'node:fs/promises';
import { readModel } from 'nearfield/io';
import { readPlanProblem } from 'nearfield/planning';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type LabPage, shareLab } from './lab-page.js';

let page: LabPage;
beforeAll(async () => {
  page = await (await shareLab()).open('#/');
});
afterEach(async () => {
  await page.leave();
  expect(page.complaints.splice(0)).toEqual([]);
});
afterAll(() => page?.close());

const text = () => page.page.locator('#code pre').textContent();
const saves = () => page.page.locator('#code .code-files button:visible');

async function openCode(address: string): Promise<void> {
  await page.follow(address);
  const panel = page.page.locator('#code');
  if ((await panel.getAttribute('open')) === null) await panel.locator('summary').click();
  await choose('TypeScript');
  await expect.poll(text).toContain('import');
}

async function choose(language: 'TypeScript' | 'Command'): Promise<void> {
  await page.page.locator('#code .code-tools button', { hasText: language }).click();
}

/** The bytes of the files that a button saves. */
async function save(name: string, count = 1): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>();
  const done = new Promise<void>((resolve, reject) => {
    page.page.on('download', async (download) => {
      try {
        files.set(download.suggestedFilename(), await readFile(await download.path()));
        if (files.size === count) resolve();
      } catch (error) {
        reject(error);
      }
    });
  });
  await saves().filter({ hasText: name }).click();
  await done;
  page.page.removeAllListeners('download');
  return files;
}

describe('code for this view', () => {
  test('follows the values, and a file is saved while the motion plays', async () => {
    await openCode('#/culling/environments?environment=tori&torus=500&frame=40&method=cullide&resolution=64');
    expect(await text()).toContain("method: 'cullide', resolution: 64");
    await choose('Command');
    await expect.poll(text).toBe('nearfield cull objects.glb --method=cullide --resolution=64\n');
    await page.page.keyboard.press('Escape');
    await page.control('play').locator('button').click();
    const bytes = (await save('objects.glb')).get('objects.glb')!;
    await page.after(() => page.control('play').locator('button').click());
    expect((await readModel(bytes, { fileName: 'objects.glb' })).parts.length).toBe(2);
  });

  test('says why there is no command, and offers no file to it', async () => {
    await openCode('#/pivot/organs?error=6');
    expect(await saves().allTextContents()).toEqual(['Save surfaces.json']);
    await choose('Command');
    await expect.poll(text).toMatch(/^The command .* NURBS surfaces\.$/);
    expect(await saves().count()).toBe(0);
    expect(await page.page.locator('#code .copy').isVisible()).toBe(false);
  });

  test('saves all files of a problem at once; the program of a sample reads none', async () => {
    await openCode('#/planning/paths?sample=hole');
    expect(await text()).toContain("planningSample('hole'");
    expect(await saves().count()).toBe(0);
    await choose('Command');
    const names = (await saves().allTextContents()).slice(1).map((label) => label.replace('Save ', ''));
    expect(names).toContain('problem.json');
    const files = await save('all', names.length);
    expect([...files.keys()].sort()).toEqual([...names].sort());
    const loadMesh = async (name: string) => (await readModel(files.get(name)!, { fileName: name })).meshes[0].mesh;
    const { robots } = await readPlanProblem(files.get('problem.json')!.toString(), { loadMesh });
    expect(robots.length).toBe(1);
  });
});
