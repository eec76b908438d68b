// Flat tetrahedra turn inside out with hardly any turn of their faces, and cross nothing.
import { expect, test } from 'vitest';
import { type FitTarget, fitVertices } from '../../../src/field/solid/fit-vertices.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { boxMesh, join, reversed } from '../../generators/surfaces.js';
import { surfaceStructure } from '../../oracles/closed-manifold.js';
import { turnedShells } from '../../oracles/turned-shells.js';

/** Two crossing sides, one 0.1 above the other. */
const flat: Mesh = {
  positions: Float64Array.of(-1, 0, 0, 1, 0, 0, 0, -1, 0.1, 0, 1, 0.1),
  indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 2, 3, 0, 2, 1, 3),
};

/** Wants the four faces after the first `before` ones in the order of heights that turns them inside out. */
function turning(before: number): FitTarget {
  return {
    plane(face, x, y, z, out) {
      if (face < before) return false;
      out.set([x, y, face < before + 2 ? 0.2 : -0.2, 0, 0, 1]);
      return Math.abs(z) < 1;
    },
  };
}

test('a solid that would turn inside out stays', () => {
  const { positions, indices } = fitVertices(flat, turning(0), 1, {});
  expect(surfaceStructure(flat.positions, flat.indices).volume).toBeGreaterThan(0.06);
  expect(surfaceStructure(positions, indices).faults).toEqual([]);
  expect(turnedShells(positions, indices)).toEqual([]);
});

test('a hollow that would turn inside out is filled if it is narrow, and stays otherwise', () => {
  const box = boxMesh([-3, -3, -3], [3, 3, 3]);
  const hollow = join(box, reversed(flat));
  const target = turning(box.indices.length / 3);
  for (const [spacing, components] of [
    [1, 1],
    [0.09, 2],
  ]) {
    const { positions, indices } = fitVertices(hollow, target, spacing, {});
    expect(surfaceStructure(positions, indices)).toMatchObject({ faults: [], components });
    expect(turnedShells(positions, indices)).toEqual([]);
  }
});
