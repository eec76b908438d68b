import { type Pose, type Vec3, vec3 } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { findModel, type Mesh } from 'nearfield/mesh';
import { measurePenetration, type PenetrationOptions, type PenetrationTrace } from 'nearfield/penetration';
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { localAgainstGlobal, type PenetrationPair, penetrationBenchmarks } from '../../bench/scenarios/penetration.js';
import { scaleColor } from '../../lab/color-scale.js';
import { type Lab, type LabPage, startLab } from './lab-page.js';

/** As in lab/viewer/palette.ts, written out so that a change there is noticed here. */
const ARROW = '#d6246e';
const ORIGIN = '#10161c';
/** Engines differ in the last bits of sines, and the search may then take another of two pixels as near. */
const DIGITS = 5;
const LEVELS = '[data-group="Levels"] [data-row]';

let lab: Lab;
const pages: LabPage[] = [];

async function open(address: string): Promise<LabPage> {
  const page = await lab.open(address);
  pages.push(page);
  return page;
}

beforeAll(async () => {
  lab = await startLab();
});

afterEach(async () => {
  const complaints = pages.flatMap((page) => page.complaints);
  for (const page of pages.splice(0)) await page.close();
  expect(complaints).toEqual([]);
});

afterAll(() => lab?.close());

describe('penetration depth', () => {
  const four = penetrationBenchmarks.map((benchmark) => ({ name: benchmark.name, benchmark }));

  test.each(four)('$name: the figures are the library’s, and the arrow leads out', async ({ name, benchmark }) => {
    const page = await open(`#/penetration/depth?pair=${name}&resolution=64&seeThrough=yes`);
    const expected = await measure(benchmark, { resolution: 64 });
    const shown = await page.figures('Answer');
    expect(Number(shown.depth)).toBeCloseTo(expected.depth, DIGITS);
    expect(shown).toMatchObject({ status: expected.status, intersects: 'true', levels: `${expected.levels.length}` });
    expect(Number(shown.milliseconds)).toBeGreaterThan(0);
    // Of several ways out as short as each other either may be told; each must be one.
    const vector = point(shown.vector);
    expect(vec3.length(vector)).toBeCloseTo(expected.depth, DIGITS);
    expect(meetsAfter(benchmark, vector)).toBe(false);

    const rows = await rowsOf(page);
    expect(rows.map(([level]) => Number(level))).toEqual(expected.levels.map(({ level }) => level));
    const last = expected.levels.length - 1;
    expect(Number(rows[last][5])).toBeCloseTo(expected.levels[last].estimate, 3);
    // The tori fall into other pieces where a sine differs.
    for (const [level, { sums }] of expected.levels.entries()) {
      expect(Math.abs(Number(rows[level][2]) - sums)).toBeLessThanOrEqual(0.1 * sums);
    }
    expect(await page.figure('The document, 2002', 'documentDepth')).toBe(`${benchmark.document.depth}`);

    const from = point(await figureOf(page, 'Where they touch at last', 'pointA'));
    const to = point(await figureOf(page, 'Where they touch at last', 'pointB'));
    expect(vec3.distance(vec3.add(from, vector), to)).toBeLessThan(1e-6 * (1 + vec3.length(to)));
    expect(await page.colorAt(to)).toBe(ARROW);
    expect(await page.page.locator('#legend').textContent()).toContain('A moved out');
    await page.after(() => page.control('ghost').locator('input').uncheck());
    expect(await page.page.locator('#legend').textContent()).not.toContain('A moved out');
  });

  test('a body in the hand: the depth follows, and is nothing where they are apart', async () => {
    const page = await open('#/penetration/depth?pair=touching-tori&resolution=32');
    const before = Number(await page.figure('Answer', 'depth'));
    // The far rim of A, which nothing hides.
    const taken = await page.project([-1, 0.3, 0]);
    await drag(page, taken, { x: taken.x + 30, y: taken.y });
    const deeper = Number(await page.figure('Answer', 'depth'));
    expect(deeper).toBeGreaterThan(before);
    await drag(page, { x: taken.x + 30, y: taken.y }, { x: taken.x - 130, y: taken.y });
    expect(await page.figures('Answer')).toMatchObject({ depth: '0', status: 'separate', intersects: 'false' });
    expect(await page.page.locator('#legend').textContent()).not.toContain('The way out');
    await page.after(() => page.control('hand').locator('button').click());
    expect(Number(await page.figure('Answer', 'depth'))).toBe(before);
  });

  test('two files dropped together are measured where they stand', async () => {
    const page = await open('#/penetration/depth');
    const boxes = [cube([0, 0, 0]), cube([0.7, 0.1, -0.2])];
    const texts = await Promise.all(boxes.map(async (mesh) => new TextDecoder().decode(await writeModel(mesh, 'obj'))));
    await page.after(() =>
      page.page.evaluate((contents) => {
        const transfer = new DataTransfer();
        contents.forEach((content, i) => void transfer.items.add(new File([content], `box${i}.obj`)));
        document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }, texts),
    );
    await page.page.waitForTimeout(300);
    await page.ready();
    const shown = await page.figures('Answer');
    expect(Number(shown.depth)).toBeCloseTo(0.3, 8);
    expect(shown.status).toBe('exact');
    const [x, y, z] = point(shown.vector);
    expect(x).toBeCloseTo(-0.3, 8);
    expect(Math.hypot(y, z)).toBeLessThan(1e-8);
  });

  test('any two models of the catalogue, and a word on one that is no solid', async () => {
    const page = await open('#/penetration/depth?pair=own&modelA=letter-c&modelB=octahedron&resolution=32');
    const shown = await page.figures('Answer');
    expect(Number(shown.depth)).toBeGreaterThan(0);
    const { positions, indices } = findModel('box').build();
    const buffer = Buffer.from(await writeModel({ positions, indices: indices.slice(6) }, 'obj'));
    await page.after(() =>
      page.control('fileB').locator('input').setInputFiles({ name: 'open.obj', mimeType: 'text/plain', buffer }),
    );
    expect(await page.page.locator('#notice').textContent()).toContain('not closed');
    await page.after(() => page.control('modelB').locator('select').selectOption('box'));
    expect(await page.page.locator('#notice').isVisible()).toBe(false);
    expect(Number(await page.figure('Answer', 'depth'))).toBeGreaterThan(0);
  });
});

