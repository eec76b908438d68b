import { describe, expect, test } from 'vitest';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { patchCount } from '../../../src/decomposition/decomposition.js';
import { findConvexParts } from '../../../src/decomposition/patches/convex-parts.js';
import { Surface } from '../../../src/decomposition/surface/surface.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { models } from '../../../src/models/catalogue.js';
import { join, mapPoints, reversed, selectFaces, voxelSolid } from '../../generators/surfaces.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

/** A box of n × n × n cubes with divided sides. */
const block = (n: number) => voxelSolid(n, () => true, 2);
const move = (mesh: Mesh, x: number) => mapPoints(mesh, ([px, py, pz]) => [px + x, py, pz]);
const tilt = (mesh: Mesh) => mapPoints(mesh, ([x, y, z]) => [0.8 * x - 0.6 * z, y + 0.1 * x, 0.6 * x + 0.8 * z]);
const countParts = (mesh: Mesh) => findConvexParts(new Surface(mesh)).length;

describe('findConvexParts', () => {
  test('takes a finely divided block, also tilted, as one patch', () => {
    for (const mesh of [block(3), mapPoints(block(3), ([x, y, z]) => [x, 3 * y, z / 4])]) {
      expect(countParts(mesh)).toBe(1);
      const decomposition = decomposeSurface(mesh);
      expect(patchCount(decomposition)).toBe(1);
      expect(decompositionFaults(decomposition)).toEqual([]);
    }
    // Rounding makes the tilted sides a little rough: what is taken must be valid, whichever way it comes.
    expect(decompositionFaults(decomposeSurface(tilt(block(3))))).toEqual([]);
  });

  test('takes the convex models of the catalogue', () => {
    for (const name of ['icosphere', 'sphere']) {
      const mesh = models.find((model) => model.name === name)!.build();
      expect(countParts(mesh)).toBe(1);
      expect(decompositionFaults(decomposeSurface(mesh))).toEqual([]);
    }
  });

  test('leaves what is open, concave, turned inside out, or holds another part', () => {
    expect(countParts(selectFaces(block(3), (face) => face > 0))).toBe(0);
    expect(countParts(voxelSolid(3, (x, y, z) => x + y + z < 6, 2))).toBe(0);
    expect(countParts(reversed(block(3)))).toBe(0);
    const inner = mapPoints(block(3), (point) => point.map((value) => (value + 3) / 4));
    expect(countParts(join(block(3), inner))).toBe(1);
    expect(decompositionFaults(decomposeSurface(join(block(3), inner)))).toEqual([]);
  });

  test('takes parts beside each other, and neither of two that touch', () => {
    expect(countParts(join(block(3), move(block(3), 10)))).toBe(2);
    expect(countParts(join(block(3), move(block(3), 3)))).toBe(0);
  });

  test('is near linear where each vertex lies in planes with many others', () => {
    const [small, large] = [block(8), block(32)];
    expect(large.indices.length / small.indices.length).toBe(16);
    for (const mesh of [small, large]) {
      // Growing looked at thousands of faces a face of the larger block.
      const maxWork = 100 * (mesh.indices.length / 3);
      const decomposition = decomposeSurface(mesh, { maxWork });
      expect(patchCount(decomposition)).toBe(1);
      expect(decomposition.insertions).toBe(0);
      expect(decomposition.trianglesTested).toBe(0);
    }
  });
});
