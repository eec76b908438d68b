// Machined parts fall into convex patches and get their hierarchy; both are judged exactly. Their flat faces, some flat
// but for rounding, made the hierarchy walk round vertices for ever.
import { expect, test } from 'vitest';
import { decomposeSurface } from '../../../src/decomposition/decompose-surface.js';
import { patchCount } from '../../../src/decomposition/decomposition.js';
import { buildHierarchy } from '../../../src/decomposition/hierarchy/build-hierarchy.js';
import { machinedVariants } from '../../generators/machined-parts.js';
import { validateHierarchy } from '../../oracles/hull-hierarchy.js';
import { decompositionFaults } from '../../oracles/validate-decomposition.js';

test.each(machinedVariants())('$name', ({ mesh }) => {
  const decomposition = decomposeSurface(mesh);
  const patches = patchCount(decomposition);
  const step = Math.ceil(patches / 40);
  expect(decompositionFaults(decomposition, (patch) => patch % step === 0)).toEqual([]);
  const hierarchy = buildHierarchy(decomposition);
  const { faces } = validateHierarchy(hierarchy, decomposition.pieces, decomposition.patchOfFace);
  expect(faces[0]).toBeGreaterThan(0);
});
