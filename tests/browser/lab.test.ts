import { readFileSync } from 'node:fs';
import { createRandom, type Vec3 } from 'nearfield/core';
import { mergeModel, readModel, writeModel } from 'nearfield/io';
import { findModel, inspectMesh, type Mesh, MeshQuery, type MeshReport } from 'nearfield/mesh';
import { describe, expect, test } from 'vitest';
import { type LabPage, startLab } from './lab-page.js';
import { useLab } from './use-lab.js';

/** As in lab/viewer/palette.ts and lab/style.css, written out so that a change there is noticed here. */
const LIGHT = {
  stage: '#eff3f6',
  boundary: '#d6246e',
  nonManifold: '#7b3fc4',
  crossing: '#d8322a',
  inside: '#f0a432',
  probe: '#0a6a94',
};
const DARK = { stage: '#0d1217', boundary: '#ff5c9e' };

/** Slice and probe out of the way, seen from the front right. */
const PLAIN = 'slice=off&probe=0,0,0';

const open = useLab();

describe('the page', () => {
  test('shows a card for each scene; each opens at its own address and is drawn', async () => {
    const page = await open('#/');
    const cards = page.page.locator('.card');
    const addresses = await cards.evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).hash));
    expect(addresses).toEqual(expect.arrayContaining(['#/meshes/models', '#/meshes/inspect']));
    expect(await page.page.locator('nav [data-scene]').count()).toBe(addresses.length);
    for (const address of addresses) {
      await page.leave();
      await page.after(() => page.page.locator(`.card[href="${address}"]`).click());
      expect(await page.page.locator('#scene-title').textContent()).not.toBe('');
      expect(await page.page.locator('.figures [data-figure]').count()).toBeGreaterThan(5);
      expect([address, await isPainted(page)]).toEqual([address, true]);
      // The answer leads, and every figure says what it is.
      const answer = page.page.locator('#answer');
      expect([address, await answer.isVisible()]).toEqual([address, true]);
      expect((await answer.locator('.answer-meaning').textContent())?.length).toBeGreaterThan(15);
      const silent = await page.page
        .locator('.figures dl > div:not([title])')
        .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.figure));
      expect([address, silent]).toEqual([address, []]);
    }
  });

  test('is isolated, so that workers may share memory with it', async () => {
    const page = await open('#/meshes/models?model=torus');
    expect(await page.page.evaluate(() => [crossOriginIsolated, typeof SharedArrayBuffer])).toEqual([true, 'function']);
  });

  test('shows the code for a view, which follows the values, and copies it', async () => {
    const page = await open('#/meshes/models?model=torus');
    await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.page.locator('#code summary').click();
    const code = page.page.locator('#code pre');
    await expect.poll(() => code.textContent()).toContain("findModel('torus')");
    await page.page.locator('#code').getByRole('button', { name: 'Command' }).click();
    await page.page.locator('#code .copy').click();
    await expect
      .poll(() => page.page.evaluate(() => navigator.clipboard.readText()))
      .toContain('nearfield models torus -o torus.obj');
    await page.follow('#/meshes/models?model=box');
    expect(await code.textContent()).toContain('nearfield info box.obj');
  });

  test('takes an unknown address to the gallery', async () => {
    const page = await open('#/no/such-scene');
    expect(await page.page.locator('#gallery').isVisible()).toBe(true);
  });

  test('fits a phone: nothing is wider than the window', async () => {
    for (const address of ['#/', '#/meshes/models?model=torus', '#/meshes/inspect']) {
      const page = await open(address, { viewport: { width: 360, height: 740 }, hasTouch: true });
      expect(await page.page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
      await page.page.locator('#menu').click();
      expect(await page.page.locator('nav [data-scene="meshes/models"]').isVisible()).toBe(true);
    }
  });
});

