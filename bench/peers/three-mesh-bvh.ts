// three-mesh-bvh beside us. It keeps coordinates as 32-bit floats, so its answers differ from the others' in the seventh digit.
import type { Pose } from 'nearfield/core';
import type { Mesh } from 'nearfield/mesh';
import type { PairAnswer, PeerModel } from './peer.js';

export interface ThreeMeshBvh {
  build(mesh: Mesh): PeerModel;
  readonly intersects: PairAnswer;
  readonly distance: PairAnswer;
}

/** Null where it is not installed. */
export async function loadThreeMeshBvh(): Promise<ThreeMeshBvh | null> {
  try {
    const { BufferAttribute, BufferGeometry, Matrix4, Quaternion, Vector3 } = await import('three');
    const { estimateMemoryInBytes, MeshBVH } = await import('three-mesh-bvh');
    const createGeometry = (mesh: Mesh) => {
      const geometry = new BufferGeometry();
      geometry.setAttribute('position', new BufferAttribute(Float32Array.from(mesh.positions), 3));
      geometry.setIndex(new BufferAttribute(Uint32Array.from(mesh.indices), 1));
      return geometry;
    };
    const geometries = new Map<Mesh, ReturnType<typeof createGeometry>>();
    const trees = new Map<Mesh, InstanceType<typeof MeshBVH>>();
    const [placeA, placeB] = [new Matrix4(), new Matrix4()];
    const [position, rotation, scale] = [new Vector3(), new Quaternion(), new Vector3(1, 1, 1)];
    const set = (matrix: InstanceType<typeof Matrix4>, [x, y, z, i, j, k, w]: Pose) =>
      matrix.compose(position.set(x, y, z), rotation.set(i, j, k, w), scale);
    const bInA = (a: Pose, b: Pose) => set(placeA, a).invert().multiply(set(placeB, b));
    const target = { point: new Vector3(), distance: 0, faceIndex: 0 };
    const otherTarget = { point: new Vector3(), distance: 0, faceIndex: 0 };
    return {
      build: (mesh) => {
        const geometry = createGeometry(mesh);
        const start = performance.now();
        const tree = new MeshBVH(geometry);
        const buildMilliseconds = performance.now() - start;
        geometry.boundsTree = tree;
        geometries.set(mesh, geometry);
        trees.set(mesh, tree);
        return { buildMilliseconds, bytes: estimateMemoryInBytes(tree) };
      },
      intersects: (meshA, meshB, a, b) =>
        Number(trees.get(meshA)!.intersectsGeometry(geometries.get(meshB)!, bInA(a, b))),
      distance: (meshA, meshB, a, b) => {
        const tree = trees.get(meshA)!;
        return (
          tree.closestPointToGeometry(geometries.get(meshB)!, bInA(a, b), target, otherTarget)?.distance ?? Number.NaN
        );
      },
    };
  } catch {
    return null;
  }
}
