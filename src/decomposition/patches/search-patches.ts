// The graph searches: closed convex parts whole, then patches grown one after another from seeds over unassigned faces.
import { brokenWalk } from '../../convex/hull/broken-walk.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Steps } from '../../core/steps.js';
import { coarsenFacets } from '../facets/coarsen-facets.js';
import { addPiece } from '../pieces/extract-piece.js';
import { orderByCrest } from '../surface/crests.js';
import type { Surface } from '../surface/surface.js';
import type { WorkLimit } from '../work-limit.js';
import { PatchCollector } from './collect-patches.js';
import { findConvexParts } from './convex-parts.js';
import type { GroupedPatches } from './group-global.js';
import type { SearchOrder } from './grow-patch.js';

/** Chosen: the grower's usual work per face. Large patches take more, and count for more. */
const USUAL_WORK = 150;

/** Searches from face 0 up, or from the crests down; `order` is the order within a patch. A face costs `share`. */
export function* searchPatches(
  surface: Surface,
  order: SearchOrder,
  fromCrests: boolean,
  share: number,
  limit: WorkLimit,
  options?: ProgressOptions,
): Steps<GroupedPatches> {
  const patches = new PatchCollector(surface.faceCount);
  const { owner } = patches;
  const { indices } = surface.mesh;
  const isTaken = new Uint8Array(surface.faceCount);
  reportProgress(options, 0, 'patches');
  for (const faces of findConvexParts(surface, limit, options)) {
    for (const face of faces) {
      isTaken[face] = 1;
      patches.addTriangle(indices[3 * face], indices[3 * face + 1], indices[3 * face + 2], face);
    }
    patches.addPatch(faces);
  }
  const { coarse, grower } = coarsenFacets(surface, isTaken, limit);
  grower.onStep = (faces) => reportProgress(options, (patches.facesDone + faces) / surface.faceCount, 'patches');
  const isFree =
    coarse === null
      ? (face: number): boolean => owner[face] < 0
      : (face: number): boolean => owner[coarse.fineFaceOf(face)] < 0;
  const seeds = fromCrests ? orderByCrest(grower.surface) : new Uint32Array(grower.surface.faceCount).keys();
  for (const seed of seeds) {
    if (!isFree(seed)) continue;
    const { done: before } = limit;
    const grown = grower.grow(seed, order, isFree);
    if (grown.length === 0) throw brokenWalk('over a facet');
    addPiece(coarse ?? patches, grower.surface.mesh, grower.hull, grown, limit);
    coarse?.finishPiece(patches, grower.hull.isFlat);
    const faces = coarse === null ? grown : coarse.fineFaces(grown);
    patches.addPatch(faces);
    yield share * Math.max(faces.length, (limit.done - before) / USUAL_WORK);
  }
  return { patches, insertions: grower.insertions, trianglesTested: grower.trianglesTested };
}
