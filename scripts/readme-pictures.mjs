// Takes the README's pictures from the lab: two tori pulled through each other with the way out following, as an animation,
// and one picture each of a clash list, a field and a depth.
// usage: npm run build && node scripts/readme-pictures.mjs [URL of a running lab]
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('..', import.meta.url));
const SIZE = { width: 720, height: 450 };
const PATIENCE_MS = 600_000;
const FRAMES = 36;
const FRAME_MS = 90;
/** Of the frames of the animation, which must stay small. */
const FRAME_QUALITY = 0.7;
const STILLS = {
  clash: '#/proximity/clash?view=25,14,1.42,0,-0.03,0',
  field: '#/fields/explorer?method=exact&probe=0.5,0.05,0.05&view=45,14,1.5',
  depth: '#/penetration/depth?pair=letters&seeThrough=yes&view=15,18,1.3',
};

const server = process.argv[2] === undefined ? await startServer() : null;
const url = process.argv[2] ?? server.url;
const executablePath = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader'] });
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, colorScheme: 'light' });
  const page = await context.newPage();
  for (const [name, address] of Object.entries(STILLS)) save(`${name}.webp`, await takePicture(page, address));
  const frames = [];
  for (let i = 0; i < FRAMES; i++) frames.push(await takePicture(page, dragged(i / FRAMES), FRAME_QUALITY));
  save('depth-under-drag.webp', animate(frames));
} finally {
  await browser.close();
  server?.process.kill();
}

/** The tori's scene with B moved along an ellipse through A, as a hand would. */
function dragged(turn) {
  const angle = 2 * Math.PI * turn;
  const move = [0.24 * Math.cos(angle) - 0.06, 0.1 * Math.sin(angle), 0.16 * Math.sin(angle)].map((x) => x.toFixed(4));
  return `#/penetration/depth?seeThrough=yes&hand=0,0,0,0,0,0,${move.join(',')},0,0,0&view=25,35,1.5`;
}

async function takePicture(page, address, quality = 0.85) {
  await page.goto(`${url}${address}`);
  await page.waitForSelector('html[data-state="ready"]', { state: 'attached', timeout: PATIENCE_MS });
  await page.evaluate(({ width, height }) => {
    const stage = document.getElementById('stage');
    Object.assign(stage.style, {
      position: 'fixed',
      inset: '0 auto auto 0',
      width: `${width}px`,
      height: `${height}px`,
      zIndex: 99,
    });
    for (const part of stage.querySelectorAll('.stage-tools, .progress, .drop-hint')) part.style.display = 'none';
  }, SIZE);
  await page.waitForTimeout(400);
  const png = await page.screenshot({ clip: { x: 0, y: 0, ...SIZE } });
  const data = await page.evaluate(
    async ([source, share]) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
      canvas.getContext('2d').drawImage(image, 0, 0);
      return canvas.toDataURL('image/webp', share);
    },
    [`data:image/png;base64,${png.toString('base64')}`, quality],
  );
  return Buffer.from(data.split(',')[1], 'base64');
}

function save(name, bytes) {
  writeFileSync(join(root, 'docs/images', name), bytes);
  console.log(`docs/images/${name} ${bytes.length} bytes`);
}

/** One animated WebP from still ones: their image chunks in ANMF chunks, by the container format of WebP. */
function animate(stills) {
  const [width, height] = [SIZE.width - 1, SIZE.height - 1];
  const header = Buffer.alloc(10);
  header.writeUInt8(0x02, 0); // animation, no alpha
  header.writeUIntLE(width, 4, 3);
  header.writeUIntLE(height, 7, 3);
  const animation = Buffer.from([255, 255, 255, 255, 0, 0]); // white, for ever
  const frames = stills.map((still) => {
    const place = Buffer.alloc(16);
    place.writeUIntLE(width, 6, 3);
    place.writeUIntLE(height, 9, 3);
    place.writeUIntLE(FRAME_MS, 12, 3);
    place.writeUInt8(0x02, 15); // do not blend with the frame before
    return chunk('ANMF', Buffer.concat([place, imageChunk(still)]));
  });
  const body = Buffer.concat([Buffer.from('WEBP'), chunk('VP8X', header), chunk('ANIM', animation), ...frames]);
  return chunk('RIFF', body);
}

function imageChunk(still) {
  for (let at = 12; at < still.length; ) {
    const size = still.readUInt32LE(at + 4);
    const end = at + 8 + size + (size & 1);
    if (/^VP8[ L]/.test(still.toString('latin1', at, at + 4))) return still.subarray(at, end);
    at = end;
  }
  throw new Error('The browser gave a picture without an image chunk.');
}

function chunk(name, data) {
  const head = Buffer.alloc(8);
  head.write(name, 0, 'latin1');
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length & 1)]);
}

function startServer() {
  const command = [join(root, 'dist/cli/main.js'), 'lab', '--json', '--no-open', '--port', '0'];
  const child = spawn(process.execPath, command, { stdio: ['ignore', 'pipe', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.once('exit', () => reject(new Error('The lab did not start; run npm run build first.')));
    child.stdout.once('data', (text) => resolve({ process: child, url: JSON.parse(String(text)).url }));
  });
}
