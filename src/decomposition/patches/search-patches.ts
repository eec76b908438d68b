// The graph searches: closed convex parts whole, then patches grown one after another from seeds over unassigned faces.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Steps } from '../../core/steps.js';
import { addPiece } from '../pieces/extract-piece.js';
import { orderByCrest } from '../surface/crests.js';
import { PatchCollector } from './collect-patches.js';
import { findConvexParts } from './convex-parts.js';
import type { PatchGrower } from './grow-patch.js';

/** The usual work of the grower per face; large flat and convex patches take more, and count for more. */
const USUAL_WORK = 150;

/** Searches from face 0 up, or from the crests down; `order` is the order within a patch. A face costs `share`. */
export function* searchPatches(
  grower: PatchGrower,
  order: 'depth-first' | 'breadth-first',
  fromCrests: boolean,
  share: number,
  options?: ProgressOptions,
): Steps<PatchCollector> {
  const { surface } = grower;
  const patches = new PatchCollector(surface.faceCount);
  const { owner } = patches;
  const isFree = (face: number): boolean => owner[face] < 0;
  const seeds = fromCrests ? orderByCrest(surface) : owner.keys();
  grower.onStep = (faces) => reportProgress(options, (patches.facesDone + faces) / surface.faceCount, 'patches');
  grower.onStep(0);
  for (const faces of findConvexParts(surface, grower.limit, options)) {
    const { indices } = surface.mesh;
    for (const face of faces) {
      patches.addTriangle(indices[3 * face], indices[3 * face + 1], indices[3 * face + 2], face);
    }
    patches.addPatch(faces);
  }
  for (const seed of seeds) {
    if (owner[seed] >= 0) continue;
    const { done: before } = grower.limit;
    const faces = grower.grow(seed, order, isFree);
    addPiece(patches, surface.mesh, grower.hull, faces, grower.limit);
    patches.addPatch(faces);
    yield share * Math.max(faces.length, (grower.limit.done - before) / USUAL_WORK);
  }
  return patches;
}
