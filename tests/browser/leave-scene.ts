// Leaving a scene while it plays and the pointer drags in it, on a page whose processor is slowed.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import type { LabPage } from './lab-page.js';

/**
 * How a scene is left: by the link to the gallery, by one to another scene, by Back, by the key for the next scene, by a
 * file that another scene opens.
 */
export const WAYS = ['gallery', 'scene', 'back', 'key', 'drop'] as const;
export type Way = (typeof WAYS)[number];

/** In the middle of a drag, or when the pointer has just let go. */
export const MOMENTS = ['during', 'after'] as const;
export type Moment = (typeof MOMENTS)[number];

/** As Chromium's developer tools slow the page down to look like a cheap phone. */
export const SLOWED = 6;

/** The page puts off neither a draw nor the address for longer. */
const LONGEST_DELAY_MS = 300;

/** Scenes that are soon drawn; the second one where the first is to be left. */
const TARGETS = ['proximity/impact', 'dynamics/plane'];

/** The one scene that opens drawings; it does not play. */
const DRAWING_SCENE = 'voronoi/painter';

/** Every scene that plays a motion, from the sources. */
export function playingScenes(): string[] {
  const folder = fileURLToPath(new URL('../../lab/scenes/', import.meta.url));
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && /^ {2}motion: /m.test(readFileSync(`${folder}${file}`, 'utf8')))
    .map((file) => file.replaceAll('\\', '/').replace('.ts', ''))
    .sort();
}

/** Slows the page's processor; 1 is its own pace. */
export async function slowDown(page: LabPage, rate: number): Promise<void> {
  const session = await page.page.context().newCDPSession(page.page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
  await session.detach();
}

/**
 * Where the pointer can take hold of something, near the middle of the view; null where a drag turns the view.
 * @param columns of the grid of places that are looked at; small bodies need many.
 */
export function findGrip(page: LabPage, columns = 7): Promise<{ x: number; y: number } | null> {
  return page.page.evaluate(async (across) => {
    const canvas = document.querySelector<HTMLCanvasElement>('#stage canvas')!;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    const down = Math.round(0.7 * across);
    const shares = Array.from({ length: across * down }, (_, i) => [
      ((i % across) + 1) / (across + 1),
      (Math.floor(i / across) + 1) / (down + 1),
    ]);
    shares.sort(([a, b], [c, d]) => Math.hypot(a - 0.5, b - 0.5) - Math.hypot(c - 0.5, d - 0.5));
    for (const [right, below] of shares) {
      const [x, y] = [left + right * width, top + below * height];
      canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, pointerType: 'mouse' }));
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      if (canvas.style.cursor === 'grab') return { x, y };
    }
    return null;
  }, columns);
}

/** Drops a drawing on the page and chooses the scene that opens it. */
async function dropDrawing({ page }: LabPage): Promise<void> {
  await page.evaluate((scene) => {
    const transfer = new DataTransfer();
    const drawing = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h4v3z"/></svg>';
    transfer.items.add(new File([drawing], 'drawing.svg'));
    for (const kind of ['dragenter', 'dragover', 'drop']) {
      document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }
    document.querySelector<HTMLElement>(`[data-offer="${scene}"]`)!.click();
  }, DRAWING_SCENE);
}

export interface Leave {
  readonly path: string;
  readonly way: Way;
  readonly moment: Moment;
  /** How long after the last move the scene is left, in milliseconds of the page. */
  readonly delay: number;
}

interface Left {
  readonly page: string | undefined;
  readonly path: string;
  readonly title: string | null;
}

/** Opens a scene from the gallery, drags in it while it plays, and leaves it: at once, for where the person wanted to go. */
export async function leaveScene(lab: LabPage, { path, way, moment, delay }: Leave): Promise<void> {
  const { page } = lab;
  await lab.leave();
  await lab.follow(`#/${path}?play=no`);
  const box = (await page.locator('#stage canvas').boundingBox())!;
  const { x, y } = (await findGrip(lab)) ?? { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  const brand = (await page.locator('a.brand').boundingBox())!;
  const targets = await page
    .locator('nav [data-scene]')
    .evaluateAll((links) => links.map((link) => [(link as HTMLElement).dataset.scene ?? '', link.textContent ?? '']));
  const target = TARGETS.find((other) => other !== path)!;
  const next = targets[(targets.findIndex(([scene]) => scene === path) + 1) % targets.length][0];
  const wanted = { scene: target, key: next, drop: DRAWING_SCENE, gallery: '', back: '' }[way];

  await slowDown(lab, SLOWED);
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x + 30, y - 20, { steps: 2 });
  await lab
    .control('play')
    .locator('button')
    .evaluate((button) => (button as HTMLElement).click());
  await page.waitForSelector('html[data-state="playing"]', { state: 'attached' });
  await page.mouse.move(x + 60, y - 40, { steps: 2 });
  if (moment === 'after') await page.mouse.up();

  // Comes after the page's own listener: what is shown then is what the person sees next.
  await page.evaluate(() => {
    const holder = window as unknown as { left: Promise<Left> };
    holder.left = new Promise((resolve) => {
      const look = (): void => {
        const shown = document.documentElement.dataset.page;
        const title = shown === 'scene' ? document.querySelector('#scene-title')!.textContent : null;
        resolve({ page: shown, path: location.hash.replace(/^#?\/?/, '').split('?')[0], title });
      };
      addEventListener('hashchange', look, { once: true });
    });
  });
  await page.evaluate((ms) => new Promise((done) => setTimeout(done, ms)), delay);
  if (way === 'back') await page.evaluate(() => history.back());
  else if (way === 'key') await page.keyboard.press(']');
  else if (way === 'drop') await dropDrawing(lab);
  else if (way === 'gallery' && moment === 'after') await page.mouse.click(brand.x + 20, brand.y + brand.height / 2);
  else {
    const link = way === 'gallery' ? 'a.brand' : `nav [data-scene="${target}"]`;
    await page.locator(link).evaluate((anchor) => (anchor as HTMLElement).click());
  }

  const expected: Left = {
    page: wanted === '' ? 'gallery' : 'scene',
    path: wanted,
    title: wanted === '' ? null : targets.find(([scene]) => scene === wanted)![1],
  };
  const said = { path, way, moment, delay };
  const left = await page.evaluate(() => (window as unknown as { left: Promise<Left> }).left);
  expect({ ...said, left }).toEqual({ ...said, left: expected });
  // The drag that goes on belongs to the scene that is gone.
  if (moment === 'during') {
    await page.mouse.move(x + 20, y + 20, { steps: 2 });
    await page.mouse.up();
  }
  await page.evaluate(
    (ms) => new Promise((done) => requestAnimationFrame(() => setTimeout(done, ms))),
    LONGEST_DELAY_MS,
  );
  const stays = await page.evaluate(() => location.hash.replace(/^#?\/?/, '').split('?')[0]);
  expect({ ...said, stays }).toEqual({ ...said, stays: wanted });
  await slowDown(lab, 1);
  if (way !== 'key') await lab.ready();
}
