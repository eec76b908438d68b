import { decomposeSolid } from 'nearfield/decomposition';
import { offsetMesh, solidify } from 'nearfield/field';
import { findModel, inspectMesh } from 'nearfield/mesh';
import { describe, expect, test } from 'vitest';
import { faultyModels } from '../../lab/samples/faulty-models.js';
import { useLab } from './use-lab.js';

/** Engines differ in the last bits of sines. */
const DIGITS = 6;

const open = useLab();

describe('solids', () => {
  test('a broken sample becomes a solid with the figures of the library', async () => {
    const page = await open('#/fields/solidify?sample=crossing-rings&resolution=24');
    const mesh = faultyModels.find(({ name }) => name === 'crossing-rings')!.build();
    const solid = solidify(mesh, { resolution: 24 });
    const distance = await page.figures('Distance, proven');
    expect(Number(distance.toInput)).toBeCloseTo(solid.distance.toInput, DIGITS);
    expect(Number(distance.outside)).toBeCloseTo(solid.outside, DIGITS);
    expect(await page.figures('Solid')).toMatchObject({ rule: solid.rule, closed: 'yes' });
    await page.after(() => page.control('rule').locator('input[value=thicken]').check());
    expect(await page.figure('Solid', 'rule')).toBe('thicken');
    expect(await page.figure('Solid', 'thickened')).toBe('1');
  });

  test('a model is grown and hollowed with the figures of the library', async () => {
    const page = await open('#/fields/offset?model=box&distance=0.1&resolution=20');
    const mesh = findModel('box').build();
    const side = Math.max(...[0, 1, 2].map((k) => extentAlong(mesh.positions, k)));
    const grown = offsetMesh(mesh, { distance: 0.1 * side, resolution: 20 });
    const shown = await page.figures('Offset');
    expect(Number(shown.outward)).toBeCloseTo(grown.error.outward, DIGITS);
    expect(Number(shown.volume)).toBeCloseTo(inspectMesh(grown.mesh).volume!, DIGITS);
    await page.after(() => page.control('hollow').locator('input').check());
    expect(Number(await page.figure('Offset', 'volume'))).toBeLessThan(0.9 * Number(shown.volume));
  });

  test('a letter is covered by few convex pieces, and by fewer where only fewer are allowed', async () => {
    const page = await open('#/decomposition/few-pieces?model=letter-e&concavity=0.05');
    const mesh = findModel('letter-e').build();
    const side = Math.max(...[0, 1, 2].map((k) => extentAlong(mesh.positions, k)));
    const { pieces, overshoot } = decomposeSolid(mesh, { maxConcavity: 0.05 * side, maxPieces: 32 });
    const shown = await page.figures('Pieces');
    expect(shown).toMatchObject({ pieces: `${pieces.length}`, covers: 'solid' });
    expect(Number(shown.overshoot)).toBeCloseTo(overshoot.upper, DIGITS);
    await page.setSlider('most', 2);
    expect(await page.figure('Pieces', 'pieces')).toBe('2');
  });
});

function extentAlong(positions: Float64Array, axis: number): number {
  const values = positions.filter((_, i) => i % 3 === axis);
  return Math.max(...values) - Math.min(...values);
}
