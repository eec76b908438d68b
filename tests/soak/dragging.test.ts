// A body is dragged through the others for a minute in every scene with a hand, on a slowed page: it goes on drawing.
import { createRandom } from 'nearfield/core';
import { expect, test } from 'vitest';
import type { LabPage } from '../browser/lab-page.js';
import { findGrip, playingScenes, SLOWED, slowDown } from '../browser/leave-scene.js';
import { useLab } from '../browser/use-lab.js';

const SECONDS = Number(process.env.NEARFIELD_DRAG_SECONDS ?? 60);
/** Scenes in which nothing is taken hold of: a drag turns the view. */
const WITHOUT_HAND = [
  ...['culling/environments', 'ice/growth', 'ice/on-model', 'penetration/certificate', 'penetration/untangling'],
  ...['planning/roadmap', 'planning/squeeze', 'proximity/impact'],
];
/** Scenes with bodies to move that do not play. */
const STILL = ['penetration/depth', 'penetration/local-against-global'];
/** Values at which there is something to take hold of, where the first ones have nothing. */
const VALUES: Readonly<Record<string, string>> = { 'planning/agents': 'sample=cell&' };
/** Against hangs: no step of these scenes takes this long, on any machine that the lab runs on. */
const HANG_MS = 60_000;

const open = useLab();

test.for([...playingScenes().filter((path) => !WITHOUT_HAND.includes(path)), ...STILL])(
  '%s goes on while a body is dragged through the others',
  async (path) => {
    const page = await open('#/');
    await page.follow(`#/${path}?${VALUES[path] ?? ''}play=no`);
    const grip = await findGrip(page, 24);
    expect([path, grip === null]).toEqual([path, false]);
    const { x, y, width, height } = (await page.page.locator('#stage canvas').boundingBox())!;
    await slowDown(page, SLOWED);
    await watchFigures(page);
    await page.page.mouse.move(grip!.x, grip!.y);
    await page.page.mouse.down();
    await page.page.mouse.move(grip!.x + 4, grip!.y + 4);
    await page.page.evaluate(() => document.querySelector<HTMLElement>('[data-control="play"] button')?.click());
    const random = createRandom(33);
    for (const end = Date.now() + 1000 * SECONDS; Date.now() < end; ) {
      const to = { x: x + width * random.range(0.1, 0.9), y: y + height * random.range(0.1, 0.9) };
      await page.page.mouse.move(to.x, to.y, { steps: 12 });
    }
    await page.page.mouse.up();
    const { draws, longest } = await page.page.evaluate(() => {
      const { watched } = window as unknown as { watched: Watched };
      return { ...watched, longest: Math.max(watched.longest, performance.now() - watched.last) };
    });
    console.log(`${path}: ${draws} draws in ${SECONDS} s, the longest wait ${Math.round(longest)} ms`);
    expect(draws).toBeGreaterThan(1);
    expect(longest).toBeLessThan(HANG_MS);
    await slowDown(page, 1);
    await page.leave();
    expect(page.atGallery).toBe(true);
  },
);

interface Watched {
  draws: number;
  /** Between two draws, in milliseconds. */
  longest: number;
  /** When the last one was seen. */
  last: number;
}

/** Counts the draws of the page from now on by the changes of its figures, and the longest time between two. */
function watchFigures(page: LabPage): Promise<void> {
  return page.page.evaluate(() => {
    const watched: Watched = { draws: 0, longest: 0, last: performance.now() };
    new MutationObserver(() => {
      const now = performance.now();
      watched.draws++;
      watched.longest = Math.max(watched.longest, now - watched.last);
      watched.last = now;
    }).observe(document.querySelector('#figures')!, { childList: true, characterData: true, subtree: true });
    (window as unknown as { watched: Watched }).watched = watched;
  });
}
