// Makes a surface of a mesh, or says why it has no convex decomposition and what to do.
import { NearfieldError } from '../../core/errors.js';
import type { ProgressOptions } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { isDegenerateFace } from '../../mesh/topology/degenerate-faces.js';
import type { WorkLimit } from '../work-limit.js';
import { assertSurface, Surface } from './surface.js';

/** Chosen: the work of a face: adjacency, boxes and signs of edges. */
const FACE_WORK = 16;
/** Chosen: the work of a pair of faces that may cross. */
const PAIR_WORK = 4;
/** Chosen: pairs between two reports of progress. */
const PAIRS_PER_REPORT = 16_384;

/** @throws NearfieldError `degenerate`, `non-manifold`, `not-oriented`, and if checked `self-intersecting`. */
export function prepareSurface(
  mesh: Mesh,
  checkSelfIntersections: boolean,
  limit: WorkLimit,
  progress: ProgressOptions,
): Surface {
  limit.spend((FACE_WORK * mesh.indices.length) / 3);
  const surface = new Surface(mesh);
  assertSurface(surface);
  for (let face = 0; face < surface.faceCount; face++) {
    if (isDegenerateFace(mesh, face)) {
      throw new NearfieldError(
        'degenerate',
        `Face ${face} has no area; drop these faces first (repairMesh, or nearfield repair).`,
        { face },
      );
    }
  }
  if (checkSelfIntersections) assertNoCrossing(mesh, limit, progress);
  return surface;
}

function assertNoCrossing(mesh: Mesh, limit: WorkLimit, progress: ProgressOptions): void {
  // A report comes after a fixed number of pairs. Fans of many faces have pairs that grow as the square: the limit ends them
  // in time.
  const onProgress = (fraction: number, stage: string): void => {
    if (stage !== 'hierarchy' && fraction < 1) limit.spend(PAIR_WORK * PAIRS_PER_REPORT);
    progress.onProgress?.(fraction, stage);
  };
  const { count, pairs } = findSelfIntersections(mesh, { ...progress, onProgress, limit: 1 });
  if (count > 0) {
    throw new NearfieldError(
      'self-intersecting',
      `${count} pairs of faces cross, faces ${pairs[0]} and ${pairs[1]} among them; a surface that crosses itself has no ` +
        'convex decomposition. Remove the crossings first.',
      { face: pairs[0] },
    );
  }
}
