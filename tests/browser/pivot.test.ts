import { findNearNurbs, PlaneScene, SpacePivot, tessellateNurbs } from 'nearfield/pivot';
import { describe, expect, test } from 'vitest';
import { createCylinders } from '../../bench/scenarios/cylinders.js';
import { organsAt } from '../../bench/scenarios/organs.js';
import { planeScenarios } from '../../bench/scenarios/plane.js';
import { bodiesAt } from '../../lab/samples/plane-bodies.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();
const FRAME = 303;

/** The penetrating points of a scene in the first frame that is shown, one body moved. */
function penetrationOf(scene: string, share: number, body = 0, [dx, dy]: readonly number[] = [0, 0]) {
  const scenario = planeScenarios[scene]();
  scenario.advance(FRAME);
  scenario.bodies[body].pose[0] += dx;
  scenario.bodies[body].pose[1] += dy;
  const error = share * scenario.diameter;
  const { count, pairCount, depths, lengths } = new PlaneScene({ error }).penetration([...scenario.bodies]);
  const length = lengths.subarray(0, count).reduce((sum, value) => sum + value, 0);
  return { count, pairCount, depth: Math.max(...depths.subarray(0, count)), length, error, ...scenario };
}

/** The numbers of a parameter of the address, which follows a drag after a while. */
async function addressNumbers(page: LabPage, name: string): Promise<number[]> {
  await expect.poll(() => page.page.url()).toContain(`${name}=`);
  const query = new URLSearchParams(page.page.url().split('?')[1]);
  return query.get(name)!.split(',').map(Number);
}

describe('PIVOT in the plane', () => {
  test('shows the library’s answers within the error, follows the hand, and starts anew with another scene', async () => {
    const page = await open('#/pivot/plane?scene=map');
    const map = penetrationOf('map', 0.01);
    const shown = await page.figures('Answer');
    expect(shown).toMatchObject({ pixels: `${map.count}`, pairs: `${map.pairCount}` });
    expect(Number(shown.depth)).toBeCloseTo(map.depth, 12);
    expect(Number(shown.length)).toBeCloseTo(map.length, 9);
    expect(Number(shown.error)).toBeCloseTo(map.error, 12);
    expect(Number(shown.depthError)).toBeGreaterThan(0);
    expect(Number(shown.depthError)).toBeLessThanOrEqual(map.error);
    // What is called exact is what ever smaller pixels come to.
    const fine = penetrationOf('map', 0.0001);
    expect(Number(shown.exactLength) / fine.length).toBeCloseTo(1, 2);
    const time = await page.figures('Time');
    for (const id of ['query', 'median', 'frame']) expect(Number(time[id])).toBeGreaterThan(0);

    const [x, y] = map.bodies[0].pose;
    await page.drag(await page.project([x, y, 0]), await page.project([x + 0.4, y + 0.3, 0]));
    const hand = await addressNumbers(page, 'hand');
    expect(hand.slice(6).every((value) => value === 0)).toBe(true);
    const shift = [hand[0] * map.diameter, hand[1] * map.diameter];
    expect(shift).toEqual([expect.closeTo(0.4, 1), expect.closeTo(0.3, 1)]);
    const moved = penetrationOf('map', 0.01, 0, shift);
    expect(await page.figure('Answer', 'pairs')).toBe(`${moved.pairCount}`);
    expect(Number(await page.figure('Answer', 'depth'))).toBeCloseTo(moved.depth, 4);
    expect(moved.depth).not.toBeCloseTo(map.depth, 3);

    await page.after(() => page.control('scene').locator('input[value=cars]').check({ force: true }));
    const cars = penetrationOf('cars', 0.01);
    expect(await page.figures('Answer')).toMatchObject({ pixels: `${cars.count}`, pairs: `${cars.pairCount}` });
    expect(await page.figures('Scene')).toMatchObject({ bodies: '18', lines: '266' });
  });

  test('a grip bends a body, a field lies beneath the pixels, and other queries have figures of their own', async () => {
    const page = await open('#/pivot/plane?scene=wavy&field=yes&error=0.006');
    const wavy = penetrationOf('wavy', 0.006);
    const { pixels, depth } = await page.figures('Answer');
    expect(pixels).toBe(`${wavy.count}`);
    expect(await page.page.locator('[data-group="Distance field"]').count()).toBe(1);
    const rest = Array.from({ length: 4 }, () => [0, 0, 0, 0, 0, 0] as const);
    const [[x, y]] = bodiesAt(planeScenarios.wavy(), FRAME, rest, rest)[0].grips;
    await page.drag(await page.project([x, y, 0]), await page.project([x + 0.3, y, 0]));
    const [bent, level] = await addressNumbers(page, 'bend');
    expect([bent * wavy.diameter, level * wavy.diameter]).toEqual([expect.closeTo(0.3, 1), expect.closeTo(0, 1)]);
    expect(Number(await page.figure('Answer', 'depth'))).toBeGreaterThan(2 * Number(depth));
    await page.after(() => page.control('query').locator('input[value=volumes]').check({ force: true }));
    expect(Number(await page.figure('Answer', 'area'))).toBeGreaterThan(0.01);
    await page.after(() => page.control('query').locator('input[value=contacts]').check({ force: true }));
    const least = Number(await page.figure('Answer', 'least'));
    expect(least).toBeLessThan(0);
    // The threshold and the error.
    expect(least).toBeGreaterThanOrEqual(-(0.03 + 0.006) * wavy.diameter);
  });
});

