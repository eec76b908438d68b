import { readFileSync } from 'node:fs';
import { readPng, readSvg } from 'nearfield/io';
import {
  computeVoronoiGraph,
  computeVoronoiSync,
  findGraphPath,
  type PlaneSite,
  sitesFromSvg,
} from 'nearfield/voronoi';
import { describe, expect, test } from 'vitest';
import { regionColor } from '../../lab/region-colors.js';
import { FLOOR_HEIGHT, FLOOR_WIDTH, FURNITURE, furnitureSite, wallSites } from '../../lab/samples/floor-plan.js';
import { firstSketch } from '../../lab/samples/sheet.js';
import { type PlanePoint, readSketch, sketchOf, writeSketch } from '../../lab/sketch.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();
const BOX = [0, 0, 1.6, 1] as const;

/** The sites that the page saves. */
async function savedSites(page: LabPage): Promise<PlaneSite[]> {
  const saved = await saveFrom(page, 'json');
  return JSON.parse(saved.toString()).sites;
}

async function saveFrom(page: LabPage, button: string): Promise<Buffer> {
  const [download] = await Promise.all([
    page.page.waitForEvent('download'),
    page.control(button).locator('button').click(),
  ]);
  return readFileSync(await download.path());
}

async function choose(page: LabPage, tool: string): Promise<void> {
  await page.after(() => page.control('tool').locator(`input[value=${tool}]`).check({ force: true }));
}

async function drag(page: LabPage, [x0, y0]: PlanePoint, [x1, y1]: PlanePoint): Promise<void> {
  await page.drag(await page.project([x0, y0, 0]), await page.project([x1, y1, 0]));
}

async function click(page: LabPage, [x, y]: PlanePoint): Promise<void> {
  const place = await page.project([x, y, 0]);
  await page.after(() => page.page.mouse.click(place.x, place.y));
}

/** Coordinates to about a pixel. */
function near(expected: readonly number[]): unknown {
  return expected.map((value) => expect.closeTo(value, 1));
}

