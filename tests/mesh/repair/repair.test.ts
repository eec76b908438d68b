import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { NearfieldError } from '../../../src/core/errors.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { dropDegenerateFaces } from '../../../src/mesh/repair/drop-degenerate-faces.js';
import { dropDuplicateFaces } from '../../../src/mesh/repair/drop-duplicate-faces.js';
import { repairMesh } from '../../../src/mesh/repair/repair.js';
import { inspectMesh, type MeshReport } from '../../../src/mesh/report/report.js';
import { randomMesh, randomSoup, randomSurface, randomTetrahedra } from '../../generators/random-meshes.js';
import {
  bowTie,
  boxMesh,
  cubesSharingEdge,
  cubesSharingSide,
  flipFaces,
  join,
  mapPoints,
  mesh,
  openCube,
  reversed,
  sheet,
  shuffled,
  sphereGrid,
  strip,
  tetrahedron,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { facesByEdge } from '../../oracles/topology.js';

const inspect = (given: Mesh): MeshReport => inspectMesh(given, { selfIntersections: false });

function facesOf(given: Mesh): number[][] {
  return Array.from({ length: given.indices.length / 3 }, (_, i) => [...given.indices.subarray(3 * i, 3 * i + 3)]);
}

function pointsOf(given: Mesh): number[][] {
  return Array.from({ length: given.positions.length / 3 }, (_, i) => [...given.positions.subarray(3 * i, 3 * i + 3)]);
}

const noChanges = {
  weldedVertices: 0,
  droppedDegenerateFaces: 0,
  splitFaces: 0,
  droppedDuplicateFaces: 0,
  flippedFaces: 0,
  droppedVertices: 0,
};

describe('dropDegenerateFaces', () => {
  /** A closed mesh with extra vertices on its sides: faces without area fill the slits. */
  function withPointsOnSides(base: Mesh, points: number, seed: number): Mesh {
    const random = createRandom(seed);
    const positions = pointsOf(base);
    const faces = facesOf(base);
    for (let i = 0; i < points; i++) {
      const f = random.integer(faces.length);
      const turn = random.integer(3);
      const [a, b, c] = [0, 1, 2].map((k) => faces[f][(k + turn) % 3]);
      // Halves of halves are exact for the coordinates of a box, so the new vertex lies on the side exactly.
      const m = positions.length;
      positions.push(positions[a].map((value, axis) => (value + positions[b][axis]) / 2));
      // One side of a-b is split, the other stays whole; the flat face a-b-m closes the slit between them.
      faces[f] = [a, m, c];
      faces.push([m, b, c], [a, b, m]);
    }
    return mesh(positions, faces);
  }

  test('a face that names a vertex twice goes and nothing else changes', () => {
    const cube = boxMesh();
    const given = mesh(pointsOf(cube), [[1, 1, 2], ...facesOf(cube), [3, 4, 3]]);
    const result = dropDegenerateFaces(given);
    expect(facesOf(result.mesh)).toEqual(facesOf(cube));
    expect(result).toMatchObject({ droppedFaces: 2, mergedVertices: 0, splitFaces: 0 });
    expect([...result.sourceFaces]).toEqual([...Array(12).keys()].map((face) => face + 1));
  });

  test('a flat face between two others is merged into its neighbor, and a closed cube stays closed', () => {
    const given = withPointsOnSides(boxMesh(), 1, 1);
    expect(inspect(given)).toMatchObject({ closed: true, manifold: true, degenerateFaces: 1 });
    const result = dropDegenerateFaces(given);
    expect(result).toMatchObject({ droppedFaces: 1, splitFaces: 1, mergedVertices: 0 });
    const report = inspect(result.mesh);
    expect(report).toMatchObject({
      closed: true,
      manifold: true,
      oriented: true,
      outward: true,
      degenerateFaces: 0,
      genus: 0,
    });
    expect(report.volume).toBeCloseTo(1, 14);
    expect(report.triangles).toBe(14);
  });

  test('so does one with any number of them, adjacent ones too', () => {
    let stacked = 0;
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 12 }), (seed, points) => {
        const given = withPointsOnSides(boxMesh([0, 0, 0], [4, 8, 2]), points, seed);
        const before = inspect(given);
        fc.pre(before.manifold);
        if (before.degenerateFaces > 2) stacked++;
        const result = dropDegenerateFaces(given);
        const after = inspect(result.mesh);
        expect(after).toMatchObject({ closed: true, manifold: true, oriented: true, degenerateFaces: 0, genus: 0 });
        expect(Math.abs(after.volume! - 64)).toBeLessThan(1e-12);
        expect(Math.abs(after.area - 112)).toBeLessThan(1e-12);
        expect(after.triangles).toBe(before.triangles - result.droppedFaces + result.splitFaces);
      }),
      { seed: 1, numRuns: 200 },
    );
    expect(stacked).toBeGreaterThan(50);
  });

  test('the ends of a side of no length become one vertex', () => {
    // A cube with one corner doubled: a needle face lies between the two copies.
    const cube = boxMesh();
    const faces = facesOf(cube).map(([a, b, c]) => (a === 0 && b === 3 && c === 2 ? [8, 3, 2] : [a, b, c]));
    const at = faces.findIndex(([a, b, c]) => a === 3 && b === 0 && c === 4);
    faces[at] = [3, 8, 4];
    const given = mesh([...pointsOf(cube), [0, 0, 0]], [...faces, [0, 2, 8], [0, 8, 4]]);
    expect(inspect(given)).toMatchObject({ closed: true, manifold: true, degenerateFaces: 2, duplicateVertices: 1 });
    const result = dropDegenerateFaces(given);
    expect(result).toMatchObject({ droppedFaces: 2, mergedVertices: 1, splitFaces: 0 });
    expect(inspect(result.mesh)).toMatchObject({ closed: true, manifold: true, degenerateFaces: 0, unusedVertices: 1 });
  });

  test('two flat faces that cover each other go, and what lay beyond them is joined', () => {
    // The cube with vertex 8 on its edge 0-1, a flat face there, and a fin 0-9-1 along that edge. By the order of the
    // faces, the flat one is next to the fin's first side until the fin is gone.
    const cube = boxMesh();
    const sides = facesOf(cube).flatMap(([a, b, c]) =>
      a === 0 && b === 1 && c === 5
        ? [
            [0, 8, 5],
            [8, 1, 5],
          ]
        : [[a, b, c]],
    );
    const given = mesh([...pointsOf(cube), [0.4, 0, 0], [2, 0, 0]], [[0, 9, 1], [0, 1, 8], [9, 0, 1], ...sides]);
    expect(inspect(given)).toMatchObject({ closed: true, oriented: true, degenerateFaces: 3, nonManifoldEdges: 1 });
    const result = dropDegenerateFaces(given);
    expect(result).toMatchObject({ droppedFaces: 3, splitFaces: 1 });
    expect(inspect(result.mesh)).toMatchObject({ closed: true, manifold: true, oriented: true, triangles: 14 });
  });

  test('a flat face at the rim is taken out', () => {
    const given = mesh(
      [
        [0, 0, 0],
        [2, 0, 0],
        [1, 2, 0],
        [1, 0, 0],
      ],
      [
        [0, 3, 2],
        [3, 1, 2],
        [0, 1, 3],
      ],
    );
    const result = dropDegenerateFaces(given);
    expect(result).toMatchObject({ droppedFaces: 1, splitFaces: 0 });
    expect(facesOf(result.mesh)).toEqual([
      [0, 3, 2],
      [3, 1, 2],
    ]);
  });

  test('refuses to leave nothing', () => {
    const flat = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [2, 0, 0],
      ],
      [
        [0, 1, 2],
        [0, 0, 1],
      ],
    );
    expect(() => dropDegenerateFaces(flat)).toThrow(/nothing of it is left/);
    try {
      dropDegenerateFaces(flat);
    } catch (error) {
      expect((error as NearfieldError).code).toBe('empty-mesh');
    }
  });

  test('keeps every face that has area, or halves of it, and says which', () => {
    fc.assert(
      fc.property(randomMesh, (given) => {
        const copy = { positions: given.positions.slice(), indices: given.indices.slice() };
        const good = facesOf(given).filter((face) => new Set(face).size === 3).length;
        fc.pre(good > 0);
        const result = dropDegenerateFaces(given);
        expect(given).toEqual(copy);
        expect(inspect(result.mesh).degenerateFaces).toBe(0);
        expect(result.sourceFaces.length).toBe(result.mesh.indices.length / 3);
        expect(facesOf(result.mesh).length).toBe(facesOf(given).length - result.droppedFaces + result.splitFaces);
        if (result.splitFaces === 0 && result.mergedVertices === 0) {
          expect(facesOf(result.mesh)).toEqual([...result.sourceFaces].map((face) => facesOf(given)[face]));
        }
      }),
    );
  });
});