describe('procedural models', () => {
  test('the figures are the library’s, for initial parameters and for those of the address', async () => {
    const page = await open('#/meshes/models?model=torus');
    await expectReport(page, inspectMesh(findModel('torus').build()));
    await page.goto('#/meshes/models?model=torus&majorSegments=12&minorRadius=0.2');
    await expectReport(page, inspectMesh(findModel('torus').build({ majorSegments: 12, minorRadius: 0.2 })));
  });

  test('a slider changes the model, the figures and the address', async () => {
    const page = await open('#/meshes/models?model=torus');
    const slider = page.control('majorSegments').locator('input[type=number]');
    await page.after(async () => {
      await slider.fill('30');
      await slider.press('Enter');
    });
    expect(await page.figure('Surface', 'triangles')).toBe('1200');
    await expect.poll(() => page.page.url()).toContain('majorSegments=30');
    await page.after(() => page.control('majorSegments').locator('input[type=range]').press('ArrowRight'));
    expect(Number(await page.figure('Surface', 'triangles'))).toBeGreaterThan(1200);
  });

  test('the surface is where it should be, and the background where it is not', async () => {
    const page = await open('#/meshes/models?model=torus&view=0,89,1.85');
    const { minorRadius, majorRadius } = findModel('torus').parameters;
    expect(await page.colorAt([0, minorRadius.default, 0])).not.toBe(LIGHT.inside);
    for (const angle of [0.1, 1.7, 3.3, 5]) {
      const point: Vec3 = [majorRadius.default * Math.cos(angle), 0, majorRadius.default * Math.sin(angle)];
      const color = await page.colorAt(point);
      expect(brightness(color)).toBeLessThan(brightness(LIGHT.stage) - 20);
    }
    // Seen from below the ring's middle is empty: no ground grid there that faces the camera from this height.
    await page.goto('#/meshes/models?model=torus&view=0,3,1.85');
    expect(await page.colorAt([0, 2.5 * minorRadius.default, 0])).toBe(LIGHT.stage);
  });

  test('shading changes what is drawn', async () => {
    const page = await open('#/meshes/models?model=sphere');
    const shots = new Set<string>();
    for (const shading of ['smooth', 'wireframe', 'flat']) {
      await page.after(() => page.control('shading').locator(`input[value=${shading}]`).check());
      shots.add((await page.page.locator('#stage canvas').screenshot()).toString('base64'));
    }
    expect(shots.size).toBe(3);
  });

  test('a model far from the origin and one of tiny size are drawn like any other', async () => {
    const cube = cubeMesh();
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    const reference = await faceColor(page, cube, 'cube.obj');
    for (const [scale, shift] of [
      [1, 1e6],
      [1e-9, 0],
      [1e12, 0],
    ]) {
      const moved = { positions: cube.positions.map((x) => scale * x + shift), indices: cube.indices };
      expect(await faceColor(page, moved, `cube-${scale}-${shift}.ply`)).toBe(reference);
    }
  });
});

