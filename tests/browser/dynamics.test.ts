import { readSimulationScene, simulateScene } from 'nearfield/dynamics';
import { expect, test } from 'vitest';
import { boxStack } from '../../bench/scenarios/bodies/examples.js';
import { digitsIntoBowl } from '../../bench/scenarios/bodies/letters.js';
import { useLab } from './use-lab.js';

const open = useLab();

test('the lab shows what the library simulates, goes on step by step, and starts again', async () => {
  const page = await open('#/dynamics/space?step=20');
  const { frames } = simulateScene(await readSimulationScene(digitsIntoBowl()), { steps: 21 });
  const expectFrame = async (step: number): Promise<void> => {
    const shown = await page.figures('State');
    const { energy, momentum, time, contacts } = frames[step];
    expect(Number(shown.time)).toBeCloseTo(time, 3);
    expect(shown.contacts).toBe(`${contacts}`);
    expect(Number(shown.kinetic) / energy.kinetic).toBeCloseTo(1, 9);
    expect(Number(shown.total) / energy.total).toBeCloseTo(1, 9);
    expect(Number(shown.linear) / Math.hypot(...momentum.linear)).toBeCloseTo(1, 9);
  };
  await expectFrame(20);
  expect(await page.figures('Scene')).toMatchObject({ bodies: '11', moving: '10' });
  expect(Number(await page.figure('Cost', 'median'))).toBeGreaterThan(0);
  await page.after(() => page.control('once').locator('button').click());
  await expectFrame(21);
  const energy = page.page.locator('[data-group="Energy"] [data-figure="energy"]');
  expect(await energy.getAttribute('data-count')).toBe('22');

  await page.after(() => page.control('reset').locator('button').click());
  expect(Number(await page.figure('State', 'time'))).toBe(0);
  expect(await energy.getAttribute('data-count')).toBe('1');
});

test('a body follows the pointer while the scene plays, and taken earlier it starts another future', async () => {
  const page = await open('#/dynamics/space?scene=stack&step=30');
  const { frames } = simulateScene(await readSimulationScene(boxStack()), { steps: 30 });
  expect(Number(await page.figure('State', 'contacts'))).toBe(frames[30].contacts);
  expect(Number(await page.figure('State', 'kinetic'))).toBeLessThan(0.1);
  // The top box is taken and pulled to the side: the stack gains energy.
  const top = frames[30].bodies[10].centerOfMass;
  const from = await page.project([top[0], top[1], top[2]]);
  await page.control('play').locator('button').click();
  await page.page.mouse.move(from.x, from.y);
  await page.page.mouse.down();
  await page.page.mouse.move(from.x + 120, from.y - 60, { steps: 5 });
  await expect.poll(async () => Number(await page.figure('State', 'kinetic'))).toBeGreaterThan(0.5);
  await page.page.mouse.up();
  await page.control('play').locator('button').click();
  await page.ready();
  expect(Number(await page.figure('State', 'time'))).toBeGreaterThan(0.5);

  // Taken in an earlier step, a body starts another future: what was simulated after it is gone.
  await page.setSlider('step', 5);
  const energy = page.page.locator('[data-group="Energy"] [data-figure="energy"]');
  expect(Number(await energy.getAttribute('data-count'))).toBeGreaterThan(31);
  await page.drag(from, { x: from.x + 40, y: from.y });
  expect(await energy.getAttribute('data-count')).toBe('6');
});

test('a dropped scene runs, copies of a dropped model fall, and a scene that is wrong says where', async () => {
  const page = await open('#/dynamics/space');
  const drop = (name: string, text: string): Promise<void> =>
    page.after(() =>
      page
        .control('file')
        .locator('input')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) }),
    );
  await drop('ball.json', JSON.stringify({ bodies: [{ shape: { sphere: 1 }, mass: 2, velocity: [3, 0, 0] }] }));
  expect(await page.figures('Scene')).toMatchObject({ bodies: '1', moving: '1' });
  expect(Number(await page.figure('State', 'kinetic'))).toBeCloseTo(9, 9);
  await drop('part.obj', 'v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n');
  expect(await page.figures('Scene')).toMatchObject({ bodies: '29', moving: '24' });
  await drop('wrong.json', JSON.stringify({ bodies: [{ shape: { box: [1, 0, 1] } }] }));
  expect(await page.page.locator('body').textContent()).toContain('bodies[0].shape.box[1] is 0');
});
