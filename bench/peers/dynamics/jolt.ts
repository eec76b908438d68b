// Jolt beside us (WebAssembly, 32-bit floats). Its meshes do not collide with one another, so bodies that move are convex pieces.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { findPeer } from '../find-peer.js';
import type { DynamicsPeer, PeerBody, PeerWorld } from './dynamics-peer.js';

/** Jolt's module has no types here; what is used of it is below. */
// biome-ignore lint/suspicious/noExplicitAny: the declarations are in a package that is not a dependency
type Jolt = any;

const STILL = 0;
const MOVING = 1;

/** Null where it is not installed. */
export async function loadJolt(): Promise<DynamicsPeer | null> {
  const location = findPeer('jolt-physics');
  if (location === null) return null;
  const file = join(location.folder, 'dist/jolt-physics.wasm-compat.js');
  const { default: start } = await import(/* @vite-ignore */ pathToFileURL(file).href);
  const jolt = await start();
  return {
    name: `Jolt ${location.version}, pieces`,
    create: (bodies, gravity, timestep) => createWorld(jolt, bodies, gravity, timestep),
  };
}

function createWorld(jolt: Jolt, bodies: readonly PeerBody[], gravity: readonly number[], timestep: number): PeerWorld {
  const settings = new jolt.JoltSettings();
  const filter = new jolt.ObjectLayerPairFilterTable(2);
  filter.EnableCollision(STILL, MOVING);
  filter.EnableCollision(MOVING, MOVING);
  const layers = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  layers.MapObjectToBroadPhaseLayer(STILL, new jolt.BroadPhaseLayer(STILL));
  layers.MapObjectToBroadPhaseLayer(MOVING, new jolt.BroadPhaseLayer(MOVING));
  settings.mObjectLayerPairFilter = filter;
  settings.mBroadPhaseLayerInterface = layers;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(layers, 2, filter, 2);
  settings.mMaxWorkerThreads = 0;
  const world = new jolt.JoltInterface(settings);
  const system = world.GetPhysicsSystem();
  system.SetGravity(new jolt.Vec3(gravity[0], gravity[1], gravity[2]));
  const manager = system.GetBodyInterface();
  const shapes = new Map<unknown, unknown>();
  const made = bodies.map((given) => {
    const known = given.mesh ?? given.radius;
    const shape = shapes.get(known) ?? createShape(jolt, given);
    shapes.set(known, shape);
    const { pose, fixed, velocity, angularVelocity } = given;
    const creation = new jolt.BodyCreationSettings(
      shape,
      new jolt.RVec3(pose[0], pose[1], pose[2]),
      new jolt.Quat(pose[3], pose[4], pose[5], pose[6]),
      fixed ? jolt.EMotionType_Static : jolt.EMotionType_Dynamic,
      fixed ? STILL : MOVING,
    );
    creation.mFriction = given.friction;
    creation.mRestitution = given.restitution;
    creation.mAllowSleeping = false;
    const body = manager.CreateBody(creation);
    jolt.destroy(creation);
    manager.AddBody(body.GetID(), fixed ? jolt.EActivation_DontActivate : jolt.EActivation_Activate);
    if (!fixed) {
      manager.SetLinearVelocity(body.GetID(), new jolt.Vec3(velocity[0], velocity[1], velocity[2]));
      const [x, y, z] = angularVelocity;
      manager.SetAngularVelocity(body.GetID(), new jolt.Vec3(x, y, z));
    }
    return body;
  });
  return {
    step: () => world.Step(timestep, 1),
    readPoses: (out) => {
      for (const [i, body] of made.entries()) {
        const [t, q] = [body.GetPosition(), body.GetRotation()];
        out.set([t.GetX(), t.GetY(), t.GetZ(), q.GetX(), q.GetY(), q.GetZ(), q.GetW()], 7 * i);
      }
    },
    free: () => jolt.destroy(world),
  };
}

function createShape(jolt: Jolt, { mesh, radius, pieces, fixed, density }: PeerBody): unknown {
  if (mesh === null) {
    const ball = new jolt.SphereShapeSettings(radius);
    ball.mDensity = density;
    return ball.Create().Get();
  }
  if (pieces === null) {
    if (!fixed) throw new Error('Jolt has no contacts between meshes: bodies that move need pieces');
    return createMesh(jolt, mesh.positions, mesh.indices);
  }
  const compound = new jolt.StaticCompoundShapeSettings();
  for (const piece of pieces) {
    const hull = new jolt.ConvexHullShapeSettings();
    for (let i = 0; i < piece.length; i += 3) {
      hull.mPoints.push_back(new jolt.Vec3(piece[i], piece[i + 1], piece[i + 2]));
    }
    hull.mDensity = density;
    compound.AddShape(new jolt.Vec3(0, 0, 0), new jolt.Quat(0, 0, 0, 1), hull, 0);
  }
  return compound.Create().Get();
}

function createMesh(jolt: Jolt, positions: Float64Array, indices: Uint32Array): unknown {
  const triangles = new jolt.TriangleList();
  triangles.resize(indices.length / 3);
  for (let t = 0; t < indices.length / 3; t++) {
    const triangle = triangles.at(t);
    for (let corner = 0; corner < 3; corner++) {
      const v = 3 * indices[3 * t + corner];
      const point = triangle.get_mV(corner);
      point.x = positions[v];
      point.y = positions[v + 1];
      point.z = positions[v + 2];
    }
  }
  return new jolt.MeshShapeSettings(triangles, new jolt.PhysicsMaterialList()).Create().Get();
}
