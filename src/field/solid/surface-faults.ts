// Finds the faults of a closed surface: faces that cross, vertices at the same place, thin faces.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { findSelfIntersections } from '../../mesh/report/self-intersections.js';
import { findEqualVertices } from '../../mesh/topology/coincident-vertices.js';
import { heightRatio } from './face-shape.js';

/** Chosen: a face with a smaller ratio of height to longest side is a fault: far above rounding. */
export const MIN_HEIGHT = 1e-3;

/** Marks the vertices of faces that cross others, and vertices at the same place, where faces meet unconnected. */
export function markMeetings(mesh: Mesh, isBad: Uint8Array, progress: ProgressOptions): void {
  const { positions, indices } = mesh;
  const { pairs } = findSelfIntersections(mesh, { signal: progress.signal });
  for (const face of pairs) for (let k = 0; k < 3; k++) isBad[indices[3 * face + k]] = 1;
  const first = findEqualVertices(positions);
  reportProgress({ signal: progress.signal }, 0, 'check');
  for (let v = 0; v < first.length; v++) if (first[v] !== v) isBad[v] = isBad[first[v]] = 1;
}

/** Marks the vertices of thin faces. */
export function markThinFaces({ positions, indices }: Mesh, isBad: Uint8Array): void {
  for (let f = 0; f < indices.length; f += 3) {
    if (heightRatio(positions, 3 * indices[f], 3 * indices[f + 1], 3 * indices[f + 2]) > MIN_HEIGHT) continue;
    isBad[indices[f]] = isBad[indices[f + 1]] = isBad[indices[f + 2]] = 1;
  }
}

/** Whether no faces cross and no vertices share their place. */
export function isSimple(mesh: Mesh, progress: ProgressOptions): boolean {
  const isBad = new Uint8Array(mesh.positions.length / 3);
  markMeetings(mesh, isBad, progress);
  return !isBad.includes(1);
}
