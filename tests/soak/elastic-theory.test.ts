// Scenes of elastic bodies against beam theory at resolutions that take long.
import { expect, test } from 'vitest';
import { readSimulationScene, simulateScene } from '../../src/dynamics/index.js';

/** Where the tip of a beam along x is in equilibrium under an end load. */
async function tipOf(length: number, side: number, force: number, elastic: object): Promise<readonly number[]> {
  const end = [length, -side, -side, length, side, side];
  const body = {
    shape: { box: [length, side, side] },
    pose: [length / 2, 0, 0, 0, 0, 0, 1],
    elastic,
    hold: [{ box: [0, -side, -side, 0, side, side] }],
    loads: [{ box: end, force: [0, -force, 0] }],
  };
  const scene = {
    gravity: [0, 0, 0],
    analysis: 'static',
    bodies: [body],
    probes: [{ body: 0, point: [length, 0, 0] }],
  };
  const result = simulateScene(await readSimulationScene(JSON.stringify(scene)), { steps: 1 });
  expect(result).toMatchObject({ status: 'done', unsolved: 0 });
  return result.frames[1].probes[0];
}

test('a cantilever of 64 linear elements is within 6 % of Timoshenko', async () => {
  const [young, poisson, side] = [1e8, 0.3, 0.1];
  const shear = (young / (2 * (1 + poisson))) * ((10 * (1 + poisson)) / (12 + 11 * poisson)) * side ** 2;
  const exact = 1 / ((3 * young * side ** 4) / 12) + 1 / shear;
  const [, y] = await tipOf(1, side, 1, { young, poisson, resolution: 64 });
  expect(Math.abs(-y / exact - 1)).toBeLessThan(0.06);
});

// Deflections of the elastica by F L² / E I, in lengths: down and back (Bisshopp and Drucker 1945).
test.each([
  [1, 0.30172, 0.05643],
  [2, 0.49346, 0.16064],
  [5, 0.71379, 0.38763],
])('a beam bends as the elastica at a load of %s', async (load, down, back) => {
  const [young, side] = [1e6, 0.05];
  const force = (load * young * side ** 4) / 12;
  const [x, y] = await tipOf(1, side, force, { young, poisson: 0, resolution: 20, element: 'quadratic' });
  expect(Math.abs(-y / down - 1)).toBeLessThan(0.01);
  expect(Math.abs((1 - x) / back - 1)).toBeLessThan(0.01);
});
