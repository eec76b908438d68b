// Makes a surface of a mesh, or says why it has no convex decomposition and what to do.
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { isDegenerateFace } from '../../mesh/topology/degenerate-faces.js';
import { assertSurface, Surface } from './surface.js';

/** @throws NearfieldError `degenerate`, `non-manifold`, `not-oriented`, and when asked `self-intersecting`. */
export function prepareSurface(mesh: Mesh, checkSelfIntersections: boolean, progress: ProgressOptions): Surface {
  const surface = new Surface(mesh);
  assertSurface(surface);
  for (let face = 0; face < surface.faceCount; face++) {
    if (isDegenerateFace(mesh, face)) {
      throw new NearfieldError(
        'degenerate',
        `Face ${face} has no area; drop such faces first (repairMesh, or nearfield repair).`,
        { face },
      );
    }
  }
  if (checkSelfIntersections) assertNoCrossing(mesh, progress);
  return surface;
}

function assertNoCrossing(mesh: Mesh, progress: ProgressOptions): void {
  const { count, pairs } = findSelfIntersections(mesh, { ...progress, limit: 1 });
  if (count > 0) {
    throw new NearfieldError(
      'self-intersecting',
      `${count} pairs of faces cross, faces ${pairs[0]} and ${pairs[1]} among them; a surface that crosses itself has no ` +
        'convex decomposition. Remove the crossings first.',
      { face: pairs[0] },
    );
  }
}
