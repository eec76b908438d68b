import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as quat from '../../../src/core/quat.js';
import { createRandom } from '../../../src/core/random.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { inspectMesh, type MeshReport } from '../../../src/mesh/report/report.js';
import { randomMesh, randomSurface } from '../../generators/random-meshes.js';
import {
  bowTie,
  boxMesh,
  cubesSharingEdge,
  cubesSharingSide,
  flipFaces,
  join,
  kleinGrid,
  mapPoints,
  mesh,
  openCube,
  reversed,
  shuffled,
  sphereGrid,
  strip,
  tetrahedron,
  torusGrid,
  toSoup,
} from '../../generators/surfaces.js';
import { describeTopology, type TopologyByDefinition } from '../../oracles/topology.js';

const inspect = (given: Mesh): MeshReport => inspectMesh(given, { selfIntersections: false });

/** The unit cube with vertex 8 on its edge 0-1, and a face without area 0-8-1 to close the gap: ids fit, shape too. */
function cubeWithFlatFace(): Mesh {
  const cube = boxMesh();
  return mesh(
    [...Array.from({ length: 8 }, (_, i) => [...cube.positions.subarray(3 * i, 3 * i + 3)]), [0.4, 0, 0]],
    [
      ...Array.from({ length: 12 }, (_, i) => [...cube.indices.subarray(3 * i, 3 * i + 3)]).flatMap(([a, b, c]) =>
        a === 0 && b === 1 && c === 5
          ? [
              [0, 8, 5],
              [8, 1, 5],
            ]
          : [[a, b, c]],
      ),
      [0, 1, 8],
    ],
  );
}