describe('dropDuplicateFaces', () => {
  test('the same face twice, begun at another corner, stays once', () => {
    const cube = boxMesh();
    const given = mesh(pointsOf(cube), [...facesOf(cube), [2, 1, 0], [1, 0, 2]]);
    const result = dropDuplicateFaces(given);
    expect(result.droppedFaces).toBe(2);
    expect(facesOf(result.mesh)).toEqual(facesOf(cube));
    expect([...result.sourceFaces]).toEqual([...Array(12).keys()]);
  });

  test('of copies, one with the orientation of the majority stays', () => {
    const points = [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ];
    expect(
      facesOf(
        dropDuplicateFaces(
          mesh(points, [
            [0, 2, 1],
            [0, 1, 2],
            [1, 2, 0],
          ]),
        ).mesh,
      ),
    ).toEqual([[0, 1, 2]]);
    expect(
      facesOf(
        dropDuplicateFaces(
          mesh(points, [
            [0, 2, 1],
            [0, 1, 2],
          ]),
        ).mesh,
      ),
    ).toEqual([[0, 2, 1]]);
  });

  test('the wall between two cubes goes, and one closed box stays', () => {
    const result = dropDuplicateFaces(cubesSharingSide());
    expect(result.droppedFaces).toBe(4);
    expect(inspect(result.mesh)).toMatchObject({
      closed: true,
      manifold: true,
      oriented: true,
      outward: true,
      duplicateFaces: 0,
    });
    expect(inspect(result.mesh).volume).toBeCloseTo(2, 14);
  });

  test('a fin of no thickness on a cube goes', () => {
    const cube = boxMesh();
    const given = mesh([...pointsOf(cube), [0.5, -1, 0]], [...facesOf(cube), [0, 1, 8], [1, 0, 8]]);
    expect(facesOf(dropDuplicateFaces(given).mesh)).toEqual(facesOf(cube));
  });

  test('a fin between a cube and a sheet keeps one side, so that they stay joined', () => {
    const cube = boxMesh();
    const fin = [
      [0, 1, 8],
      [1, 0, 8],
    ];
    const given = mesh([...pointsOf(cube), [0.5, -1, 0], [-1, -1, 0]], [...facesOf(cube), ...fin, [0, 8, 9]]);
    expect(facesOf(dropDuplicateFaces(given).mesh)).toEqual([...facesOf(cube), fin[0], [0, 8, 9]]);
  });

  test('a sheet given with both sides keeps one of them', () => {
    const hills = sheet(4);
    const given = mesh(pointsOf(hills), [...facesOf(hills), ...facesOf(hills).map(([a, b, c]) => [c, b, a])]);
    expect(facesOf(dropDuplicateFaces(given).mesh)).toEqual(facesOf(hills));
  });

  test('a doubled mesh is halved', () => {
    const torus = torusGrid(4, 4);
    const given = mesh(pointsOf(torus), [...facesOf(torus), ...facesOf(torus)]);
    expect(facesOf(dropDuplicateFaces(given).mesh)).toEqual(facesOf(torus));
  });

  test('leaves no duplicates, none but duplicates goes, and of what was closed and oriented only two-sided sheets open', () => {
    let dropped = 0;
    let kept = 0;
    fc.assert(
      fc.property(randomMesh, (given) => {
        const before = inspect(given);
        fc.pre(before.degenerateFaces < before.triangles);
        const result = dropDuplicateFaces(given);
        const after = inspect(result.mesh);
        expect(after.duplicateFaces).toBe(0);
        if (before.duplicateFaces === 0) expect(result.mesh).toEqual(given);
        else dropped++;
        const key = (face: number[]): string => [...face].sort().join();
        const counts = new Map<string, number>();
        for (const face of facesOf(given)) counts.set(key(face), (counts.get(key(face)) ?? 0) + 1);
        const left = new Set(facesOf(result.mesh).map(key));
        for (const [face, count] of counts) if (count === 1) expect(left.has(face)).toBe(true);
        if (before.closed && before.oriented) {
          kept += Number(before.duplicateFaces > 0);
          const upward = ([a, b, c]: number[]): boolean => (a < b && b < c) || (b < c && c < a) || (c < a && a < b);
          for (const [, [face, ...others]] of facesByEdge(result.mesh)) {
            if (others.length > 0) continue;
            const copies = facesOf(given).filter((copy) => key(copy) === key(facesOf(result.mesh)[face]));
            expect(2 * copies.filter(upward).length).toBe(copies.length);
          }
        }
      }),
      { seed: 2, numRuns: 400 },
    );
    expect(dropped).toBeGreaterThan(50);
    expect(kept).toBeGreaterThan(30);
  });
});

