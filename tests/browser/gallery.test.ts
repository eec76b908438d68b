// The first page: the solids at its head, search, the list of scenes, files dropped on it, and addresses of old.
import { pose, type Vec3 } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { findModel } from 'nearfield/mesh';
import { measureDistance, ProximityModel } from 'nearfield/proximity';
import { describe, expect, test } from 'vitest';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();

describe('the solids at the head', () => {
  test('show how deep they overlap, and once dragged apart their distance', async () => {
    const page = await open('#/', {});
    const figure = async (id: string) =>
      Number(await page.page.locator(`#hero-figures [data-figure="${id}"] data`).getAttribute('value'));
    await expect.poll(() => figure('depth')).toBeGreaterThan(0);
    expect(await figure('distance')).toBe(0);
    expect(await page.page.locator('#hero-figures').textContent()).toMatch(/proven within [\d.]+ %/);

    const [letter, ring] = ['letter-e', 'torus'].map((name) => new ProximityModel(findModel(name).build()));
    const ringAt: Vec3 = [
      0.3 + 0.32 * Math.cos((2 * Math.PI * 140) / 600),
      0.05 * Math.sin((4 * Math.PI * 140) / 600),
      0,
    ];
    const [from, to] = [await page.project([ringAt[0] + 0.4, ringAt[1], 0.1]), await page.project([1.2, 0.3, 0.1])];
    await page.page.mouse.move(from.x, from.y);
    await page.page.mouse.down();
    await page.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.page.mouse.move(to.x, to.y);
    await page.page.mouse.up();
    await expect.poll(() => figure('distance')).toBeGreaterThan(0.05);
    await expect.poll(() => page.page.locator('#hero-figures').textContent()).toContain('not needed');
    expect(await figure('depth')).toBe(0);

    // The letter stands where it was; a ring as far to the side as the figure says is not farther than it.
    const letterPose = pose.create(letter.center.map((x, k) => [-0.22, 0, 0][k] - x) as Vec3);
    const apart = measureDistance(letter, ring, letterPose, pose.create([10, 0, 0])).distance as number;
    expect(await figure('distance')).toBeLessThan(apart);
  });
});

