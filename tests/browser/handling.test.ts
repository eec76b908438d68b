// How the lab is handled: what a drag does and how it looks, units of files, phones, and lists that stay where they are.
import { writeModel } from 'nearfield/io';
import { findModel, inspectMesh } from 'nearfield/mesh';
import { expect, test } from 'vitest';
import { formatFigure } from '../../lab/figures.js';
import { parameterSliders } from '../../lab/parameter-sliders.js';
import { faultyModels } from '../../lab/samples/faulty-models.js';
import { PARAMETER_RANGES } from '../../lab/samples/parameter-ranges.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();

test('a probe that is drawn on the slice stays on it, wherever it is dragged', async () => {
  const page = await open('#/meshes/inspect?sample=open-cup&slice=z&at=0.7&view=60,20,1.6');
  const probe = async () => ((await page.figure('Probe', 'probe')) as string).split(' ').map(Number);
  const before = await probe();
  const { min, max } = inspectMesh(faultyModels[0].build()).box;
  expect(before[2]).toBeCloseTo(min[2] + 0.7 * (max[2] - min[2]), 12);
  const { x, y } = await page.project(before as [number, number, number]);
  await page.page.mouse.move(x, y);
  await expect.poll(() => cursor(page)).toBe('grab');
  await page.drag({ x, y }, { x: x + 40, y: y - 50 });
  const after = await probe();
  expect(after[2]).toBe(before[2]);
  expect(Math.hypot(after[0] - before[0], after[1] - before[1])).toBeGreaterThan(0.01);
  const shown = await page.project(after as [number, number, number]);
  expect(Math.hypot(shown.x - x - 40, shown.y - y + 50)).toBeLessThan(2);
  // The pointer leaves no focus frame, the keyboard does.
  const frame = () => page.page.locator('#stage canvas').evaluate((canvas) => getComputedStyle(canvas).outlineStyle);
  expect(await frame()).toBe('none');
  await page.page.keyboard.press('ArrowLeft');
  expect(await frame()).toBe('solid');
  await page.page.mouse.move(x + 300, 60);
  await expect.poll(() => cursor(page)).toBe('default');
});

test('lengths are in the unit of the file, which the page asks for', async () => {
  const page = await open('#/meshes/inspect?sample=open-cup&slice=off');
  const unit = (id: string) => page.page.locator(`[data-figure="${id}"] .unit`).first().textContent();
  expect(await unit('signedDistance')).toBe('m');
  expect(await page.control('unit').count()).toBe(0);
  await openFile(page, 'part.stl');
  expect([await unit('signedDistance'), await unit('volume')]).toEqual(['units', 'units³']);
  await page.after(() => page.control('unit').locator('select').selectOption('mm'));
  expect([await unit('signedDistance'), await unit('area')]).toEqual(['mm', 'mm²']);
  await openFile(page, 'part.glb');
  expect(await unit('signedDistance')).toBe('m');
  await page.after(() => page.control('sample').locator('select').selectOption('open-cup'));
  expect(await page.control('unit').count()).toBe(0);
});

test('holes are filled where that is wanted, and an open mesh is made a solid', async () => {
  const page = await open('#/meshes/inspect?sample=open-cup&slice=off');
  expect(Number(await page.figure('Soundness', 'boundaryLoops'))).toBeGreaterThan(0);
  await page.after(() => page.control('repair').locator('button').click());
  expect(Number(await page.figure('Repair', 'holes'))).toBeGreaterThan(0);
  expect(await page.figure('Soundness', 'closed')).toBe('true');
  await page.after(() => page.control('fill').locator('input').uncheck());
  expect(await page.figure('Soundness', 'closed')).toBe('false');
  await page.after(() => page.control('solid').locator('button').click());
  expect(page.page.url()).toContain('#/fields/solidify');
  expect(await page.figure('Solid', 'closed')).toBe('yes');
});

test('a phone keeps the view while its controls scroll, and everything to press is 44 pixels large', async () => {
  const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
  const page = await open('#/penetration/depth?pair=own', phone);
  const small = await page.page.evaluate(() => {
    const wanted = '.bar :is(button, a), .stage-tools button, .controls :is(select, button, summary, input)';
    return [...document.querySelectorAll<HTMLElement>(wanted)].flatMap((element) => {
      const target = element.closest<HTMLElement>('.segment, .check, .file') ?? element;
      const { width, height } = target.getBoundingClientRect();
      return width > 0 && (height < 44 || width < 40) ? [`${element.outerHTML.slice(0, 80)} ${width}×${height}`] : [];
    });
  });
  expect(small).toEqual([]);
  await page.page.evaluate(() => scrollTo(0, 900));
  const stage = await page.page.locator('#stage').boundingBox();
  expect(stage!.y).toBeGreaterThan(0);
  expect(stage!.y).toBeLessThan(60);
  expect(await page.page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});

test('a slider for levels ends at the last one', async () => {
  const page = await open('#/decomposition/hierarchy?model=letter-e&level=24');
  const last = (await page.figure('Hierarchy', 'lastLevel')) as string;
  const slider = page.control('level').locator('input[type=range]');
  expect([await slider.getAttribute('max'), await slider.inputValue()]).toEqual([last, last]);
});

test('the list of clashes stays where it is when one is chosen, and a pane that goes on says so', async () => {
  const page = await open('#/proximity/clash', { viewport: { width: 1280, height: 640 } });
  const row = page.page.locator('[data-group="Pairs, worst first"] tbody tr').nth(1);
  await row.scrollIntoViewIfNeeded();
  const before = await row.boundingBox();
  await page.after(() => row.click());
  expect((await row.boundingBox())?.y).toBe(before?.y);
  const cue = page.page.locator('#panel-figures .more-below');
  await page.page.locator('#panel-figures').evaluate((pane) => pane.scrollTo(0, 0));
  await expect.poll(() => cue.isVisible()).toBe(true);
  await page.page.locator('#panel-figures').evaluate((pane) => pane.scrollTo(0, pane.scrollHeight));
  await expect.poll(() => cue.isVisible()).toBe(false);
});

test('rounding errors are written as 0, small numbers as they are', () => {
  expect(formatFigure({ value: -1.7e-17 })).toBe('0');
  expect(formatFigure({ value: [1, -1.7e-17, 0] })).toBe('1  0  0');
  expect(formatFigure({ value: 2.5e-12 })).toBe('2.5000e−12');
});

test('every slider of a model has valid ends', () => {
  const slow = /^(dragon|bunny|head|teeth-)/;
  let ends = 0;
  for (const name of Object.keys(PARAMETER_RANGES)) {
    if (slow.test(name)) continue;
    const model = findModel(name);
    for (const [parameter, { min, max }] of Object.entries(
      parameterSliders(model.parameters, PARAMETER_RANGES[name]),
    )) {
      if (/segments|sides|bands|rings|sections/i.test(parameter)) continue;
      for (const value of [min, max]) {
        expect([name, parameter, value, model.build({ [parameter]: value }).indices.length > 0]).toContain(true);
        ends++;
      }
    }
  }
  expect(ends).toBeGreaterThan(50);
});

async function openFile(page: LabPage, name: string): Promise<void> {
  const bytes = await writeModel(findModel('letter-e').build(), name.endsWith('glb') ? 'glb' : 'stl');
  const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) };
  await page.after(() => page.control('file').locator('input').setInputFiles(file));
}

function cursor(page: LabPage): Promise<string> {
  return page.page.locator('#stage canvas').evaluate((canvas) => (canvas as HTMLElement).style.cursor);
}
