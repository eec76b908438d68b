import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pose, quat, type Vec3, vec3 } from 'nearfield/core';
import { type ModelFile, type ModelPart, mergeModel, readModel, writeModel } from 'nearfield/io';
import { findModel } from 'nearfield/mesh';
import { buildGearbox, measureDistance, ProximityModel, timeOfImpact } from 'nearfield/proximity';
import { describe, expect, test } from 'vitest';
import { scenarios } from '../../bench/scenarios/catalogue.js';
import { interlockedTori } from '../../bench/scenarios/interlocked-tori.js';
import { posesAt } from '../../bench/scenarios/scenario.js';
import { cubeMesh } from '../generators/model-files.js';
import { meshObject, modelXml, pack3mf } from '../generators/three-mf.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

/** As in lab/viewer/palette.ts, written out so that a change there is noticed here. */
const PROBE = '#0a6a94';
const COST = 'Cost of this frame';
const SWITCHES = ['pieceCaching', 'prioritySearch', 'frontTracking', 'motionBounds'];

const open = useLab();

describe('the six scenarios', () => {
  const six = scenarios.slice(0, 6).map(({ name, title }) => ({ name, title }));

  test.each(six)('$title: opens at its own address, plays, and the figures follow', async ({ name }) => {
    const page = await open(`#/proximity/${name}?frame=30`);
    expect(await page.control('scenario').locator('select').inputValue()).toBe(name);
    const before = await page.figures('Answer');
    expect(before.intersects).toBe('false');
    expect(Number(before.distance)).toBeGreaterThan(0);
    expect(Number((await page.figures(COST)).volumePairs)).toBeGreaterThan(0);

    await page.control('play').locator('button').click();
    await expect.poll(() => shownFrame(page)).toBeGreaterThan(33);
    await page.control('play').locator('button').click();
    await page.ready();
    const frame = await shownFrame(page);
    expect(await page.figure('Answer', 'distance')).not.toBe(before.distance);
    expect(Number(await page.figure(COST, 'median'))).toBeGreaterThan(0);
    // It stands still, and the address tells where.
    await expect.poll(() => page.page.url()).toContain(`frame=${frame}`);
    expect(await shownFrame(page)).toBe(frame);
    const known = page.page.locator('[data-figure="clearance"] path');
    expect((await known.getAttribute('d'))?.match(/[ML]/g)?.length).toBeGreaterThan(1);
  });
});

describe('the queries', () => {
  test('distance and closest points are the library’s, drawn where they are', async () => {
    const frame = 12;
    const page = await open(`#/proximity/interlocked-tori?frame=${frame}`);
    const scenario = interlockedTori.build();
    const [a, b] = scenario.bodies.map(({ mesh }) => new ProximityModel(mesh));
    const [poseA, poseB] = posesAt(scenario, frame);
    const shown = await page.figures('Answer');
    // Engines differ in the last bits of sines, which the motion carries on.
    expect(Number(shown.distance)).toBeCloseTo(measureDistance(a, b, poseA, poseB).distance as number, 9);
    const points = await page.figures('Closest points');
    for (const id of ['pointA', 'pointB']) expect(await page.colorAt(point(points[id]))).toBe(PROBE);
    await page.after(() => page.control('points').locator('input').uncheck());
    expect(await page.colorAt(point(points.pointA))).not.toBe(PROBE);
  });

  test('each tells what it should of the same frame', async () => {
    const page = await open('#/proximity/cup-spoon?frame=250');
    const distance = Number(await page.figure('Answer', 'distance'));
    await choose(page, 'approximate');
    const approximate = Number(await page.figure('Answer', 'distance'));
    expect(approximate).toBeGreaterThanOrEqual(distance * (1 - 1e-12));
    expect(approximate).toBeLessThanOrEqual(distance * 1.1);
    await choose(page, 'intersection');
    expect(await page.figures('Answer')).toMatchObject({ intersects: 'false', distance: '' });
    await choose(page, 'tolerance');
    await page.setSlider('tolerance', 0.99 * distance);
    expect(await page.figure('Answer', 'within')).toBe('false');
    await page.setSlider('tolerance', 1.01 * distance);
    expect(await page.figure('Answer', 'within')).toBe('true');
    await choose(page, 'contacts');
    expect(Number(await page.figure('Answer', 'contacts'))).toBeGreaterThan(0);
    expect(Number(await page.figure('Answer', 'distance'))).toBeCloseTo(distance, 12);
    expect(await page.page.locator('#legend').textContent()).toContain('Normals');
    await page.setSlider('tolerance', 0.99 * distance);
    expect(await page.figure('Answer', 'contacts')).toBe('0');
  });

  test('the switches and the bounding volume change the cost, never the distance', async () => {
    const page = await open('#/proximity/interlocked-tori?frame=20');
    await page.setSlider('frame', 21);
    const distance = Number(await page.figure('Answer', 'distance'));
    const coherent = await page.figures(COST);
    for (const name of SWITCHES) {
      await page.after(() => page.control(name).locator('input').uncheck());
      expect(Number(await page.figure('Answer', 'distance'))).toBeCloseTo(distance, 14);
    }
    const plain = await page.figures(COST);
    expect(Number(coherent.frontSize)).toBeGreaterThan(0);
    expect(plain.frontSize).toBe('0');
    expect(Number(coherent.volumePairs)).toBeLessThan(Number(plain.volumePairs));
    await page.after(() => page.control('volume').locator('input[value=hulls]').check());
    expect(Number(await page.figure('Answer', 'distance'))).toBeCloseTo(distance, 12);
    expect(Number(await page.figure(COST, 'marchSteps'))).toBeGreaterThan(0);
    for (const name of SWITCHES) await page.after(() => page.control(name).locator('input').check());
    expect(Number(await page.figure('Answer', 'distance'))).toBeCloseTo(distance, 12);
  });
});

