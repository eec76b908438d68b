// The door of every chapter that asks whether a mesh bounds a solid. A mesh that bounds none as it is, such as one whose
// every face stands twice, is made sound first, as far as that moves no point of its surface.
import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../mesh.js';
import { findOutwardSurface, type OutwardSurface } from '../repair/outward-surface.js';
import { buildAdjacency, type MeshAdjacency } from '../topology/adjacency.js';
import { findEqualVertices } from '../topology/coincident-vertices.js';
import { countDegenerateFaces } from '../topology/degenerate-faces.js';
import { groupEqualFaces } from '../topology/duplicate-faces.js';
import { countEdgeKinds } from '../topology/edge-kinds.js';
import { hasCracks } from './close-cracks.js';
import { makeSound, roundingOf } from './make-sound.js';

/** The surface of a solid, and what was done to get it. */
export interface SoundSurface extends OutwardSurface {
  /** The faces and vertices are not those of the given mesh: it was made sound. */
  readonly mended: boolean;
  /** Of a mended mesh: the face of the input that each face lies on; null for others. */
  readonly sourceFaces: Int32Array | null;
  /** What was done, a sentence for each change; empty where the mesh was not mended. */
  readonly done: readonly string[];
}

/**
 * As `findOutwardSurface`; a mesh that bounds no solid with a volume is made sound with tolerance 0, and taken where it
 * then bounds one. O(triangles) for a solid.
 */
export function findSoundSurface(mesh: Mesh, adjacency?: MeshAdjacency): SoundSurface {
  const asGiven: SoundSurface = { ...findOutwardSurface(mesh, adjacency), mended: false, sourceFaces: null, done: [] };
  if (asGiven.closed && asGiven.outward) return asGiven;
  const sound = mayBeMended(mesh, adjacency ?? buildAdjacency(mesh)) ? mend(mesh) : null;
  if (sound === null) return asGiven;
  const { sourceFaces, done, changes } = sound;
  const { weldedVertices, flippedFaces } = changes;
  return {
    mesh: sound.mesh,
    closed: true,
    outward: true,
    weldedVertices,
    flippedFaces,
    mended: true,
    sourceFaces,
    done,
  };
}

/**
 * Whether making a mesh sound can close it. Open edges that no doubled face, face without area or crack explains are those
 * of holes, as in scans; trying on these would cost twenty times as much as this test.
 */
function mayBeMended(mesh: Mesh, adjacency: MeshAdjacency): boolean {
  if (countEdgeKinds(adjacency).boundaryEdges === 0) return true;
  const equal = findEqualVertices(mesh.positions);
  const welded = { positions: mesh.positions, indices: mesh.indices.map((vertex) => equal[vertex]) };
  return (
    groupEqualFaces(welded).duplicateFaces > 0 ||
    countDegenerateFaces(welded) > 0 ||
    hasCracks(welded, roundingOf(mesh))
  );
}

/** Null where the mesh stays open, and where no face of it has area. */
function mend(mesh: Mesh): ReturnType<typeof makeSound> | null {
  try {
    const sound = makeSound(mesh, { tolerance: 0 });
    return sound.closed ? sound : null;
  } catch (error) {
    if (error instanceof NearfieldError && error.code === 'empty-mesh') return null;
    throw error;
  }
}
