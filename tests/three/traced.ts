// What three.js itself says about the vertices of an object, to hold models against.
import {
  type BatchedMesh,
  type BufferGeometry,
  type InstancedMesh,
  Matrix4,
  type Mesh,
  Quaternion,
  Vector3,
} from 'three';
import { expect } from 'vitest';
import type { ObjectModel } from '../../src/three/object-model.js';

/** Where three.js draws a corner of a face, in the world. */
function cornerInWorld(mesh: Mesh, vertex: number, instanceId: number | undefined): Vector3 {
  const point = mesh.getVertexPosition(vertex, new Vector3());
  if (instanceId !== undefined) point.applyMatrix4(instanceMatrix(mesh, instanceId));
  return point.applyMatrix4(mesh.matrixWorld);
}

function instanceMatrix(mesh: Mesh, instanceId: number): Matrix4 {
  const matrix = new Matrix4();
  (mesh as InstancedMesh | BatchedMesh).getMatrixAt(instanceId, matrix);
  return matrix;
}

/** The vertex ids of a face as a Raycaster numbers them. */
export function faceCorners(geometry: BufferGeometry, faceIndex: number): [number, number, number] {
  const at = (k: number): number => geometry.index?.getX(3 * faceIndex + k) ?? 3 * faceIndex + k;
  return [at(0), at(1), at(2)];
}

/**
 * Every triangle of the model, carried by its pose, is the face of the mesh that it claims to come from, wound as drawn:
 * reversed where the mesh is mirrored. No face of an instance is claimed twice.
 */
export function expectTraced(traced: ObjectModel, tolerance = 1e-6): void {
  const { positions, indices } = traced.model.mesh;
  const [x, y, z, qx, qy, qz, qw] = Array.from(traced.pose);
  const place = new Matrix4().compose(new Vector3(x, y, z), new Quaternion(qx, qy, qz, qw), new Vector3(1, 1, 1));
  const claimed = new Set<string>();
  let worst = 0;
  for (let triangle = 0; triangle < indices.length / 3; triangle++) {
    const { mesh, faceIndex, instanceId } = traced.sourceOf(triangle);
    const claim = `${mesh!.id} ${instanceId} ${faceIndex}`;
    expect(claimed.has(claim), claim).toBe(false);
    claimed.add(claim);
    const world = mesh!.matrixWorld.clone();
    if (instanceId !== undefined) world.multiply(instanceMatrix(mesh!, instanceId));
    const corners = faceCorners(mesh!.geometry, faceIndex).map((v) => cornerInWorld(mesh!, v, instanceId));
    if (world.determinant() < 0) [corners[1], corners[2]] = [corners[2], corners[1]];
    for (let k = 0; k < 3; k++) {
      const ours = new Vector3().fromArray(positions, 3 * indices[3 * triangle + k]).applyMatrix4(place);
      worst = Math.max(worst, ours.distanceTo(corners[k]));
    }
  }
  expect(worst).toBeLessThan(tolerance);
}
