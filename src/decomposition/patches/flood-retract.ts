// Flood and retract (Ehmann and Lin 2001, section 4.1): patches first grow from uncovered seeds over all faces, even
// those of other patches; then each face is assigned to one patch, the largest remainder first. The rest of a patch may
// be disconnected, and is checked as a group: a face assigned elsewhere may still touch the hull of the rest.

import { IndexedHeap } from '../../core/heap.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { addRearrangedPiece } from '../pieces/extract-piece.js';
import { PatchCollector } from './collect-patches.js';
import { FaceGroup } from './face-group.js';
import { addAsFits } from './group-global.js';
import type { PatchGrower, SearchOrder } from './grow-patch.js';

/** Floods in face order; `order` is the order within a patch. */
export function floodAndRetract(grower: PatchGrower, order: SearchOrder, options?: ProgressOptions): PatchCollector {
  const { surface } = grower;
  const flooded = flood(grower, order, options);
  const patches = new PatchCollector(surface.faceCount);
  const group = new FaceGroup(surface, grower.limit);
  const { owner } = patches;

  // The patches of each face, to update the number of faces that each would still get.
  const patchesOf: number[][] = Array.from({ length: surface.faceCount }, () => []);
  const bySize = new IndexedHeap(flooded.length);
  flooded.forEach((faces, patch) => {
    for (const face of faces) patchesOf[face].push(patch);
    bySize.set(patch, -faces.length);
  });
  while (bySize.minKey() < 0) {
    reportProgress(options, 0.5 + (0.5 * patches.facesDone) / surface.faceCount, 'retracting');
    const kept = Array.from(flooded[bySize.pop()]).filter((face) => owner[face] < 0);
    addSubset(patches, group, kept);
    for (const face of kept) {
      for (const patch of patchesOf[face]) if (bySize.has(patch)) bySize.set(patch, bySize.keyOf(patch) + 1);
    }
  }
  grower.insertions += group.insertions;
  grower.trianglesTested += group.trianglesTested;
  return patches;
}

/** Overlapping patches that together cover every face. */
function flood(grower: PatchGrower, order: SearchOrder, options?: ProgressOptions): Uint32Array[] {
  const count = grower.surface.faceCount;
  const isCovered = new Uint8Array(count);
  const patches: Uint32Array[] = [];
  let covered = 0;
  grower.onStep = () => reportProgress(options, (0.5 * covered) / count, 'flooding');
  grower.onStep(0);
  for (let seed = 0; seed < count; seed++) {
    if (isCovered[seed]) continue;
    const faces = Uint32Array.from(grower.grow(seed, order, () => true));
    for (const face of faces) {
      covered += 1 - isCovered[face];
      isCovered[face] = 1;
    }
    patches.push(faces);
  }
  return patches;
}

/** Adds faces as one patch if they form a valid one, otherwise as the few that growing them again gives. */
function addSubset(patches: PatchCollector, group: FaceGroup, faces: readonly number[]): void {
  let left = new Set(faces);
  const isLeft = (face: number): boolean => left.has(face);
  while (left.size > 0) {
    const [seed, ...others] = left;
    group.reset(seed);
    if (others.length > 0 && !group.tryAdd(others, isLeft)) addAsFits(group, others, isLeft);
    addRearrangedPiece(patches, group.surface.mesh, group.hull, group.faces, group.limit);
    patches.addPatch(group.faces);
    left = new Set([...left].filter((face) => !group.has(face)));
  }
}