describe('the painter', () => {
  test('shows the library’s diagram: counts, distances and the color of the nearest site', async () => {
    const page = await open('#/voronoi/painter?contours=no');
    const sites = firstSketch.shapes.map(({ site }) => site);
    const image = computeVoronoiSync(sites, { box: BOX, resolution: 640 });
    expect(await page.figures('Image')).toMatchObject({ size: `${image.width} × ${image.height}` });
    expect(await page.figures('Sites')).toMatchObject({
      sites: `${sites.length}`,
      elements: `${image.counters.elements}`,
      hidden: '0',
    });
    expect(Number(await page.figure('Image', 'farthest'))).toBeCloseTo(
      image.distances.reduce((most, distance) => Math.max(most, distance), 0),
      6,
    );
    const graph = computeVoronoiGraph(sites, { box: BOX, between: 'sites' });
    const shownGraph = await page.figures('Graph');
    expect(shownGraph).toMatchObject({ vertices: `${graph.vertices.length}`, edges: `${graph.edges.length}` });
    const total = graph.edges.reduce((sum, { length }) => sum + length, 0);
    expect(Number(shownGraph.length)).toBeCloseTo(total, 9);
    const { point } = graph.edges[0].narrowest;
    expect(await page.colorAt([point[0], point[1], 0])).toBe('#c2185b');
    // Shading changes the lightness only, so the channels keep their order.
    for (const [x, y] of [
      [0.06, 0.94],
      [0.7, 0.9],
      [1.55, 0.05],
      [0.9, 0.08],
    ]) {
      const id = image.ids[Math.floor((y / 1) * image.height) * image.width + Math.floor((x / 1.6) * image.width)];
      const wanted = regionColor(id);
      const color = await page.colorAt([x, y, 0]);
      const shown = [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16));
      const ratio = shown.map((value, k) => value / wanted[k]);
      expect(Math.max(...ratio) - Math.min(...ratio), `${color} at ${x}, ${y}`).toBeLessThan(0.06);
    }
  });

  test('on the GPU the diagram is the same but for single precision, and follows a site', async () => {
    const page = await open('#/voronoi/painter?resolution=128&gpu=yes');
    const sites = firstSketch.shapes.map(({ site }) => site);
    const image = computeVoronoiSync(sites, { box: BOX, resolution: 128 });
    const shown = await page.figures('Image');
    expect(shown).toMatchObject({ backend: 'GPU', size: `${image.width} × ${image.height}` });
    const farthest = image.distances.reduce((most, distance) => Math.max(most, distance), 0);
    // Both replace curves by the same lines, the larger part of the error.
    const rounding = Number(shown.error) - image.error;
    expect(rounding).toBeGreaterThan(0);
    expect(rounding).toBeLessThan(2e-5);
    expect(Math.abs(Number(shown.farthest) - farthest)).toBeLessThanOrEqual(rounding);
    expect(Number(shown.frame)).toBeGreaterThanOrEqual(Number(shown.milliseconds));
    // In the buffers of the first frame.
    await choose(page, 'point');
    await click(page, [0.06, 0.94]);
    expect(await page.figure('Sites', 'sites')).toBe(`${sites.length + 1}`);
    expect(await page.figure('Sites', 'hidden')).toBe('0');
    await page.after(() => page.control('gpu').locator('input').uncheck());
    expect(await page.figures('Image')).toMatchObject({ backend: 'CPU' });
  });

  test('draws every kind of site, moves them and deletes them', async () => {
    const page = await open('#/voronoi/painter?sketch=&resolution=128');
    expect(await page.figure('Sites', 'sites')).toBe('0');
    await choose(page, 'point');
    await click(page, [0.2, 0.2]);
    await choose(page, 'line');
    await drag(page, [0.4, 0.2], [0.7, 0.4]);
    await choose(page, 'circle');
    await drag(page, [1.1, 0.5], [1.3, 0.5]);
    await choose(page, 'curve');
    await drag(page, [0.2, 0.7], [0.7, 0.7]);
    await choose(page, 'freehand');
    await drag(page, [0.9, 0.9], [1.5, 0.8]);
    await choose(page, 'polygon');
    await click(page, [0.9, 0.1]);
    await click(page, [1.4, 0.1]);
    await click(page, [1.4, 0.25]);
    await click(page, [0.9, 0.1]);
    expect(await savedSites(page)).toEqual([
      { type: 'point', at: near([0.2, 0.2]) },
      { type: 'segment', a: near([0.4, 0.2]), b: near([0.7, 0.4]) },
      { type: 'circle', center: near([1.1, 0.5]), radius: expect.closeTo(0.2, 1) },
      { type: 'bezier', points: [near([0.2, 0.7]), expect.anything(), expect.anything(), near([0.7, 0.7])] },
      { type: 'polyline', points: [near([0.9, 0.9]), near([1.5, 0.8])] },
      { type: 'polygon', rings: [[near([0.9, 0.1]), near([1.4, 0.1]), near([1.4, 0.25])]] },
    ]);
    await choose(page, 'move');
    // A grip, then a whole line by its middle.
    await drag(page, [1.4, 0.25], [1.2, 0.3]);
    await drag(page, [0.55, 0.3], [0.55, 0.5]);
    const moved = await savedSites(page);
    expect(moved[5]).toEqual({ type: 'polygon', rings: [[near([0.9, 0.1]), near([1.4, 0.1]), near([1.2, 0.3])]] });
    expect(moved[1]).toEqual({ type: 'segment', a: near([0.4, 0.4]), b: near([0.7, 0.6]) });
    await choose(page, 'delete');
    await click(page, [0.2, 0.2]);
    await click(page, [1.3, 0.5]);
    expect((await savedSites(page)).map(({ type }) => type)).toEqual(['segment', 'bezier', 'polyline', 'polygon']);
    // The address has it all, a little later.
    await page.page.waitForURL((url) => !/c\d+_/.test(url.hash));
    const again = await open(new URL(page.page.url()).hash);
    expect((await savedSites(again)).map(({ type }) => type)).toEqual(['segment', 'bezier', 'polyline', 'polygon']);
  });

  test('imports an SVG drawing and saves what is drawn as SVG, JSON and PNG', async () => {
    const page = await open('#/voronoi/painter?sketch=&resolution=128');
    const text =
      '<svg viewBox="0 0 200 100"><circle cx="50" cy="25" r="20"/><path d="M100 80h40a10 10 0 0 0 20 0h20" fill="none"/></svg>';
    await page.after(() =>
      page
        .control('file')
        .locator('input')
        .setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(text) }),
    );
    expect(await page.figure('Sites', 'sites')).toBe('2');
    // 200 units fill 88 % of the sheet's 1.6; the drawing's top is up.
    const [circle] = await savedSites(page);
    const scale = (0.88 * 1.6) / 200;
    expect(circle).toEqual({
      type: 'circle',
      center: [expect.closeTo(0.8 - 50 * scale, 9), expect.closeTo(0.5 + 25 * scale, 9)],
      radius: expect.closeTo(20 * scale, 9),
    });
    const drawing = await readSvg((await saveFrom(page, 'svg')).toString());
    const [saved, path, ...edges] = sitesFromSvg(drawing);
    expect(edges.length).toBeGreaterThan(0);
    expect(drawing.box).toEqual([0, 0, 1600, 1000]);
    expect(saved).toMatchObject({ type: 'circle', radius: expect.closeTo(20_000 * scale, 3) });
    expect(path.type).toBe('path');
    const png = await readPng(await saveFrom(page, 'png'));
    expect([png.width, png.height, png.channels]).toEqual([128, 80, 3]);
    const at = 3 * (5 * 128 + 5);
    expect([...png.pixels.subarray(at, at + 3)]).toEqual(regionColor(0));
  });

  test('a damaged drawing is refused with its line', async () => {
    const page = await open('#/voronoi/painter?resolution=64');
    await page.after(() =>
      page
        .control('file')
        .locator('input')
        .setInputFiles({
          name: 'bad.svg',
          mimeType: 'image/svg+xml',
          buffer: Buffer.from('<svg>\n<path d="M0"/></svg>'),
        }),
    );
    expect(await page.page.locator('#notice').textContent()).toContain('line 2');
  });
});

