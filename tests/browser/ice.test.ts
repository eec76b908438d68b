import { createIce, createIceOnModel, iceMesh, measureIce } from 'nearfield/ice';
import { findModel } from 'nearfield/mesh';
import { expect, test } from 'vitest';
import { useLab } from './use-lab.js';

const open = useLab();

test('the figures are the library’s, and strokes freeze, cool and wall off', async () => {
  const page = await open('#/ice/growth?size=128&frame=20&steps=10&backend=cpu&brush=6');
  const ice = await createIce({ size: [128, 128] });
  await ice.advance(200);
  const expected = measureIce(await ice.read(), ice.parameters);
  const before = await page.figures('Ice');
  expect(Number(before.solidFraction)).toBeCloseTo(expected.solidFraction, 12);
  expect(Number(before.energy)).toBeCloseTo(expected.freeEnergy, 8);
  expect(await page.figures('Speed')).toMatchObject({
    where: 'the CPU, as chosen',
    // WebAssembly: the lab's policy must not forbid it.
    precision: 'single',
    steps: '200',
  });
  const canvas = await page.page.locator('#stage canvas').boundingBox();
  const at = [canvas!.x + 0.42 * canvas!.width, canvas!.y + 0.3 * canvas!.height];
  await page.after(async () => {
    await page.page.mouse.move(at[0], at[1]);
    await page.page.mouse.down();
    await page.page.mouse.up();
  });
  const frozen = await page.figures('Ice');
  expect(Number(frozen.strokes)).toBe(1);
  expect(Number(frozen.solidFraction)).toBeGreaterThan(Number(before.solidFraction));
  await page.setSlider('frame', 24);
  expect(Number(await page.figure('Ice', 'solidFraction'))).toBeGreaterThan(Number(frozen.solidFraction));
  await page.after(() => page.control('clear').locator('button').click());
  expect(Number(await page.figure('Ice', 'strokes'))).toBe(0);
});

test('without a GPU it is smaller and says so; temperature has its colors; pictures and meshes are saved', async () => {
  const page = await open('#/ice/growth?frame=5&steps=10&shows=temperature');
  const { where, precision } = await page.figures('Speed');
  expect(where).toContain('no GPU here, so only 256² cells');
  expect(precision).toBe('single');
  expect(await page.page.locator('[data-group="Colors"]').count()).toBe(1);
  for (const [button, name] of [
    ['savePicture', 'ice.png'],
    ['saveMesh', 'ice.glb'],
  ]) {
    const download = page.page.waitForEvent('download');
    await page.control(button).locator('button').click();
    expect((await download).suggestedFilename()).toBe(name);
  }
});

test('frost grows on a model as in the library', async () => {
  const page = await open('#/ice/on-model?model=torus&frame=10&resolution=32&backend=cpu');
  const torus = findModel('torus').build();
  const [min, max] = [Math.min, Math.max].map((pick) =>
    [0, 1, 2].map((axis) => torus.positions.filter((_, i) => i % 3 === axis).reduce((a, b) => pick(a, b))),
  );
  const reach = 0.1 * Math.hypot(...max.map((high, axis) => high - min[axis]));
  const ice = await createIceOnModel(torus, { resolution: 32, reach, seedCount: 24, seed: 1 });
  await ice.advance(100);
  const { indices } = iceMesh(await ice.read());
  expect(Number(await page.figure('Ice', 'triangles'))).toBe(indices.length / 3);
  expect(indices.length).toBeGreaterThan(3000);
});