describe('inspecting a file', () => {
  test('open edges are drawn in their color, and counted', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    const openCube = dropTriangles(cubeMesh(), [4, 5]);
    await openFile(page, 'open.obj', await writeModel(openCube, 'obj'));
    // Triangles 4 and 5 are the top; its front edge runs from (−1, 1, 1) to (1, 1, 1).
    expect(await page.colorAt([0.3, 1, 1])).toBe(LIGHT.boundary);
    expect(await page.colorAt([1, 1, -0.4])).toBe(LIGHT.boundary);
    expect(await page.figure('Soundness', 'boundaryEdges')).toBe('4');
    expect(await page.figure('Soundness', 'closed')).toBe('false');
    expect(await page.page.locator('#legend').textContent()).toContain('Open edges');
    await expectReport(page, inspectMesh(openCube));
  });

  test('crossing triangles are drawn in their color, others are not', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    const crossing = mergeMeshes(cubeMesh(), moveMesh(cubeMesh(), [5, 0, 0]), moveMesh(cubeMesh(), [5.5, 0.5, 0.5]));
    await openFile(page, 'crossing.stl', await writeModel(crossing, 'stl'));
    expect(await page.colorAt([4.05, -0.5, 1])).toBe(LIGHT.crossing);
    expect(await page.colorAt([5, -0.95, 1])).toBe(LIGHT.crossing);
    expect(await page.colorAt([0.5, -0.5, 1])).not.toBe(LIGHT.crossing);
    const { selfIntersections } = inspectMesh(
      mergeModel(await readModel(await writeModel(crossing, 'stl'), { format: 'stl' })),
    );
    expect(selfIntersections).toBeGreaterThan(0);
    expect(await page.figure('Soundness', 'selfIntersections')).toBe(String(selfIntersections));
  });

  test('non-manifold edges are drawn in their color', async () => {
    const page = await open('#/meshes/inspect?sample=cubes-on-an-edge&slice=off&probe=0,0,0');
    expect(await page.colorAt([0, 0, 0])).toBe(LIGHT.nonManifold);
    expect(await page.figure('Soundness', 'nonManifoldEdges')).toBe('1');
    expect(await page.figure('Soundness', 'manifold')).toBe('false');
  });

  test('the slice is colored inside and not outside', async () => {
    const page = await open('#/meshes/inspect?slice=z&shows=inside&probe=0,0,0');
    await openFile(page, 'cube.off', await writeModel(cubeMesh(), 'off'));
    const random = createRandom(5);
    const colorAt = await page.picture();
    let inside = 0;
    for (let i = 0; i < 16; i++) {
      const point: Vec3 = [random.range(-1.3, 1.3), random.range(-1.3, 1.3), 0];
      const reach = Math.max(Math.abs(point[0]), Math.abs(point[1]));
      if (Math.abs(reach - 1) < 0.05) continue;
      const { x, y } = await page.project(point);
      const color = colorAt(x, y);
      if (reach < 1) inside++;
      expect([point, color === LIGHT.inside]).toEqual([point, reach < 1]);
    }
    expect(inside).toBeGreaterThan(4);
    expect(inside).toBeLessThan(14);
    // Moved to the very front of the cube's box and beyond the cut, the slice shows the same square.
    await page.after(() => page.control('at').locator('input[type=range]').fill('0.9'));
    expect(await page.colorAt([0.5, 0.5, 0.8])).toBe(LIGHT.inside);
  });

  test('the probe’s figures are the query’s, and the handle can be dragged', async () => {
    const page = await open('#/meshes/inspect?slice=off&probe=0.8,0.6,0.7');
    const cube = cubeMesh();
    await openFile(page, 'cube.obj', await writeModel(cube, 'obj'));
    const before = await probePoint(page);
    const query = new MeshQuery(cube);
    expect(Number(await page.figure('Probe', 'signedDistance'))).toBe(query.signedDistance(before));
    expect(Number(await page.figure('Probe', 'windingNumber'))).toBe(query.windingNumber(before));
    expect(await page.figure('Probe', 'closest')).toBe(query.closestPoint(before)?.point.join(' '));
    expect(await page.colorAt(before)).toBe(LIGHT.probe);

    const { x, y } = await page.project(before);
    await page.after(async () => {
      await page.page.mouse.move(x, y);
      await page.page.mouse.down();
      await page.page.mouse.move(x - 60, y - 40, { steps: 4 });
      await page.page.mouse.up();
    });
    await expect.poll(async () => (await page.project(await probePoint(page))).x).toBeCloseTo(x - 60, 0);
    await page.ready();
    const after = await probePoint(page);
    expect((await page.project(after)).y).toBeCloseTo(y - 40, 0);
    expect(Number(await page.figure('Probe', 'signedDistance'))).toBe(query.signedDistance(after));
    await expect.poll(() => page.page.url()).toMatch(/probe=/);
  });

  test('opens files of every format', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    for (const [ending, format] of [
      ['obj', 'obj'],
      ['stl', 'stl'],
      ['ply', 'ply-ascii'],
      ['off', 'off'],
      ['glb', 'glb'],
    ] as const) {
      const bytes = await writeModel(findModel('apple').build(), format);
      await openFile(page, `apple.${ending}`, bytes);
      expect(await page.figure('Model', 'format')).toBe(ending);
      await expectReport(page, inspectMesh(mergeModel(await readModel(bytes, { fileName: `apple.${ending}` }))));
    }
  });

  test('a file dropped on the page opens', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    const text = new TextDecoder().decode(await writeModel(cubeMesh(), 'obj'));
    await page.after(() =>
      page.page.evaluate((content) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([content], 'dropped.obj'));
        for (const kind of ['dragenter', 'dragover', 'drop']) {
          document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }
      }, text),
    );
    expect(await page.figure('Model', 'name')).toBe('dropped.obj');
    expect(await page.figure('Surface', 'triangles')).toBe('12');
    expect(await page.page.locator('#drop-hint').isVisible()).toBe(false);
  });

  test('a bad file gives the library’s own words, and the page goes on', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`);
    const whole = await writeModel(cubeMesh(), 'stl');
    for (const [name, bytes] of [
      ['truncated.stl', whole.subarray(0, 300)],
      ['wrong.obj', new TextEncoder().encode('v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 9\n')],
      ['noise.bin', Uint8Array.from({ length: 64 }, (_, i) => (i * 91) % 251)],
      ['empty.ply', new Uint8Array(0)],
    ] as const) {
      const message = await readModel(bytes, { fileName: name }).then(
        () => 'it was read',
        (error: Error) => error.message,
      );
      await openFile(page, name, bytes);
      expect(await page.page.locator('#notice').isVisible()).toBe(true);
      expect(await page.page.locator('#notice p').textContent()).toBe(message);
    }
    await page.after(() => page.control('sample').locator('select').selectOption('open-cup'));
    expect(await page.page.locator('#notice').isVisible()).toBe(false);
    expect(await page.figure('Model', 'name')).toBe('open-cup');
  });

  test('repair tells what it changed, and what is shown can be saved', async () => {
    const page = await open(`#/meshes/inspect?sample=loose-triangles&${PLAIN}`);
    expect(await page.figure('Soundness', 'manifold')).toBe('false');
    expect(Number(await page.figure('Soundness', 'weldedVertices'))).toBeGreaterThan(900);
    await page.after(() => page.control('repair').locator('button').click());
    const changes = await page.figures('Repair');
    expect(Number(changes.weldedVertices)).toBeGreaterThan(900);
    expect(Number(changes.droppedDuplicateFaces)).toBeGreaterThan(0);
    expect(Number(changes.droppedDegenerateFaces)).toBeGreaterThan(0);
    expect(Number(changes.flippedFaces)).toBeGreaterThan(0);
    const apple = inspectMesh(findModel('apple').build());
    expect(await page.figure('Soundness', 'closed')).toBe('true');
    expect(await page.figure('Surface', 'triangles')).toBe(String(apple.triangles));
    expect(Number(await page.figure('Solid', 'volume'))).toBeCloseTo(apple.volume as number, 12);

    for (const format of ['glb', 'obj', 'stl', 'ply']) {
      await page.control('format').locator(`input[value=${format}]`).check();
      const [download] = await Promise.all([
        page.page.waitForEvent('download'),
        page.control('save').locator('button').click(),
      ]);
      expect(download.suggestedFilename()).toBe(`loose-triangles-repaired.${format}`);
      const saved = await readModel(readFileSync(await download.path()), { fileName: download.suggestedFilename() });
      const report = inspectMesh(mergeModel(saved));
      expect([format, report.triangles, report.closed]).toEqual([format, apple.triangles, true]);
    }
  });
});

