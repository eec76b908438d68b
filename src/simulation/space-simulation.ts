// A scene in space: its rigid bodies and joints in a RigidWorld, elastic ones in an ElasticWorld beside it, and frames of both.
import * as pose from '../core/pose.js';
import type { Vec3 } from '../core/vec3.js';
import type { EvenMotion } from '../dynamics/body/body-options.js';
import { DYNAMICS_DEFAULTS } from '../dynamics/step-rules.js';
import { RigidWorld } from '../dynamics/world.js';
import type { TetrahedralMesh } from '../elastic/tetrahedra/tetrahedral-mesh.js';
import type { ElasticWorld } from '../elastic/world/elastic-world.js';
import { CollisionShape } from '../manifold/shape/collision-shape.js';
import { massProperties } from '../mesh/report/mass-properties.js';
import { separateComponents } from '../mesh/topology/separate-components.js';
import { BreakingBodies } from './breaking-bodies.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';
import { ElasticScene } from './elastic-scene.js';
import { loadTetrahedra } from './elastic-shape.js';
import { countSubsteps } from './elastic-substeps.js';
import { type LoadMesh, loadSpaceShape, type SpaceShape } from './load-shape.js';
import { SceneForces } from './scene-forces.js';
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
  const { timestep } = scene;
  const filled = await fillElastic(scene, loadMesh);
  const substeps = filled.length === 0 ? 1 : countSubsteps(scene, filled);
  const part = timestep / substeps;
  const world = createWorld(scene, substeps, sleeping);
  const elastic = filled.length === 0 ? null : new ElasticScene(scene, world, part);
  const breaking = new BreakingBodies(world);
  const { bodies, centers, first, pieceOf } = await addBodies(scene, { world, elastic, breaking, filled, loadMesh });
  const named = first.map((index) => bodies[index]);
  connectBodies(world, scene, named);
  const forces = forcesOn(world, scene, named);
  const isStatic = scene.analysis === 'static';
  let steps = 0;
  const parts = new StepParts(isStatic ? 0 : substeps);
  const poseOf = (id: number): pose.Pose => (isStatic ? world.poseAt(id, steps * timestep) : world.poseOf(id));
  const probes = probesOf(scene, named, { world, elastic, poseOf });
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
    step: (maxMilliseconds) => {
      if (isStatic) elastic?.solveStatic((steps + 1) * timestep);
      const move = (k: number, left: number): boolean => {
        const isDone = elastic === null ? world.step(left) : elastic.step(steps * timestep + k * part, left);
        if (isDone) breaking.update();
        return isDone;
      };
      const isDone = parts.run(maxMilliseconds, (k) => forces.apply(steps * timestep + k * part, part), move);
      if (isDone) steps++;
      return isDone;
    },
    frame: (): SimulationFrame => ({
      time: steps * timestep,
      bodies: bodies.map((body, i) =>
        elastic !== null && body.kind === 'elastic'
          ? elastic.state(body.id)
          : rigidState(world, body, pieceOf(i), poseOf, centers[i]),
      ),
      ...measureWorlds(world, elastic?.world ?? null),
      probes: probes.map((probe) => probe()),
    }),
    nodesOf: (index) => (bodies[index].kind === 'elastic' ? elastic!.nodes(bodies[index].id) : null),
    surfaceOf: (index) => (bodies[index].kind === 'elastic' ? elastic!.surface(bodies[index].id) : null),
  };
}

/** The parts of a step. Where the time runs out, the next step goes on with the part that had none. */
class StepParts {
  readonly #count: number;
  #done = 0;
  /** Whether the next part has its forces. */
  #isForced = false;

  constructor(count: number) {
    this.#count = count;
  }