describe('Minkowski sums', () => {
  test('the sums and the estimate of each level are the library’s', async () => {
    const page = await open('#/penetration/minkowski-sums?pair=letters&level=0');
    const expected = await measure(benchmarkOf('letters'), { descent: 'levels' });
    expect(await page.figures('Level')).toMatchObject({
      level: '0',
      sums: '1',
      drawn: '1',
      around: '1',
      mostHops: '0',
    });
    expect(Number(await page.figure('Level', 'estimate'))).toBeCloseTo(expected.levels[0].estimate, DIGITS);
    expect(await page.colorAt([0, 0, 0])).toBe(ORIGIN);
    for (const { level, sums, estimate } of expected.levels.slice(1, 4)) {
      await setSlider(page, 'level', level);
      expect(await page.figures('Level')).toMatchObject({ level: `${level}`, sums: `${sums}` });
      expect(Number(await page.figure('Level', 'estimate'))).toBeCloseTo(estimate, DIGITS);
    }
    const last = expected.levels.length - 1;
    await page.after(() => page.page.locator(LEVELS).nth(last).locator('button').click());
    const shown = await page.figures('Level');
    expect(shown.level).toBe(`${last}`);
    expect(Number(shown.around)).toBeGreaterThan(0);
    expect(Number(shown.mostHops)).toBeGreaterThan(0);
  });

  test('facets by class: none is FREE where all nodes are pieces', async () => {
    const page = await open('#/penetration/minkowski-sums?pair=letters&level=1&colors=class');
    expect(Number(await page.figure('Triangles drawn', 'free'))).toBeGreaterThan(0);
    await setSlider(page, 'level', 16);
    expect(await page.figure('Triangles drawn', 'free')).toBe('0');
    expect(Number(await page.figure('Triangles drawn', 'original'))).toBeGreaterThan(0);
    expect(Number(await page.figure('Triangles drawn', 'contained'))).toBeGreaterThan(0);
    expect(await page.page.locator('#legend').textContent()).toContain('CONTAINED');
  });
});