describe('long work', () => {
  test('shows its progress and can be canceled, without losing the worker', async () => {
    const page = await open('#/meshes/models?model=icosphere&subdivisions=2');
    let ended = 0;
    for (const worker of page.page.workers()) worker.on('close', () => ended++);
    expect(page.page.workers().length).toBe(1);
    // A worker that does not notice within a second is ended. The page's clock runs slower, so that this is about the
    // report's listening and not about the speed of the machine.
    await page.page.evaluate(() => {
      const wait = window.setTimeout;
      window.setTimeout = ((task: () => void, ms: number) => wait(task, ms === 1000 ? 600_000 : ms)) as typeof wait;
    });
    // Half a million triangles to be reported on keep the worker busy for seconds.
    await page.cancelWork('#/meshes/models?model=icosphere&subdivisions=160', /^(?!Working|Building the model)./);
    await expectCanceled(page);
    expect(ended).toBe(0);
  });

  test('that does not listen is canceled too', async () => {
    const page = await open('#/meshes/models?model=icosphere&subdivisions=2');
    // Building a model is one call that looks at no signal.
    await page.cancelWork('#/meshes/models?model=icosphere&subdivisions=200');
    await expectCanceled(page);
  });

  test('gives way to newer values: only the last of many changes has to be finished', async () => {
    const page = await open('#/meshes/models?model=icosphere&subdivisions=2');
    const number = page.control('subdivisions').locator('input[type=number]');
    for (const value of ['60', '80', '90', '4']) {
      await number.fill(value);
      await number.press('Enter');
    }
    await expect.poll(() => page.figure('Surface', 'triangles')).toBe('320');
  });
});

