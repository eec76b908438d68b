import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import type { Vec3 } from '../../../src/core/vec3.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import {
  DECOMPOSITION_METHODS,
  type Decomposition,
  type DecompositionMethod,
  patchCount,
} from '../../../src/decomposition/decomposition.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { splitFlatPatches } from '../../../src/decomposition/patches/split-flat-patches.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { MeshQuery } from '../../../src/mesh/query/mesh-query.js';
import { dropUnusedVertices } from '../../../src/mesh/topology/unused-vertices.js';
import { boxMesh, jaggedSlab, mapPoints, openCube, sheet, shuffled, voxelSolid } from '../../generators/surfaces.js';
import { validateHierarchy } from '../../oracles/hull-hierarchy.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** A plate of unit squares where the rows have a #, each cut along one of its diagonals, with all corners in between. */
function plate(rows: readonly string[], seed = 1): Mesh {
  const random = createRandom(seed);
  const width = rows[0].length + 1;
  const indices: number[] = [];
  rows.forEach((row, j) => {
    for (let i = 0; i + 1 < width; i++) {
      if (row[i] !== '#') continue;
      const [a, b, c, d] = [j * width + i, j * width + i + 1, (j + 1) * width + i + 1, (j + 1) * width + i];
      indices.push(...(random.next() < 0.5 ? [a, b, c, a, c, d] : [a, b, d, b, c, d]));
    }
  });
  const corners = Array.from({ length: (rows.length + 1) * width }, (_, v) => [v % width, Math.floor(v / width), 0]);
  return dropUnusedVertices({ positions: Float64Array.from(corners.flat()), indices: Uint32Array.from(indices) }).mesh;
}

const isPlus = (x: number, y: number, z: number): boolean => [x, y, z].filter((value) => value === 1).length >= 2;
const isRing = (x: number, y: number, z: number): boolean => z === 0 && !(x === 1 && y === 1);

/** The area of triangles that look along the first, twice over, as a vector's length. */
function areaOf({ positions }: Mesh, triangles: readonly number[][], front: readonly number[]): number {
  let area = 0;
  for (const [a, b, c] of triangles) {
    const normal = normalOf(positions, a, b, c);
    const [p, q, r] = front;
    const along = normalOf(positions, p, q, r);
    const cosine = normal[0] * along[0] + normal[1] * along[1] + normal[2] * along[2];
    if (cosine > 0) area += Math.hypot(...normal);
  }
  return area;
}

function normalOf(p: Float64Array, a: number, b: number, c: number): number[] {
  const u = [0, 1, 2].map((k) => p[3 * b + k] - p[3 * a + k]);
  const v = [0, 1, 2].map((k) => p[3 * c + k] - p[3 * a + k]);
  return [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
}

interface FlatPiece {
  /** The share of a side that the patch has; a patch may be on both sides. */
  readonly covered: number;
  readonly triangles: readonly number[][];
}

/** The flat pieces, told by the volume they have not. */
function flatPieces({ mesh, pieces }: Decomposition): FlatPiece[] {
  const { triangleStart, triangles, sources } = pieces;
  const flat: FlatPiece[] = [];
  for (let piece = 0; piece + 1 < triangleStart.length; piece++) {
    const of = Array.from({ length: triangleStart[piece + 1] - triangleStart[piece] }, (_, i) => {
      const t = triangleStart[piece] + i;
      return [triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], sources[t]];
    });
    if (!isFlat(mesh, of)) continue;
    const front = of.find(([, , , source]) => source >= 0)!;
    const original = of.filter(([, , , source]) => source >= 0);
    flat.push({ covered: areaOf(mesh, original, front) / areaOf(mesh, of, front), triangles: of });
  }
  return flat;
}

function isFlat({ positions }: Mesh, triangles: readonly number[][]): boolean {
  const [a, b, c] = triangles[0];
  const normal = normalOf(positions, a, b, c);
  const length = Math.hypot(...normal);
  return triangles.flat().every((v, i) => {
    if (i % 4 === 3) return true;
    const offset = [0, 1, 2].reduce((sum, k) => sum + normal[k] * (positions[3 * v + k] - positions[3 * a + k]), 0);
    return Math.abs(offset) <= 1e-12 * length;
  });
}

/** Everything that has to hold of a decomposition whose flat patches were cut. */
function check(before: Decomposition, after: Decomposition): void {
  expect(decompositionFaults(after)).toEqual([]);
  expect([...after.patchFaces].sort((a, b) => a - b)).toEqual([...before.patchFaces].sort((a, b) => a - b));
  for (const { covered } of flatPieces(after)) expect(covered).toBeCloseTo(1, 12);
  // A part is of one patch; patches that were covered are as they were.
  const origins = Array.from({ length: patchCount(after) }, (_, patch) => {
    const faces = after.patchFaces.subarray(after.patchStart[patch], after.patchStart[patch + 1]);
    const from = new Set([...faces].map((face) => before.patchOfFace[face]));
    expect(from.size).toBe(1);
    return [...from][0];
  });
  expect(origins).toEqual([...origins].sort((a, b) => a - b));
  const cut = flatPieces(before).filter(({ covered }) => covered < 1 - 1e-9).length;
  expect(patchCount(after) === patchCount(before)).toBe(cut === 0);
  expect(after === before).toBe(cut === 0);
  validateHierarchy(buildHierarchy(after), after.pieces, after.patchOfFace);
}

