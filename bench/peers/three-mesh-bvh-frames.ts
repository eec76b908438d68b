// three-mesh-bvh on objects that deform: its trees built anew or refitted in each frame, then every pair of objects whose
// boxes overlap asked whether they intersect.
import type { Mesh } from 'nearfield/mesh';

/** Answers for one set of objects, whose positions may change between frames. */
export interface DeformingPeer {
  /** How many pairs of objects intersect, after trees were built anew. */
  rebuild(): number;
  /** The same after the boxes of the trees were refitted. */
  refit(): number;
}

/** Null where it is not installed. */
export async function loadDeformingPeer(): Promise<((objects: readonly Mesh[]) => DeformingPeer) | null> {
  try {
    const { BufferAttribute, BufferGeometry, Matrix4 } = await import('three');
    const { MeshBVH } = await import('three-mesh-bvh');
    return (objects) => {
      const still = new Matrix4();
      const geometries = objects.map(({ positions, indices }) => {
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
        geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
        return geometry;
      });
      let trees = geometries.map((geometry) => new MeshBVH(geometry));
      const load = (): void => {
        for (const [i, { positions }] of objects.entries()) {
          (geometries[i].getAttribute('position').array as Float32Array).set(positions);
        }
      };
      const count = (): number => {
        for (const [i, geometry] of geometries.entries()) {
          geometry.boundsTree = trees[i];
          trees[i].getBoundingBox(geometry.boundingBox!);
        }
        let found = 0;
        for (let a = 0; a < geometries.length; a++) {
          for (let b = a + 1; b < geometries.length; b++) {
            if (!geometries[a].boundingBox!.intersectsBox(geometries[b].boundingBox!)) continue;
            if (trees[a].intersectsGeometry(geometries[b], still)) found++;
          }
        }
        return found;
      };
      for (const geometry of geometries) geometry.computeBoundingBox();
      return {
        rebuild: () => {
          load();
          trees = geometries.map((geometry) => new MeshBVH(geometry));
          return count();
        },
        refit: () => {
          load();
          for (const tree of trees) tree.refit();
          return count();
        },
      };
    };
  } catch {
    return null;
  }
}