describe('finding a scene', () => {
  test('by words: cards and list show those that match, and Enter opens the first', async () => {
    const page = await open('#/', {});
    const cards = page.page.locator('.card:visible');
    const all = await cards.count();
    await page.page.keyboard.press('/');
    await page.page.keyboard.type('clash assembly');
    expect(await cards.count()).toBe(1);
    expect(await page.page.locator('nav [data-scene]:visible').count()).toBe(1);
    await page.page.keyboard.type(' zebra');
    expect(await cards.count()).toBe(0);
    expect(await page.page.locator('.no-match').isVisible()).toBe(true);
    await page.page.keyboard.press('Escape');
    expect(await cards.count()).toBe(all);
    await page.page.keyboard.type('hull convex');
    await page.after(() => page.page.keyboard.press('Enter'));
    expect(page.page.url()).toMatch(/#\/(convex|decomposition)\//);
  });

  test('in the list beside the page, which shows the open scene and can be closed', async () => {
    const page = await open('#/voronoi/painter', { viewport: { width: 1280, height: 500 } });
    const link = page.page.locator('nav [aria-current]');
    expect(await link.getAttribute('data-scene')).toBe('voronoi/painter');
    const [list, item] = [await page.page.locator('#scenes').boundingBox(), await link.boundingBox()];
    expect(item!.y).toBeGreaterThanOrEqual(list!.y);
    expect(item!.y + item!.height).toBeLessThanOrEqual(list!.y + list!.height);
    const width = () => page.page.evaluate(() => document.querySelector('#stage')!.clientWidth);
    const before = await width();
    await page.page.locator('#menu').click();
    expect(await page.page.locator('#scenes').isVisible()).toBe(false);
    expect(await width()).toBeGreaterThan(before + 150);
    await page.page.reload();
    await page.ready();
    expect(await page.page.locator('#scenes').isVisible()).toBe(false);
    expect(await page.page.locator('#menu').getAttribute('aria-expanded')).toBe('false');
  });

  test('among four columns of cards on a laptop and five on a large screen, with two lines of text', async () => {
    for (const [width, columns] of [
      [1440, 4],
      [1920, 5],
      [390, 1],
    ]) {
      const page = await open('#/', { viewport: { width, height: 900 } });
      const found = await page.page.evaluate(() => {
        const lists = [...document.querySelectorAll('.cards')];
        const texts = [...document.querySelectorAll<HTMLElement>('.card p')];
        const lines = texts.map((text) => text.clientHeight / Number.parseFloat(getComputedStyle(text).lineHeight));
        return {
          columns: Math.max(...lists.map((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length)),
          lines: Math.max(...lines),
        };
      });
      expect([width, found.columns]).toEqual([width, columns]);
      expect(found.lines).toBeLessThan(2.2);
    }
  });

  test('by an address from before scenes were merged', async () => {
    const page = await open('#/proximity/spiral-peg-small-tori?frame=12');
    expect(await page.page.locator('#scene-title').textContent()).toBe('Distance in motion');
    expect(await page.control('scenario').locator('select').inputValue()).toBe('spiral-peg-small-tori');
    expect(await page.control('frame').locator('input[type=number]').inputValue()).toBe('12');
    await page.follow('#/elastic/ball-torus');
    expect(await page.control('scene').locator('select').inputValue()).toBe('ball-torus');
  });
});

test('a scene opens in the state of its picture and plays; Space pauses it, and a link to a state keeps still', async () => {
  const page = await open('#/', { reducedMotion: 'no-preference' });
  // While it plays, the page is never at rest.
  await page.page.locator('.card[href="#/proximity/scenarios"]').click();
  const frame = async () => Number(await page.control('frame').locator('input[type=number]').inputValue());
  expect(await page.control('scenario').locator('select').inputValue()).toBe('cup-spoon');
  await expect.poll(frame).toBeGreaterThan(421);
  await page.page.locator('#stage canvas').focus();
  await page.page.keyboard.press('Space');
  await page.ready();
  const at = await frame();
  await expect.poll(() => page.page.url()).toContain(`frame=${at}`);
  expect(await frame()).toBe(at);
  await page.page.keyboard.press('Space');
  await expect.poll(frame).not.toBe(at);
  await page.page.keyboard.press('Space');
  await page.ready();
  await page.follow('#/proximity/scenarios?frame=7');
  expect([await frame(), await page.control('play').locator('button').textContent()]).toEqual([7, 'Play']);
  // All as it begins is not the picture, so the address says it.
  await page.follow('#/proximity/scenarios?scenario=cup-spoon&frame=0');
  await page.page.keyboard.press('0');
  await expect.poll(() => page.page.url()).toMatch(/\?(scenario=cup-spoon|frame=0)$/);
});

describe('files dropped on the first page', () => {
  test('are offered to the scenes that take them, and open there', async () => {
    const page = await open('#/', {});
    const text = new TextDecoder().decode(await writeModel(findModel('box').build(), 'obj'));
    await drop(page, [['part.obj', text]]);
    const offers = page.page.locator('[data-offer]');
    expect(await offers.first().getAttribute('data-offer')).toBe('meshes/inspect');
    const paths = await offers.evaluateAll((buttons) => buttons.map((button) => (button as HTMLElement).dataset.offer));
    expect(paths).toContain('penetration/depth');
    expect(paths).not.toContain('voronoi/painter');
    await page.after(() => offers.first().click());
    expect(await page.figure('Model', 'name')).toBe('part.obj');
    expect(await page.figure('Surface', 'triangles')).toBe('12');

    // A scene that opens no models offers others; the page is not left.
    await page.follow('#/penetration/local-against-global');
    await drop(page, [['part.obj', text]]);
    expect(await page.page.locator('#file-dialog').isVisible()).toBe(true);
    await page.page.keyboard.press('Escape');
    await drop(page, [['notes.docx', 'x']]);
    expect(await page.page.locator('#file-dialog-text').textContent()).toContain('No scene opens notes.docx');
    expect(page.page.url()).toContain('local-against-global');
  });

  test('two at once go to the two places of a scene', async () => {
    const page = await open('#/', {});
    const texts = await Promise.all(
      ['box', 'tetrahedron'].map(
        async (name): Promise<[string, string]> => [
          `${name}.obj`,
          new TextDecoder().decode(await writeModel(findModel(name).build(), 'obj')),
        ],
      ),
    );
    await drop(page, texts);
    expect(await page.page.locator('[data-offer]').first().getAttribute('data-offer')).toMatch(/^penetration\//);
    await page.after(() => page.page.locator('[data-offer="penetration/depth"]').click());
    await expect.poll(() => page.control('fileB').locator('.file-name').textContent()).toBe('tetrahedron.obj');
    await page.ready();
    expect(await page.figure('Models', 'triangles0')).toBe('12');
    expect(await page.figure('Models', 'triangles1')).toBe('4');
  });
});

async function drop(page: LabPage, files: readonly (readonly [name: string, text: string])[]): Promise<void> {
  await page.page.evaluate((all) => {
    const transfer = new DataTransfer();
    for (const [name, text] of all) transfer.items.add(new File([text], name));
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      const event = new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true });
      document.body.dispatchEvent(event);
      if (kind === 'drop' && !event.defaultPrevented) throw new Error('The browser would leave the page.');
    }
  }, files);
}
