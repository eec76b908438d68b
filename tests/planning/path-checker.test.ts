// The checker of paths, itself checked: distances within a limit against those over all triangles, and paths with known verdicts.
import { expect, test } from 'vitest';
import { createRandom } from '../../src/core/random.js';
import { findModel } from '../../src/mesh/index.js';
import { measureByBruteForce, type OracleMesh, placeInFrame, prepareOracle } from '../oracles/mesh-distance.js';
import { surfaceDistanceWithin } from '../oracles/near-distance.js';
import { checkBodies, checkPath, movingBody } from '../oracles/path-checker.js';
import { boxes } from './planning-scenes.js';

function oracle({ positions, indices }: { positions: ArrayLike<number>; indices: ArrayLike<number> }): OracleMesh {
  return prepareOracle(Float64Array.from(positions), Uint32Array.from(indices));
}

test('a distance within a limit is that over all triangles, and none is left out', () => {
  const random = createRandom(21);
  const meshes = [
    oracle(findModel('torus').build({})),
    oracle(boxes([-1, -0.1, -0.1, 1, 0.1, 0.1], [-1, 0.4, -0.1, 1, 0.6, 0.1])),
    oracle(findModel('box').build({})),
  ];
  const seen = { within: 0, meet: 0, asked: 0 };
  for (let i = 0; i < 200; i++) {
    const [a, b] = [meshes[random.integer(3)], meshes[random.integer(3)]];
    const pose = (): number[] => [...[0, 1, 2].map(() => random.range(-1.5, 1.5)), ...random.rotation()];
    const [poseA, poseB] = [pose(), pose()];
    const limit = random.range(0, 1);
    const found = surfaceDistanceWithin(a, poseA, b, poseB, limit);
    const { surfaceDistance } = measureByBruteForce(a, b, placeInFrame(b.positions, poseA, poseB));
    seen.asked++;
    if (surfaceDistance > limit) expect(found).toBe(Infinity);
    else expect(Math.abs(found - surfaceDistance)).toBeLessThan(1e-9);
    seen.within += Number(surfaceDistance <= limit);
    seen.meet += Number(surfaceDistance === 0);
  }
  expect(seen.within / seen.asked).toBeGreaterThan(0.3);
  expect(seen.within / seen.asked).toBeLessThan(0.9);
  expect(seen.meet / seen.asked).toBeGreaterThan(0.05);
});

test('known paths: past a sheet, through it, around it, inside of a solid from the start', () => {
  const sheet = oracle(boxes([-0.001, -1, -1, 0.001, 1, 1]));
  const cube = oracle(boxes([-0.1, -0.1, -0.1, 0.1, 0.1, 0.1]));
  const at = (x: number, y: number): number[] => [x, y, 0, 0, 0, 0, 1];
  expect(checkPath(cube, sheet, [at(-2, 1.2), at(2, 1.2)]).verdict).toBe('proven');
  expect(checkPath(cube, sheet, [at(-2, 1.2), at(2, 1.2)], 0.11).verdict).toBe('refuted');
  expect(checkPath(cube, sheet, [at(-2, 0), at(2, 0)]).verdict).toBe('refuted');
  expect(checkPath(cube, sheet, [at(-2, 0), at(-2, 2), at(2, 2), at(2, 0)]).verdict).toBe('proven');
  const room = oracle(boxes([-3, -3, -3, 3, 3, 3]));
  expect(checkPath(cube, room, [at(0, 0), at(1, 0)]).verdict).toBe('refuted');
  // Two that move side by side, and two that cross.
  const past = movingBody(cube, [at(0, 0), at(2, 0)]);
  expect(checkBodies(past, movingBody(cube, [at(0, 0.3), at(2, 0.3)]), 1).verdict).toBe('proven');
  expect(checkBodies(past, movingBody(cube, [at(2, 0.05), at(0, 0.05)]), 1).verdict).toBe('refuted');
});