describe('a body in the hand', () => {
  test('moves with the pointer, and the distance follows; put back, all is as before', async () => {
    const page = await open('#/proximity/interlocked-tori?frame=0');
    const before = await page.figures('Answer');
    // The rim of the bent torus farthest from the other, which nothing hides.
    const taken = await page.project([0.54, 0, -0.144]);
    await page.drag(taken, { x: taken.x - 70, y: taken.y });
    const moved = await page.figures('Answer');
    expect(moved.distance).not.toBe(before.distance);
    await expect.poll(() => handOf(page)).toHaveLength(12);
    const hand = await handOf(page);
    expect(hand.slice(0, 6)).toEqual([0, 0, 0, 0, 0, 0]);
    expect(Math.hypot(hand[6], hand[7], hand[8])).toBeGreaterThan(0.02);
    expect(hand.slice(9)).toEqual([0, 0, 0]);
    // Where it was let go is where it is: taken there again, it goes on.
    await page.drag({ x: taken.x - 70, y: taken.y }, { x: taken.x - 170, y: taken.y });
    expect(await page.figures('Answer')).toMatchObject({ intersects: 'true', distance: '0' });
    expect(await page.page.locator('#legend').textContent()).toContain('Intersecting');
    await page.after(() => page.control('hand').locator('button').click());
    expect(await page.figures('Answer')).toEqual(before);
    expect(await page.page.locator('#legend').textContent()).not.toContain('Intersecting');
  });

  test('turns with the pointer, with Alt or by choice; the sliders turn it too', async () => {
    const page = await open('#/proximity/interlocked-tori?frame=0&drag=turn');
    const before = await page.figure('Answer', 'distance');
    const taken = await page.project([0.54, 0, -0.144]);
    await page.drag(taken, { x: taken.x, y: taken.y + 60 });
    expect(await page.figure('Answer', 'distance')).not.toBe(before);
    await expect.poll(() => handOf(page)).toHaveLength(12);
    const hand = await handOf(page);
    expect(hand.slice(0, 9)).toEqual(Array(9).fill(0));
    expect(Math.hypot(hand[9], hand[10], hand[11])).toBeGreaterThan(0.1);
    await page.after(() => page.control('hand').locator('button').click());
    await page.after(() => page.control('drag').locator('input[value=move]').check());
    await page.page.keyboard.down('Alt');
    await page.drag(taken, { x: taken.x, y: taken.y + 60 });
    await page.page.keyboard.up('Alt');
    const again = await handOf(page);
    for (let i = 0; i < 12; i++) expect(again[i]).toBeCloseTo(hand[i], 4);
    await page.control('hand').locator('summary').first().click();
    const shown = await page.figure('Answer', 'distance');
    await page.after(() => page.control('hand').locator('#control-hand-0-1').press('ArrowRight'));
    expect(await page.figure('Answer', 'distance')).not.toBe(shown);
  });

  test('is left alone where a drag turns the view', async () => {
    const page = await open('#/proximity/interlocked-tori?frame=0&drag=view');
    const before = await page.figures('Answer');
    const taken = await page.project([0.54, 0, -0.144]);
    await page.page.mouse.move(taken.x, taken.y);
    await page.page.mouse.down();
    await page.page.mouse.move(taken.x + 50, taken.y, { steps: 3 });
    await page.page.mouse.up();
    await expect.poll(() => page.page.url()).toContain('view=');
    expect(await page.figures('Answer')).toEqual(before);
    expect(await handOf(page)).toEqual([]);
  });
});

