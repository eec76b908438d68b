// Patches by the global pairwise analysis (Ehmann and Lin 2001, section 4.2): the face with most partners starts a patch.
// Of its partners, those with most conflicts are dropped until all are compatible, using two priority queues. Compatible
// pairs may still fail as a group, so the criteria are checked as the group grows; faces that violate them wait.
import { IndexedHeap } from '../../core/heap.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import { addRearrangedPiece } from '../pieces/extract-piece.js';
import type { Surface } from '../surface/surface.js';
import type { WorkLimit } from '../work-limit.js';
import { PatchCollector } from './collect-patches.js';
import { FaceGroup } from './face-group.js';
import type { PairMatrix } from './pair-matrix.js';

/** Patches, which may be disconnected, and their cost. */
export interface GroupedPatches {
  readonly patches: PatchCollector;
  readonly insertions: number;
  readonly trianglesTested: number;
}

/** Groups all faces by the pairs that may lie in one patch. */
export function groupGlobally(
  surface: Surface,
  matrix: PairMatrix,
  limit: WorkLimit,
  options?: ProgressOptions,
): GroupedPatches {
  const patches = new PatchCollector(surface.faceCount);
  const { owner } = patches;
  const groups: [FaceGroup, FaceGroup] = [new FaceGroup(surface, limit), new FaceGroup(surface, limit)];
  const isFree = (face: number): boolean => owner[face] < 0;
  // Keys are negative counts: the heap gives the smallest first.
  const byPartners = new IndexedHeap(surface.faceCount);
  for (let face = 0; face < surface.faceCount; face++) byPartners.set(face, -matrix.countPartners(face));
  while (byPartners.size > 0) {
    reportProgress(options, patches.facesDone / surface.faceCount, 'grouping');
    const seed = byPartners.pop();
    const partners = matrix.partners(seed).filter(isFree);
    limit.spend(partners.length ** 2);
    const group = growGroup(groups, seed, partners, matrix, isFree);
    addRearrangedPiece(patches, group.surface.mesh, group.hull, group.faces, limit);
    patches.addPatch(group.faces);
    for (const face of group.faces) byPartners.remove(face);
    for (const face of group.faces) {
      for (const partner of matrix.partners(face)) {
        if (byPartners.has(partner)) byPartners.set(partner, byPartners.keyOf(partner) + 1);
      }
    }
  }
  return {
    patches,
    insertions: groups[0].insertions + groups[1].insertions,
    trianglesTested: groups[0].trianglesTested + groups[1].trianglesTested,
  };
}

/** Drops the face with most conflicts until none is left; the remaining ones are pairwise compatible. */
function dropConflicts(matrix: PairMatrix, partners: readonly number[]): number[] {
  const byConflicts = new IndexedHeap(matrix.size);
  for (const face of partners) {
    let conflicts = 0;
    for (const other of partners) if (other !== face && !matrix.has(face, other)) conflicts++;
    byConflicts.set(face, -conflicts);
  }
  while (byConflicts.minKey() < 0) {
    const dropped = byConflicts.pop();
    for (const other of partners) {
      if (byConflicts.has(other) && !matrix.has(dropped, other)) byConflicts.set(other, byConflicts.keyOf(other) + 1);
    }
  }
  return partners.filter((face) => byConflicts.has(face));
}

/**
 * Grows a group from the seed over compatible partners as far as it stays valid, then over any other partner that fits.
 * If not all fit as a group, one that grows from neighbor to neighbor may get larger: the larger one is used.
 */
function growGroup(
  [group, rival]: [FaceGroup, FaceGroup],
  seed: number,
  partners: readonly number[],
  matrix: PairMatrix,
  isFree: (face: number) => boolean,
): FaceGroup {
  const chosen = dropConflicts(matrix, partners);
  group.reset(seed);
  const isWhole = chosen.length === 0 || group.tryAdd(chosen, isFree);
  if (!isWhole) addAsFits(group, orderFrom(group, seed, chosen), isFree);
  const left = partners.filter((face) => !group.has(face) && group.faces.every((other) => matrix.has(face, other)));
  addAsFits(group, left, isFree);
  if (isWhole && group.faces.length > partners.length / 2) return group;
  rival.reset(seed);
  addAsFits(rival, orderFrom(rival, seed, partners), isFree);
  return rival.faces.length > group.faces.length ? rival : group;
}

/** Adds faces one by one, repeatedly while some still fit: a face may fit only after others have joined. */
export function addAsFits(group: FaceGroup, faces: readonly number[], isFree: (face: number) => boolean): void {
  let waiting = faces.filter((face) => !group.has(face));
  for (let before = Infinity; waiting.length < before; ) {
    before = waiting.length;
    waiting = waiting.filter((face) => !group.has(face) && !group.tryAdd([face], isFree));
  }
}

/** The faces in the order of a search over the dual graph from the seed, then those it cannot reach. */
function orderFrom(group: FaceGroup, seed: number, faces: readonly number[]): number[] {
  const { twin } = group.surface.adjacency;
  const left = new Set(faces);
  const order = [seed];
  for (let head = 0; head < order.length; head++) {
    for (let h = 3 * order[head]; h < 3 * order[head] + 3; h++) {
      const beside = Math.floor(twin[h] / 3);
      if (twin[h] >= 0 && left.delete(beside)) order.push(beside);
    }
  }
  return [...order.slice(1), ...left];
}