describe('worked examples', () => {
  const solid = { closed: true, manifold: true, oriented: true, orientable: true, outward: true };
  const clean = {
    boundaryLoops: 0,
    boundaryEdges: 0,
    nonManifoldEdges: 0,
    nonManifoldVertices: 0,
    degenerateFaces: 0,
    duplicateFaces: 0,
    duplicateVertices: 0,
    unusedVertices: 0,
  };
  const examples: [string, Mesh, Partial<MeshReport>][] = [
    [
      'cube',
      boxMesh(),
      { ...solid, ...clean, vertices: 8, triangles: 12, edges: 18, components: 1, genus: 0, area: 6, volume: 1 },
    ],
    ['inside-out cube', reversed(boxMesh()), { ...solid, ...clean, outward: false, genus: 0, volume: -1 }],
    [
      'cube with one face flipped',
      flipFaces(boxMesh(), (f) => f === 4),
      {
        ...solid,
        ...clean,
        oriented: false,
        outward: null,
        genus: 0,
        volume: null,
        centerOfMass: null,
        inertia: null,
      },
    ],
    [
      'open cube',
      openCube(),
      {
        ...solid,
        ...clean,
        closed: false,
        outward: null,
        boundaryLoops: 1,
        boundaryEdges: 4,
        genus: 0,
        components: 1,
        volume: null,
        centerOfMass: null,
        inertia: null,
        area: 5,
      },
    ],
    [
      'torus',
      torusGrid(7, 5),
      { ...solid, ...clean, vertices: 35, triangles: 70, edges: 105, components: 1, genus: 1 },
    ],
    [
      'two tori and a sphere',
      join(
        torusGrid(4, 4),
        mapPoints(torusGrid(5, 3), ([x, y, z]) => [x + 9, y, z]),
        sphereGrid(3, 1, [20, 0, 0]),
      ),
      {
        ...solid,
        ...clean,
        components: 3,
        genus: 2,
      },
    ],
    [
      'flat ring',
      strip(9, 0),
      { ...solid, ...clean, closed: false, outward: null, boundaryLoops: 2, boundaryEdges: 18, genus: 0, volume: null },
    ],
    [
      'Möbius strip',
      strip(9, 1),
      {
        ...solid,
        ...clean,
        closed: false,
        oriented: false,
        orientable: false,
        outward: null,
        boundaryLoops: 1,
        boundaryEdges: 18,
        genus: null,
      },
    ],
    [
      'Klein bottle',
      kleinGrid(6, 6),
      {
        ...solid,
        ...clean,
        oriented: false,
        orientable: false,
        outward: null,
        genus: null,
        volume: null,
        components: 1,
      },
    ],
    [
      'bow tie',
      bowTie(),
      { ...solid, ...clean, manifold: false, nonManifoldVertices: 1, components: 2, genus: null, volume: 1 / 3 },
    ],
    [
      'two cubes that share an edge',
      cubesSharingEdge(),
      {
        ...solid,
        ...clean,
        manifold: false,
        nonManifoldEdges: 1,
        components: 1,
        genus: null,
        volume: 2,
        vertices: 14,
        edges: 35,
      },
    ],
    [
      'two cubes that share a side given twice',
      cubesSharingSide(),
      {
        ...solid,
        ...clean,
        manifold: false,
        nonManifoldEdges: 5,
        components: 1,
        genus: null,
        volume: 2,
        vertices: 12,
        duplicateFaces: 2,
      },
    ],
    [
      'box with a cavity',
      join(boxMesh([0, 0, 0], [3, 3, 3]), reversed(boxMesh([1, 1, 1], [2, 2, 2]))),
      {
        ...solid,
        ...clean,
        components: 2,
        genus: 0,
        volume: 26,
      },
    ],
    [
      'box in a box, both outward',
      join(boxMesh([0, 0, 0], [3, 3, 3]), boxMesh([1, 1, 1], [2, 2, 2])),
      { ...solid, ...clean, outward: false, volume: 28 },
    ],
    [
      'box in a cavity in a box',
      join(boxMesh([0, 0, 0], [9, 9, 9]), reversed(boxMesh([1, 1, 1], [8, 8, 8])), boxMesh([3, 3, 3], [4, 4, 4])),
      {
        ...solid,
        ...clean,
        components: 3,
        volume: 729 - 343 + 1,
      },
    ],
    [
      'two boxes that overlap',
      join(boxMesh([0, 0, 0], [3, 3, 3]), boxMesh([1, 1, 1], [4, 4, 4])),
      { ...solid, ...clean, volume: 54 },
    ],
    [
      'two boxes side by side, one inside out',
      join(boxMesh(), reversed(boxMesh([2, 0, 0], [3, 1, 1]))),
      { ...solid, ...clean, outward: false, volume: 0 },
    ],
    [
      'cube as a soup',
      toSoup(boxMesh()),
      {
        ...solid,
        ...clean,
        components: 1,
        edges: 18,
        genus: 0,
        volume: 1,
        vertices: 36,
        duplicateVertices: 28,
        weldedVertices: 28,
      },
    ],
    [
      'triangle with both sides',
      mesh(
        [
          [0, 0, 0],
          [1, 0, 0],
          [0, 1, 0],
        ],
        [
          [0, 1, 2],
          [2, 1, 0],
        ],
      ),
      {
        ...solid,
        ...clean,
        outward: null,
        duplicateFaces: 1,
        genus: 0,
        volume: 0,
        centerOfMass: null,
        inertia: null,
      },
    ],
    [
      'cube with a face without area',
      cubeWithFlatFace(),
      { ...solid, ...clean, degenerateFaces: 1, genus: 0, volume: 1 },
    ],
    [
      'cube with a face that names a vertex twice',
      join(
        boxMesh(),
        mesh(
          [
            [0, 0, 0],
            [1, 1, 1],
          ],
          [[0, 1, 1]],
        ),
      ),
      {
        ...solid,
        ...clean,
        degenerateFaces: 1,
        duplicateVertices: 2,
        components: 1,
        genus: 0,
        volume: 1,
      },
    ],
    [
      'nothing but a face that names a vertex twice',
      mesh(
        [
          [0, 0, 0],
          [1, 1, 1],
        ],
        [[0, 1, 1]],
      ),
      {
        ...solid,
        ...clean,
        closed: false,
        outward: null,
        degenerateFaces: 1,
        components: 0,
        edges: 0,
        area: 0,
        volume: null,
      },
    ],
    [
      'cube with a stray vertex far away',
      join(boxMesh(), { positions: Float64Array.of(1e9, 0, 0), indices: new Uint32Array() }),
      {
        ...solid,
        ...clean,
        unusedVertices: 1,
        vertices: 9,
        volume: 1,
        box: { min: [0, 0, 0], max: [1, 1, 1] },
      },
    ],
  ];
  test.each(examples)('%s', (_, given, expected) => {
    const { volume, ...rest } = expected;
    const report = inspect(given);
    expect(report).toMatchObject(rest);
    if (volume === null) expect(report.volume).toBe(null);
    else if (volume !== undefined) expect(Math.abs(report.volume! - volume)).toBeLessThan(1e-12);
  });

  test('figures of the solid', () => {
    const report = inspect(boxMesh([1, 1, 1], [3, 2, 2]));
    expect(report.centerOfMass).toEqual([2, 1.5, 1.5]);
    expect(report.inertia![0][0]).toBeCloseTo(2 / 6, 14);
    expect(report.inertia![1][1]).toBeCloseTo((2 * 5) / 12, 14);
    expect(report.box).toEqual({ min: [1, 1, 1], max: [3, 2, 2] });
  });
});

