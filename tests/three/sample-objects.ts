// Meshes of three.js that bend: skinned and morphed.
import {
  Bone,
  BoxGeometry,
  BufferAttribute,
  CylinderGeometry,
  Float32BufferAttribute,
  Mesh,
  MeshBasicMaterial,
  Skeleton,
  SkinnedMesh,
} from 'three';

/** A cylinder on three bones, bent. */
export function skinned(bindMode: 'attached' | 'detached' = 'attached'): { mesh: SkinnedMesh; bones: Bone[] } {
  const geometry = new CylinderGeometry(0.4, 0.5, 4, 8, 6);
  const { position } = geometry.attributes;
  const indices: number[] = [];
  const weights: number[] = [];
  for (let i = 0; i < position.count; i++) {
    const height = Math.min(1.999, Math.max(0, (position.getY(i) + 2) / 2));
    indices.push(Math.floor(height), Math.floor(height) + 1, 0, 0);
    weights.push(1 - (height % 1), height % 1, 0, 0);
  }
  geometry.setAttribute('skinIndex', new BufferAttribute(Uint16Array.from(indices), 4));
  geometry.setAttribute('skinWeight', new Float32BufferAttribute(weights, 4));
  const mesh = new SkinnedMesh(geometry, new MeshBasicMaterial());
  const bones = [new Bone(), new Bone(), new Bone()];
  bones[0].position.y = -2;
  bones[1].position.y = 2;
  bones[2].position.y = 2;
  bones[0].add(bones[1]);
  bones[1].add(bones[2]);
  mesh.add(bones[0]);
  mesh.bindMode = bindMode;
  mesh.bind(new Skeleton(bones));
  bones[1].rotation.z = 0.7;
  bones[2].rotation.x = -0.5;
  bones[2].scale.set(1, 1.5, 1);
  return { mesh, bones };
}

/** A box with morph targets that stretch and shear it. */
export function morphed(relative: boolean): Mesh {
  const geometry = new BoxGeometry(1, 2, 3, 2, 2, 2);
  const { position } = geometry.attributes;
  const taller = new Float32Array(position.array.length);
  const sheared = new Float32Array(position.array.length);
  for (let i = 0; i < position.count; i++) {
    const base = relative ? [0, 0, 0] : [position.getX(i), position.getY(i), position.getZ(i)];
    taller.set([base[0], base[1] + position.getY(i), base[2]], 3 * i);
    sheared.set([base[0] + 0.5 * position.getY(i), base[1], base[2]], 3 * i);
  }
  geometry.morphAttributes.position = [new BufferAttribute(taller, 3), new BufferAttribute(sheared, 3)];
  geometry.morphTargetsRelative = relative;
  const mesh = new Mesh(geometry, new MeshBasicMaterial());
  mesh.morphTargetInfluences![0] = 0.75;
  mesh.morphTargetInfluences![1] = -0.4;
  return mesh;
}