describe('repairMesh', () => {
  test('a broken cube is a cube again, and every change is counted', () => {
    const cube = boxMesh();
    const soup = toSoup(flipFaces(cube, (face) => face % 4 === 1));
    const points = pointsOf(soup);
    const given = mesh([...points, [50, 50, 50]], [...facesOf(soup), [0, 1, 2], [3, 3, 4]]);
    const { mesh: result, changes, remaining } = repairMesh(given);
    expect(changes).toEqual({
      weldedVertices: 28,
      droppedDegenerateFaces: 1,
      splitFaces: 0,
      droppedDuplicateFaces: 1,
      flippedFaces: 3,
      droppedVertices: 1,
    });
    expect(remaining).toEqual([]);
    expect(inspectMesh(result)).toMatchObject({
      vertices: 8,
      triangles: 12,
      closed: true,
      manifold: true,
      oriented: true,
      outward: true,
      selfIntersections: 0,
    });
  });

  test('a sound mesh stays as it is', () => {
    for (const given of [boxMesh(), torusGrid(9, 7), tetrahedron(), join(boxMesh(), sphereGrid(5, 1, [9, 0, 0]))]) {
      const sourceFaces = Int32Array.from({ length: given.indices.length / 3 }, (_, face) => face);
      expect(repairMesh(given)).toEqual({ mesh: given, sourceFaces, changes: noChanges, remaining: [], skipped: [] });
    }
  });

  test('steps can be switched off', () => {
    const soup = toSoup(reversed(boxMesh()));
    expect(repairMesh(soup, { weldVertices: false }).changes.weldedVertices).toBe(0);
    expect(repairMesh(reversed(boxMesh()), { orientFaces: false }).changes).toEqual(noChanges);
    const doubled = mesh(pointsOf(boxMesh()), [...facesOf(boxMesh()), facesOf(boxMesh())[0]]);
    expect(repairMesh(doubled, { dropDuplicateFaces: false }).changes.droppedDuplicateFaces).toBe(0);
    const point = mesh(pointsOf(boxMesh()), [...facesOf(boxMesh()), [1, 1, 2]]);
    expect(repairMesh(point, { dropDegenerateFaces: false }).mesh.indices.length).toBe(39);
    const stray = { positions: Float64Array.of(...boxMesh().positions, 7, 7, 7), indices: boxMesh().indices };
    expect(repairMesh(stray, { dropUnusedVertices: false }).mesh).toEqual(stray);
    expect(repairMesh(stray).changes).toEqual({ ...noChanges, droppedVertices: 1 });
  });

  test('takes a weld tolerance', () => {
    const random = createRandom(1);
    const loose = mapPoints(toSoup(torusGrid(8, 8)), (p) => p.map((value) => value + random.range(-1e-4, 1e-4)));
    expect(repairMesh(loose).changes.weldedVertices).toBe(0);
    const { mesh: result, remaining } = repairMesh(loose, { tolerance: 1e-3 });
    expect(remaining).toEqual([]);
    expect(inspect(result)).toMatchObject({ closed: true, manifold: true, outward: true, genus: 1, vertices: 64 });
  });

  test('says what it cannot mend', () => {
    const kinds = (given: Mesh): unknown[] => repairMesh(given).remaining.map(({ kind, count }) => [kind, count]);
    expect(kinds(openCube())).toEqual([['open-boundary', 4]]);
    expect(kinds(cubesSharingEdge())).toEqual([['non-manifold-edges', 1]]);
    expect(kinds(bowTie())).toEqual([['non-manifold-vertices', 1]]);
    expect(kinds(strip(9, 1))).toEqual([
      ['non-orientable', 1],
      ['open-boundary', 18],
    ]);
    expect(kinds(strip(9, 0))).toEqual([
      ['sideless', 1],
      ['open-boundary', 18],
    ]);
    expect(repairMesh(openCube()).remaining[0].message).toBe('Edges of one face only (in boundary loops: 1): 4.');
  });

  test('refuses to leave nothing', () => {
    expect(() => repairMesh(mapPoints(boxMesh(), () => [1, 2, 3]))).toThrow(/nothing of it is left/);
  });

  test('reports progress and can be stopped', () => {
    const fractions: number[] = [];
    repairMesh(boxMesh(), { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(() => repairMesh(boxMesh(), { signal: { aborted: true } })).toThrow(/Stopped/);
  });

  test('repairing twice is repairing once', () => {
    let runs = 0;
    let whole = 0;
    const check = (given: Mesh, tolerance: number): void => {
      const copy = { positions: given.positions.slice(), indices: given.indices.slice() };
      let once: ReturnType<typeof repairMesh>;
      try {
        once = repairMesh(given, { tolerance });
      } catch (error) {
        expect((error as NearfieldError).code).toBe('empty-mesh');
        return;
      }
      expect(given).toEqual(copy);
      runs++;
      // Where a step would make the mesh worse, what it would mend stays.
      if (once.skipped.length > 0) return;
      whole++;
      const again = repairMesh(once.mesh, { tolerance });
      const sourceFaces = Int32Array.from({ length: once.mesh.indices.length / 3 }, (_, face) => face);
      const same = { mesh: once.mesh, sourceFaces, changes: noChanges, remaining: once.remaining, skipped: [] };
      expect(again).toEqual(same);
      const report = inspect(once.mesh);
      expect(report).toMatchObject({ degenerateFaces: 0, duplicateFaces: 0, unusedVertices: 0, duplicateVertices: 0 });
    };
    const tolerance = fc.constantFrom(0, 1e-7, 0.1, 0.4);
    fc.assert(fc.property(randomSoup, tolerance, check), { numRuns: 400 });
    fc.assert(fc.property(randomTetrahedra, tolerance, check), { numRuns: 200 });
    fc.assert(
      fc.property(randomSurface, tolerance, (given, t) => check(toSoup(given), t)),
      { numRuns: 150 },
    );
    expect(whole / runs).toBeGreaterThan(0.5);
  });

  test('repairs broken solids completely', () => {
    const solids = [
      () => boxMesh(),
      () => torusGrid(6, 5),
      () => sphereGrid(4),
      () => join(boxMesh([-9, -9, -9], [9, 9, 9]), reversed(torusGrid(6, 5))),
    ];
    fc.assert(
      fc.property(fc.constantFrom(...solids), fc.integer(), (build, seed) => {
        const random = createRandom(seed);
        const solid = build();
        const flipped = flipFaces(solid, () => random.next() < 0.4);
        // Some faces twice, and some degenerate ones, each with separate vertices, in any order.
        const extra = facesOf(flipped)
          .filter(() => random.next() < 0.2)
          .map(([a, b, c]) => [b, c, a]);
        const points = Array.from({ length: 3 }, () => [random.integer(8), 0, 0]);
        const given = shuffled(toSoup(mesh(pointsOf(flipped), [...facesOf(flipped), ...extra, ...points])), random);
        const { mesh: result, remaining } = repairMesh(given);
        expect(remaining).toEqual([]);
        const report = inspect(result);
        const expected = inspect(solid);
        expect(report).toMatchObject({
          vertices: expected.vertices,
          triangles: expected.triangles,
          outward: true,
          genus: expected.genus,
          components: expected.components,
        });
        expect(Math.abs(report.volume! - expected.volume!)).toBeLessThan(1e-10);
      }),
    );
  });
});