describe('depth images', () => {
  test('are those of the query, level by level, with the nearest pixel marked', async () => {
    const options: PenetrationOptions = { query: 'windows', descent: 'levels', resolution: 32, coarseResolution: 32 };
    const traces: { level: number; distances: Float32Array; resolution: number; estimate: number }[] = [];
    await measure(benchmarkOf('letters'), {
      ...options,
      trace: ({ level, distances, resolution, estimate }: PenetrationTrace) => {
        if (distances !== null) traces.push({ level, distances: distances.slice(), resolution, estimate });
      },
    });
    const page = await open('#/penetration/depth-images?pair=letters&resolution=32');
    const pictures = page.page.locator('[data-figure="views"] canvas');
    expect(traces.length).toBeGreaterThan(2);
    const seen = new Set<string>();
    for (const { level, distances, resolution, estimate } of [traces[1], traces[traces.length - 1]]) {
      await setSlider(page, 'level', level);
      expect(await pictures.count()).toBe(6);
      expect(await page.figures('Level')).toMatchObject({ level: `${level}`, side: `${resolution}` });
      expect(Number(await page.figure('Level', 'estimate'))).toBeCloseTo(estimate, DIGITS);
      const finite = distances.filter(Number.isFinite);
      const least = finite.reduce((least, distance) => Math.min(least, distance), Infinity);
      expect(Number(await page.figure('Level', 'nearest'))).toBeCloseTo(least, DIGITS);
      const mark = page.page.locator('[data-figure="views"] .strip-mark');
      expect(await mark.count()).toBe(1);
      const [column, row] = [await mark.getAttribute('cx'), await mark.getAttribute('cy')].map((at) =>
        Math.floor(Number(at)),
      );
      const at = distances.indexOf(least);
      const view = page.page.locator('[data-figure="views"] figure:has(.strip-mark)');
      expect([Number(await view.getAttribute('data-image')), row * resolution + column]).toEqual([
        Math.floor(at / resolution ** 2),
        at % resolution ** 2,
      ]);
      const marked = view.locator('canvas');
      const color = await marked.evaluate(
        (canvas, [x, y]) => [...((canvas as HTMLCanvasElement).getContext('2d')?.getImageData(x, y, 1, 1).data ?? [])],
        [column, row],
      );
      expect(color).toEqual([...scaleColor(0).map(Math.round), 255]);
      seen.add((await pictures.first().screenshot()).toString('base64'));
    }
    expect(seen.size).toBe(2);
    expect(await page.colorAt([0, 0, 0])).toBe(ORIGIN);
  });
});

describe('local against global', () => {
  test('the local answer fails, the global one separates; an I pulled out needs neither', async () => {
    const page = await open('#/penetration/local-against-global?view=0,10,1.85');
    const local = await page.figures('Local');
    expect(Number(local.localDepth)).toBeCloseTo(0.15, 6);
    expect(local).toMatchObject({ localSeparates: 'false', apartAtLast: 'false' });
    const vector = point(local.localVector);
    expect(vec3.length(vector)).toBeCloseTo(0.15, 5);
    expect(meetsAfter(localAgainstGlobal, vector)).toBe(true);
    const global = await page.figures('Global');
    expect(Number(global.depth)).toBeCloseTo(0.65, 6);
    expect(global.globalSeparates).toBe('true');
    expect(meetsAfter(localAgainstGlobal, point(global.vector))).toBe(false);
    const legend = await page.page.locator('#legend').textContent();
    for (const name of ['Moved by the local answer', 'Moved by the global answer']) expect(legend).toContain(name);

    // The front of the I, between the arms, along the screen.
    const taken = await page.project([0.5, 0, 0.5]);
    const out = await page.project([1.5, 0, 0.5]);
    await drag(page, taken, out);
    expect(await page.figures('Global')).toMatchObject({ depth: '0', intersects: 'false' });
    expect(await page.figures('Local')).toMatchObject({ localDepth: '0', pushes: '0' });
  });
});

function benchmarkOf(name: string): PenetrationPair {
  return penetrationBenchmarks.find((benchmark) => benchmark.name === name) as PenetrationPair;
}

function measure({ meshA, meshB, poseA, poseB }: PenetrationPair, options: PenetrationOptions) {
  return measurePenetration(new ProximityModel(meshA), new ProximityModel(meshB), poseA, poseB, options);
}

function meetsAfter({ meshA, meshB, poseA, poseB }: PenetrationPair, by: Vec3): boolean {
  const [x, y, z, ...turn] = poseA;
  const moved = [x + by[0], y + by[1], z + by[2], ...turn] as Pose;
  return testIntersection(new ProximityModel(meshA), new ProximityModel(meshB), moved, poseB).intersects;
}

function cube(at: Vec3): Mesh {
  const { positions, indices } = findModel('box').build({ width: 1, height: 1, depth: 1 });
  return { positions: positions.map((x, i) => x + at[i % 3]), indices };
}

async function figureOf(page: LabPage, group: string, id: string): Promise<string> {
  return (await page.figure(group, id)) ?? '';
}

function rowsOf(page: LabPage): Promise<string[][]> {
  return page.page
    .locator(LEVELS)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('data')].map((cell) => cell.getAttribute('value') ?? '')),
    );
}

function point(text: string): Vec3 {
  return text.split(' ').map(Number) as Vec3;
}

async function drag(page: LabPage, from: { x: number; y: number }, to: { x: number; y: number }): Promise<void> {
  await page.page.mouse.move(from.x, from.y);
  await page.page.mouse.down();
  await page.after(async () => {
    await page.page.mouse.move((from.x + to.x) / 2, (from.y + to.y) / 2);
    await page.page.mouse.move(to.x, to.y);
    await page.page.mouse.up();
  });
  // The last of several moves may be drawn after an earlier one.
  await page.page.waitForTimeout(300);
  await page.ready();
}

async function setSlider(page: LabPage, name: string, value: number): Promise<void> {
  const number = page.control(name).locator('input[type=number]');
  await page.after(async () => {
    await number.fill(`${value}`);
    await number.press('Enter');
  });
}