describe('clashes', () => {
  interface Row {
    readonly parts: string;
    readonly distance: string;
  }

  const table = '[data-group="Pairs, worst first"] [data-row]';

  test('the sample’s are listed, worst first, and change with the clearance', async () => {
    const page = await open('#/proximity/clash');
    const rows = await rowsOf(page);
    expectSame(rows, expectedClashes(buildGearbox(), 0.05));
    // The thickest overlap first.
    expect(rows[0].parts).toBe('output bearing, front, output sleeve');
    expect(await page.figures('Clashes')).toMatchObject({ interfering: '13', touching: '12', near: '23' });
    expect(await page.figure('Assembly', 'size')).toContain('250');
    await page.setSlider('clearance', 0.5);
    const more = await rowsOf(page);
    expect(more.length).toBeGreaterThan(60);
    expectSame(more, expectedClashes(buildGearbox(), 0.5));
  });

  test('pressing a row frames that clash, in the address too', async () => {
    const page = await open('#/proximity/clash');
    await page.after(() => page.page.locator(table).nth(25).locator('button').click());
    expect(await page.page.locator('#legend').textContent()).toContain('front plate');
    expect(await page.page.locator('#legend').textContent()).toContain('dowel 1');
    const label = await page.page.locator('#stage .labels').textContent();
    expect(Number(label)).toBeCloseTo(Number((await rowsOf(page))[25].distance), 5);
    await expect.poll(() => page.page.url()).toContain('row=26');
    const link = await open(new URL(page.page.url()).hash);
    expect(await link.page.locator('#legend').textContent()).toContain('dowel 1');
    await page.after(() => page.control('all').locator('button').click());
    expect(await page.page.locator('#legend').textContent()).toContain('Too near');
  });

  test('of a GLB file with instances, some of them scaled and mirrored', async () => {
    const mesh = findModel('icosphere').build({ radius: 0.5, subdivisions: 3 });
    const part = (name: string, at: Vec3, scale: Vec3, turn = 0): ModelPart => {
      const m = pose.toMatrix4(pose.create(at, quat.fromAxisAngle([0, 1, 0], turn)));
      for (let row = 0; row < 3; row++) for (let k = 0; k < 3; k++) m[4 * row + k] *= scale[k];
      return { name, meshIndex: 0, transform: m };
    };
    const parts = [
      part('first', [0, 0, 0], [1, 1, 1]),
      part('beside', [1.01, 0, 0], [1, 1, 1], 0.4),
      part('mirrored', [0, 1.3, 0], [-1, 2, 1]),
      part('inside', [0, 0.1, 0], [0.2, 0.2, 0.2]),
      part('far', [9, 0, 0], [1, 1, 1]),
      part('stretched', [9, 0, 1.47], [1, 1, 1.9], 0.2),
    ];
    const bytes = await writeModel({ format: 'glb', meshes: [{ name: 'ball', mesh }], parts }, 'glb');
    const page = await open('#/proximity/clash');
    const buffer = Buffer.from(bytes);
    await page.after(() =>
      page.control('file').locator('input').setInputFiles({ name: 'balls.glb', mimeType: 'model/gltf-binary', buffer }),
    );
    await page.setSlider('clearance', 0.1);
    const expected = expectedClashes(await readModel(bytes, { fileName: 'balls.glb' }), 0.1);
    expect(expected.map(({ parts: pair }) => pair)).toEqual(
      expect.arrayContaining(['first, mirrored', 'first, inside', 'first, beside', 'far, stretched']),
    );
    expectSame(await rowsOf(page), expected);
    expect(await page.figures('Assembly')).toMatchObject({ name: 'balls.glb', parts: '6' });
    await page.after(() => page.control('sample').locator('button').click());
    expect(await page.figure('Assembly', 'name')).toBe('sample');
  });

  test('of dropped 3MF and STEP assemblies, with their parts, names and units', async () => {
    const cube = meshObject(1, cubeMesh(), 'name="cube"');
    const lid = meshObject(2, cubeMesh(), 'name="lid"');
    const items = '<item objectid="1"/><item objectid="2" transform="1 0 0 0 1 0 0 0 1 0.5 0 0"/>';
    const package3mf = await pack3mf(modelXml(cube + lid, items, 'unit="inch"'));
    const page = await open('#/proximity/clash');
    await drop(page, 'box.3mf', package3mf);
    expect((await rowsOf(page)).map(({ parts }) => parts)).toEqual(['cube, lid']);
    expect(await page.figures('Assembly')).toMatchObject({ name: 'box.3mf', parts: '2' });
    expect(await page.control('unit').locator('select').inputValue()).toBe('in');

    const folder = join(dirname(createRequire(import.meta.url).resolve('occt-import-js')), '../test/testfiles/cax-if');
    const step = new Uint8Array(readFileSync(join(folder, 'as1-oc-214.stp')));
    await drop(page, 'as1.stp', step);
    expect(await page.figures('Assembly')).toMatchObject({ name: 'as1.stp', parts: '18' });
    expect(await page.control('unit').locator('select').inputValue()).toBe('mm');
    expect(new Set((await rowsOf(page)).flatMap(({ parts }) => parts.split(', ')))).toContain('l-bracket');

    await drop(page, 'half.stp', step.slice(0, step.length / 2));
    expect(await page.page.locator('#notice').textContent()).toContain('does not end with END-ISO-10303-21');
  });

  test('of a robot that is opened with its mesh, over two joints: a press in the map sets both', async () => {
    const obj = new TextDecoder().decode(
      await writeModel(findModel('box').build({ width: 0.1, height: 0.1, depth: 0.1 }), 'obj'),
    );
    const link = (name: string) =>
      `<link name="${name}"><collision><geometry><mesh filename="package://r/meshes/a.obj"/></geometry></collision></link>`;
    const joint = (name: string, parent: string, child: string) =>
      `<joint name="${name}" type="revolute"><parent link="${parent}"/><child link="${child}"/><origin xyz="0 0 0.3"/><axis xyz="0 1 0"/><limit lower="-1" upper="1"/></joint>`;
    const urdf = `<robot name="r">${['a', 'b', 'c'].map(link).join('')}${joint('lift', 'a', 'b')}${joint('bend', 'b', 'c')}</robot>`;
    const page = await open('#/proximity/sweep');
    const files = [
      { name: 'a.obj', text: obj },
      { name: 'r.urdf', text: urdf },
    ].map(({ name, text }) => ({
      ...{ name, mimeType: 'text/plain', buffer: Buffer.from(text) },
    }));
    await page.after(() => page.control('file').locator('input').setInputFiles(files));
    expect(await page.figure('Sweep', 'verdict')).toBe('holds');
    await page.setSlider('second', 2);
    const map = page.page.locator('[data-figure="map"] .map-picture');
    const { width, height } = (await map.boundingBox())!;
    await page.after(() => map.click({ position: { x: 0.75 * width, y: 0.25 * height } }));
    // The gap of the outer links over both angles, from where the picture was pressed.
    expect(await page.control('across').locator('input[type=number]').inputValue()).toBe('76');
    expect(Number(await page.figure('Pair', 'place'))).toBeCloseTo(28.6, 0);
  });

  function drop(page: LabPage, name: string, bytes: Uint8Array): Promise<void> {
    const file = { name, mimeType: 'application/octet-stream', buffer: Buffer.from(bytes) };
    return page.after(() => page.control('file').locator('input').setInputFiles(file));
  }

  function rowsOf(page: LabPage): Promise<Row[]> {
    return page.page.locator(table).evaluateAll((rows) =>
      rows.map((row) => {
        const [a, b, grade, size] = [...row.querySelectorAll('data')].map((cell) => cell.getAttribute('value') ?? '');
        return { parts: `${a}, ${b}`, distance: grade === 'clearance' ? size : 'intersect' };
      }),
    );
  }

  /** The same pairs at the same distances, which rise; two that are equal but for rounding may stand either way. */
  function expectSame(rows: readonly Row[], expected: readonly Row[]): void {
    const byName = (list: readonly Row[]): Row[] => [...list].sort((p, q) => (p.parts < q.parts ? -1 : 1));
    expect(byName(rows).map(({ parts }) => parts)).toEqual(byName(expected).map(({ parts }) => parts));
    for (const [i, { distance }] of byName(rows).entries()) {
      expect(numberOf(distance)).toBeCloseTo(numberOf(byName(expected)[i].distance), 12);
    }
    const distances = rows.map(({ distance }) => numberOf(distance));
    expect(distances).toEqual([...distances].sort((p, q) => p - q));
  }

  function numberOf(distance: string): number {
    return distance === 'intersect' ? 0 : Number(distance);
  }

  /** Every part worked into a mesh of its own, every pair measured. */
  function expectedClashes(file: ModelFile, clearance: number): Row[] {
    const models = file.parts.map((part) => new ProximityModel(mergeModel({ ...file, parts: [part] })));
    const here = pose.identity();
    const found = models.flatMap((a, i) =>
      models.slice(i + 1).flatMap((b, k) => {
        const { distance } = measureDistance(a, b, here, here);
        return distance !== null && distance <= clearance ? [{ i, j: i + 1 + k, distance }] : [];
      }),
    );
    return found
      .sort((p, q) => p.distance - q.distance || p.i - q.i || p.j - q.j)
      .map(({ i, j, distance }) => ({
        parts: `${file.parts[i].name}, ${file.parts[j].name}`,
        distance: distance === 0 ? 'intersect' : String(distance),
      }));
  }
});