  /** Runs the parts that are left. @returns whether the time sufficed. */
  run(most: number | undefined, force: (k: number) => void, move: (k: number, left: number) => boolean): boolean {
    const end = performance.now() + (most ?? Infinity);
    for (; this.#done < this.#count; this.#done++) {
      if (!this.#isForced) force(this.#done);
      this.#isForced = true;
      if (!move(this.#done, Math.max(0, end - performance.now()))) return false;
      this.#isForced = false;
    }
    this.#done = 0;
    return true;
  }
}

/** The world of the rigid bodies. Each substep of elastic bodies has its share of the substeps that rigid ones have in a step. */
function createWorld(scene: CheckedScene, substeps: number, sleeping: boolean | undefined): RigidWorld {
  const { timestep, method, timeOfContact } = scene;
  return new RigidWorld({
    gravity: scene.gravity as Vec3,
    timestep: timestep / substeps,
    substeps: Math.ceil((scene.substeps ?? DYNAMICS_DEFAULTS.substeps) / substeps),
    method,
    timeOfContact,
    sleeping,
  });
}

/** @param bodies by the index of their body in the scene. */
function forcesOn(world: RigidWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): SceneForces {
  return new SceneForces(
    scene.forces,
    (body, point) => pose.transformPoint(pose.invert(world.poseOf(bodies[body].id)), point as Vec3),
    (body, force, torque, local) => {
      const { id } = bodies[body];
      if (world.massOf(id) === Infinity) return;
      const point = local === null ? undefined : pose.transformPoint(world.poseOf(id), local as Vec3);
      world.applyForce(id, force as Vec3, point);
      world.applyTorque(id, torque as Vec3);
    },
  );
}

/** Where the probes of a scene are, as functions to call after each step. */
function probesOf(
  scene: CheckedScene,
  bodies: readonly SimulatedBody[],
  { world, elastic, poseOf }: Pick<WorldParts, 'world' | 'elastic'> & { readonly poseOf: (id: number) => pose.Pose },
): (() => readonly number[])[] {
  return scene.probes.map((probe) => {
    const { id, kind } = bodies[probe.body];
    if (elastic !== null && kind === 'elastic') return elastic.probe(id, probe);
    const local = pose.transformPoint(pose.invert(world.poseOf(id)), (probe.at as { point: Vec3 }).point);
    return () => pose.transformPoint(poseOf(id), local);
  });
}

/** Adds all bodies in order; equal shapes are loaded once. `centers` are the centers of mass in the frames of the shapes. */
async function addBodies(
  scene: CheckedScene,
  { world, elastic, breaking, filled, loadMesh }: WorldParts,
): Promise<AddedBodies> {
  const loaded = new Map<string, LoadedShape>();
  const centers: Vec3[] = [];
  const bodies: SimulatedBody[] = [];
  const first: number[] = [];
  const pieces = new Map<number, { readonly whole: number; readonly piece: number }>();
  for (const body of scene.bodies) {
    first.push(bodies.length);
    const mesh = filled.find((own) => own.body === body)?.mesh;
    if (elastic !== null && mesh !== undefined) {
      centers.push([0, 0, 0]);
      bodies.push(elastic.addBody(body, mesh, scene.gravity as Vec3));
      continue;
    }
    const known = loaded.get(body.shape.key) ?? (await loadShape(body, loadMesh));
    loaded.set(body.shape.key, known);
    const kind = kindOf(body);
    if (body.fracture !== null && 'mesh' in known.shape) {
      const whole = addBody(world, body, known.collision);
      const { mesh: solid } = known.shape;
      for (const [piece, { mesh: part, center }] of body.place.name(() => breaking.add(body, whole, solid)).entries()) {
        pieces.set(bodies.length, { whole, piece });
        centers.push(center);
        bodies.push({ name: partName(body, piece), shape: { mesh: part }, kind, id: whole });
      }
      continue;
    }
    const parts = body.split ? splitShape(body, known) : [known];
    for (const [i, part] of parts.entries()) {
      centers.push(part.center);
      const name = body.split ? partName(body, i) : body.name;
      bodies.push({ name, shape: part.shape, kind, id: addBody(world, body, part.collision) });
    }
  }
  const pieceOf = (index: number): BodyPart => {
    const piece = pieces.get(index);
    return piece === undefined ? { id: bodies[index].id, isWhole: false } : breaking.idOf(piece.whole, piece.piece);
  };
  return { bodies, centers, first, pieceOf };
}

/** What bodies of a scene are added to, and what they are made of. */
interface WorldParts {
  readonly world: RigidWorld;
  readonly elastic: ElasticScene | null;
  readonly breaking: BreakingBodies;
  readonly filled: readonly { readonly body: CheckedBody; readonly mesh: TetrahedralMesh }[];
  readonly loadMesh: LoadMesh | undefined;
}

interface AddedBodies {
  readonly bodies: SimulatedBody[];
  readonly centers: Vec3[];
  /** Of each body of the scene: the first that it became. */
  readonly first: number[];
  /** The body of the world that a body is, or is a piece of. */
  readonly pieceOf: (index: number) => BodyPart;
}

interface BodyPart {
  readonly id: number;
  /** Whether the body of the world is the whole that this one is a piece of. */
  readonly isWhole: boolean;
}

function kindOf({ fixed, path, moves, letGo }: CheckedBody): SimulatedBody['kind'] {
  if (letGo !== null) return 'dynamic';
  return fixed ? 'fixed' : path === null && moves === null ? 'dynamic' : 'moved';
}

function partName({ name }: CheckedBody, part: number): string {
  return name === '' ? '' : `${name} ${part + 1}`;
}

/** The connected parts of a mesh as shapes of their own. */
function splitShape({ place }: CheckedBody, { shape }: LoadedShape): LoadedShape[] {
  if (!('mesh' in shape)) return place.refuse('has no mesh to split; leave "split" out');
  return place.name(() =>
    separateComponents(shape.mesh).map((mesh) => ({
      shape: { mesh },
      collision: CollisionShape.solid(mesh),
      center: massProperties(mesh).centerOfMass,
    })),
  );
}

function connectBodies(world: RigidWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
  addJoints(world, scene, bodies);
  addSurfaces(world, scene, bodies);
}

function addSurfaces(world: RigidWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
  for (const { place, bodies: pair, friction, staticFriction, restitution } of scene.surfaces) {
    const [a, b] = pair.map((index) => bodies[index].id);
    place.name(() => world.setPairSurface(a, b, { friction, staticFriction, restitution }));
  }
}

function addJoints(world: RigidWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
  for (const joint of scene.joints) {
    const { place, type, body, other, at, axis, speed, strength, limits, collide, to, stiffness, damping, length } =
      joint;
    place.name(() =>
      world.addJoint({
        type,
        bodyA: bodies[body].id,
        bodyB: other === null ? undefined : bodies[other].id,
        at: at as Vec3,
        axis: (axis ?? undefined) as Vec3 | undefined,
        motor: speed === null ? undefined : { speed, strength: strength ?? undefined },
        limits: limits ?? undefined,
        collide,
        to: (to ?? undefined) as Vec3 | undefined,
        stiffness: stiffness ?? undefined,
        damping: damping ?? undefined,
        length: length ?? undefined,
      }),
    );
  }
}

/**
 * @param part the body of the world, and whether it is the whole that this one is a piece of.
 * @param center the center of mass in the frame of the body.
 */
function rigidState(
  world: RigidWorld,
  { kind }: SimulatedBody,
  { id, isWhole }: BodyPart,
  poseOf: (id: number) => pose.Pose,
  center: Vec3,
): BodyState {
  const place = poseOf(id);
  const angularVelocity = world.angularVelocityOf(id);
  const velocity = world.velocityOf(id);
  const reference = world.centerOf(id);
  if (kind === 'dynamic' && !isWhole) return { pose: place, centerOfMass: reference, velocity, angularVelocity };
  // The world keeps others at the origin of their frames, and pieces in the whole.
  const centerOfMass = pose.transformPoint(place, center);
  const arm = centerOfMass.map((value, k) => value - reference[k]);
  for (let k = 0; k < 3; k++) {
    const [next, last] = [(k + 1) % 3, (k + 2) % 3];
    velocity[k] += angularVelocity[next] * arm[last] - angularVelocity[last] * arm[next];
  }
  return { pose: place, centerOfMass, velocity, angularVelocity };
}

/** What a frame tells of all bodies together. */
function measureWorlds(world: RigidWorld, elastic: ElasticWorld | null) {
  const all = elastic ?? world;
  const { kinetic, gravitational, contact, elastic: own } = all.energy();
  const stored = elastic === null ? own : own + world.energy().elastic;
  return {
    energy: { kinetic, gravitational, elastic: stored, contact, total: kinetic + gravitational + stored + contact },
    momentum: all.momentum(),
    contacts: all.contactCount,
    worstPenetration: Math.max(world.worstPenetration(), elastic?.worstPenetration() ?? 0),
    localPenetration: Math.max(world.localPenetration(), elastic?.worstPenetration() ?? 0),
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
  const { moves, letGo, locks, staticFriction, damping, group, mask, sensor } = body;
  const isFree = !fixed && path === null && moves === null;
  return body.place.name(() =>
    world.addBody({
      name: name === '' ? undefined : name,
      shape,
      friction,
      restitution,
      ...{
        locks,
        damping,
        group,
        mask,
        sensor,
        letGo: letGo ?? undefined,
        staticFriction: staticFriction ?? undefined,
      },
      ...(fixed && { fixed }),
      ...(path === null ? { pose: placed } : { path }),
      ...(moves !== null && { moves: { ...moves, until: moves.until ?? undefined } as EvenMotion }),
      ...((isFree || letGo !== null) && { density: density ?? undefined, mass: mass ?? undefined }),
      ...(isFree && {
        velocity: velocity as Vec3,
        angularVelocity: angularVelocity as Vec3,
      }),
    }),
  );
}