describe('light and dark', () => {
  test('follow the system and the switch, which is remembered', async () => {
    const page = await open('#/meshes/models?model=torus', { colorScheme: 'dark' });
    expect(await stageColor(page)).toBe(DARK.stage);
    const button = page.page.locator('#theme');
    expect(await button.textContent()).toBe('System');
    await page.after(() => button.click());
    expect(await button.textContent()).toBe('Light');
    expect(await stageColor(page)).toBe(LIGHT.stage);
    await page.page.reload();
    await page.ready();
    expect(await stageColor(page)).toBe(LIGHT.stage);
    await page.after(() => page.page.keyboard.press('t'));
    expect(await stageColor(page)).toBe(DARK.stage);
  });

  test('what is drawn changes with them', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`, { colorScheme: 'dark' });
    await openFile(page, 'open.obj', await writeModel(dropTriangles(cubeMesh(), [4, 5]), 'obj'));
    expect(await page.colorAt([0.3, 1, 1])).toBe(DARK.boundary);
  });
});

describe('the keyboard', () => {
  test('reaches every control, in order, with the focus visible', async () => {
    const page = await open(`#/meshes/inspect?${PLAIN}`, {});
    await page.page.keyboard.press('Tab');
    expect(await focused(page)).toBe('skip');
    await page.page.keyboard.press('Enter');
    const reached: string[] = [];
    for (let i = 0; i < 40; i++) {
      const name = await page.page.evaluate(
        () => document.activeElement?.closest<HTMLElement>('[data-control]')?.dataset.control ?? null,
      );
      if (name === null) break;
      if (reached.at(-1) !== name) reached.push(name);
      await page.page.keyboard.press('Tab');
    }
    const controls = await page.page
      .locator('[data-control]')
      .evaluateAll((rows) => rows.map((row) => (row as HTMLElement).dataset.control));
    expect(reached).toEqual(controls);
    await page.page.keyboard.press('c');
    await page.page.keyboard.press('Tab');
    const outline = await page.page.evaluate(() => getComputedStyle(document.activeElement as Element).outlineStyle);
    expect(outline).toBe('solid');
  });

  test('turns and zooms the view, which the address remembers; 0 resets it', async () => {
    const page = await open('#/meshes/models?model=box');
    await page.page.keyboard.press('v');
    await page.page.keyboard.press('ArrowRight');
    await page.page.keyboard.press('ArrowUp');
    await page.page.keyboard.press('+');
    await expect.poll(() => new URLSearchParams(page.page.url().split('?')[1]).get('view')).toBe('42.5,29.5,1.652');
    await page.page.keyboard.press('0');
    await expect.poll(() => page.page.url()).not.toContain('view=');
  });

  test('opens and closes the help', async () => {
    const page = await open('#/meshes/models?model=torus');
    await page.page.keyboard.press('?');
    expect(await page.page.locator('#help-dialog').isVisible()).toBe(true);
    await page.page.keyboard.press('Escape');
    expect(await page.page.locator('#help-dialog').isVisible()).toBe(false);
    await page.page.locator('#help').click();
    await page.page.getByRole('button', { name: 'Close' }).click();
    expect(await page.page.locator('#help-dialog').isVisible()).toBe(false);
  });

  test('goes from scene to scene', async () => {
    const page = await open('#/meshes/inspect');
    await page.after(() => page.page.keyboard.press(']'));
    expect(await page.page.locator('#scene-title').textContent()).toBe('Procedural models');
    await page.after(() => page.page.keyboard.press('['));
    expect(await page.page.locator('#scene-title').textContent()).toBe('Inspect a file');
  });
});