describe('PIVOT in space', () => {
  test('the cylinders: the library’s points, depths within the error, deeper when pushed together', async () => {
    const page = await open('#/pivot/cylinders?triangles=2000&error=0.03&push=0&check=yes&frame=30');
    const [a, b] = createCylinders('contact', 2000)(1);
    const error = 0.03 * Math.hypot(0.6, 1, 0.6);
    const touching = new SpacePivot({ error }).penetrationSync(a, b);
    const shown = await page.figures('Answer');
    expect(shown).toMatchObject({ pointsA: `${touching.a.count}`, pointsB: `${touching.b.count}` });
    expect(Number(shown.depth)).toBeCloseTo(touching.depth, 12);
    expect(touching.a.count).toBeGreaterThan(0);
    expect(Number(shown.depthError)).toBeGreaterThan(0);
    expect(Number(shown.depthError)).toBeLessThanOrEqual(error);
    await page.setSlider('push', 0.37);
    const pushed = { positions: b.positions.map((x, n) => (n % 3 === 0 ? x - 0.37 : x)), indices: b.indices };
    const deep = new SpacePivot({ error }).penetrationSync(a, pushed);
    expect(Number(await page.figure('Answer', 'depth'))).toBeCloseTo(deep.depth, 12);
    expect(deep.depth).toBeGreaterThan(2 * touching.depth);
    const { volume } = new SpacePivot({ error }).intersectionSync(a, pushed);
    expect(Number(await page.figure('Answer', 'volume'))).toBeCloseTo(volume, 12);
    expect(volume).toBeGreaterThan(2 * Number(shown.volume));
  });

  test('the organs: the library’s contacts of near pairs', async () => {
    const page = await open('#/pivot/organs?error=6&threshold=1&frame=15');
    const surfaces = organsAt(0.5).map(({ surface }) => surface);
    const meshes = surfaces.map((surface) => tessellateNurbs(surface, { error: 0.0015 }));
    const { pairs, patches } = findNearNurbs(surfaces, 0.001);
    const pivot = new SpacePivot({ error: 0.0045 });
    let contacts = 0;
    for (let n = 0; n < pairs.length; n += 2) {
      contacts += pivot.contactsSync(meshes[pairs[n]], meshes[pairs[n + 1]], 0.001).count;
    }
    expect(contacts).toBeGreaterThan(0);
    expect(await page.figures('Contacts')).toMatchObject({
      contacts: `${contacts}`,
      near: `${pairs.length / 2} of 36`,
    });
    expect(await page.figure('Surfaces', 'patches')).toBe(`${patches}`);
    expect(await page.page.locator('[data-group="Near pairs"] tbody tr').count()).toBe(pairs.length / 2);
  });
});
