import { expect, test } from 'vitest';
import { createPlaneWorld } from '../../bench/scenarios/plane-worlds.js';
import { useLab } from './use-lab.js';

const open = useLab();

test('the lab shows what the library simulates in the plane, by any method, and a body follows the pointer', async () => {
  const page = await open('#/dynamics/plane?scene=gears&step=40');
  const expectStep = async (method: 'penalty' | 'auto', step: number): Promise<void> => {
    const { world } = createPlaneWorld('gears', { method });
    for (let k = 0; k < step; k++) world.step();
    const shown = await page.figures('State');
    expect(Number(shown.time)).toBeCloseTo(world.time, 3);
    expect(shown.contacts).toBe(`${world.contacts().length}`);
    expect(Number(shown.kinetic) / world.energy().kinetic).toBeCloseTo(1, 9);
    expect(Number(shown.total) / world.energy().total).toBeCloseTo(1, 9);
    expect(Number(shown.linear) / Math.hypot(...world.momentum().linear)).toBeCloseTo(1, 9);
    expect(Math.abs(Number(shown.change))).toBeLessThan(1);
  };
  await expectStep('penalty', 40);
  expect(await page.figures('Scene')).toMatchObject({ bodies: '13', lines: '391' });
  expect(Number(await page.figure('Cost', 'median'))).toBeGreaterThan(0);
  await page.after(() => page.control('once').locator('button').click());
  await expectStep('penalty', 41);
  const energy = page.page.locator('[data-group="Energy"] [data-figure="energy"]');
  expect(await energy.getAttribute('data-count')).toBe('42');

  await page.after(() => page.control('method').locator('select').selectOption('auto'));
  expect(Number(await page.figure('State', 'time'))).toBe(0);
  // The first gear is pulled while the scene plays: it gains energy that no contact could give.
  const { world, ids } = createPlaneWorld('gears', { method: 'auto' });
  const start = world.energy().total;
  const [x, y] = world.centerOf(ids[0]);
  const from = await page.project([x, y, 0]);
  await page.page.mouse.move(from.x, from.y);
  await page.page.mouse.down();
  await page.page.mouse.move(from.x + 60, from.y - 40, { steps: 4 });
  await page
    .control('play')
    .locator('button')
    .evaluate((button) => (button as HTMLElement).click());
  await expect
    .poll(async () => Math.abs(Number(await page.figure('State', 'total')) / start - 1))
    .toBeGreaterThan(0.01);
  await page.page.mouse.up();
});
