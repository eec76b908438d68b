import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { SPLIT_RULES } from '../../../src/decomposition/hierarchy/split-pieces.js';
import { readObj } from '../../../src/io/formats/read-obj.js';
import type { Mesh } from '../../../src/mesh/mesh.js';
import { join, mapPoints, selectFaces, sheet } from '../../generators/surfaces.js';
import { validateHierarchy } from '../../oracles/hull-hierarchy.js';

function validateAll(mesh: Mesh): void {
  const decomposition = decomposeSurface(mesh);
  for (const split of SPLIT_RULES) {
    const hierarchy = buildHierarchy(decomposition, { split });
    validateHierarchy(hierarchy, decomposition.pieces, decomposition.patchOfFace);
  }
}

describe('restoring faces of coplanar pieces', () => {
  // A vertex restored on the back of a flat hull was taken to be on its front too; the walk round it never ended.
  test('a vertex within a flat hull may be on one side only', () => {
    const file = new URL('../../fixtures/decomposition/vertex-on-one-side-of-flat-hull.obj', import.meta.url);
    const { mesh } = readObj(readFileSync(file)).meshes[0];
    expect(mesh.indices.length).toBe(27);
    validateAll(mesh);
  });

  test('scattered triangles of planes, exact or rounded to single precision', () => {
    const random = createRandom(11);
    const turn = ([x, y, z]: [number, number, number]) => [0.8 * x - 0.6 * z, y, 0.6 * x + 0.8 * z].map(Math.fround);
    for (let round = 0; round < 6; round++) {
      const size = 3 + random.integer(4);
      const jitter = 0.4 * random.integer(2);
      const flat = (height: number) =>
        selectFaces(
          mapPoints(sheet(size), ([x, y]) => [
            Math.fround(x + jitter * (random.next() - 0.5)),
            Math.fround(y + jitter * (random.next() - 0.5)),
            height,
          ]),
          () => random.next() < 0.6,
        );
      const plane = flat(0);
      validateAll(plane);
      validateAll(mapPoints(plane, turn));
      validateAll(join(plane, flat(-1)));
    }
  });
});
