// manifold-3d beside us (WebAssembly): the Minkowski sum of two solids, from which the depth follows. It brings a large
// tree of dependencies, so it is not installed with ours: it is used where someone has installed it into bench/.peers.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Pose, pose, type Vec3 } from 'nearfield/core';
import { type Mesh, MeshQuery } from 'nearfield/mesh';
import { findPeer } from './find-peer.js';

const PACKAGE = 'manifold-3d';
export const MANIFOLD_MISSING =
  'manifold-3d was left out: npm install --no-save --prefix bench/.peers manifold-3d@3.5.4 brings it.';

/** As much of manifold-3d's declarations as is used here. */
interface Solid {
  minkowskiSum(other: Solid): Solid;
  /** Works out what was put off. */
  numTri(): number;
  getMesh(): { readonly numProp: number; readonly vertProperties: Float32Array; readonly triVerts: Uint32Array };
  delete(): void;
}
interface ManifoldModule {
  setup(): void;
  readonly Manifold: new (mesh: object) => Solid;
  readonly Mesh: new (mesh: { numProp: number; vertProperties: Float32Array; triVerts: Uint32Array }) => object;
}

export interface MinkowskiDepth {
  readonly milliseconds: number;
  /** Triangles of the sum. */
  readonly triangles: number;
  /** From the origin to the surface of the sum; 0 where it lies outside. */
  readonly depth: number;
}

export interface ManifoldPeer {
  readonly version: string;
  /** The sum {b − a} of two solids where they are, and the depth by it. The time is that of the sum alone. */
  measureDepth(meshA: Mesh, meshB: Mesh, poseA: Pose, poseB: Pose): MinkowskiDepth;
}

/** Null where it is not installed. */
export async function loadManifold(): Promise<ManifoldPeer | null> {
  const location = findPeer(PACKAGE);
  if (location === null) return null;
  const module = await import(/* @vite-ignore */ pathToFileURL(join(location.folder, 'manifold.js')).href);
  const library: ManifoldModule = await module.default();
  library.setup();
  const solidOf = (mesh: Mesh): Solid =>
    new library.Manifold(
      new library.Mesh({ numProp: 3, vertProperties: Float32Array.from(mesh.positions), triVerts: mesh.indices }),
    );
  return {
    version: location.version,
    measureDepth: (meshA, meshB, poseA, poseB) => {
      const a = solidOf(mirror(place(meshA, poseA)));
      const b = solidOf(place(meshB, poseB));
      const start = performance.now();
      const sum = b.minkowskiSum(a);
      const triangles = sum.numTri();
      const milliseconds = performance.now() - start;
      const depth = depthOfOrigin(sum.getMesh());
      for (const solid of [a, b, sum]) solid.delete();
      return { milliseconds, triangles, depth };
    },
  };
}

function place(mesh: Mesh, placement: Pose): Mesh {
  const positions = new Float64Array(mesh.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    const point: Vec3 = [mesh.positions[i], mesh.positions[i + 1], mesh.positions[i + 2]];
    positions.set(pose.transformPoint(placement, point), i);
  }
  return { positions, indices: mesh.indices };
}

/** Through the origin; the faces are turned, so that they look out again. */
function mirror({ positions, indices }: Mesh): Mesh {
  const turned = Uint32Array.from(indices);
  for (let i = 0; i < turned.length; i += 3) [turned[i + 1], turned[i + 2]] = [indices[i + 2], indices[i + 1]];
  return { positions: positions.map((value) => -value), indices: turned };
}

function depthOfOrigin({ numProp, vertProperties, triVerts }: ReturnType<Solid['getMesh']>): number {
  const positions = new Float64Array((3 * vertProperties.length) / numProp);
  for (let i = 0; i < positions.length; i++) positions[i] = vertProperties[numProp * Math.floor(i / 3) + (i % 3)];
  const query = new MeshQuery({ positions, indices: Uint32Array.from(triVerts) });
  return query.isInside([0, 0, 0]) ? query.closestPoint([0, 0, 0])!.distance : 0;
}
