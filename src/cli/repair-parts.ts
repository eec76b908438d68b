// Repairs a model of several parts mesh by mesh: what is welded, dropped or filled stays within a part, and names, placements,
// colors and copies stay.
import { NearfieldError } from '../core/errors.js';
import { type ProgressOptions, partOfProgress } from '../core/progress.js';
import type { MeshGroup, ModelFile, ModelMesh } from '../io/model/model-file.js';
import type { Mesh } from '../mesh/mesh.js';
import { type RepairedMesh, type RepairOptions, repairMesh } from '../mesh/repair/repair.js';

/** What was done to the mesh of a part. */
export type MeshRepair = Pick<RepairedMesh, 'changes' | 'filled' | 'remaining' | 'skipped'>;

/** A repaired model, and what was done to each of its parts, in their order. */
export interface RepairedParts {
  readonly model: ModelFile;
  /** Null for a part whose faces are all without area: its mesh stays as it is. */
  readonly repairs: readonly (MeshRepair | null)[];
}

/** Repairs each mesh of the model once. Meshes that no part shows stay as they are. */
export function repairParts(model: ModelFile, options: RepairOptions, progress: ProgressOptions): RepairedParts {
  const shown = new Set(model.parts.map(({ meshIndex }) => meshIndex));
  const { length } = model.meshes;
  const meshes: ModelMesh[] = [];
  const repairs: (MeshRepair | null)[] = [];
  for (const [i, given] of model.meshes.entries()) {
    const share = partOfProgress(progress, i / length, (i + 1) / length);
    const repaired = shown.has(i) ? repairUnlessFlat(given.mesh, { ...options, ...share }) : null;
    meshes.push(repaired === null ? given : keepGroups(given, repaired));
    repairs.push(repaired);
  }
  return { model: { ...model, meshes }, repairs: model.parts.map(({ meshIndex }) => repairs[meshIndex]) };
}

function repairUnlessFlat(mesh: Mesh, options: RepairOptions): RepairedMesh | null {
  try {
    return repairMesh(mesh, options);
  } catch (error) {
    if (!(error instanceof NearfieldError) || error.code !== 'empty-mesh') throw error;
    return null;
  }
}

/** The mesh with its groups, and so their colors: its faces are sorted by the group that they come from. */
function keepGroups(given: ModelMesh, { mesh, sourceFaces }: RepairedMesh): ModelMesh {
  const { groups } = given;
  if (groups === undefined || groups.length === 0) return { ...given, mesh };
  const groupOf = new Int32Array(given.mesh.indices.length / 3).fill(groups.length);
  for (const [i, { firstTriangle, triangleCount }] of groups.entries()) {
    groupOf.fill(i, firstTriangle, firstTriangle + triangleCount);
  }
  // Faces that fill holes belong to the first group, as they have to have some color; those of no group come last.
  const faces = Array.from(sourceFaces, (source, face) => ({ face, group: source < 0 ? 0 : groupOf[source] }));
  faces.sort((p, q) => p.group - q.group || p.face - q.face);
  const indices = new Uint32Array(mesh.indices.length);
  const counts = new Uint32Array(groups.length + 1);
  for (const [i, { face, group }] of faces.entries()) {
    indices.set(mesh.indices.subarray(3 * face, 3 * face + 3), 3 * i);
    counts[group]++;
  }
  let end = 0;
  const kept = groups.map((group, i): MeshGroup => {
    const firstTriangle = end;
    end += counts[i];
    return { ...group, firstTriangle, triangleCount: counts[i] };
  });
  return { ...given, mesh: { positions: mesh.positions, indices }, groups: kept.filter((g) => g.triangleCount > 0) };
}
