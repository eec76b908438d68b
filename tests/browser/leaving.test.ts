// Whatever a scene is doing, the page is left at once; npm run soak leaves every scene that plays fifty times by each way.
import { expect, test } from 'vitest';
import { type Leave, leaveScene, playingScenes } from './leave-scene.js';
import { useLab } from './use-lab.js';

const open = useLab();

/** Scenes with bodies to pull, with bodies to move, and with nothing but the view to turn; every way, and both moments. */
const SAMPLE: readonly Leave[] = [
  { path: 'dynamics/plane', way: 'gallery', moment: 'after', delay: 180 },
  { path: 'proximity/scenarios', way: 'back', moment: 'during', delay: 0 },
  { path: 'voronoi/floor-plan', way: 'scene', moment: 'during', delay: 120 },
  { path: 'proximity/impact', way: 'key', moment: 'after', delay: 60 },
  { path: 'pivot/plane', way: 'drop', moment: 'during', delay: 190 },
];

test('scenes that play are left at once by link, Back, keys and drop, in the middle of a drag and after it', async () => {
  const page = await open('#/');
  expect(playingScenes()).toEqual(expect.arrayContaining(SAMPLE.map(({ path }) => path)));
  for (const leave of SAMPLE) await leaveScene(page, leave);
});

test('a timer writes over no address but its own', async () => {
  const page = await open('#/meshes/models?model=torus');
  // The event of a navigation may come late on a busy page. This one has none until the test sends it.
  const hashes = await page.page.evaluate(async () => {
    const wait = (ms: number) => new Promise((done) => setTimeout(done, ms));
    const change = (shading: string): void =>
      document.querySelector<HTMLInputElement>(`[data-control="shading"] input[value=${shading}]`)!.click();
    change('wireframe');
    await wait(300);
    const written = location.hash;
    change('smooth');
    history.pushState(null, '', '#/');
    await wait(300);
    const kept = location.hash;
    document.querySelector<HTMLButtonElement>('#copy-link')!.click();
    const copied = location.hash;
    dispatchEvent(new HashChangeEvent('hashchange'));
    return { written, kept, copied, page: document.documentElement.dataset.page };
  });
  expect(hashes.written).toContain('shading=wireframe');
  expect(hashes).toMatchObject({ kept: '#/', copied: '#/', page: 'gallery' });
});

test('an address that is written while Back is under way does not undo it', async () => {
  const page = await open('#/');
  await page.follow('#/meshes/models?model=torus');
  await page.page.evaluate(async () => {
    const gone = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    history.back();
    // Writes the address at once, as the timer may do now.
    document.querySelector<HTMLButtonElement>('#copy-link')!.click();
    await gone;
  });
  expect([page.atGallery, await page.page.locator('#gallery').isVisible()]).toEqual([true, true]);
  await page.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
  expect(page.atGallery).toBe(true);
});

test('an address that names a file of the server keeps it while the file is loaded', async () => {
  const page = await open('#/');
  let give = (): void => {};
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  const body = 'v 0 0 0\nv 3 0 0\nv 0 3 0\nv 0 0 3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n';
  await page.page.route('**/models/part.obj', async (route) => {
    await given;
    await route.fulfill({ body });
  });
  await page.after(async () => {
    const asked = page.page.waitForRequest('**/models/part.obj');
    await page.page.evaluate(() => {
      location.hash = '#/meshes/inspect?open=part.obj';
    });
    await asked;
    await page.page.evaluate(() => new Promise((done) => setTimeout(done, 300)));
    expect(new URL(page.page.url()).hash).toBe('#/meshes/inspect?open=part.obj');
    give();
  });
  expect(await page.figure('Model', 'name')).toBe('part.obj');
  await page.page.unroute('**/models/part.obj');
});

test('two keys for the next scene go on by two, also where the second comes before the page has followed the first', async () => {
  const page = await open('#/');
  const paths = await page.page
    .locator('nav [data-scene]')
    .evaluateAll((links) => links.map((link) => (link as HTMLElement).dataset.scene));
  await page.after(() =>
    page.page.evaluate(() => {
      for (let i = 0; i < 2; i++) dispatchEvent(new KeyboardEvent('keydown', { key: ']', cancelable: true }));
    }),
  );
  expect(new URL(page.page.url()).hash.split('?')[0]).toBe(`#/${paths[1]}`);
});
