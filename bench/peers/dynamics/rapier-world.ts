// Rapier beside us (WebAssembly, 32-bit floats): with meshes as they are, or with convex pieces.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPeer } from '../find-peer.js';
import type { DynamicsPeer, PeerBody, PeerWorld } from './dynamics-peer.js';

/** As much of Rapier's declarations as is used here. */
interface Vector {
  readonly x: number;
  readonly y: number;
  readonly z: number;
}
interface RapierBody {
  translation(): Vector;
  rotation(): Vector & { readonly w: number };
}
interface BodyDesc {
  setTranslation(x: number, y: number, z: number): BodyDesc;
  setRotation(q: Vector & { w: number }): BodyDesc;
  setLinvel(x: number, y: number, z: number): BodyDesc;
  setAngvel(v: Vector): BodyDesc;
  setCanSleep(can: boolean): BodyDesc;
}
interface ColliderDesc {
  setFriction(value: number): ColliderDesc;
  setRestitution(value: number): ColliderDesc;
  setDensity(value: number): ColliderDesc;
}
interface World {
  timestep: number;
  step(): void;
  createRigidBody(desc: BodyDesc): RapierBody;
  createCollider(desc: ColliderDesc, body: RapierBody): unknown;
  free(): void;
}
interface RapierModule {
  init(): Promise<void>;
  readonly World: new (gravity: Vector) => World;
  readonly RigidBodyDesc: { dynamic(): BodyDesc; fixed(): BodyDesc };
  readonly ColliderDesc: {
    trimesh(vertices: Float32Array, indices: Uint32Array): ColliderDesc;
    convexHull(points: Float32Array): ColliderDesc | null;
    ball(radius: number): ColliderDesc;
  };
}

/** One peer for meshes and one for pieces; none where it is not installed. */
export async function loadRapierWorlds(): Promise<DynamicsPeer[]> {
  const location = findPeer('@dimforge/rapier3d-compat');
  if (location === null) return [];
  const module = await import(/* @vite-ignore */ pathToFileURL(join(location.folder, 'dist/rapier.mjs')).href);
  const rapier: RapierModule = module.default ?? module;
  await rapier.init();
  return [false, true].map((inPieces) => ({
    name: `Rapier ${location.version}, ${inPieces ? 'pieces' : 'meshes'}`,
    create: (bodies, gravity, timestep) => createWorld(rapier, inPieces, bodies, gravity, timestep),
  }));
}

function createWorld(
  rapier: RapierModule,
  inPieces: boolean,
  bodies: readonly PeerBody[],
  [x, y, z]: readonly number[],
  timestep: number,
): PeerWorld {
  if (inPieces && bodies.some(({ mesh, pieces, fixed }) => !fixed && mesh !== null && pieces === null)) {
    throw new Error('bodies that move have no pieces');
  }
  const world = new rapier.World({ x, y, z });
  world.timestep = timestep;
  const made = bodies.map((given) => {
    const { pose, fixed, velocity, angularVelocity } = given;
    const desc = (fixed ? rapier.RigidBodyDesc.fixed() : rapier.RigidBodyDesc.dynamic())
      .setTranslation(pose[0], pose[1], pose[2])
      .setRotation({ x: pose[3], y: pose[4], z: pose[5], w: pose[6] })
      .setCanSleep(false);
    if (!fixed) {
      desc.setLinvel(velocity[0], velocity[1], velocity[2]);
      desc.setAngvel({ x: angularVelocity[0], y: angularVelocity[1], z: angularVelocity[2] });
    }
    const body = world.createRigidBody(desc);
    for (const collider of collidersOf(rapier, given, inPieces)) {
      collider.setFriction(given.friction).setRestitution(given.restitution).setDensity(given.density);
      world.createCollider(collider, body);
    }
    return body;
  });
  return {
    step: () => world.step(),
    readPoses: (out) => {
      for (const [i, body] of made.entries()) {
        const [t, q] = [body.translation(), body.rotation()];
        out.set([t.x, t.y, t.z, q.x, q.y, q.z, q.w], 7 * i);
      }
    },
    free: () => world.free(),
  };
}

function collidersOf({ ColliderDesc }: RapierModule, body: PeerBody, inPieces: boolean): ColliderDesc[] {
  const { mesh, radius, pieces } = body;
  if (mesh === null) return [ColliderDesc.ball(radius)];
  if (!inPieces || pieces === null) return [ColliderDesc.trimesh(Float32Array.from(mesh.positions), mesh.indices)];
  return pieces.flatMap((piece) => ColliderDesc.convexHull(piece) ?? []);
}
