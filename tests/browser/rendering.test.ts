// What makes depth and contact visible in the lab's view: shadows, hidden lines, curves of intersection, bodies beside their
// translations; and the question before work that takes long.
import { box, type Vec3, vec3 } from 'nearfield/core';
import { mergeModel } from 'nearfield/io';
import { findModel } from 'nearfield/mesh';
import { measurePenetration } from 'nearfield/penetration';
import { buildGearbox, findCrossingCurves, ProximityModel } from 'nearfield/proximity';
import { describe, expect, test } from 'vitest';
import { penetrationBenchmarks } from '../../bench/scenarios/penetration.js';
import { decodePng } from './decode-png.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();
const STAGE = '#eff3f6';
const MARK = '#d6246e';
const BUSY_MS = 1500;

describe('shadows', () => {
  test('the ground is darker below a body, on the side away from the sun, and nowhere else', async () => {
    const page = await open('#/meshes/models?model=sphere&view=0,35,1.85');
    const low = box.ofPositions(findModel('sphere').build().positions).min[1];
    const radius = -low;
    const ground = async (x: number, z: number) => brightest(page, [x * radius, low, z * radius]);
    const lit = await ground(1.35, 0.2);
    expect(lit).toBe(brightness(STAGE));
    expect(await ground(-0.95, 0.25)).toBeLessThan(lit - 25);
    // Far from the body there is none on this side either.
    expect(await ground(-2.1, 0.2)).toBeGreaterThan(lit - 6);
  });

  test('a veil casts less of a shadow than a solid body', async () => {
    const page = await open('#/penetration/depth?pair=interlocked-tori&ghost=no&view=25,35,1.6');
    const solid = await shadowOf(page);
    await page.after(() => page.control('seeThrough').locator('input').check());
    expect(await shadowOf(page)).toBeLessThan(0.75 * solid);
  });

  test('a flat view has none', async () => {
    const page = await open('#/pivot/plane?scene=wavy&field=no');
    const { x, y } = await page.project([0, 0, 0]);
    expect((await page.colorsOfRow(x - 300, y, 20)).every((color) => color === STAGE)).toBe(true);
  });
});

describe('lines', () => {
  const pair = penetrationBenchmarks[0];
  const models = [pair.meshA, pair.meshB].map((mesh) => new ProximityModel(mesh));
  const address = `#/penetration/depth?pair=${pair.name}&ghost=no&view=25,35,1.35`;

  test('an arrow is whole in front and through a veil, dashed and fainter behind a surface', async () => {
    // From near: there are several dashes on the shaft.
    const page = await open(`#/penetration/depth?pair=${pair.name}&ghost=no&seeThrough=yes&view=25,35,0.55`);
    const result = await measurePenetration(models[0], models[1], pair.poseA, pair.poseB, { relativeGap: 1e-3 });
    const from = result.pointA as Vec3;
    const along = async (): Promise<string[]> => {
      const shaft = Array.from({ length: 60 }, (_, i) => vec3.addScaled(from, result.vector, 0.02 + (0.45 * i) / 60));
      return colorsAt(page, shaft);
    };
    const through = await along();
    expect(through.filter((color) => color === MARK).length).toBeGreaterThan(0.9 * through.length);
    await page.after(() => page.control('seeThrough').locator('input').uncheck());
    const behind = await along();
    const hidden = behind.filter((color) => color !== MARK);
    expect(hidden.length).toBeGreaterThan(10);
    // Dashes are nearer to the arrow's color than the gaps between them, and the two alternate.
    const near = behind.map((color) => difference(color, MARK) < 110);
    const changes = near.filter((is, i) => i > 0 && is !== near[i - 1]).length;
    expect(changes).toBeGreaterThanOrEqual(3);
  });

  test('the curve in which two bodies cross is drawn where the library finds it, and gone when they are apart', async () => {
    const page = await open(`${address}&seeThrough=yes`);
    const segments = findCrossingCurves(models[0], models[1], pair.poseA, pair.poseB);
    const points = Array.from({ length: 80 }, (_, i): Vec3 => {
      const o = 6 * Math.floor((i * segments.length) / 6 / 80);
      return [0, 1, 2].map((k) => (segments[o + k] + segments[o + 3 + k]) / 2) as Vec3;
    });
    const colored = async (): Promise<number> =>
      (await colorsAt(page, points)).filter((color) => color === MARK).length / points.length;
    expect(await page.page.locator('#legend').textContent()).toContain('Where the surfaces cross');
    expect(await colored()).toBeGreaterThan(0.9);
    await page.goto(`${address}&seeThrough=yes&hand=0,0,0,0,0,0,0,0.9,0,0,0,0`);
    expect(await page.page.locator('#legend').textContent()).not.toContain('Where the surfaces cross');
    expect(await colored()).toBeLessThan(0.05);
  });

  test('a list of clashes shows the curves of the pairs that overlap, and one pair in the colors of the report', async () => {
    const page = await open('#/proximity/clash?row=1');
    const legend = page.page.locator('#legend');
    expect(await legend.textContent()).toContain('Where surfaces cross');
    const swatches = await legend
      .locator('.swatch')
      .evaluateAll((all) => all.map((swatch) => (swatch as HTMLElement).style.backgroundColor));
    expect(swatches.slice(0, 2)).toEqual(['rgb(74, 143, 216)', 'rgb(240, 144, 58)']);
  });
});

