import { CollisionCuller, type CullMethod } from 'nearfield/culling';
import { expect, test } from 'vitest';
import { deformingCylinders } from '../../bench/scenarios/culling.js';
import type { LabPage } from './lab-page.js';
import { useLab } from './use-lab.js';

const open = useLab();

/** Objects and triangles left after each stage. */
function stages(page: LabPage): Promise<string[][]> {
  return page.page
    .locator('[data-group="Left after each stage"] [data-row]')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.querySelectorAll('data')].map((cell) => cell.getAttribute('value') ?? '').slice(1)),
    );
}

test('the counts after each stage are the library’s, by both methods', async () => {
  const page = await open('#/culling/environments?cylinders=30&frame=20&resolution=64');
  const environment = deformingCylinders(30);
  environment.moveTo(20 / 30);
  const expectCounts = async (method: CullMethod): Promise<void> => {
    const culler = new CollisionCuller({ method, resolution: 64, output: 'triangles' });
    const result = culler.cullSync(environment.objects);
    const counts = result.stages.map(({ objects, triangles }) => [`${objects}`, `${triangles}`]);
    expect(await stages(page)).toEqual(counts);
    expect(await page.figures('Sets')).toMatchObject({
      objects: '30',
      potential: `${result.potential.length}`,
      exactPairs: `${result.exactPairs!.length / 2}`,
      trianglePairs: `${result.trianglePairs}`,
    });
  };
  await expectCounts('lbvh');
  await page.after(() => page.control('method').locator('input[value=cullide]').check({ force: true }));
  await expectCounts('cullide');
  expect(Number(await page.figure('Sets', 'exactPairs'))).toBeGreaterThan(0);
  expect(await page.page.locator('#legend').textContent()).toContain('Left for exact tests');
});

test('the dragon breaks when told to, and the set goes on', async () => {
  const page = await open('#/culling/environments?environment=breaking&breakFrame=100&frame=12&fragments=9');
  expect(await page.figures('Sets')).toMatchObject({ objects: '2', exactPairs: '1' });
  const [, whole] = (await stages(page))[0].map(Number);
  await page.control('break').locator('button').click();
  await expect.poll(async () => Number(await page.figure('Sets', 'objects'))).toBeGreaterThan(4);
  await page.control('play').locator('button').click();
  await page.ready();
  expect(Number(await page.figure('Sets', 'exactPairs'))).toBeGreaterThan(0);
  // Cracks add triangles.
  expect(Number((await stages(page))[0][1])).toBeGreaterThan(whole);
});
