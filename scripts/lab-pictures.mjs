// Takes the pictures of the lab: two of each scene for the gallery, light and dark, beside the scene's file.
// usage: npm run build && node scripts/lab-pictures.mjs [URL of a running lab [scene…]]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
/** Some scenes simulate for minutes first. */
const PATIENCE_MS = 600_000;

const server = process.argv[2] === undefined ? await startServer() : null;
const url = process.argv[2] ?? server.url;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader'] });
try {
  const wanted = process.argv.slice(3);
  for (const { path, query } of await scenes()) {
    if (wanted.length > 0 && !wanted.includes(path)) continue;
    for (const [theme, ending] of [
      ['light', 'webp'],
      ['dark', 'dark.webp'],
    ]) {
      const bytes = await takePicture(`#/${path}?${query}`, theme);
      writeFileSync(join(root, 'lab/scenes', `${path}.${ending}`), bytes);
      console.log(`lab/scenes/${path}.${ending} ${bytes.length} bytes`);
    }
  }
} finally {
  await browser.close();
  server?.process.kill();
}

async function openPage(address, viewport, deviceScaleFactor, colorScheme = 'light') {
  const context = await browser.newContext({ viewport, deviceScaleFactor, colorScheme, reducedMotion: 'reduce' });
  const page = await context.newPage();
  await page.goto(`${url}${address}`);
  await page.waitForSelector('html[data-state="ready"]', { state: 'attached', timeout: PATIENCE_MS });
  return page;
}

async function scenes() {
  const page = await openPage('#/', { width: 1280, height: 800 }, 1);
  return page
    .locator('nav [data-scene]')
    .evaluateAll((links) => links.map(({ dataset }) => ({ path: dataset.scene, query: dataset.picture ?? '' })));
}

/** Only the view, without its background, in the colors of a theme. */
async function takePicture(address, theme) {
  const page = await openPage(address, { width: 1280, height: 800 }, 1, theme);
  await page.evaluate(() => {
    const stage = document.getElementById('stage');
    document.body.style.visibility = 'hidden';
    stage.querySelector('canvas').style.visibility = 'visible';
    for (let box = stage; box !== null; box = box.parentElement) box.style.background = 'transparent';
    Object.assign(stage.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      width: '640px',
      height: '400px',
      zIndex: 99,
    });
  });
  await page.waitForTimeout(500);
  const png = await page.screenshot({ clip: { x: 0, y: 0, width: 640, height: 400 }, omitBackground: true });
  const data = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', 0.86);
    },
    `data:image/png;base64,${png.toString('base64')}`,
  );
  await page.context().close();
  return Buffer.from(data.split(',')[1], 'base64');
}

function startServer() {
  const command = [join(root, 'dist/cli/main.js'), 'lab', '--json', '--no-open', '--port', '0'];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The lab did not start; run npm run build first.')));
    child.stdout.once('data', (text) => resolve({ process: child, url: JSON.parse(String(text)).url }));
  });
}