describe('self-intersections', () => {
  test('are counted unless switched off', () => {
    expect(inspectMesh(boxMesh()).selfIntersections).toBe(0);
    expect(inspectMesh(join(boxMesh(), boxMesh([0.5, 0.3, 0.2], [1.5, 1.3, 1.2]))).selfIntersections).toBeGreaterThan(
      0,
    );
    expect(inspect(boxMesh()).selfIntersections).toBe(null);
  });
});

describe('progress', () => {
  test('rises to 1 and can be stopped', () => {
    const fractions: number[] = [];
    inspectMesh(torusGrid(20, 20), { onProgress: (fraction) => fractions.push(fraction) });
    expect(fractions.at(-1)).toBe(1);
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b));
    expect(() => inspectMesh(boxMesh(), { signal: { aborted: true } })).toThrow(/Stopped/);
  });
});

test('degenerate faces are the same at every scale and place where coordinates hold them', () => {
  const points: [number, number, number][][] = [
    [
      [0, 0, 0],
      [1, 1, 1],
      [3, 3, 3],
    ], // on a line
    [
      [0, 0, 0],
      [0, 0, 0],
      [1, 0, 0],
    ], // a side of no length
    [
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1e-13, 0],
    ], // 1e-13 high
    [
      [0, 0, 0],
      [1, 0, 0],
      [0.5, 1e-11, 0],
    ], // 1e-11 high: a triangle
    [
      [0, 0, 0],
      [1, 0, 0],
      [0, 1, 0],
    ],
    [
      [0, 0, 0],
      [1e-9, 0, 0],
      [0, 1, 0],
    ], // a needle, but not flat
  ];
  const given = mesh(
    points.flat(),
    points.map((_, i) => [3 * i, 3 * i + 1, 3 * i + 2]),
  );
  for (const scale of [1, 1e-9, 1e9, 1e-40, 1e40, 0.1, 3]) {
    for (const q of [[0, 0, 0, 1], createRandom(1).rotation(), createRandom(2).rotation()] as const) {
      const moved = mapPoints(given, (p) => quat.rotate(q, p).map((value) => value * scale));
      expect(inspect(moved).degenerateFaces).toBe(3);
    }
  }
});

test('agrees with the definitions on any mesh', () => {
  const seen = { closed: 0, manifold: 0, oriented: 0, orientable: 0, genus: 0, runs: 0 };
  fc.assert(
    fc.property(randomMesh, (given) => {
      const expected = describeTopology(given);
      const report = inspect(given);
      const found = Object.fromEntries(Object.keys(expected).map((key) => [key, report[key as keyof MeshReport]]));
      expect(found as unknown as TopologyByDefinition).toEqual(expected);
      seen.runs++;
      seen.closed += Number(expected.closed);
      seen.manifold += Number(expected.manifold);
      seen.oriented += Number(expected.oriented);
      seen.orientable += Number(expected.orientable);
      seen.genus += expected.genus ?? 0;
    }),
    { seed: 3, numRuns: 500 },
  );
  for (const key of ['closed', 'manifold', 'oriented', 'orientable'] as const) {
    expect(seen[key] / seen.runs).toBeGreaterThan(0.1);
    expect(seen[key] / seen.runs).toBeLessThan(0.95);
  }
  expect(seen.genus).toBeGreaterThan(20);
});

test('counts faces and vertices as sets of text keys do', () => {
  fc.assert(
    fc.property(randomMesh, (given) => {
      const faces = Array.from({ length: given.indices.length / 3 }, (_, i) => [
        ...given.indices.subarray(3 * i, 3 * i + 3),
      ]);
      const proper = faces.filter((face) => new Set(face).size === 3);
      const report = inspect(given);
      expect(report.duplicateFaces).toBe(proper.length - new Set(proper.map((face) => face.sort().join())).size);
      expect(report.unusedVertices).toBe(given.positions.length / 3 - new Set(faces.flat()).size);
      expect(report.degenerateFaces).toBeGreaterThanOrEqual(faces.length - proper.length);
    }),
  );
});

