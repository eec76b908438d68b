import { NearfieldError } from '../../core/errors.js';
import type { Mesh } from '../mesh.js';

/** A mesh without some of its faces. */
export interface DroppedFaces {
  readonly mesh: Mesh;
  readonly droppedFaces: number;
  /** The old face of each face of the result. */
  readonly sourceFaces: Uint32Array;
}

/** The mesh with only the given faces, in the order given; all vertices stay. */
export function keepFaces(mesh: Mesh, kept: readonly number[]): DroppedFaces {
  if (kept.length === 0) {
    throw new NearfieldError('empty-mesh', 'Every face of the mesh is degenerate, so nothing of it is left.');
  }
  const indices = new Uint32Array(3 * kept.length);
  for (let i = 0; i < kept.length; i++) {
    indices[3 * i] = mesh.indices[3 * kept[i]];
    indices[3 * i + 1] = mesh.indices[3 * kept[i] + 1];
    indices[3 * i + 2] = mesh.indices[3 * kept[i] + 2];
  }
  return {
    mesh: { positions: mesh.positions.slice(), indices },
    droppedFaces: mesh.indices.length / 3 - kept.length,
    sourceFaces: Uint32Array.from(kept),
  };
}
