// Where the vertices of a mesh go, as matrices in the frame of the model: one for a plain mesh, one for each instance,
// one for each bone.
import type { BatchedMesh, InstancedMesh, Mesh, SkinnedMesh } from 'three';
import { NearfieldError } from '../core/errors.js';
import { multiplyColumns } from './affine-columns.js';
import { describeObject } from './describe-object.js';
import type { ReadableAttribute } from './read-vertices.js';

/** Matrices in the frame of the model, 16 numbers each; see affine-columns.ts. */
export interface Placements {
  readonly matrices: Float64Array;
  /** `instanceId` of each matrix, or `batchId`; null where the matrices are not instances. */
  readonly instances: Uint32Array | null;
  /** The geometry of each instance of a batch. */
  readonly geometries: Uint32Array | null;
  /** What is left of the placement of a skinned vertex whose weights do not add up to 1: a translation. */
  readonly skinOffset: readonly [number, number, number] | null;
}

/** The placements of a mesh whose own frame `toFrame` maps to that of the model. World matrices are up to date. */
export function findPlacements(mesh: Mesh, toFrame: Float64Array): Placements {
  if ((mesh as SkinnedMesh).isSkinnedMesh) return bonePlacements(mesh as SkinnedMesh, toFrame);
  if ((mesh as InstancedMesh).isInstancedMesh) return instancePlacements(mesh as InstancedMesh, toFrame);
  if ((mesh as BatchedMesh).isBatchedMesh) return batchPlacements(mesh as BatchedMesh, toFrame);
  return { matrices: toFrame, instances: null, geometries: null, skinOffset: null };
}

function instancePlacements(mesh: InstancedMesh, toFrame: Float64Array): Placements {
  const { count, instanceMatrix } = mesh;
  const matrices = new Float64Array(16 * count);
  for (let i = 0; i < count; i++) multiplyColumns(toFrame, 0, instanceMatrix.array, 16 * i, matrices, 16 * i);
  return { matrices, instances: Uint32Array.from({ length: count }, (_, i) => i), geometries: null, skinOffset: null };
}

function batchPlacements(mesh: BatchedMesh, toFrame: Float64Array): Placements {
  const instances: number[] = [];
  const matrix = mesh.matrixWorld.clone();
  const matrices = new Float64Array(16 * mesh.maxInstanceCount);
  // Ids of deleted instances are gaps, which throw; the count says when all others are found.
  for (let id = 0, found = 0; id < mesh.maxInstanceCount && found < mesh.instanceCount; id++) {
    const visible = visibleInBatch(mesh, id);
    if (visible !== null) found++;
    if (!visible) continue;
    mesh.getMatrixAt(id, matrix);
    multiplyColumns(toFrame, 0, matrix.elements, 0, matrices, 16 * instances.length);
    instances.push(id);
  }
  return {
    matrices: matrices.slice(0, 16 * instances.length),
    instances: Uint32Array.from(instances),
    geometries: Uint32Array.from(instances, (id) => mesh.getGeometryIdAt(id)),
    skinOffset: null,
  };
}

function visibleInBatch(mesh: BatchedMesh, id: number): boolean | null {
  try {
    return mesh.getVisibleAt(id);
  } catch {
    return null;
  }
}

/** As SkinnedMesh.applyBoneTransform: to the space of the bones, by each bone, and back. */
function bonePlacements(mesh: SkinnedMesh, toFrame: Float64Array): Placements {
  const { skeleton, bindMatrix, bindMode } = mesh;
  if (skeleton === undefined) {
    throw new NearfieldError('bad-argument', `There is no skeleton in ${describeObject(mesh)}; bind one first.`);
  }
  // The inverse that the mesh keeps is only as new as its last updateMatrixWorld.
  const back = (bindMode === 'detached' ? bindMatrix : mesh.matrixWorld).clone().invert();
  const fromBones = new Float64Array(16);
  multiplyColumns(toFrame, 0, back.elements, 0, fromBones, 0);
  const { bones, boneInverses } = skeleton;
  const matrices = new Float64Array(16 * bones.length);
  const moved = new Float64Array(16);
  const bound = new Float64Array(16);
  for (let i = 0; i < bones.length; i++) {
    multiplyColumns(boneInverses[i].elements, 0, bindMatrix.elements, 0, bound, 0);
    multiplyColumns(bones[i].matrixWorld.elements, 0, bound, 0, moved, 0);
    multiplyColumns(fromBones, 0, moved, 0, matrices, 16 * i);
  }
  return {
    matrices,
    instances: null,
    geometries: null,
    skinOffset: [fromBones[12], fromBones[13], fromBones[14]],
  };
}

/** Brings the world matrices of a skeleton up to date: its bones may be anywhere in the scene. */
export function updateBones(mesh: SkinnedMesh): void {
  for (const bone of mesh.skeleton?.bones ?? []) {
    if (bone.parent === null || !('isBone' in bone.parent)) bone.updateWorldMatrix(true, true);
  }
}

/** Writes points moved by the matrix at `m` to `out` from vertex `first` on. */
export function placePoints(
  points: Float64Array,
  matrices: Float64Array,
  m: number,
  out: Float64Array,
  first: number,
): void {
  const at = 3 * first;
  for (let i = 0; i < points.length; i += 3) {
    const x = points[i];
    const y = points[i + 1];
    const z = points[i + 2];
    out[at + i] = matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z + matrices[m + 12];
    out[at + i + 1] = matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z + matrices[m + 13];
    out[at + i + 2] = matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z + matrices[m + 14];
  }
}

/** Writes points moved by their bones to `out` from vertex `first` on. `vertices` are their ids in the geometry. */
export function skinPoints(
  mesh: SkinnedMesh,
  points: Float64Array,
  vertices: Uint32Array,
  { matrices, skinOffset }: Placements,
  out: Float64Array,
  first: number,
): void {
  const skinIndex = mesh.geometry.attributes.skinIndex as ReadableAttribute | undefined;
  const skinWeight = mesh.geometry.attributes.skinWeight as ReadableAttribute | undefined;
  if (skinIndex === undefined || skinWeight === undefined) {
    throw new NearfieldError('bad-argument', `There are no skinIndex and skinWeight in ${describeObject(mesh)}.`);
  }
  const [ox, oy, oz] = skinOffset!;
  for (let i = 0; i < vertices.length; i++) {
    const x = points[3 * i];
    const y = points[3 * i + 1];
    const z = points[3 * i + 2];
    let left = 1;
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let k = 0; k < 4; k++) {
      const weight = skinWeight.getComponent(vertices[i], k);
      if (weight === 0) continue;
      const m = 16 * skinIndex.getComponent(vertices[i], k);
      if (!(m < matrices.length)) {
        throw new NearfieldError(
          'index-out-of-range',
          `Vertex ${vertices[i]} of ${describeObject(mesh)} hangs on bone ${m / 16}, but the skeleton has ` +
            `${matrices.length / 16} bones.`,
          { vertex: vertices[i] },
        );
      }
      left -= weight;
      px += weight * (matrices[m] * x + matrices[m + 4] * y + matrices[m + 8] * z + matrices[m + 12]);
      py += weight * (matrices[m + 1] * x + matrices[m + 5] * y + matrices[m + 9] * z + matrices[m + 13]);
      pz += weight * (matrices[m + 2] * x + matrices[m + 6] * y + matrices[m + 10] * z + matrices[m + 14]);
    }
    out[3 * (first + i)] = px + left * ox;
    out[3 * (first + i) + 1] = py + left * oy;
    out[3 * (first + i) + 2] = pz + left * oz;
  }
}
