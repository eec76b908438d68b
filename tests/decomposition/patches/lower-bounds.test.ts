// Bounds, groups and counts against each other, and against all partitions of small surfaces.

import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { DECOMPOSITION_METHODS, patchCount } from '../../../src/decomposition/decomposition.js';
import { FaceGroup } from '../../../src/decomposition/patches/face-group.js';
import { lowerBounds } from '../../../src/decomposition/patches/lower-bounds.js';
import { buildPairMatrix } from '../../../src/decomposition/patches/pair-matrix.js';
import { Surface } from '../../../src/decomposition/surface/surface.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { octahedron } from '../../../src/models/primitives/octahedron.js';
import { boxMesh, mapPoints, mesh, selectFaces, sheet, torusGrid } from '../../generators/surfaces.js';
import { decompositionFaults, isValidPatch } from '../../oracles/validate-decomposition.js';

/** The valid patches among all sets of faces, as a table of bits. */
function validPatches(given: Mesh): Uint8Array {
  const count = given.indices.length / 3;
  return Uint8Array.from({ length: 2 ** count }, (_, set) => {
    const faces = Array.from({ length: count }, (_, face) => face).filter((face) => (set >> face) & 1);
    return set > 0 && isValidPatch(given, faces) ? 1 : 0;
  });
}

/** The fewest patches of a table that make up all faces. */
function fewestPatches(valid: Uint8Array): number {
  const fewest = new Uint8Array(valid.length).fill(255);
  fewest[0] = 0;
  for (let set = 1; set < valid.length; set++) {
    const lowest = set & -set;
    for (let part = set; part > 0; part = (part - 1) & set) {
      if (part & lowest && valid[part]) fewest[set] = Math.min(fewest[set], fewest[set ^ part] + 1);
    }
  }
  return fewest[valid.length - 1];
}

/** An octahedron with each vertex drawn in or out, or a hilly sheet of eight faces. */
function smallSurface(seed: number): Mesh {
  const random = createRandom(seed);
  if (seed % 2 === 0) {
    return mapPoints(octahedron.build(), (p) => {
      const factor = random.range(0.05, 1);
      return p.map((x) => factor * x + random.range(-0.04, 0.04));
    });
  }
  return mapPoints(sheet(2), ([x, y, z]) => [
    x + random.range(-0.2, 0.2),
    y + random.range(-0.2, 0.2),
    z + random.range(-1, 1),
  ]);
}

describe('against every partition', () => {
  test('the fewest patches lie between the bound and what each method finds', () => {
    let tight = 0;
    let several = 0;
    const seeds = 40;
    for (let seed = 0; seed < seeds; seed++) {
      const given = smallSurface(seed);
      const valid = validPatches(given);
      const fewest = fewestPatches(valid);
      const { anyPatch, connectedPatch } = lowerBounds(given);
      expect(anyPatch.bound).toBeLessThanOrEqual(fewest);
      expect(connectedPatch.bound).toBeGreaterThanOrEqual(anyPatch.bound);
      for (const method of DECOMPOSITION_METHODS) {
        const decomposition = decomposeSurface(given, { method: method });
        expect(decompositionFaults(decomposition)).toEqual([]);
        expect(patchCount(decomposition)).toBeGreaterThanOrEqual(fewest);
      }
      expect(patchCount(decomposeSurface(given, { method: 'global' }))).toBeLessThanOrEqual(fewest + 1);
      // No patch, of all there are, has two faces of the witness, or two that the matrix parts.
      const matrix = buildPairMatrix(new Surface(given));
      for (let set = 0; set < valid.length; set++) {
        if (!valid[set]) continue;
        const faces = Array.from({ length: matrix.size }, (_, face) => face).filter((face) => (set >> face) & 1);
        expect([...anyPatch.witness].filter((face) => faces.includes(face)).length).toBeLessThanOrEqual(1);
        for (const f of faces) for (const g of faces) if (f < g) expect(matrix.has(f, g)).toBe(true);
      }
      if (anyPatch.bound === fewest) tight++;
      if (fewest > 1) several++;
    }
    expect(several).toBeGreaterThan(seeds / 2);
    expect(tight).toBeGreaterThan(seeds / 2);
  });
});

describe('bounds', () => {
  test('are 1 on convex solids, exactly flat sides included', () => {
    for (const given of [boxMesh(), octahedron.build()]) {
      const { anyPatch, connectedPatch } = lowerBounds(given);
      expect([anyPatch.bound, connectedPatch.bound]).toEqual([1, 1]);
    }
  });

  test('stay below every method', () => {
    for (const given of [
      torusGrid(6, 5),
      torusGrid(9, 8),
      sheet(5),
      selectFaces(torusGrid(8, 6), (face) => face % 7 > 0),
    ]) {
      const { anyPatch, connectedPatch } = lowerBounds(given);
      expect(anyPatch.witness.length).toBe(anyPatch.bound);
      for (const method of DECOMPOSITION_METHODS) {
        const count = patchCount(decomposeSurface(given, { method: method }));
        expect(count).toBeGreaterThanOrEqual(anyPatch.bound);
        if (method === 'bfs' || method === 'dfs' || method === 'bfs-crests') {
          expect(count).toBeGreaterThanOrEqual(connectedPatch.bound);
        }
      }
    }
  });

  test('refuse what is too large', () => {
    expect(() => lowerBounds(torusGrid(6, 5), { maxFaces: 59 })).toThrow(/at most 59 faces and the mesh has 60/);
  });
});

describe('a group', () => {
  // Three small faces look out from the corners of a triangle; a spike stands in the middle, clear of every pair's hull.
  const far = 10;
  const arm = (angle: number): number[][] => {
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    return [
      [far * x - 0.1 * y, far * y + 0.1 * x, -0.1],
      [far * x + 0.1 * y, far * y - 0.1 * x, -0.1],
      [far * x, far * y, 0.2],
    ];
  };
  const corners = [0, 1, 2].flatMap((i) => arm((2 * Math.PI * i) / 3 + 0.1));
  const spike = [
    [0.1, 0, 1],
    [-0.1, 0.1, 1.2],
    [0, 0, -1],
  ];
  const given = mesh(
    [...corners, ...spike],
    [
      [1, 0, 2],
      [4, 3, 5],
      [7, 6, 8],
      [9, 10, 11],
    ],
  );

  test('is refused where its pairs are not', () => {
    expect([isValidPatch(given, [0, 1]), isValidPatch(given, [1, 2]), isValidPatch(given, [0, 2])]).toEqual([
      true,
      true,
      true,
    ]);
    expect(isValidPatch(given, [0, 1, 2])).toBe(false);
    const surface = new Surface(given);
    const matrix = buildPairMatrix(surface);
    expect([matrix.has(0, 1), matrix.has(1, 2), matrix.has(0, 2)]).toEqual([true, true, true]);
    const group = new FaceGroup(surface);
    group.reset(0);
    expect(group.tryAdd([1, 2], () => true)).toBe(false);
    expect(group.tryAdd([1], () => true)).toBe(true);
    expect(group.tryAdd([2], () => true)).toBe(false);
    expect(group.faces).toEqual([0, 1]);
    const decomposition = decomposeSurface(given, { method: 'global' });
    expect(decompositionFaults(decomposition)).toEqual([]);
    expect(patchCount(decomposition)).toBe(fewestPatches(validPatches(given)));
  });
});
