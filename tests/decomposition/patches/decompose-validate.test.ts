// Every method on every procedural model and on random surfaces, open and closed, judged exactly.

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createRandom } from '../../../src/core/random.js';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { DECOMPOSITION_METHODS, patchCount } from '../../../src/decomposition/decomposition.js';
import { findSelfIntersections } from '../../../src/mesh/report/self-intersections.js';
import { models } from '../../../src/models/catalogue.js';
import type { ModelDefinition } from '../../../src/models/model.js';
import { randomSurface } from '../../generators/random-meshes.js';
import { mapPoints, selectFaces, sheet, sphereGrid, torusGrid, voxelSolid } from '../../generators/surfaces.js';
import { describeTopology } from '../../oracles/topology.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

const SOAK = Number(process.env.NEARFIELD_SOAK ?? 1);

/** The global analysis takes time with the square of the faces, and flooding grows many patches over the same faces. */
const MAX_FACES = (
  process.env.NEARFIELD_SOAK
    ? { global: 1200 }
    : { global: 200, 'bfs-flood-retract': 3000, 'dfs-flood-retract': 3000, bfs: 6000, dfs: 6000 }
) as Record<string, number>;
/** Larger models come with fewer triangles where they have a parameter for it, and with some of their patches. */
const PATCHES_LOOKED_AT = 30 * SOAK;

function reduced({ name, parameters }: ModelDefinition): Record<string, number> {
  // A piece of n faces takes n² tests: the cylinder is one of 20,000.
  if (name === 'cylinder') return { segments: 40, bands: 20 };
  return 'triangles' in parameters ? { triangles: parameters.triangles.min } : {};
}

describe('procedural models', () => {
  // npm run soak adds the dragon, every method at every size but the global one, and twenty times the patches.
  const isTested = ({ name }: ModelDefinition): boolean =>
    process.env.NEARFIELD_SOAK !== undefined || name !== 'dragon';
  test.each(models.filter(isTested).map((model) => [model.name, model] as const))('%s', (_, model) => {
    const fewer = reduced(model);
    const given = model.build(fewer);
    const faces = given.indices.length / 3;
    for (const method of DECOMPOSITION_METHODS) {
      if (faces > (MAX_FACES[method] ?? Infinity)) continue;
      const decomposition = decomposeSurface(given, { method });
      const every = Math.ceil(patchCount(decomposition) / PATCHES_LOOKED_AT);
      expect(
        decompositionFaults(decomposition, (patch) => patch % every === 0),
        method,
      ).toEqual([]);
    }
  });
});

describe('random surfaces', () => {
  test('with holes, in any order of faces and vertices', () => {
    fc.assert(
      fc.property(randomSurface, fc.constantFrom(...DECOMPOSITION_METHODS), (given, method) => {
        const topology = describeTopology(given);
        fc.pre(topology.manifold && topology.oriented && findSelfIntersections(given).count === 0);
        expect(decompositionFaults(decomposeSurface(given, { method }))).toEqual([]);
      }),
      // Of those that are surfaces without faults.
      { numRuns: 30 * SOAK },
    );
  });

  test('of rough and of exactly flat faces, at any scale', () => {
    for (let seed = 0; seed < 5 * SOAK; seed++) {
      const random = createRandom(seed);
      const scale = random.range(0, 1) < 0.5 ? 1 : 10 ** random.range(-9, 9);
      const filled = Array.from({ length: 27 }, () => random.next() < 0.7);
      const rough = [
        sphereGrid(4),
        torusGrid(7, 6),
        selectFaces(sphereGrid(4), () => random.next() < 0.8),
        mapPoints(sheet(5), ([x, y, z]) => [x, y, z + random.range(-0.3, 0.3)]),
        // Columns of a height each, so that no two cells meet at an edge only by chance of depth.
        voxelSolid(3, (x, y, z) => z <= x + y || filled[x + 3 * y + 9 * z]),
        voxelSolid(3, (x, y) => x === 0 || y === 0, 2),
      ];
      for (const mesh of rough) {
        const given = mapPoints(mesh, (p) => p.map((v) => scale * v));
        const topology = describeTopology(given);
        if (!topology.manifold || findSelfIntersections(given).count > 0) continue;
        const method = DECOMPOSITION_METHODS[random.integer(DECOMPOSITION_METHODS.length)];
        expect(decompositionFaults(decomposeSurface(given, { method })), `${method}, seed ${seed}`).toEqual([]);
      }
    }
  });
});
