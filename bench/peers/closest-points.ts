// three-mesh-bvh's closest points, for the suites of meshes and of fields.
import type { Mesh } from 'nearfield/mesh';

/** Makes three-mesh-bvh ready for a mesh; asked for points (x, y, z after each other) it gives the sum of their distances. */
export type ClosestPointPeer = (mesh: Mesh) => (points: Float64Array) => number;

/** Null where three-mesh-bvh is not installed. */
export async function loadThreeMeshBvh(): Promise<ClosestPointPeer | null> {
  try {
    const { BufferAttribute, BufferGeometry, Vector3 } = await import('three');
    const { MeshBVH } = await import('three-mesh-bvh');
    return (mesh) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
      geometry.setIndex(new BufferAttribute(Uint32Array.from(mesh.indices), 1));
      const bvh = new MeshBVH(geometry);
      const point = new Vector3();
      const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
      return (around) => {
        let sum = 0;
        for (let i = 0; i < around.length; i += 3) {
          bvh.closestPointToPoint(point.set(around[i], around[i + 1], around[i + 2]), target);
          sum += target.distance;
        }
        return sum;
      };
    };
  } catch {
    return null;
  }
}
