import { type Pose, pose, type Vec3, vec3 } from 'nearfield/core';
import { writeModel } from 'nearfield/io';
import { extrudePolygon, findModel, type Mesh } from 'nearfield/mesh';
import {
  measureGeneralizedPenetration,
  measurePenetration,
  measurePenetrationSync,
  type PenetrationOptions,
  type PenetrationTrace,
} from 'nearfield/penetration';
import { ProximityModel, testIntersection } from 'nearfield/proximity';
import { describe, expect, test } from 'vitest';
import { localAgainstGlobal, type PenetrationPair, penetrationBenchmarks } from '../../bench/scenarios/penetration.js';
import { scaleColor } from '../../lab/color-scale.js';
import { buildHeap } from '../../lab/worker/letter-heap.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

/** As in lab/viewer/palette.ts, written out so that a change there is noticed here. */
const ARROW = '#d6246e';
const ORIGIN = '#10161c';
/** Engines differ in the last bits of sines, and the search may then take another of two pixels as near. */
const DIGITS = 5;
const LEVELS = '[data-group="Levels"] [data-row]';

const open = useLab();

describe('penetration depth', () => {
  const four = penetrationBenchmarks.map((benchmark) => ({ name: benchmark.name, benchmark }));

  test.each(four)(
    '$name: certified unless told otherwise, around the library’s answer',
    async ({ name, benchmark }) => {
      const page = await open(`#/penetration/depth?pair=${name}`);
      const expected = await measure(benchmark, { method: 'certified', relativeGap: 1e-6 });
      const shown = await page.figures('Answer');
      const [lower, upper] = [Number(shown.lower), Number(shown.upper)];
      expect(shown).toMatchObject({ status: 'certified', intersects: 'true', depth: shown.upper });
      expect(lower).toBeLessThanOrEqual(expected.upper);
      expect(upper).toBeGreaterThanOrEqual(expected.lower);
      expect(Number(shown.gap)).toBeCloseTo((upper - lower) / upper, 10);
      expect(Number(shown.gap)).toBeLessThanOrEqual(1e-3);
      expect(Number(shown.cells)).toBeGreaterThanOrEqual(24);
      expect(meetsAfter(benchmark, point(shown.vector))).toBe(false);
      expect(meetsAfter(benchmark, vec3.scale(point(shown.vector), (0.999 * lower) / upper))).toBe(true);
      expect(await page.control('resolution').count()).toBe(0);
      await page.after(() => page.control('method').locator('input[value="image-space"]').check());
      expect(await page.figures('Answer')).toMatchObject({ status: 'upper-estimate', lower: '', gap: '', cells: '0' });
      expect(await page.control('gap').count()).toBe(0);
      expect(await page.control('resolution').count()).toBe(1);
    },
  );

  test('where A may turn too, a jammed bar needs less, and the pose told is free', async () => {
    const bar = extrudePolygon({ rings: [rectangle(5, 0.5, 0.1)] }, { depth: 2 });
    // A hole runs the other way round.
    const slot = extrudePolygon({ rings: [rectangle(8, 3, 0), rectangle(-5.5, 0.6, 0)] }, { depth: 2 });
    const page = await open('#/penetration/depth?pair=letters');
    await dropFiles(page, [bar, slot]);
    expect(await page.page.locator('[data-group="Turned too"]').count()).toBe(0);
    await page.after(() => page.control('turn').locator('input').check());
    // Along z: turned as it is, the bar is higher than the slot.
    const depth = Number(await page.figure('Answer', 'depth'));
    expect(depth).toBeCloseTo(2, 6);
    const shown = await page.figures('Turned too');
    const turned = Number(shown.turnedDepth);
    expect(shown.turnedStatus).toBe('rotation');
    expect(turned).toBeLessThan(0.5 * depth);
    expect(await page.page.locator('#legend').textContent()).toContain('A moved and turned out');
    const place = pose.parse(shown.turnedPose.split(' ').map(Number));
    const [modelA, modelB] = [new ProximityModel(bar), new ProximityModel(slot)];
    expect(testIntersection(modelA, modelB, place, pose.identity()).intersects).toBe(false);
    expect(farthestMove(bar, place)).toBeCloseTo(turned, 9);
    const expected = measureGeneralizedPenetration(modelA, modelB, pose.identity(), pose.identity());
    expect(Math.abs(expected.depth - turned)).toBeLessThan(0.1 * turned);
  });

  test.each(four)(
    '$name by images: the figures are the library’s, the arrow leads out',
    async ({ name, benchmark }) => {
      const page = await open(`#/penetration/depth?pair=${name}&method=image-space&resolution=64&seeThrough=yes`);
      const expected = await measure(benchmark, { method: 'image-space', resolution: 64 });
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
      expect(await page.figure('Kim et al. 2002', 'documentDepth')).toBe(`${benchmark.document.depth}`);

      const from = point(await figureOf(page, 'Where they touch at last', 'pointA'));
      const to = point(await figureOf(page, 'Where they touch at last', 'pointB'));
      expect(vec3.distance(vec3.add(from, vector), to)).toBeLessThan(1e-6 * (1 + vec3.length(to)));
      expect(await page.colorAt(to)).toBe(ARROW);
      expect(await page.page.locator('#legend').textContent()).toContain('A moved out');
      await page.after(() => page.control('ghost').locator('input').uncheck());
      expect(await page.page.locator('#legend').textContent()).not.toContain('A moved out');
    },
  );

  test('a body in the hand: the depth follows, and is nothing where they are apart', async () => {
    const page = await open('#/penetration/depth?pair=touching-tori&resolution=32');
    const before = Number(await page.figure('Answer', 'depth'));
    // The far rim of A, which nothing hides.
    const taken = await page.project([-1, 0.3, 0]);
    await page.drag(taken, { x: taken.x + 30, y: taken.y });
    const deeper = Number(await page.figure('Answer', 'depth'));
    expect(deeper).toBeGreaterThan(before);
    await page.drag({ x: taken.x + 30, y: taken.y }, { x: taken.x - 130, y: taken.y });
    expect(await page.figures('Answer')).toMatchObject({ depth: '0', status: 'separate', intersects: 'false' });
    expect(await page.page.locator('#legend').textContent()).not.toContain('The way out');
    await page.after(() => page.control('hand').locator('button').click());
    expect(Number(await page.figure('Answer', 'depth'))).toBe(before);
  });

  test('two files dropped together are measured where they stand', async () => {
    const page = await open('#/penetration/depth');
    const boxes = [cube([0, 0, 0]), cube([0.7, 0.1, -0.2])];
    await dropFiles(page, boxes);
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
    const expected = await measure(benchmarkOf('letters'), { method: 'image-space', descent: 'levels' });
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
      await page.setSlider('level', level);
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
    await page.setSlider('level', 16);
    expect(await page.figure('Triangles drawn', 'free')).toBe('0');
    expect(Number(await page.figure('Triangles drawn', 'original'))).toBeGreaterThan(0);
    expect(Number(await page.figure('Triangles drawn', 'contained'))).toBeGreaterThan(0);
    expect(await page.page.locator('#legend').textContent()).toContain('Inside: never the way out');
  });
});

