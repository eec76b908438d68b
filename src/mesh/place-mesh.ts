import * as pose from '../core/pose.js';
import * as quat from '../core/quat.js';
import type { ReadonlyVec3 } from '../core/vec3.js';
import type { Mesh } from './mesh.js';

/** A copy of a mesh at another place. */
export function placeMesh({ positions, indices }: Mesh, at: pose.ReadonlyPose): Mesh {
  const moved = new Float64Array(positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    moved.set(pose.transformPoint(at, [positions[i], positions[i + 1], positions[i + 2]]), i);
  }
  return { positions: moved, indices };
}

/** One mesh of several that do not touch. */
export function joinMeshes(meshes: readonly Mesh[]): Mesh {
  const positions = new Float64Array(meshes.reduce((sum, mesh) => sum + mesh.positions.length, 0));
  const indices = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.indices.length, 0));
  let [coordinate, corner] = [0, 0];
  for (const mesh of meshes) {
    positions.set(mesh.positions, coordinate);
    for (const vertex of mesh.indices) indices[corner++] = vertex + coordinate / 3;
    coordinate += mesh.positions.length;
  }
  return { positions, indices };
}

/** A place, turned about an axis. */
export function placeAt(point: ReadonlyVec3, axis: ReadonlyVec3 = [0, 1, 0], angle = 0): pose.Pose {
  return pose.create(point, quat.fromAxisAngle(axis, angle));
}
