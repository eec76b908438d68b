// A flat sheet is one patch of many triangles. Queries of two of these sheets must not test all pairs of triangles, for any
// placement and any earlier knowledge of their distance.
import { expect, test } from 'vitest';
import type { Pose } from '../../../src/core/pose.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { Pair } from '../../../src/proximity/pair.js';
import { ProximityModel } from '../../../src/proximity/proximity-model.js';
import { mesh } from '../../generators/surfaces.js';
import { measureByBruteForce, placeInFrame, prepareOracle } from '../../oracles/mesh-distance.js';

const SIDE = 12;

function flatGrid(): Mesh {
  const points: number[][] = [];
  const faces: number[][] = [];
  for (let y = 0; y <= SIDE; y++) for (let x = 0; x <= SIDE; x++) points.push([x / SIDE, y / SIDE, 0]);
  for (let y = 0; y < SIDE; y++) {
    for (let x = 0; x < SIDE; x++) {
      const at = y * (SIDE + 1) + x;
      faces.push([at, at + 1, at + SIDE + 2], [at, at + SIDE + 2, at + SIDE + 1]);
    }
  }
  return mesh(points, faces);
}

const grid = flatGrid();
const oracle = prepareOracle(grid.positions, grid.indices);
const model = new ProximityModel(grid);
const AT_ORIGIN: Pose = [0, 0, 0, 0, 0, 0, 1];

test.each([
  ['edge on', [0.3, 0.4, 0.2, Math.sin(0.5), 0, 0, Math.cos(0.5)]],
  ['through each other', [0.3, 0.1, -0.2, Math.sin(0.785), 0, 0, Math.cos(0.785)]],
  ['parallel, a rounding apart', [0, 0, 1e-14, 0, 0, 0, 1]],
  ['parallel', [0.013, 0.017, 0.01, 0, 0, 0, 1]],
] as [string, Pose][])('measures few pairs of triangles of two flat patches: %s', (_, pose) => {
  const pairs = (2 * SIDE * SIDE) ** 2;
  const truth = measureByBruteForce(oracle, oracle, placeInFrame(grid.positions, AT_ORIGIN, pose));
  const result = new Pair(model, model, { volume: 'hulls' }).distance(AT_ORIGIN, pose);
  expect(result.intersects).toBe(truth.intersects);
  expect(Math.abs(result.distance! - truth.distance)).toBeLessThan(1e-14);
  expect(result.error).toBeLessThan(1e-14);
  expect(result.counters.trianglePairs).toBeLessThan(0.1 * pairs);
});
