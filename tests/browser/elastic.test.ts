import { type Vec3, vec3 } from 'nearfield/core';
import { expect, test } from 'vitest';
import { findElasticScene } from '../../bench/scenarios/elastic/catalogue.js';
import { elementCount, middleOf, nodesWhere } from '../../bench/scenarios/elastic/elastic-scene.js';
import { LiveElastic } from '../../lab/worker/live-elastic.js';
import { useLab } from './use-lab.js';

const open = useLab();

test('the lab shows what the library simulates, the field in the cut, and starts again', async () => {
  const page = await open('#/elastic/ball-torus?step=24');
  const { build, realTimeElements } = findElasticScene('ball-torus');
  const setting = build(realTimeElements, { mode: 'real-time' });
  for (let i = 0; i < 24; i++) setting.world.step();
  const { kinetic, elastic } = setting.world.energy();
  const shown = await page.figures('State');
  expect(Number(shown.time)).toBeCloseTo(0.4, 3);
  // The last digits of sines are not the same in all engines, and steps of bounded cost do not converge.
  expect(Number(shown.kinetic) / kinetic).toBeCloseTo(1, 2);
  expect(Number(shown.elastic) / elastic).toBeCloseTo(1, 2);
  expect(Math.abs(Number(shown.contacts) - setting.world.contactCount)).toBeLessThan(5);
  expect(Math.abs(Number(shown.penetration) / (1000 * setting.world.worstPenetration()) - 1)).toBeLessThan(0.1);
  expect(shown.inverted).toBe('0');
  expect(await page.figures('Scene')).toMatchObject({ bodies: '2', elements: `${elementCount(setting)}` });
  // The torus is 140 mm from its core to its surface, the ball 300 mm.
  const field = await page.figures('Field in the cut');
  expect(Number(field.largest)).toBeGreaterThan(200);
  expect(Number(field.meanError)).toBeGreaterThan(0);
  expect(Number(field.meanError)).toBeLessThan(0.2);
  expect(Number(field.compared)).toBeGreaterThan(100);

  await page.after(() => page.control('reset').locator('button').click());
  expect(Number(await page.figure('State', 'time'))).toBe(0);
});

test('a pinch that stays moves a body in the next step, and a body is pulled while the scene plays', async () => {
  const page = await open('#/elastic/cylinders?drag=pinch&stays=true');
  const from = await page.project([-0.1, 0, 0.28]);
  await page.drag(from, { x: from.x - 60, y: from.y });
  await page.after(() => page.control('once').locator('button').click());
  // Untouched, the first step has millijoules.
  expect(Number(await page.figure('State', 'elastic'))).toBeGreaterThan(0.1);

  const other = await open('#/elastic/cylinders');
  await other.control('play').locator('button').click();
  await other.page.mouse.move(from.x, from.y);
  await other.page.mouse.down();
  await other.page.mouse.move(from.x - 80, from.y, { steps: 4 });
  await expect.poll(() => other.page.locator('body').textContent()).toContain('Pull');
  await other.page.mouse.up();
  await other.control('play').locator('button').click();
  await other.ready();
});

test('a soft spring draws a body to the pointer until it lets go', () => {
  const { build } = findElasticScene('cylinders');
  const setting = build(1500, { mode: 'real-time' });
  const live = new LiveElastic(setting);
  const { body } = setting.bodies[0];
  const taken: Vec3 = [-0.3, 0, 0];
  const near = nodesWhere(body.mesh, (x, y, z) => vec3.distance([x, y, z], taken) < 0.15);
  const start = middleOf(body, near);
  live.pull({ body: 0, from: taken, to: [-0.6, 0, 0], kind: 'pull', radius: 0.15, stays: false });
  live.advanceTo(15, () => {});
  const moved = start[0] - middleOf(body, near)[0];
  expect(moved).toBeGreaterThan(0.01);
  expect(moved).toBeLessThan(0.3);
  expect(live.pulled!.to).toEqual([-0.6, 0, 0]);
  live.advanceTo(30, () => {});
  const rest = start[0] - middleOf(body, near)[0];
  live.pull(null);
  expect(live.pulled).toBeNull();
  live.advanceTo(60, () => {});
  expect(start[0] - middleOf(body, near)[0]).toBeLessThan(0.6 * rest);
});