describe('the floor plan', () => {
  const walls = wallSites();
  const at = FURNITURE.map(({ place: [x, y, degrees] }) => [x, y, (degrees * Math.PI) / 180] as const);
  const sites = [...walls, ...FURNITURE.map((piece, i) => furnitureSite(piece, ...at[i]))];
  const box = [0, 0, FLOOR_WIDTH, FLOOR_HEIGHT];

  test('shows the library’s way by length, by clearance and by both, and follows the furniture', async () => {
    const graph = computeVoronoiGraph(sites, { box, between: 'sites' });
    const page = await open('#/voronoi/floor-plan?resolution=128');
    const lengths: number[] = [];
    for (const by of ['both', 'length', 'clearance'] as const) {
      if (by !== 'both')
        await page.after(() => page.control('by').locator(`input[value=${by}]`).check({ force: true }));
      const path = findGraphPath(graph, sites, [2.7, 0.375], [7.7, 5.625], { by, minClearance: 0.2 });
      const shown = await page.figures('The way');
      expect(shown.status).toBe('found');
      expect(Number(shown.length)).toBeCloseTo(path.length, 9);
      expect(Number(shown.clearance)).toBeCloseTo(path.leastClearance, 9);
      lengths.push(path.length);
    }
    expect(lengths[1]).toBeLessThanOrEqual(Math.min(lengths[0], lengths[2]));
    // The trolley into the door that the way leads through: one site is updated, and the way is another.
    await page.after(() => page.control('by').locator('input[value=length]').check({ force: true }));
    const trolley = FURNITURE.findIndex(({ name }) => name === 'Trolley');
    const from = await page.project([at[trolley][0], at[trolley][1], 0]);
    const to = await page.project([7, 2.1, 0]);
    await page.drag(from, to);
    expect(await page.figure('Graph', 'changed')).toBe('1');
    const moved = sites.with(walls.length + trolley, furnitureSite(FURNITURE[trolley], 7, 2.1, 0));
    const path = findGraphPath(
      computeVoronoiGraph(moved, { box, between: 'sites' }),
      moved,
      [2.7, 0.375],
      [7.7, 5.625],
      { minClearance: 0.2 },
    );
    const shown = await page.figures('The way');
    expect(shown.status).toBe(path.status === 'found' ? 'found' : 'No way is wide enough');
    expect(path.status).not.toBe('found');
  });

  test('a walker that is too wide finds no way, and playing moves what moves', async () => {
    const page = await open('#/voronoi/floor-plan?resolution=128&radius=0.6');
    expect(await page.figure('The way', 'length')).toBe('');
    await page.setSlider('radius', 0.1);
    const before = await page.figure('The way', 'length');
    await page.setSlider('frame', 100);
    expect(await page.figure('Graph', 'changed')).toBe('2');
    expect(await page.figure('The way', 'length')).not.toBe(before);
  });
});

test('a sketch survives its text, and damaged text is no sketch', () => {
  const text = writeSketch(firstSketch);
  expect(writeSketch(readSketch(text)!)).toBe(text);
  expect(readSketch('')).toEqual(sketchOf([]));
  for (const bad of ['x', 'p1', 'p1_2', 'p1_2_3_4', 'pa_1_2', 's0_1_2_NaN_4', 'p0_1_2~', 'q0_1_2']) {
    expect(readSketch(bad), bad).toBeNull();
  }
});
