import { NearfieldError } from '../../core/errors.js';

/**
 * For walks from half-edge to half-edge that have taken more steps than there are half-edges. Twins are a permutation of
 * the half-edges that stand, so a walk comes back to where it began; one that does not began at a half-edge that is gone,
 * or runs over twins that do not match.
 */
export function brokenWalk(where: string): NearfieldError {
  return new NearfieldError(
    'degenerate',
    `A walk ${where} does not come back to where it began. The surface may overlap itself: check the mesh (inspectMesh, or ` +
      'nearfield check), or use boxes in place of hulls.',
  );
}
