// A scene in space: its rigid bodies and joints in a RigidWorld, elastic ones in an ElasticWorld beside it, and frames of both.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import { DYNAMICS_DEFAULTS } from '../dynamics/defaults.js';
import { RigidWorld } from '../dynamics/world.js';
import type { TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import type { ElasticWorld } from '../elastic/world/elastic-world.js';
import { CollisionShape } from '../manifold/shape/collision-shape.js';
import { massProperties } from '../mesh/report/mass-properties.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';
import { ElasticScene } from './elastic-scene.js';
import { loadTetrahedra } from './elastic-shape.js';
import { countSubsteps } from './elastic-substeps.js';
import { type LoadMesh, loadSpaceShape, type SpaceShape } from './load-shape.js';
import type { BodyState, SimulatedBody, SimulationBase, SimulationFrame } from './simulation.js';

/** A scene in space that runs. */
export interface SpaceSimulation extends SimulationBase {
  readonly dimension: 3;
  /** The rigid bodies. */
  readonly world: RigidWorld;
  /** The elastic bodies, which step the rigid ones too; null where the scene has none. */
  readonly elastic: ElasticWorld | null;
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
  const { timestep, method } = scene;
  const filled = await fillElastic(scene, loadMesh);
  const substeps = filled.length === 0 ? 1 : countSubsteps(scene, filled);
  const part = timestep / substeps;
  const world = new RigidWorld({
    ...{ gravity: scene.gravity as Vec3, timestep: part, method, sleeping },
    // Each substep of elastic bodies has its share of those that rigid ones have in a step.
    substeps: Math.ceil(DYNAMICS_DEFAULTS.substeps / substeps),
  });
  const elastic = filled.length === 0 ? null : new ElasticScene(scene, world, part);
  const { bodies, centers } = await addBodies(scene, world, elastic, filled, loadMesh);
  addJoints(world, scene, bodies);
  const isStatic = scene.analysis === 'static';
  let steps = 0;
  const poseOf = (id: number): pose.Pose => (isStatic ? world.poseAt(id, steps * timestep) : world.poseOf(id));
  const probes = scene.probes.map((probe) => {
    const { id, kind } = bodies[probe.body];
    if (elastic !== null && kind === 'elastic') return elastic.probe(id, probe);
    const local = pose.transformPoint(pose.invert(world.poseOf(id)), (probe.at as { point: Vec3 }).point);
    return () => pose.transformPoint(poseOf(id), local);
  });
  if (scene.start === 'static') elastic?.startStatic(scene.bodies);
  return {
    dimension: 3,
    world,
    elastic: elastic?.world ?? null,
    bodies,
    timestep,
    substeps: elastic === null ? world.substeps : substeps,
    elements: elastic?.elements ?? 0,
    get lostTime() {
      return world.lostTime;
    },
    get unsolved() {
      return elastic?.unsolved ?? 0;
    },
    step: () => {
      if (elastic === null) world.step();
      else if (isStatic) elastic.solveStatic((steps + 1) * timestep);
      else for (let k = 0; k < substeps; k++) elastic.step(steps * timestep + k * part);
      steps++;
    },
    frame: (): SimulationFrame => ({
      time: steps * timestep,
      bodies: bodies.map((body, i) =>
        elastic !== null && body.kind === 'elastic'
          ? elastic.state(body.id)
          : rigidState(world, body, poseOf(body.id), centers[i]),
      ),
      ...measureWorlds(world, elastic?.world ?? null),
      probes: probes.map((probe) => probe()),
    }),
    nodesOf: (index) => (bodies[index].kind === 'elastic' ? elastic!.nodes(bodies[index].id) : null),
    surfaceOf: (index) => (bodies[index].kind === 'elastic' ? elastic!.surface(bodies[index].id) : null),
  };
}

/** Adds all bodies in order; equal shapes are loaded once. `centers` are the centers of mass in the frames of the shapes. */
async function addBodies(
  scene: CheckedScene,
  world: RigidWorld,
  elastic: ElasticScene | null,
  filled: readonly { readonly body: CheckedBody; readonly mesh: TetrahedralMesh }[],
  loadMesh: LoadMesh | undefined,
): Promise<{ bodies: SimulatedBody[]; centers: Vec3[] }> {
  const loaded = new Map<string, LoadedShape>();
  const centers: Vec3[] = [];
  const bodies: SimulatedBody[] = [];
  for (const body of scene.bodies) {
    const mesh = filled.find((own) => own.body === body)?.mesh;
    if (elastic !== null && mesh !== undefined) {
      centers.push([0, 0, 0]);
      bodies.push(elastic.addBody(body, mesh, scene.gravity as Vec3));
      continue;
    }
    const known = loaded.get(body.shape.key) ?? (await loadShape(body, loadMesh));
    loaded.set(body.shape.key, known);
    centers.push(known.center);
    const kind = body.fixed ? 'fixed' : body.path === null ? 'dynamic' : 'moved';
    bodies.push({ name: body.name, shape: known.shape, kind, id: addBody(world, body, known.collision) });
  }
  return { bodies, centers };
}

function addJoints(world: RigidWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
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
}

/** @param center the center of mass in the frame of the body. */
function rigidState(world: RigidWorld, { id, kind }: SimulatedBody, place: pose.Pose, center: Vec3): BodyState {
  const angularVelocity = world.angularVelocityOf(id);
  const velocity = world.velocityOf(id);
  if (kind === 'dynamic') return { pose: place, centerOfMass: world.centerOf(id), velocity, angularVelocity };
  // The world keeps these bodies at the origin of their frames.
  const arm = pose.transformVector(place, center);
  const centerOfMass = arm.map((value, k) => value + place[k]);
  for (let k = 0; k < 3; k++) {
    const [next, last] = [(k + 1) % 3, (k + 2) % 3];
    velocity[k] += angularVelocity[next] * arm[last] - angularVelocity[last] * arm[next];
  }
  return { pose: place, centerOfMass, velocity, angularVelocity };
}

/** What a frame tells of all bodies together. */
function measureWorlds(world: RigidWorld, elastic: ElasticWorld | null) {
  const all = elastic ?? world;
  const { kinetic, gravitational, contact } = all.energy();
  const stored = elastic?.energy().elastic ?? 0;
  return {
    energy: { kinetic, gravitational, elastic: stored, contact, total: kinetic + gravitational + stored + contact },
    momentum: all.momentum(),
    contacts: all.contactCount,
    worstPenetration: Math.max(world.worstPenetration(), elastic?.worstPenetration() ?? 0),
    inverted: elastic?.inverted ?? 0,
  };
}

/** The elastic bodies with their tetrahedra; equal shapes are filled once. */
async function fillElastic(
  { bodies }: CheckedScene,
  loadMesh?: LoadMesh,
): Promise<{ body: CheckedBody; mesh: TetrahedralMesh }[]> {
  const known = new Map<string, TetrahedralMesh>();
  const filled: { body: CheckedBody; mesh: TetrahedralMesh }[] = [];
  for (const body of bodies) {
    if (body.elastic === null) continue;
    const key = `${body.elastic.resolution} ${body.shape.key}`;
    const mesh = known.get(key) ?? (await loadTetrahedra(body.shape, body.elastic.resolution, loadMesh));
    known.set(key, mesh);
    filled.push({ body, mesh });
  }
  return filled;
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