describe('depth images', () => {
  test('are those of the query, level by level, with the nearest pixel marked', async () => {
    const options: PenetrationOptions = {
      method: 'image-space',
      query: 'windows',
      descent: 'levels',
      resolution: 32,
      coarseResolution: 32,
    };
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
      await page.setSlider('level', level);
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

describe('a certificate closing', () => {
  test('the interval narrows step by step around the depth, down to the gap asked', async () => {
    const page = await open('#/penetration/certificate?pair=grates&gap=1e-4');
    const depth = Math.hypot(0.45, 0.44);
    const answer = await page.figures('Answer');
    expect(answer.status).toBe('certified');
    expect(Number(answer.gap)).toBeLessThanOrEqual(1e-4);
    const last = await page.figures('Step');
    const steps = Number(last.steps);
    expect(steps).toBeGreaterThan(5);
    expect(last).toMatchObject({
      step: `${steps}`,
      stepLower: answer.lower,
      stepUpper: answer.upper,
      stepCells: answer.cells,
      stepOpen: '0',
    });
    const charts = page.page.locator('.curves');
    expect(await charts.evaluateAll((all) => all.map((chart) => chart.getAttribute('data-count')))).toEqual([
      `${steps + 1}`,
      `${steps + 1}`,
    ]);
    let [lower, upper, cells] = [0, Infinity, -1];
    for (const at of [0, 15, 30, 45, 60]) {
      await page.setSlider('step', at);
      const shown = await page.figures('Step');
      expect(Number(shown.stepLower)).toBeGreaterThanOrEqual(lower);
      expect(Number(shown.stepUpper)).toBeLessThanOrEqual(upper * (1 + 1e-12));
      expect(Number(shown.stepCells)).toBeGreaterThan(cells);
      [lower, upper, cells] = [shown.stepLower, shown.stepUpper, shown.stepCells].map(Number);
      expect(lower).toBeLessThanOrEqual(depth);
      // The vector keeps a hair's breadth more than the depth, so that the exact test says: apart.
      expect(upper).toBeGreaterThanOrEqual(depth * (1 - 1e-12));
      if (at === 0) expect(shown).toMatchObject({ step: '0', stepLower: '0', stepCells: '0', stepOpen: '6' });
      else if (at < 60) expect(Number(shown.stepOpen)).toBeGreaterThan(0);
      const legend = await page.page.locator('#legend').textContent();
      expect(legend?.includes('Cells left')).toBe(at < 60);
      expect(legend?.includes('Every shorter translation overlaps')).toBe(at > 0);
      expect(await page.colorAt([0, 0, 0])).toBe(ORIGIN);
    }
    // The left end of a chart is the beginning.
    await page.after(() =>
      charts
        .first()
        .locator('svg')
        .click({ position: { x: 2, y: 20 } }),
    );
    expect(await page.figure('Step', 'step')).toBe('0');
    await page.after(() => page.control('against').locator('input[value=time]').check());
    expect(await charts.first().textContent()).toContain('ms');
  });

  test('the charts grow while the search goes on', async () => {
    const page = await open('#/penetration/certificate?pair=wrinkled-tori&gap=1e-1');
    await page.page.evaluate(() => {
      const seen: number[] = [];
      Object.assign(window, { seenWhileBusy: seen });
      new MutationObserver(() => {
        const count = Number(document.querySelector('[data-figure="interval"]')?.getAttribute('data-count'));
        if (document.documentElement.dataset.state === 'busy') seen.push(count);
      }).observe(document.getElementById('figures') as Element, { childList: true, subtree: true });
    });
    await page.after(() => page.control('gap').locator('select').selectOption('1e-6'));
    const seen = await page.page.evaluate(() => (window as unknown as { seenWhileBusy: number[] }).seenWhileBusy);
    const first = seen.lastIndexOf(1);
    expect(first).toBeGreaterThanOrEqual(0);
    const growing = seen.slice(first, -1);
    expect(new Set(growing).size).toBeGreaterThan(3);
    expect(growing).toEqual(growing.toSorted((a, b) => a - b));
    expect(Number(await page.figure('Answer', 'gap'))).toBeLessThanOrEqual(1e-6);
  });

  test('plays the steps; convex models need none', async () => {
    const page = await open('#/penetration/certificate?pair=grates&gap=1e-4&step=0&speed=60');
    await page.control('play').locator('button').click();
    await page.page.waitForFunction(
      () => Number(document.querySelector('[data-figure="step"] data')?.getAttribute('value')) >= 3,
    );
    await page.control('play').locator('button').click();
    await page.ready();
    const boxes = await open('#/penetration/certificate?pair=own&modelA=box&modelB=octahedron');
    const answer = await boxes.figures('Answer');
    expect(answer).toMatchObject({ status: 'exact', cells: '0' });
    expect(await boxes.figures('Step')).toMatchObject({ steps: '0', stepOpen: '0', stepLower: answer.lower });
    expect(await boxes.page.locator('.curves').count()).toBe(0);
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
    await page.drag(taken, out);
    expect(await page.figures('Global')).toMatchObject({ depth: '0', intersects: 'false' });
    expect(await page.figures('Local')).toMatchObject({ localDepth: '0', pushes: '0' });
  });
});

describe('untangling a heap of letters', () => {
  const heap = { count: 6, seed: 2 };
  const { bodies, poses } = buildHeap(heap);
  const models = new Map(bodies.map(({ mesh }) => [mesh, new ProximityModel(mesh)]));
  /** The pairs that overlap, by more than engines differ, when the letters are moved so. */
  const overlapsAfter = (moves: readonly Vec3[]) => {
    const moved = poses.map((place, i) => shift(place, moves[i]));
    return bodies.flatMap(({ mesh }, a) =>
      bodies.slice(a + 1).flatMap((other, i) => {
        const [modelA, modelB] = [models.get(mesh), models.get(other.mesh)] as [ProximityModel, ProximityModel];
        const { depth } = measurePenetrationSync(modelA, modelB, moved[a], moved[a + 1 + i]);
        return depth > 1e-9 ? [`${a} ${a + 1 + i}`] : [];
      }),
    );
  };

  test('begins with letters that overlap and ends with letters that do not', async () => {
    const page = await open(`#/penetration/untangling?count=${heap.count}&seed=${heap.seed}`);
    const before = await page.figures('Heap');
    const overlaps = overlapsAfter(poses.map(() => [0, 0, 0]));
    expect(overlaps.length).toBeGreaterThan(2);
    expect(before).toMatchObject({ round: '0', overlapping: `${overlaps.length}`, farthest: '0', total: '0' });
    expect(await page.page.locator('#legend').textContent()).toContain('Overlaps another');
    expect(await page.figure('At the end', 'status')).toBe('separated');
    expect(await page.page.locator('[data-group="Letters"] [data-row][data-tone=bad]').count()).toBe(
      new Set(overlaps.flatMap((pair) => pair.split(' '))).size,
    );

    await page.setSlider('round', 32);
    const after = await page.figures('Heap');
    expect(after).toMatchObject({ round: before.rounds, overlapping: '0' });
    const legend = await page.page.locator('#legend').textContent();
    expect(legend).not.toContain('Overlaps another');
    expect(legend).toContain('Moved so far');
    const rows = await lettersOf(page);
    expect(rows.map(([character]) => character)).toEqual(bodies.map(({ character }) => character));
    const moves = rows.map(([, , by]) => point(by));
    const lengths = moves.map((move) => vec3.length(move));
    expect(rows.map(([, length]) => Number(length))).toEqual(lengths.map((length) => expect.closeTo(length, 9)));
    expect(Number(after.farthest)).toBeCloseTo(Math.max(...lengths), 9);
    expect(overlapsAfter(moves)).toEqual([]);
  });

  test('round by round, with the first letter where it was', async () => {
    const page = await open(`#/penetration/untangling?count=${heap.count}&seed=${heap.seed}&firstStays=yes&round=1`);
    expect(await page.figure('Heap', 'round')).toBe('1');
    const moves = (await lettersOf(page)).map(([, , by]) => point(by));
    expect(moves[0]).toEqual([0, 0, 0]);
    expect(await page.figure('Heap', 'overlapping')).toBe(`${overlapsAfter(moves).length}`);
    // The chart's right end is the end.
    const chart = page.page.locator('[data-figure="pairs"] svg');
    const width = (await chart.boundingBox())?.width ?? 0;
    await page.after(() => chart.click({ position: { x: width - 3, y: 10 } }));
    const ended = (await lettersOf(page)).map(([, , by]) => point(by));
    expect(ended[0]).toEqual([0, 0, 0]);
    expect(overlapsAfter(ended)).toEqual([]);
    expect(await page.page.locator('#legend').textContent()).toContain('Stays');
  });
});

function benchmarkOf(name: string): PenetrationPair {
  return penetrationBenchmarks.find((benchmark) => benchmark.name === name) as PenetrationPair;
}

function measure({ meshA, meshB, poseA, poseB }: PenetrationPair, options: PenetrationOptions) {
  return measurePenetration(new ProximityModel(meshA), new ProximityModel(meshB), poseA, poseB, options);
}

function meetsAfter({ meshA, meshB, poseA, poseB }: PenetrationPair, by: Vec3): boolean {
  return testIntersection(new ProximityModel(meshA), new ProximityModel(meshB), shift(poseA, by), poseB).intersects;
}

function shift([x, y, z, ...turn]: Pose, by: Vec3): Pose {
  return [x + by[0], y + by[1], z + by[2], ...turn] as Pose;
}

/** How far the farthest vertex of a mesh goes on its way to a pose. */
function farthestMove({ positions }: Mesh, to: Pose): number {
  let most = 0;
  for (let i = 0; i < positions.length; i += 3) {
    const at: Vec3 = [positions[i], positions[i + 1], positions[i + 2]];
    most = Math.max(most, vec3.distance(at, pose.transformPoint(to, at)));
  }
  return most;
}

/** Drops models on the page as files, together. */
async function dropFiles(page: LabPage, meshes: readonly Mesh[]): Promise<void> {
  const texts = await Promise.all(meshes.map(async (mesh) => new TextDecoder().decode(await writeModel(mesh, 'obj'))));
  await page.after(() =>
    page.page.evaluate((contents) => {
      const transfer = new DataTransfer();
      contents.forEach((content, i) => void transfer.items.add(new File([content], `model${i}.obj`)));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
    }, texts),
  );
  // The files are read one after the other, and each is drawn.
  await page.page.waitForFunction((count) => {
    const shown = [...document.querySelectorAll('.file-name')].map(({ textContent }) => textContent);
    return Array.from({ length: count }, (_, i) => `model${i}.obj`).every((name) => shown.includes(name));
  }, meshes.length);
  await page.ready();
}

/** Corners of a rectangle around the origin, turned; counter-clockwise where both sizes are positive. */
function rectangle(halfWidth: number, halfHeight: number, turn: number): Float64Array {
  const [cosine, sine] = [Math.cos(turn), Math.sin(turn)];
  const corners = [-1, -1, 1, -1, 1, 1, -1, 1].map((side, i) => side * (i % 2 === 0 ? halfWidth : halfHeight));
  return Float64Array.from(corners, (value, i) =>
    i % 2 === 0 ? value * cosine - corners[i + 1] * sine : corners[i - 1] * sine + value * cosine,
  );
}

function cube(at: Vec3): Mesh {
  const { positions, indices } = findModel('box').build({ width: 1, height: 1, depth: 1 });
  return { positions: positions.map((x, i) => x + at[i % 3]), indices };
}

async function figureOf(page: LabPage, group: string, id: string): Promise<string> {
  return (await page.figure(group, id)) ?? '';
}

function rowsOf(page: LabPage): Promise<string[][]> {
  return cellsOf(page, LEVELS);
}

function lettersOf(page: LabPage): Promise<string[][]> {
  return cellsOf(page, '[data-group="Letters"] [data-row]');
}

function cellsOf(page: LabPage, rows: string): Promise<string[][]> {
  return page.page
    .locator(rows)
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('data')].map((cell) => cell.getAttribute('value') ?? '')),
    );
}

function point(text: string): Vec3 {
  return text.split(' ').map(Number) as Vec3;
}
