import { NearfieldError } from '../../core/errors.js';

/**
 * The error for a walk over half-edges that took more steps than there are half-edges. Twins are a permutation of the
 * live half-edges, so a walk returns to its start; one that does not started at a removed half-edge, or follows twins
 * that do not match.
 */
export function brokenWalk(where: string): NearfieldError {
  return new NearfieldError(
    'degenerate',
    `A walk ${where} does not come back to where it began. The surface may overlap itself: check the mesh (inspectMesh, or ` +
      'nearfield check), or use boxes in place of hulls.',
  );
}