async function choose(page: LabPage, query: string): Promise<void> {
  await page.after(() => page.control('query').locator('select').selectOption(query));
}

async function shownFrame(page: LabPage): Promise<number> {
  return Number(await page.control('frame').locator('input[type=number]').inputValue());
}

/** The moves of all bodies as the address has them; none where no body was moved. */
async function handOf(page: LabPage): Promise<number[]> {
  const text = new URLSearchParams(page.page.url().split('?')[1]).get('hand');
  return text === null ? [] : text.split(',').map(Number);
}

function point(text: string): Vec3 {
  return text.split(' ').map(Number) as Vec3;
}

describe('the time of impact', () => {
  test('is the library’s, is shown where they meet, and a motion beside the cup stays clear', async () => {
    const page = await open('#/proximity/impact?frame=0');
    const shown = await page.figures('Motion');
    expect(shown.impact).toBe('true');
    const cup = new ProximityModel(findModel('cup').build());
    const spoon = new ProximityModel(findModel('spoon').build());
    const turn = quat.fromAxisAngle(vec3.normalize([0.2, 0.3, 1]), Math.PI / 2);
    const motion = { from: pose.create([0, 1.1, 0]), to: pose.create([0, -0.9, 0], turn) };
    const { time } = timeOfImpact(cup, spoon, { a: pose.identity(), b: motion });
    expect(Number(shown.time)).toBeCloseTo(time as number, 9);
    expect(Number((await page.figures('Now')).distance)).toBeGreaterThan(0);

    const clear = await open('#/proximity/impact?aside=1.5&frame=100');
    const figures = await clear.figures('Motion');
    expect(figures.impact).toBe('false');
    expect(Number(figures.leastLower)).toBeGreaterThan(0);
    expect(Number(figures.leastUpper)).toBeGreaterThanOrEqual(Number(figures.leastLower));
    expect(Number((await clear.figures('Now')).distance)).toBeGreaterThanOrEqual(Number(figures.leastLower));
  });
});
