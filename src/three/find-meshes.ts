// The meshes of a tree of objects, in the order of the tree.
import type { BufferGeometry, LOD, Mesh, Object3D } from 'three';

/** Which objects of a tree count. */
export interface MeshFilter {
  /** Leaves out objects with `visible = false` and what is below them. By default they count, as for a Raycaster. */
  readonly visibleOnly?: boolean | undefined;
  /** Leaves out objects for which it returns false, and what is below them. */
  readonly filter?: ((object: Object3D) => boolean) | undefined;
}

/** Meshes, and how many other drawn objects there are: lines, points, sprites, helpers and what the filter left out. */
export interface FoundMeshes {
  readonly meshes: Mesh[];
  readonly leftOut: number;
}

/** The meshes in a tree. Of an object with levels of detail only the finest counts. */
export function findMeshes(root: Object3D, { visibleOnly = false, filter }: MeshFilter): FoundMeshes {
  const meshes: Mesh[] = [];
  let leftOut = 0;
  const waiting: Object3D[] = [root];
  while (waiting.length > 0) {
    const object = waiting.pop()!;
    if ((visibleOnly && !object.visible) || isHelper(object) || filter?.(object) === false) {
      leftOut++;
      continue;
    }
    if (hasTriangles(object)) meshes.push(object);
    else if ('geometry' in object) leftOut++;
    const coarse = (object as LOD).isLOD ? (object as LOD).levels.slice(1).map((level) => level.object) : [];
    for (let i = object.children.length - 1; i >= 0; i--) {
      if (!coarse.includes(object.children[i])) waiting.push(object.children[i]);
    }
  }
  return { meshes, leftOut };
}

/** Arrows, slices and the like, of three.js and of this package, show something and are no part of an object. */
function isHelper(object: Object3D): boolean {
  return object.type.endsWith('Helper');
}

/** Wide lines are meshes too, of one segment that a shader repeats: only the shader knows where. */
function hasTriangles(object: Object3D): object is Mesh {
  const mesh = object as Mesh<BufferGeometry & { isInstancedBufferGeometry?: boolean }>;
  return mesh.isMesh === true && mesh.geometry.isInstancedBufferGeometry !== true;
}