describe('scenes of translations', () => {
  test.each(['minkowski-sums', 'depth-images', 'certificate'])('%s shows the two bodies beside them', async (scene) => {
    const page = await open(`#/penetration/${scene}?pair=letters`);
    const legend = page.page.locator('#legend');
    expect(await legend.textContent()).toMatch(/^AB/);
    expect(await legend.textContent()).toContain('Where the surfaces cross');
    await page.after(() => page.control('bodies').locator('input').uncheck());
    expect(await legend.textContent()).not.toMatch(/^AB/);
  });
});

describe('the camera of a scene', () => {
  const { min, max } = box.ofPositions(mergeModel(buildGearbox()).positions);
  const corners = Array.from({ length: 8 }, (_, i) => [0, 1, 2].map((k) => (i & (1 << k) ? max : min)[k]) as Vec3);

  test.each([
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ])('all of the assembly is in view on a %s', async (_, viewport) => {
    const page = await open('#/proximity/clash', { viewport });
    const stage = (await page.page.locator('#stage').boundingBox())!;
    for (const corner of corners) {
      const { x, y } = await page.project(corner);
      expect(x).toBeGreaterThan(stage.x);
      expect(x).toBeLessThan(stage.x + stage.width);
      expect(y).toBeGreaterThan(stage.y);
      expect(y).toBeLessThan(stage.y + stage.height);
    }
  });
});

describe('work that takes long', () => {
  const SLOW = '#/decomposition/patches?model=torus&method=global';

  test.each([
    ['desktop', { width: 1280, height: 800 }],
    ['phone', { width: 390, height: 844 }],
  ])('is named with its time and begins at a press, not before, on a %s', async (_, viewport) => {
    const page = await open('#/', { viewport });
    await ask(page, SLOW);
    const question = page.page.locator('#long-work');
    expect(await question.textContent()).toMatch(/This takes about \d+ (seconds|minutes)/);
    expect(await question.textContent()).toContain(
      'Dividing 2,000 triangles into convex patches by testing every pair',
    );
    await page.page.waitForTimeout(BUSY_MS);
    expect(await page.page.locator('#progress').isVisible()).toBe(false);
    expect(await page.page.locator('html').getAttribute('data-state')).toBe('asking');
    await page.after(() => question.getByRole('button', { name: 'Not now' }).click());
    expect(await question.isVisible()).toBe(false);
    expect(await page.page.locator('#notice').textContent()).toContain('Canceled');
    // Asked again, and started: now it runs, and can be stopped.
    await page.page.locator('#notice button').click();
    await question.waitFor();
    await question.getByRole('button', { name: 'Start' }).click();
    await page.page.locator('#progress').waitFor();
    expect(await question.isVisible()).toBe(false);
    await page.after(() => page.page.locator('#cancel').click());
    expect(await page.page.locator('#notice').textContent()).toContain('Canceled');
  });

  test('a question that no one answered goes with the values it was about', async () => {
    const page = await open('#/', {});
    await ask(page, SLOW);
    await page.after(() => page.control('method').locator('select, input').first().evaluate(chooseFirst));
    expect(await page.page.locator('#long-work').isVisible()).toBe(false);
    expect(Number(await page.figure('Model', 'triangles'))).toBe(2000);
  });
});

function chooseFirst(control: Element): void {
  if (control instanceof HTMLSelectElement) {
    control.selectedIndex = 0;
    control.dispatchEvent(new Event('change', { bubbles: true }));
  } else (control as HTMLInputElement).click();
}

/** Goes to an address whose work must be asked for. */
async function ask(page: LabPage, address: string): Promise<void> {
  await page.page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await page.page.waitForSelector('html[data-state="asking"]', { state: 'attached' });
}

async function colorsAt(page: LabPage, points: readonly Vec3[]): Promise<string[]> {
  const stage = (await page.page.locator('#stage').boundingBox())!;
  const { width, pixels } = decodePng(await page.page.screenshot({ clip: stage, scale: 'css' }));
  const colors: string[] = [];
  for (const point of points) {
    const { x, y } = await page.project(point);
    const at = 4 * (Math.floor(y - stage.y) * width + Math.floor(x - stage.x));
    colors.push(`#${Buffer.from(pixels.subarray(at, at + 3)).toString('hex')}`);
  }
  return colors;
}

/** Of a few pixels around a place, the brightest: lines of the grid are darker. */
async function brightest(page: LabPage, point: Vec3): Promise<number> {
  const { x, y } = await page.project(point);
  return Math.max(...(await page.colorsOfRow(x - 6, y, 12)).map(brightness));
}

/** How much darker than the background the darkest ground in the lower left of the view is. */
async function shadowOf(page: LabPage): Promise<number> {
  const stage = (await page.page.locator('#stage').boundingBox())!;
  const colorAt = await page.picture();
  let least = Infinity;
  for (let row = 0; row < 12; row++) {
    const y = stage.y + (0.62 + 0.02 * row) * stage.height;
    // The brightest of neighbors: lines of the grid are thin.
    const colors = Array.from({ length: Math.floor(0.45 * stage.width) }, (_, i) =>
      brightness(colorAt(stage.x + 0.05 * stage.width + i, y)),
    );
    for (let i = 4; i < colors.length; i++) least = Math.min(least, Math.max(...colors.slice(i - 4, i + 1)));
  }
  return brightness(STAGE) - least;
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
}

function brightness(color: string): number {
  return channels(color).reduce((sum, value) => sum + value, 0) / 3;
}

function difference(a: string, b: string): number {
  const [p, q] = [channels(a), channels(b)];
  return Math.hypot(...p.map((value, k) => value - q[k]));
}