test('a link shows the same picture and figures again', async () => {
  const page = await open('#/meshes/models?model=bowl&shading=smooth&view=120,40,1.5');
  const again = await open(new URL(page.page.url()).hash);
  expect(await again.figures('Surface')).toEqual(await page.figures('Surface'));
  const shots = [
    await page.page.locator('#stage canvas').screenshot(),
    await again.page.locator('#stage canvas').screenshot(),
  ];
  expect(shots[0].equals(shots[1])).toBe(true);
  const other = await open('#/meshes/models?model=bowl&shading=smooth&view=200,40,1.5');
  expect((await other.page.locator('#stage canvas').screenshot()).equals(shots[0])).toBe(false);
});

test('without WebGL the figures are there, with a word on why there is no picture', async () => {
  const blind = await startLab(['--disable-3d-apis']);
  try {
    const page = await blind.open('#/meshes/models?model=torus');
    expect(await page.page.locator('.blind-text').textContent()).toContain('does not provide WebGL');
    await expectReport(page, inspectMesh(findModel('torus').build()));
    expect(page.complaints).toEqual([]);
  } finally {
    await blind.close();
  }
});

/** Counts and verdicts must be equal; measures may differ in the last bits, as sines and roots do between engines. */
async function expectReport(page: LabPage, report: MeshReport): Promise<void> {
  const { area, volume, centerOfMass, inertia, box, orientable: _, ...counts } = report;
  const shown = { ...(await page.figures('Surface')), ...(await page.figures('Soundness')) };
  expect(shown).toEqual(
    Object.fromEntries(Object.entries(counts).map(([id, value]) => [id, value === null ? '' : `${value}`])),
  );
  const size = box.max.map((value, axis) => value - box.min[axis]);
  const measures = { area, volume, size, centerOfMass, inertia: inertia?.map((row, axis) => row[axis]) };
  const solid = await page.figures('Solid');
  expect(Object.keys(solid).sort()).toEqual(Object.keys(measures).sort());
  for (const [id, value] of Object.entries(measures)) {
    const numbers = [value ?? []].flat();
    const texts = solid[id] === '' ? [] : solid[id].split(' ');
    expect([id, texts.length]).toEqual([id, numbers.length]);
    for (const [i, number] of numbers.entries()) expect(Number(texts[i])).toBeCloseTo(number, 12);
  }
}

