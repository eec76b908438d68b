// three-mesh-bvh on objects that deform: its trees built anew or refitted in each frame, then every pair of objects whose
// boxes overlap asked whether they intersect.
import type { Mesh } from 'nearfield/mesh';
import type { BufferGeometry as Geometry } from 'three';
import type { MeshBVH as Tree } from 'three-mesh-bvh';

/** Answers for one set of objects, which may move, appear and vanish between frames. */
export interface DeformingPeer {
  /** How many pairs of objects intersect, after trees were built anew. */
  rebuild(): number;
  /** The same after the boxes of the trees were refitted. */
  refit(): number;
  /** How many pairs of triangles intersect, after the boxes of the trees were refitted. */
  countTriangles(): number;
}

interface Body {
  readonly geometry: Geometry;
  tree: Tree;
}

/** Null where it is not installed. */
export async function loadDeformingPeer(): Promise<((objects: readonly Mesh[]) => DeformingPeer) | null> {
  try {
    const { BufferAttribute, BufferGeometry, Matrix4 } = await import('three');
    const { MeshBVH } = await import('three-mesh-bvh');
    const geometryOf = ({ positions, indices }: Mesh): Geometry => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(positions), 3));
      geometry.setIndex(new BufferAttribute(Uint32Array.from(indices), 1));
      geometry.computeBoundingBox();
      return geometry;
    };
    return (objects) => {
      const still = new Matrix4();
      const known = new Map<Mesh, Body>();
      /** The objects with their positions; trees of those that were there before are left as they are. */
      const load = () =>
        objects.map((mesh) => {
          const old = known.get(mesh);
          if (old !== undefined) {
            (old.geometry.getAttribute('position').array as Float32Array).set(mesh.positions);
            return { body: old, isNew: false };
          }
          const geometry = geometryOf(mesh);
          const body = { geometry, tree: new MeshBVH(geometry) };
          known.set(mesh, body);
          return { body, isNew: true };
        });
      const refitAll = (): void => {
        for (const { body, isNew } of load()) if (!isNew) body.tree.refit();
      };
      /** Sums over the pairs of objects whose boxes overlap. */
      const sumPairs = (ask: (a: Body, b: Body) => number): number => {
        const bodies = objects.map((mesh) => known.get(mesh)!);
        for (const { geometry, tree } of bodies) {
          geometry.boundsTree = tree;
          tree.getBoundingBox(geometry.boundingBox!);
        }
        let found = 0;
        for (let a = 0; a < bodies.length; a++) {
          for (let b = a + 1; b < bodies.length; b++) {
            if (!bodies[a].geometry.boundingBox!.intersectsBox(bodies[b].geometry.boundingBox!)) continue;
            found += ask(bodies[a], bodies[b]);
          }
        }
        return found;
      };
      // Stops at the first triangles that intersect.
      const meets = (a: Body, b: Body): number => (a.tree.intersectsGeometry(b.geometry, still) ? 1 : 0);
      const countBetween = (a: Body, b: Body): number => {
        let found = 0;
        a.tree.bvhcast(b.tree, still, {
          intersectsTriangles: (t, u) => {
            if (t.intersectsTriangle(u)) found++;
            return false;
          },
        });
        return found;
      };
      load();
      return {
        rebuild: () => {
          for (const { body, isNew } of load()) if (!isNew) body.tree = new MeshBVH(body.geometry);
          return sumPairs(meets);
        },
        refit: () => {
          refitAll();
          return sumPairs(meets);
        },
        countTriangles: () => {
          refitAll();
          return sumPairs(countBetween);
        },
      };
    };
  } catch {
    return null;
  }
}
