// The judge of decompositions is itself judged, on right and wrong ones made by hand.
import { describe, expect, test } from 'vitest';
import type { Decomposition } from '../../../src/decomposition/decomposition.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { boxMesh, join, mesh, tetrahedron } from '../../generators/surfaces.js';
import { decompositionFaults, isValidPatch } from '../../oracles/validate-decomposition.js';

/** Patches as lists of faces; pieces as lists of [a, b, c, source]. */
function decompositionOf(given: Mesh, patches: number[][], pieces: number[][][]): Decomposition {
  const starts = (lists: unknown[][]): Uint32Array =>
    Uint32Array.from([0, ...lists.map((_, i) => lists.slice(0, i + 1).flat(1).length)]);
  const patchOfFace = new Uint32Array(given.indices.length / 3);
  patches.forEach((faces, patch) => {
    for (const face of faces) patchOfFace[face] = patch;
  });
  return {
    mesh: given,
    method: 'bfs',
    reflexEdges: 0,
    patchOfFace,
    patchStart: starts(patches),
    patchFaces: Uint32Array.from(patches.flat()),
    pieces: {
      triangleStart: starts(pieces),
      triangles: Uint32Array.from(pieces.flat().flatMap((triangle) => triangle.slice(0, 3))),
      sources: Int32Array.from(pieces.flat().map((triangle) => triangle[3])),
    },
    insertions: 0,
    trianglesTested: 0,
  };
}

/** The faces of a mesh as a piece of their own. */
function wholeOf(given: Mesh, first = 0, end = given.indices.length / 3): number[][] {
  return Array.from({ length: end - first }, (_, i) => [
    ...given.indices.subarray(3 * (first + i), 3 * (first + i) + 3),
    first + i,
  ]);
}

/** One face and its back: the piece of a patch of one face. */
function single(given: Mesh, face: number): number[][] {
  const [a, b, c] = given.indices.subarray(3 * face, 3 * face + 3);
  return [
    [a, b, c, face],
    [b, a, c, -1],
  ];
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, i) => from + i);

describe('right decompositions pass', () => {
  test.each([
    ['a cube', boxMesh(), 12],
    ['a tetrahedron', tetrahedron(), 4],
  ])('%s as one piece', (_, given, faces) => {
    expect(decompositionFaults(decompositionOf(given, [range(0, faces)], [wholeOf(given)]))).toEqual([]);
  });

  test('every face by itself', () => {
    const cube = boxMesh();
    const faces = range(0, 12);
    const patches = faces.map((face) => [face]);
    const pieces = faces.map((face) => single(cube, face));
    expect(decompositionFaults(decompositionOf(cube, patches, pieces))).toEqual([]);
  });

  test('a flat side of two faces with its back', () => {
    const square = mesh(
      [
        [0, 0, 0],
        [1, 0, 0],
        [1, 1, 0],
        [0, 1, 0],
      ],
      [
        [0, 1, 2],
        [0, 2, 3],
      ],
    );
    const sameDiagonal = [...wholeOf(square), [0, 2, 1, -1], [0, 3, 2, -1]];
    expect(decompositionFaults(decompositionOf(square, [[0, 1]], [sameDiagonal]))).toEqual([]);
    const otherDiagonal = [...wholeOf(square), [1, 0, 3, -1], [1, 3, 2, -1]];
    expect(decompositionFaults(decompositionOf(square, [[0, 1]], [otherDiagonal]))).toEqual([]);
    const open = [...wholeOf(square), [0, 2, 1, -1]];
    expect(decompositionFaults(decompositionOf(square, [[0, 1]], [open]))).not.toEqual([]);
  });

  test('two cubes apart', () => {
    const cubes = join(boxMesh(), boxMesh([3, 0, 0], [4, 1, 1]));
    const two = decompositionOf(cubes, [range(0, 12), range(12, 24)], [wholeOf(cubes, 0, 12), wholeOf(cubes, 12, 24)]);
    expect(decompositionFaults(two)).toEqual([]);
  });
});

describe('wrong ones are found', () => {
  const cube = boxMesh();

  test('overlapping patches', () => {
    const wrong = decompositionOf(cube, [range(0, 12), [3]], [wholeOf(cube), single(cube, 3)]);
    expect(decompositionFaults(wrong)).toContain('face 3 is in patches 0 and 1');
  });

  test('a missing face', () => {
    const wrong = decompositionOf(cube, [range(0, 11)], [wholeOf(cube)]);
    expect(decompositionFaults(wrong)).toContain('face 11 is in no patch');
  });

  test('a patch that is not convex', () => {
    // Two faces that rise from a valley at x = 0.
    const valley = mesh(
      [
        [0, 0, 0],
        [0, 1, 0],
        [1, 0, 1],
        [-1, 0, 1],
      ],
      [
        [0, 2, 1],
        [0, 1, 3],
      ],
    );
    const piece = [
      [0, 2, 1, 0],
      [0, 1, 3, 1],
      [0, 3, 2, -1],
      [1, 2, 3, -1],
    ];
    const faults = decompositionFaults(decompositionOf(valley, [[0, 1]], [piece]));
    expect(faults.some((fault) => fault.includes('is not convex'))).toBe(true);
    expect(isValidPatch(valley, [0, 1])).toBe(false);
  });

  /** A cube without its right side, and a triangle whose tip is at the given place. */
  const withTriangle = (tip: readonly number[]): Decomposition => {
    const open = {
      positions: cube.positions,
      indices: Uint32Array.from([...cube.indices.subarray(0, 24), ...cube.indices.subarray(30)]),
    };
    const given = join(open, mesh([[...tip], [5, 0, 0], [5, 1, 0]], [[0, 1, 2]]));
    const hull = [...wholeOf(open), [1, 2, 6, -1], [1, 6, 5, -1]];
    return decompositionOf(given, [range(0, 10), [10]], [hull, single(given, 10)]);
  };

  test('a piece that cuts another part of the surface', () => {
    expect(decompositionFaults(withTriangle([0.5, 0.4, 0.3]))).toEqual([
      'patch 0: face 10 meets the piece outside the patch',
    ]);
  });

  test('a piece that merely touches another face at a point', () => {
    expect(decompositionFaults(withTriangle([1, 0.5, 0.25]))).toEqual([
      'patch 0: face 10 meets the piece outside the patch',
    ]);
    expect(decompositionFaults(withTriangle([1 + 2 ** -52, 0.5, 0.25]))).toEqual([]);
  });

  test('a wrong source', () => {
    const piece = wholeOf(cube);
    [piece[0][3], piece[1][3]] = [1, 0];
    expect(decompositionFaults(decompositionOf(cube, [range(0, 12)], [piece]))).toEqual([
      'patch 0: triangle 0 of the piece is not face 1',
      'patch 0: triangle 1 of the piece is not face 0',
    ]);
    const unmarked = wholeOf(cube);
    unmarked[4][3] = -1;
    expect(decompositionFaults(decompositionOf(cube, [range(0, 12)], [unmarked]))).toEqual([
      'patch 0: face 4 is no triangle of the piece',
    ]);
  });

  test('a chord that is an edge of the surface', () => {
    // Both ends of the cube's edge 2 6 belong to the piece of the others, but no face of theirs has it.
    const kept = range(0, 12).filter((face) => face !== 7 && face !== 8);
    expect(isValidPatch(cube, kept)).toBe(false);
  });
});
