// The pages that the command writes, opened from their files in Chromium, and the links from a clash report to the lab.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type LabServer, startLabServer } from '../../src/cli/lab-server.js';
import { runJson } from '../cli/run-command.js';
import { buildLab, LabPage, newPage, shareLab } from './lab-page.js';

let folder: string;
let browser: Browser;
let clashes: { indexA: number; indexB: number; grade: string }[];
const inFolder = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'nearfield-reports-'));
  runJson('demo', folder);
  const report = ['--report', inFolder('clashes.html'), '--depth-seconds', '60', '--unit', 'mm'];
  ({ clashes } = runJson<{ clashes: typeof clashes }>(
    'clash',
    inFolder('gearbox.glb'),
    '--clearance',
    '0.5',
    ...report,
  ));
  runJson(
    'replay',
    ...['door.obj', 'frame.obj', 'swing.json'].map(inFolder),
    '--query',
    'distance',
    '-o',
    inFolder('swing.html'),
  );
  browser = (await shareLab()).browser;
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The page of a file; what it says on the console is an error of the test. */
async function openFile(name: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await newPage(browser);
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  await page.goto(pathToFileURL(inFolder(name)).href);
  await page.waitForSelector('html[data-state="ready"]', { state: 'attached' });
  return { page, complaints };
}

test('the clash page: filters and orders change the list, a card is shown in the view', async () => {
  const { page, complaints } = await openFile('clashes.html');
  const names = (): Promise<string[]> =>
    page.locator('article:visible').evaluateAll((cards) => cards.map((card) => card.id));
  const all = await names();
  const touching = await page.locator('article[data-grade="touch"]').count();
  expect(touching).toBeGreaterThan(0);
  await page.locator('input[name="grade"][value="touch"]').uncheck();
  expect(await names()).toHaveLength(all.length - touching);
  await page.locator('input[name="grade"][value="touch"]').check();
  expect(await names()).toEqual(all);
  await page.locator('#sort').selectOption('a');
  const sorted = await names();
  expect(sorted).not.toEqual(all);
  expect([...sorted].sort()).toEqual([...all].sort());
  await page.locator('#search').fill('no part of this name');
  expect(await names()).toEqual([]);
  await page.locator('#search').fill('');
  await page.locator('#clash-1 button.picture').click();
  expect(await page.locator('#shown').textContent()).toMatch(/^1\. /);
  expect(await page.locator('article.current').evaluateAll((cards) => cards.map(({ id }) => id))).toEqual(['clash-1']);
  expect(complaints).toEqual([]);
  await page.close();
});

test('the replay page: the slider moves the cursor of the plot', async () => {
  const { page, complaints } = await openFile('swing.html');
  const cursor = async (): Promise<number> => Number(await page.locator('line.nf-cursor').getAttribute('x1'));
  const slider = page.locator('#frame');
  const last = Number(await slider.getAttribute('max'));
  await slider.fill('0');
  const first = await cursor();
  await slider.fill(String(last));
  const end = await cursor();
  await slider.fill(String(last / 2));
  expect(end).toBeGreaterThan(first);
  expect(await cursor()).toBeCloseTo((first + end) / 2, 6);
  expect(await page.locator('#shown').textContent()).toMatch(new RegExp(`^frame ${last / 2}: `));
  expect(complaints).toEqual([]);
  await page.close();
});

test('a link of the clash page opens its pair in the lab, and says so where the lab has not the file', async () => {
  const { page } = await openFile('clashes.html');
  const href = await page.locator('#clash-2 .lab a').getAttribute('href');
  await page.close();
  const address = new URL(href!).hash;
  const { indexA, indexB } = clashes[1];
  const given = await startLabServer({ folder: await buildLab(), port: 0, models: [inFolder('gearbox.glb')] });
  const bare: LabServer = await startLabServer({ folder: await buildLab(), port: 0 });
  try {
    const lab = await LabPage.create(browser, given.url);
    await lab.goto(address);
    expect(await lab.figure('Assembly', 'name')).toBe('gearbox.glb');
    expect(await lab.page.locator('tr[aria-current="true"], tr.current').getAttribute('data-row')).toBe(
      `${indexA}-${indexB}`,
    );
    expect(lab.complaints).toEqual([]);
    await lab.close();
    const without = await LabPage.create(browser, bare.url);
    await without.goto(address);
    expect(await without.page.locator('#notice').textContent()).toContain('was not given gearbox.glb');
    await without.close();
  } finally {
    await given.close();
    await bare.close();
  }
});
