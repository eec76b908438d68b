// Finely divided flat regions: the work grows with their outlines, and what comes out is as valid as ever.
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { type DecomposeOptions, decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { patchCount } from '../../../src/decomposition/decomposition.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { findSelfIntersections } from '../../../src/mesh/report/self-intersections.js';
import { boxMesh, join, mapPoints, selectFaces, sheet, shuffled, voxelSolid } from '../../generators/surfaces.js';
import { validateHierarchy } from '../../oracles/hull-hierarchy.js';
import { describeTopology } from '../../oracles/topology.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

/** An L of n cells across, and a cube without one of its corners. */
const notched = (n: number): Mesh => voxelSolid(n, (x, y) => x < n / 2 || y < n / 2);
const cornered = (n: number): Mesh => voxelSolid(n, (x, y, z) => x < n / 2 || y < n / 2 || z < n / 2);
/** A plate with a square hole for each 16 cells. */
const drilled = (n: number): Mesh =>
  voxelSolid(n, (x, y, z) => z < 4 && !(x % 16 > 5 && x % 16 < 10 && y % 16 > 5 && y % 16 < 10));

const triangles = (mesh: Mesh): number => mesh.indices.length / 3;

/** n × n flat squares. */
const flat = (n: number): Mesh => mapPoints(sheet(n), ([x, y]) => [x, y, 0]);

/** A ring in the plane z = 0 of n × n squares with a hole from cell `low` to `high` on both axes. */
function frame(n: number, low: number, high: number): Mesh {
  return selectFaces(flat(n), (face) => {
    const square = Math.floor(face / 2);
    const [i, j] = [square % n, Math.floor(square / n)];
    return i < low || i >= high || j < low || j >= high;
  });
}

function expectValid(mesh: Mesh, options?: DecomposeOptions): number {
  const decomposition = decomposeSurface(mesh, options);
  expect(decompositionFaults(decomposition)).toEqual([]);
  const hierarchy = buildHierarchy(decomposition);
  validateHierarchy(hierarchy, decomposition.pieces, decomposition.patchOfFace);
  return patchCount(decomposition);
}

describe('the work of flat regions', () => {
  test.each([
    ['a notched block', notched, 8],
    ['a block without a corner', cornered, 9],
  ])('%s takes the same tests at any fineness', (_, build, pieces) => {
    const runs = [8, 16, 32].map((n) => {
      const mesh = build(n);
      // Growing patches face by face took 1,500 a triangle of the largest, and made three times the pieces.
      const decomposition = decomposeSurface(mesh, { checkSelfIntersections: false, maxWork: 150 * triangles(mesh) });
      expect(patchCount(decomposition)).toBe(pieces);
      return [decomposition.insertions, decomposition.trianglesTested];
    });
    expect(runs[1]).toEqual(runs[0]);
    expect(runs[2]).toEqual(runs[0]);
  });

  test('a plate with holes takes work in proportion to its holes', () => {
    for (const holes of [2, 4, 6]) {
      const mesh = drilled(16 * holes);
      const decomposition = decomposeSurface(mesh, { checkSelfIntersections: false, maxWork: 150 * triangles(mesh) });
      // Top and bottom, four sides, and four walls a hole.
      expect(patchCount(decomposition)).toBe(6 + 4 * holes ** 2);
      expect(decomposition.insertions).toBeLessThan(64 * holes ** 2);
      expect(decomposition.trianglesTested).toBeLessThan(300 * holes ** 2);
    }
  });
});

describe('the patches of flat regions', () => {
  test.each(['bfs-crests', 'bfs', 'dfs'] as const)('are valid by %s', (method) => {
    for (const mesh of [notched(8), cornered(8), shuffled(cornered(8), createRandom(3))]) {
      expectValid(mesh, { method });
    }
  });

  test('also if cut so that they cover their pieces', () => {
    expectValid(notched(8), { coverFlatPatches: true });
  });

  test('are valid for open surfaces with straight and with jagged borders', () => {
    expect(expectValid(flat(8))).toBe(1);
    expect(expectValid(frame(9, 3, 6))).toBe(1);
    const random = createRandom(5);
    expectValid(selectFaces(notched(8), () => random.next() < 0.97));
    expectValid(selectFaces(flat(12), () => random.next() < 0.9));
  });

  test('go around what stands in a bay or in a hole', () => {
    const post = (x: number, y: number): Mesh => boxMesh([x, y, -1], [x + 0.1, y + 0.1, 1]);
    const ring = frame(9, 3, 6);
    expect(expectValid(join(ring, post(4.5, 4.5)))).toBeGreaterThan(2);
    // An island in the same plane, which no edge connects to the ring.
    const island = mapPoints(flat(6), ([x, y]) => [4 + x / 6, 4 + y / 6, 0]);
    expect(expectValid(join(ring, island))).toBeGreaterThan(2);
    // A tower in the bay of an L, through the plane of its top.
    const tower = boxMesh([6, 6, 2], [7, 7, 12]);
    expect(expectValid(join(notched(8), tower))).toBeGreaterThan(8);
  });

  test('are valid where holes touch each other in a vertex', () => {
    const sieve = selectFaces(flat(9), (face) => {
      const square = Math.floor(face / 2);
      const [i, j] = [square % 9, Math.floor(square / 9)];
      return !((i === 3 && j === 3) || (i === 4 && j === 4));
    });
    expectValid(sieve);
  });

  test('are valid for random columns of random heights, divided and tilted', () => {
    let valid = 0;
    for (let seed = 0; seed < 10; seed++) {
      const random = createRandom(seed);
      const heights = Array.from({ length: 4 }, () => random.integer(2));
      const solid = voxelSolid(2, (x, y, z) => z <= heights[x + 2 * y], 4);
      const sheared = mapPoints(solid, ([x, y, z]) => [x + 0.5 * z, y - 0.25 * x, 2 * z + y]);
      const mesh = seed % 2 === 0 ? solid : sheared;
      const topology = describeTopology(mesh);
      if (!topology.manifold || findSelfIntersections(mesh).count > 0) continue;
      valid++;
      expectValid(mesh);
    }
    expect(valid).toBeGreaterThan(5);
  });
});