function checkCut(mesh: Mesh, method?: DecompositionMethod): { before: Decomposition; after: Decomposition } {
  const before = decomposeSurface(mesh, { method });
  const after = splitFlatPatches(before);
  check(before, after);
  return { before, after };
}

describe('plates', () => {
  const plates: [string, string[], number][] = [
    ['a rectangle stays whole', ['####', '####', '####'], 1],
    ['an L becomes two', ['#...', '#...', '####'], 2],
    ['a cross becomes three', ['.#.', '###', '.#.'], 3],
    ['a frame becomes four', ['#####', '#...#', '#...#', '#####'], 4],
    ['a U becomes three', ['#..#', '#..#', '####'], 3],
  ];
  test.each(plates)('%s', (_, rows, parts) => {
    const tilted = mapPoints(plate(rows), ([x, y]) => [x, y, 2 * x - y]);
    for (const mesh of [plate(rows), tilted]) {
      const { after } = checkCut(mesh);
      expect(patchCount(after)).toBe(parts);
    }
  });

  test('any plate, however its squares and triangles lie', () => {
    let cut = 0;
    let all = 0;
    const cells = fc.array(fc.boolean(), { minLength: 5, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(cells, { minLength: 3, maxLength: 3 }), fc.integer({ min: 1, max: 1000 }), (grid, seed) => {
        const rows = grid.map((row) => row.map((cell) => (cell ? '#' : '.')).join(''));
        // Squares that touch at a corner alone are no surface.
        fc.pre(rows.some((row) => row.includes('#')) && !hasPinch(rows));
        const straight = plate(rows, seed);
        const random = createRandom(seed);
        const bent = mapPoints(straight, ([x, y]) => [x + random.range(-0.3, 0.3), y + random.range(-0.3, 0.3), 0]);
        for (const mesh of [straight, bent]) {
          const { before, after } = checkCut(shuffled(mesh, random));
          all++;
          if (after !== before) cut++;
        }
      }),
      { numRuns: 25 * SOAK, seed: 1 },
    );
    expect(cut / all).toBeGreaterThan(0.3);
    expect(cut / all).toBeLessThan(0.95);
  });
});

describe('solids', () => {
  test('a slab with jagged walls is cut there alone, and its pieces lie in it', () => {
    for (const seed of [3, 4, 5]) {
      const mesh = jaggedSlab(6, seed);
      const { before, after } = checkCut(mesh);
      expect(patchCount(after)).toBeGreaterThan(patchCount(before));
      expect(leaving(before)).toBeGreaterThan(0);
      expect(leaving(after)).toBe(0);
      expect(decomposeSurface(mesh, { coverFlatPatches: true })).toEqual(after);
      expect(decomposeSurface(mesh)).toEqual(before);
    }
  });

  test.each(DECOMPOSITION_METHODS)('by %s', (method) => {
    const { after } = checkCut(jaggedSlab(4, 7), method);
    expect(leaving(after)).toBe(0);
  });

  test('patches that cover their pieces stay as they are', () => {
    for (const mesh of [boxMesh(), voxelSolid(3, isPlus, 2), openCube(), sheet(4)]) {
      const { before, after } = checkCut(mesh);
      expect(after).toBe(before);
    }
  });

  test('at any scale', () => {
    const mesh = jaggedSlab(5, 9);
    const parts = patchCount(checkCut(mesh).after);
    for (const scale of [2 ** -20, 2 ** 20]) {
      expect(patchCount(checkCut(mapPoints(mesh, (point) => point.map((value) => value * scale))).after)).toBe(parts);
    }
  });

  test('a ring of voxels', () => {
    checkCut(voxelSolid(3, isRing, 2));
  });
});

/** How many triangles of flat pieces have their middle outside the solid. */
function leaving(decomposition: Decomposition): number {
  const { positions } = decomposition.mesh;
  const query = new MeshQuery(decomposition.mesh);
  const middles = flatPieces(decomposition)
    .flatMap(({ triangles }) => triangles)
    .map((corners) => [0, 1, 2].map((k) => corners.slice(0, 3).reduce((sum, v) => sum + positions[3 * v + k] / 3, 0)));
  return middles.filter((point) => query.signedDistance(point as Vec3) > 1e-12).length;
}

function hasPinch(rows: readonly string[]): boolean {
  const at = (j: number, i: number): boolean => rows[j]?.[i] === '#';
  return rows.some((row, j) =>
    [...row].some(
      (_, i) => at(j, i) !== at(j, i + 1) && at(j, i) === at(j + 1, i + 1) && at(j, i + 1) === at(j + 1, i),
    ),
  );
}
