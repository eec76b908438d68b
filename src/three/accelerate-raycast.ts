// Makes a Raycaster use a hierarchy of boxes for the meshes below an object.
import { InstancedMesh, Mesh, type Object3D, SkinnedMesh } from 'three';
import { assertObject3D } from './describe-object.js';
import { MeshRays } from './mesh-rays.js';

/**
 * Replaces `raycast` of the meshes of an object and below it: the same intersections as those of three.js, found in
 * logarithmic time. It respects `near`, `far`, the sides of materials, draw ranges and groups, and follows changes of
 * the geometry, morphs and bones as {@link ObjectModel.refresh} does. With `raycaster.firstHitOnly = true` each mesh gives
 * its nearest hit only. The hierarchy is made at the first ray. Meshes with a `raycast` of their own, and batches, keep
 * theirs.
 * @returns a function that takes it back.
 */
export function accelerateRaycast(object: Object3D): () => void {
  assertObject3D(object, 'The first argument of accelerateRaycast');
  const replaced: Mesh[] = [];
  object.traverse((child) => {
    if (!(child as Mesh).isMesh || !isStandard((child as Mesh).raycast)) return;
    const mesh = child as Mesh;
    const rays = new MeshRays(mesh);
    mesh.raycast = (raycaster, intersects) => rays.raycast(raycaster, intersects);
    replaced.push(mesh);
  });
  return () => {
    // The method of the class is back when the instance's own is gone.
    for (const mesh of replaced) Reflect.deleteProperty(mesh, 'raycast');
  };
}

function isStandard(raycast: Mesh['raycast']): boolean {
  return [Mesh, SkinnedMesh, InstancedMesh].some((kind) => kind.prototype.raycast === raycast);
}
