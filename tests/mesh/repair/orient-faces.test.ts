import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { orientFaces } from '../../../src/mesh/repair/orient-faces.js';
import { inspectMesh, type MeshReport } from '../../../src/mesh/report/report.js';
import { randomMesh } from '../../generators/random-meshes.js';
import {
  bowTie,
  boxMesh,
  cubesSharingEdge,
  cubesSharingSide,
  flipFaces,
  join,
  kleinGrid,
  mapPoints,
  openCube,
  reversed,
  selectFaces,
  sheet,
  shuffled,
  sphereGrid,
  strip,
  torusGrid,
  voxelSolid,
} from '../../generators/surfaces.js';

const inspect = (given: Mesh): MeshReport => inspectMesh(given, { selfIntersections: false });

function facesOf(given: Mesh): number[][] {
  return Array.from({ length: given.indices.length / 3 }, (_, i) => [...given.indices.subarray(3 * i, 3 * i + 3)]);
}

test.each<[string, () => Mesh]>([
  ['cube', () => boxMesh()],
  ['torus', () => torusGrid(8, 6)],
  ['two bodies side by side', () => join(boxMesh(), sphereGrid(4, 1, [5, 0, 0]))],
  [
    'box with two cavities, one with a body in it',
    () =>
      join(
        boxMesh([0, 0, 0], [20, 10, 10]),
        reversed(boxMesh([1, 1, 1], [9, 9, 9])),
        sphereGrid(5, 3, [5, 5, 5]),
        reversed(mapPoints(torusGrid(8, 6, 1.5, 0.5), ([x, y, z]) => [x + 15, y + 5, z + 5])),
      ),
  ],
  ['bow tie', () => bowTie()],
  ['cubes that share an edge', () => cubesSharingEdge()],
  ['two that overlap', () => join(boxMesh([0, 0, 0], [3, 3, 3]), boxMesh([1, 1, 1], [4, 4, 4]))],
  ['open cube', () => openCube()],
  [
    'tube without ends',
    () =>
      selectFaces(
        mapPoints(boxMesh(), ([x, y, z]) => [x, y, 5 * z]),
        (face) => face > 3,
      ),
  ],
])('%s: any faces flipped come back', (_, build) => {
  const given = build();
  for (let seed = 0; seed < 12; seed++) {
    const random = createRandom(seed);
    const share = [0.05, 0.5, 1][seed % 3];
    const flips = facesOf(given).map(() => random.next() < share);
    const q = random.rotation();
    const broken = mapPoints(
      flipFaces(given, (face) => flips[face]),
      (p) => quat.rotate(q, p),
    );
    const result = orientFaces(broken);
    expect(result.mesh.indices).toEqual(given.indices);
    expect(result.flippedFaces).toBe(flips.filter(Boolean).length);
    expect([...result.flips].map(Boolean)).toEqual(flips);
    expect(result.nonOrientablePatches).toBe(0);
    expect(result.sidelessPatches).toBe(0);
  }
});

test('the report says outward for any order of the faces', () => {
  const nest = join(
    boxMesh([0, 0, 0], [9, 9, 9]),
    boxMesh([1, 1, 1], [8, 8, 8]),
    mapPoints(torusGrid(7, 5), ([x, y, z]) => [x + 4.5, y + 4.5, z + 4.5]),
  );
  for (let seed = 0; seed < 10; seed++) {
    const random = createRandom(seed);
    const given = shuffled(
      flipFaces(nest, () => random.next() < 0.5),
      random,
    );
    expect(inspect(orientFaces(given).mesh)).toMatchObject({ oriented: true, outward: true });
  }
});

test('a sheet keeps the side most of its faces had', () => {
  const hills = sheet(5);
  const result = orientFaces(flipFaces(hills, (face) => face % 5 === 0));
  expect(result.mesh.indices).toEqual(hills.indices);
  expect(result).toMatchObject({ flippedFaces: 10, sidelessPatches: 1 });
  const mostly = orientFaces(flipFaces(hills, (face) => face % 5 !== 0));
  expect(mostly.mesh.indices).toEqual(reversed(hills).indices);
});

test('a one-sided surface is left unchanged and reported', () => {
  for (const given of [strip(9, 1), kleinGrid(6, 6)]) {
    const result = orientFaces(given);
    expect(result.mesh).toEqual(given);
    expect(result).toMatchObject({ flippedFaces: 0, nonOrientablePatches: 1, sidelessPatches: 0 });
  }
  expect(orientFaces(join(strip(9, 1), reversed(boxMesh([5, 5, 5], [6, 6, 6])))).flippedFaces).toBe(12);
});

