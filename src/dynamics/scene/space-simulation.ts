// A scene in space: its bodies and joints in a RigidWorld, and frames of it.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import { massProperties } from '../../mesh/report/mass-properties.js';
import { CollisionShape } from '../shape/collision-shape.js';
import { RigidWorld } from '../world.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';
import { type LoadMesh, loadSpaceShape, type SpaceShape } from './load-shape.js';
import type { BodyState, SimulatedBody, SimulationBase, SimulationFrame } from './simulation.js';

/** A scene in space that runs. */
export interface SpaceSimulation extends SimulationBase {
  readonly dimension: 3;
  readonly world: RigidWorld;
}

/** A shape with what all its bodies share. */
interface LoadedShape {
  readonly shape: SpaceShape;
  readonly collision: CollisionShape;
  /** In the frame of the shape. */
  readonly center: Vec3;
}

/** Builds the world of a scene in space. */
export async function createSpaceSimulation(
  scene: CheckedScene,
  { loadMesh, sleeping }: { readonly loadMesh?: LoadMesh | undefined; readonly sleeping?: boolean | undefined },
): Promise<SpaceSimulation> {
  const { gravity, timestep, method } = scene;
  const world = new RigidWorld({ gravity: gravity as Vec3, timestep, method, sleeping });
  const loaded = new Map<string, LoadedShape>();
  const centers: Vec3[] = [];
  const bodies: SimulatedBody[] = [];
  for (const body of scene.bodies) {
    const known = loaded.get(body.shape.key) ?? (await loadShape(body, loadMesh));
    loaded.set(body.shape.key, known);
    centers.push(known.center);
    const kind = body.fixed ? 'fixed' : body.path === null ? 'dynamic' : 'moved';
    bodies.push({ name: body.name, shape: known.shape, kind, id: addBody(world, body, known.collision) });
  }
  for (const { place, type, body, other, at, axis, speed, strength, limits } of scene.joints) {
    place.name(() =>
      world.addJoint({
        type,
        bodyA: bodies[body].id,
        bodyB: other === null ? undefined : bodies[other].id,
        at: at as Vec3,
        axis: (axis ?? undefined) as Vec3 | undefined,
        motor: speed === null ? undefined : { speed, strength: strength ?? undefined },
        limits: limits ?? undefined,
      }),
    );
  }
  const probes = scene.probes.map(({ body, point }) => {
    const { id } = bodies[body];
    return { id, local: pose.transformPoint(pose.invert(world.poseOf(id)), point as Vec3) };
  });

  const stateOf = ({ id, kind }: SimulatedBody, index: number): BodyState => {
    const place = world.poseOf(id);
    const angularVelocity = world.angularVelocityOf(id);
    const velocity = world.velocityOf(id);
    if (kind === 'dynamic') return { pose: place, centerOfMass: world.centerOf(id), velocity, angularVelocity };
    // The world keeps these bodies at the origin of their frames.
    const arm = pose.transformVector(place, centers[index]);
    const centerOfMass = arm.map((value, k) => value + place[k]);
    for (let k = 0; k < 3; k++) {
      const [next, last] = [(k + 1) % 3, (k + 2) % 3];
      velocity[k] += angularVelocity[next] * arm[last] - angularVelocity[last] * arm[next];
    }
    return { pose: place, centerOfMass, velocity, angularVelocity };
  };

  let steps = 0;
  return {
    dimension: 3,
    world,
    bodies,
    timestep,
    substeps: world.substeps,
    get lostTime() {
      return world.lostTime;
    },
    step: () => {
      world.step();
      steps++;
    },
    frame: (): SimulationFrame => {
      const { kinetic, gravitational, contact, total } = world.energy();
      return {
        time: steps * timestep,
        bodies: bodies.map(stateOf),
        energy: { kinetic, gravitational, elastic: 0, contact, total },
        momentum: world.momentum(),
        contacts: world.contactCount,
        worstPenetration: world.worstPenetration(),
        inverted: 0,
        probes: probes.map(({ id, local }) => pose.transformPoint(world.poseOf(id), local)),
      };
    },
  };
}

async function loadShape({ shape: { place, ...shape } }: CheckedBody, loadMesh?: LoadMesh): Promise<LoadedShape> {
  const given = await loadSpaceShape({ place, ...shape }, loadMesh);
  if ('ball' in given) return { shape: given, collision: CollisionShape.ball(given.ball), center: [0, 0, 0] };
  return place.name(() => ({
    shape: given,
    collision: CollisionShape.solid(given.mesh),
    center: massProperties(given.mesh).centerOfMass,
  }));
}

function addBody(world: RigidWorld, body: CheckedBody, shape: CollisionShape): number {
  const { name, pose: placed, density, mass, velocity, angularVelocity, friction, restitution, fixed, path } = body;
  const moves = !fixed && path === null;
  return body.place.name(() =>
    world.addBody({
      name: name === '' ? undefined : name,
      shape,
      friction,
      restitution,
      ...(fixed && { fixed }),
      ...(path === null ? { pose: placed } : { path }),
      ...(moves && {
        density: density ?? undefined,
        mass: mass ?? undefined,
        velocity: velocity as Vec3,
        angularVelocity: angularVelocity as Vec3,
      }),
    }),
  );
}