/** What does not depend on how a mesh is written down: all but rounding. */
function expectSameReport(actual: MeshReport, expected: MeshReport): void {
  const { area, volume, centerOfMass, inertia, box, ...counts } = actual;
  const { area: area2, volume: volume2, centerOfMass: center2, inertia: inertia2, box: box2, ...counts2 } = expected;
  expect(counts).toEqual(counts2);
  expect(box).toEqual(box2);
  expect(Math.abs(area - area2)).toBeLessThan(1e-12 * area2 + 1e-300);
  expect(volume === null).toBe(volume2 === null);
  expect(centerOfMass === null).toBe(center2 === null);
  if (volume !== null) expect(Math.abs(volume - volume2!)).toBeLessThan(1e-12 * area2);
  if (centerOfMass !== null) {
    // Divided by a volume that may be small beside the surface.
    const tolerance = (1e-12 * area2 * 100) / Math.abs(volume2!);
    centerOfMass.forEach((value, axis) => {
      expect(Math.abs(value - center2![axis])).toBeLessThan(tolerance);
    });
    expect(inertia!.flat().every((value, i) => Math.abs(value - inertia2!.flat()[i]) < tolerance * 100)).toBe(true);
  }
}

test('does not depend on the order of faces, corners and vertices', () => {
  fc.assert(
    fc.property(randomMesh, fc.integer(), (given, seed) => {
      expectSameReport(inspect(shuffled(given, createRandom(seed))), inspect(given));
    }),
    { numRuns: 300 },
  );
});

test('is the same, or turns, moves and scales along, under a similarity', () => {
  const similarity = fc.record({
    seed: fc.integer(),
    scale: fc.constantFrom(1e-6, 0.3, 1, 1e6),
    shift: fc.tuple(fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 }), fc.integer({ min: -4, max: 4 })),
  });
  fc.assert(
    fc.property(randomSurface, similarity, (given, { seed, scale, shift }) => {
      const q = createRandom(seed).rotation();
      const move = (p: readonly [number, number, number]): number[] =>
        quat.rotate(q, p).map((value, axis) => scale * (value + shift[axis]));
      const before = inspect(given);
      const after = inspect(mapPoints(given, move));
      for (const key of Object.keys(before) as (keyof MeshReport)[]) {
        if (typeof before[key] === 'boolean' || Number.isInteger(before[key])) {
          if (key !== 'area' && key !== 'volume') expect([key, after[key]]).toEqual([key, before[key]]);
        }
      }
      expect(Math.abs(after.area / scale ** 2 - before.area)).toBeLessThan(1e-12 * before.area);
      if (before.volume !== null) {
        expect(Math.abs(after.volume! / scale ** 3 - before.volume)).toBeLessThan(1e-12 * before.area);
      }
      if (before.centerOfMass !== null) {
        move(before.centerOfMass).forEach((value, axis) => {
          expect(Math.abs(after.centerOfMass![axis] - value)).toBeLessThan(1e-10 * scale);
        });
      }
    }),
    { numRuns: 200 },
  );
});

test('outward is right for nested boxes, whichever of them is turned', () => {
  let outward = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.integer({ min: 0, max: 15 }),
      fc.integer(),
      (depth, turned, seed) => {
        // Two nests side by side; box i of each lies inside box i − 1.
        const parts: Mesh[] = [];
        let expected = true;
        for (let nest = 0; nest < 2; nest++) {
          for (let level = 0; level < depth; level++) {
            const offset = 20 * nest;
            const shell = boxMesh([offset + level, level, level], [offset + 10 - level, 10 - level, 10 - level]);
            const isInward = ((turned >> level) & 1) === 1 && nest === 1 ? level % 2 === 0 : level % 2 === 1;
            parts.push(isInward ? reversed(shell) : shell);
            if (isInward !== (level % 2 === 1)) expected = false;
          }
        }
        const random = createRandom(seed);
        const q = random.rotation();
        const given = mapPoints(shuffled(join(...parts), random), (p) => quat.rotate(q, p));
        expect(inspect(given).outward).toBe(expected);
        outward += Number(expected);
      },
    ),
    { seed: 5, numRuns: 200 },
  );
  expect(outward).toBeGreaterThan(40);
  expect(outward).toBeLessThan(160);
});

test('does not change its input', () => {
  const given = shuffled(join(tetrahedron(), cubeWithFlatFace()), createRandom(1));
  const copy = { positions: given.positions.slice(), indices: given.indices.slice() };
  inspectMesh(given);
  expect(given).toEqual(copy);
});

test('refuses what is no mesh', () => {
  expect(() => inspect(mesh([[0, 0, 0]], [[0, 0, 1]]))).toThrow(/names vertex 1/);
  expect(() => inspect(mesh([], []))).toThrow(/no triangles/);
});
