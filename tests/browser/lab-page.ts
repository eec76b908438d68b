// The lab as people meet it: the page built from the sources, the real server, a real Chromium.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { inject } from 'vitest';
import { type LabServer, startLabServer } from '../../src/cli/lab-server.js';
import { decodePng } from './decode-png.js';

/** How long the page may take for anything: against hangs only. */
const PATIENCE_MS = 600_000;

/** The page puts off nothing for longer: neither a draw nor the address. */
const LONGEST_DELAY_MS = 300;

/** Software rendering, so that the pixels are the same on every machine, and no traffic but our own. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan',
  '--use-vulkan=swiftshader',
  '--use-angle=swiftshader',
];

export interface Lab {
  readonly server: LabServer;
  readonly browser: Browser;
  /** A page of its own context; what it complains of is collected in `complaints`. */
  open(address: string, options?: BrowserContextOptions): Promise<LabPage>;
  close(): Promise<void>;
}

/** Of this worker, whose files run one after another; the browser ends with the worker's process. */
let shared: Promise<Lab> | undefined;

/** The lab that the files of tests share. */
export function shareLab(): Promise<Lab> {
  shared ??= startLab();
  return shared;
}

export async function startLab(flags: readonly string[] = []): Promise<Lab> {
  const folder = await buildLab();
  const server = await startLabServer({ folder, port: 0 });
  const browser = await launchBrowser(flags);
  return {
    server,
    browser,
    open: async (address, options) => {
      const lab = await LabPage.create(browser, server.url, options);
      await lab.goto(address);
      return lab;
    },
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

/** The folder of the lab's page, for a server of its own: the one that npm test has built, or built now from the sources. */
export async function buildLab(): Promise<string> {
  return process.env.NEARFIELD_LAB ?? (await buildPage(inject('labFolder')));
}

/** The folder of the page, built from the sources by the first who asks in this run of the tests; the others wait. */
async function buildPage(shared: string): Promise<string> {
  const [folder, marker] = [join(shared, 'page'), join(shared, 'building')];
  for (const until = Date.now() + PATIENCE_MS; !existsSync(folder); await sleep(100)) {
    if (Date.now() > until) throw new Error('The lab has not been built in ten minutes.');
    try {
      mkdirSync(marker);
    } catch {
      continue;
    }
    const outDir = mkdtempSync(join(shared, 'unfinished-'));
    const configFile = fileURLToPath(new URL('../../lab/vite.config.ts', import.meta.url));
    try {
      await build({ configFile, logLevel: 'error', build: { outDir, emptyOutDir: true } });
      renameSync(outDir, folder);
    } finally {
      rmSync(marker, { recursive: true });
    }
  }
  return folder;
}

/** Chromium with software rendering. */
export function launchBrowser(flags: readonly string[]): Promise<Browser> {
  const places = [
    process.env.CHROMIUM_PATH,
    '/usr/bin/chromium',
    '/usr/bin/chromium-browser',
    '/usr/bin/google-chrome',
    '/usr/bin/google-chrome-stable',
    '/opt/google/chrome/chrome',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  ];
  const executablePath = places.find((place) => place !== undefined && place !== '' && existsSync(place));
  if (executablePath === undefined) {
    throw new Error(
      'The browser tests need Chromium or Chrome and found none: install it (on Debian: apt install chromium) or set CHROMIUM_PATH to its executable.',
    );
  }
  return chromium.launch({ executablePath, args: [...FLAGS, ...flags], timeout: PATIENCE_MS });
}

/** A page of its own context, which a busy machine may keep waiting: by itself Playwright gives up after 30 seconds. */
export async function newPage(browser: Browser, options: BrowserContextOptions = {}): Promise<Page> {
  const page = await browser.newPage(options);
  page.setDefaultTimeout(PATIENCE_MS);
  page.setDefaultNavigationTimeout(PATIENCE_MS);
  return page;
}

export class LabPage {
  readonly complaints: string[] = [];

  private constructor(
    readonly page: Page,
    readonly url: string,
  ) {
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning')
        this.complaints.push(`console: ${message.text()}`);
    });
    page.on('pageerror', (error) => this.complaints.push(`error: ${error.message}`));
    page.on('requestfailed', (request) => {
      // A worker that was ended takes its requests with it.
      if (request.failure()?.errorText !== 'net::ERR_ABORTED') this.complaints.push(`failed: ${request.url()}`);
    });
    page.on('response', (response) => {
      if (response.status() >= 400) this.complaints.push(`${response.status()}: ${response.url()}`);
    });
    page.on('request', (request) => {
      if (!/^(blob:)?http:\/\/127\.0\.0\.1:|^data:/.test(request.url()))
        this.complaints.push(`foreign: ${request.url()}`);
    });
  }

  static async create(browser: Browser, url: string, options: BrowserContextOptions = {}): Promise<LabPage> {
    // Motions that begin by themselves would change what a test reads.
    const still = { reducedMotion: 'reduce' } as const;
    return new LabPage(await newPage(browser, { viewport: { width: 1280, height: 800 }, ...still, ...options }), url);
  }

  /** Opens an address such as `#/meshes/models` and waits until it is drawn. */
  async goto(address: string): Promise<void> {
    await this.page.goto(`${this.url}${address}`);
    await this.ready();
  }

  /** Waits until all is drawn. On a machine that was found to be slow the page asks before work that takes long: yes. */
  async ready(): Promise<void> {
    for (;;) {
      const drawn = 'html[data-state="ready"], html[data-state="asking"]';
      const page = await this.page.waitForSelector(drawn, { state: 'attached' });
      if ((await page.getAttribute('data-state')) !== 'asking') return;
      await this.page.locator('#long-work .primary').click();
    }
  }

  /** Does something that makes the page draw anew, and waits for that. */
  async after(action: () => Promise<unknown>): Promise<void> {
    await this.page.evaluate(() => {
      document.documentElement.dataset.state = 'waiting';
    });
    await action();
    await this.ready();
  }

  control(name: string) {
    return this.page.locator(`[data-control="${name}"]`);
  }

  /** Types a number beside a slider. */
  async setSlider(name: string, value: number): Promise<void> {
    const number = this.control(name).locator('input[type=number]');
    await this.after(async () => {
      await number.fill(`${value}`);
      await number.press('Enter');
    });
  }

  /** Drags from one place of the page to another, by way of the middle. */
  async drag(from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
    await this.page.mouse.move(from.x, from.y);
    await this.page.mouse.down();
    await this.after(async () => {
      await this.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
      await this.page.mouse.move(to.x, to.y);
      await this.page.mouse.up();
    });
    // The last of several moves may be drawn after an earlier one, and the address follows later. Moves come with the
    // page's display frames; its timers go off in order, so this one comes after those that the moves have set.
    await this.page.evaluate(
      (ms) => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, ms)))),
      LONGEST_DELAY_MS,
    );
    await this.ready();
  }

  /**
   * Goes to another address of the scene and cancels the work there as soon as the progress is seen at the stage given.
   * The page does it by itself: while it draws it may not answer us until the work is done.
   */
  async cancelWork(address: string, stage = /./): Promise<void> {
    await this.after(() =>
      this.page.evaluate(
        ([hash, source]) => {
          const strip = document.querySelector<HTMLElement>('#progress')!;
          const text = document.querySelector('#progress-stage')!;
          new MutationObserver((_, observer) => {
            if (strip.hidden || !new RegExp(source).test(text.textContent ?? '')) return;
            observer.disconnect();
            document.querySelector<HTMLButtonElement>('#cancel')!.click();
          }).observe(strip, { attributes: true, childList: true, characterData: true, subtree: true });
          location.hash = hash;
        },
        [address, stage.source],
      ),
    );
  }

  /** The unrounded value of a figure, as text. */
  figure(group: string, id: string): Promise<string | null> {
    return this.page.locator(`[data-group="${group}"] [data-figure="${id}"] data`).getAttribute('value');
  }

  /** All figures of a group by id, unrounded. */
  figures(group: string): Promise<Record<string, string>> {
    return this.page
      .locator(`[data-group="${group}"] [data-figure]`)
      .evaluateAll((rows) =>
        Object.fromEntries(
          rows.map((row) => [(row as HTMLElement).dataset.figure, row.querySelector('data')?.getAttribute('value')]),
        ),
      );
  }

  /** Where a point of the world is on the page. */
  async project(point: readonly [number, number, number]): Promise<{ x: number; y: number }> {
    const place = await this.page.evaluate((p) => window.nearfieldLab.project(p as [number, number, number]), point);
    if (place === null) throw new Error(`The point ${point} is not in the view.`);
    return place;
  }

  /** What is on the screen now, all in one picture: the color at a place of the page, in CSS pixels, as #rrggbb. */
  async picture(): Promise<(x: number, y: number) => string> {
    const { width, pixels } = decodePng(await this.page.screenshot({ scale: 'css' }));
    return (x, y) => {
      const at = 4 * (Math.floor(y) * width + Math.floor(x));
      return `#${Buffer.from(pixels.subarray(at, at + 3)).toString('hex')}`;
    };
  }

  /** The color on the screen at a point of the world, as #rrggbb. */
  async colorAt(point: readonly [number, number, number]): Promise<string> {
    const { x, y } = await this.project(point);
    return this.colorOfPixel(x, y);
  }

  async colorOfPixel(x: number, y: number): Promise<string> {
    return (await this.colorsOfRow(x, y, 1))[0];
  }

  /** The colors of pixels side by side, as #rrggbb. */
  async colorsOfRow(x: number, y: number, width: number): Promise<string[]> {
    const clip = { x: Math.floor(x), y: Math.floor(y), width: Math.max(1, Math.floor(width)), height: 1 };
    const { pixels } = decodePng(await this.page.screenshot({ clip, scale: 'css' }));
    return Array.from(
      { length: clip.width },
      (_, i) => `#${Buffer.from(pixels.subarray(4 * i, 4 * i + 3)).toString('hex')}`,
    );
  }

  /** Whether it shows the gallery, with no scene open. */
  get atGallery(): boolean {
    return /^(#\/?)?$/.test(new URL(this.page.url()).hash);
  }

  /** Goes to a scene as a link in the page does: without loading the page anew. */
  async follow(address: string): Promise<void> {
    await this.after(() =>
      this.page.evaluate((hash) => {
        location.hash = hash;
      }, address),
    );
  }

  /** Closes the scene, and what the next test would see of this one: the gallery is open, the pointer out of the way. */
  async leave(): Promise<void> {
    if (!this.atGallery) await this.follow('#/');
    await this.page.mouse.move(0, 0);
    await this.page.evaluate(() => {
      (document.activeElement as HTMLElement | null)?.blur();
      scrollTo(0, 0);
    });
  }

  async close(): Promise<void> {
    await this.page.context().close();
  }
}

declare module 'vitest' {
  interface ProvidedContext {
    /** For the page that the browser tests share. */
    labFolder: string;
  }
}

declare global {
  interface Window {
    nearfieldLab: { project(point: [number, number, number]): { x: number; y: number } | null };
  }
}