async function expectCanceled(page: LabPage): Promise<void> {
  await page.ready();
  expect(await page.page.locator('#notice').textContent()).toContain('Canceled');
  expect(await page.page.locator('#progress').isVisible()).toBe(false);
  await page.after(() =>
    page.page.evaluate(() => {
      location.hash = '#/meshes/models?model=icosphere&subdivisions=3';
    }),
  );
  expect(await page.page.locator('#notice').isVisible()).toBe(false);
  expect(await page.figure('Surface', 'triangles')).toBe('180');
}

async function openFile(page: LabPage, name: string, bytes: Uint8Array): Promise<void> {
  const buffer = Buffer.from(bytes);
  await page.after(() =>
    page.control('file').locator('input').setInputFiles({ name, mimeType: 'application/octet-stream', buffer }),
  );
}

async function faceColor(page: LabPage, mesh: Mesh, name: string): Promise<string> {
  await openFile(page, name, await writeModel(mesh, name.endsWith('obj') ? 'obj' : 'ply'));
  const { min, max } = inspectMesh(mesh).box;
  const at = (axis: number, share: number): number => min[axis] + share * (max[axis] - min[axis]);
  const color = await page.colorAt([at(0, 0.4), at(1, 0.3), max[2]]);
  expect(color).not.toBe(LIGHT.stage);
  return color;
}

async function probePoint(page: LabPage): Promise<Vec3> {
  return (await page.figure('Probe', 'probe'))?.split(' ').map(Number) as Vec3;
}

function stageColor(page: LabPage): Promise<string> {
  return page.page.evaluate(() => {
    const [r, g, b] = getComputedStyle(document.getElementById('stage') as Element).backgroundColor.match(
      /\d+/g,
    ) as string[];
    return `#${[r, g, b].map((value) => Number(value).toString(16).padStart(2, '0')).join('')}`;
  });
}

function focused(page: LabPage): Promise<string | undefined> {
  return page.page.evaluate(() => document.activeElement?.id);
}

/** Whether the middle of the view differs from its upper left corner. */
async function isPainted(page: LabPage): Promise<boolean> {
  const box = await page.page.locator('#stage canvas').boundingBox();
  if (box === null) return false;
  const corner = await page.colorOfPixel(box.x + 5, box.y + 5);
  const middle = await page.colorsOfRow(box.x + 0.3 * box.width, box.y + 0.55 * box.height, 0.4 * box.width);
  return middle.some((color) => color !== corner);
}

function brightness(color: string): number {
  return [1, 3, 5].reduce((sum, at) => sum + Number.parseInt(color.slice(at, at + 2), 16), 0) / 3;
}

/** The cube from −1 to 1; triangles 4 and 5 are the top. */
function cubeMesh(): Mesh {
  const positions = Float64Array.from({ length: 24 }, (_, i) => ((Math.floor(i / 3) >> (i % 3)) & 1) * 2 - 1);
  const quads = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [2, 6, 7, 3],
    [0, 1, 5, 4],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  return { positions, indices: Uint32Array.from(quads.flatMap(([a, b, c, d]) => [a, b, c, a, c, d])) };
}

function dropTriangles(mesh: Mesh, dropped: readonly number[]): Mesh {
  return { positions: mesh.positions, indices: mesh.indices.filter((_, i) => !dropped.includes(Math.floor(i / 3))) };
}

function moveMesh(mesh: Mesh, by: Vec3): Mesh {
  return { positions: mesh.positions.map((value, i) => value + by[i % 3]), indices: mesh.indices };
}

function mergeMeshes(...meshes: readonly Mesh[]): Mesh {
  const positions = meshes.flatMap((mesh) => [...mesh.positions]);
  let first = 0;
  const indices = meshes.flatMap((mesh) => {
    const shifted = [...mesh.indices].map((vertex) => vertex + first);
    first += mesh.positions.length / 3;
    return shifted;
  });
  return { positions: Float64Array.from(positions), indices: Uint32Array.from(indices) };
}