test('the wall that two cubes share twice is turned with them', () => {
  const given = cubesSharingSide();
  expect(orientFaces(reversed(given)).mesh.indices).toEqual(given.indices);
  expect(orientFaces(given).flippedFaces).toBe(0);
});

test('patches that close each other only after one is turned are then turned together', () => {
  // In a larger box, two cubes with a wall given twice; the sides of the second cube are inside out.
  const cubes = mapPoints(cubesSharingSide(), (p) => p.map((value) => value + 3));
  const broken = flipFaces(cubes, (face) => face >= 12 && face !== 20 && face !== 21);
  const given = join(boxMesh([0, 0, 0], [9, 9, 9]), broken);
  expect(inspect(given).oriented).toBe(false);
  const result = orientFaces(given);
  expect(inspect(result.mesh)).toMatchObject({ closed: true, oriented: true, outward: true });
  expect(result.mesh.indices).toEqual(join(boxMesh([0, 0, 0], [9, 9, 9]), reversed(cubes)).indices);
});

describe('boxes in and out of solids of unit cells, whose vertices lie at the same heights as the boxes have', () => {
  test('look inward in matter, outward in the open and in cavities', () => {
    let inMatter = 0;
    let runs = 0;
    fc.assert(
      fc.property(fc.integer(), (seed) => {
        const random = createRandom(seed);
        const filled = Array.from({ length: 27 }, () => random.next() < 0.7);
        filled[random.integer(27)] = true;
        const cell = random.integer(27);
        const corner = [cell % 3, Math.floor(cell / 3) % 3, Math.floor(cell / 9)];
        const box = boxMesh(
          corner.map((value) => value + 0.25),
          corner.map((value) => value + 0.75),
        );
        const solid = voxelSolid(3, (x, y, z) => filled[x + 3 * y + 9 * z], 4);
        const expected = filled[cell] ? reversed(box) : box;
        // Where cells touch along an edge, patches must keep their orientation relative to each other.
        const anyFace = inspect(solid).manifold;
        const given = flipFaces(
          join(solid, box),
          (face) => (anyFace || face >= solid.indices.length / 3) && random.next() < 0.5,
        );
        const result = orientFaces(given).mesh.indices;
        expect(result).toEqual(join(solid, expected).indices);
        expect(inspect(join(solid, expected)).outward).toBe(true);
        expect(inspect(join(solid, reversed(expected))).outward).toBe(false);
        inMatter += Number(filled[cell]);
        runs++;
      }),
      { seed: 1, numRuns: 60 },
    );
    expect(inMatter / runs).toBeGreaterThan(0.4);
    expect(inMatter / runs).toBeLessThan(0.9);
  });
});

test('a box in a niche is outside, also when the wall behind it is given with one side flipped', () => {
  const niche = voxelSolid(3, (x, y, z) => !(x < 2 && y === 1 && z === 1));
  const given = join(niche, boxMesh([1.25, 1.25, 1.25], [1.75, 1.75, 1.75]));
  // The two faces at x = 3 behind the niche: a ray from the box meets both sides of the wall.
  const isBehind = (face: number): boolean =>
    facesOf(given)[face].every((v) => {
      const [x, y, z] = given.positions.subarray(3 * v, 3 * v + 3);
      return x === 3 && y >= 1 && y <= 2 && z >= 1 && z <= 2;
    });
  const broken = flipFaces(given, isBehind);
  const result = orientFaces(broken);
  expect(result.flippedFaces).toBe(2);
  expect(result.mesh.indices).toEqual(given.indices);
});

test('makes every orientable manifold oriented, moves nothing, and is done in one go', () => {
  let oriented = 0;
  fc.assert(
    fc.property(randomMesh, (given) => {
      const copy = { positions: given.positions.slice(), indices: given.indices.slice() };
      const before = inspect(given);
      const result = orientFaces(given);
      expect(given).toEqual(copy);
      const after = inspect(result.mesh);
      if (before.manifold && before.orientable) {
        expect(after.oriented).toBe(true);
        if (after.closed) expect(after.outward).not.toBe(false);
        oriented += Number(!before.oriented);
      }
      const key = (face: number[]): string => [...face].sort().join();
      expect(facesOf(result.mesh).map(key)).toEqual(facesOf(given).map(key));
      expect(orientFaces(result.mesh)).toMatchObject({ mesh: result.mesh, flippedFaces: 0 });
    }),
    { seed: 4, numRuns: 400 },
  );
  expect(oriented).toBeGreaterThan(30);
});
