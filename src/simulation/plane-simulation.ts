// A scene in the plane: its bodies and joints in a PlaneWorld, and frames of it.
import { NearfieldError } from '../core/errors.js';
import { PlaneWorld } from '../plane-dynamics/plane-world.js';
import { type Plate, plateOf } from './animate-frames.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';
import type { CheckedWave } from './check-wave.js';
import { loadPlaneShape, type PlaneShape } from './load-shape.js';
import { SceneForces } from './scene-forces.js';
import type { SimulatedBody, SimulationBase, SimulationFrame } from './simulation.js';

/** A scene in the plane that runs. */
export interface PlaneSimulation extends SimulationBase {
  readonly dimension: 2;
  readonly world: PlaneWorld;
}

/** Builds the world of a scene in the plane. */
export function createPlaneSimulation(scene: CheckedScene, sleeping?: boolean): PlaneSimulation {
  const { gravity, timestep, method, substeps, stiffness } = scene;
  const world = new PlaneWorld({
    ...{ gravity, timestep, method, sleeping },
    ...{ substeps: substeps ?? undefined, stiffness: stiffness ?? undefined },
  });
  const loaded = new Map<string, PlaneShape>();
  const bodies = scene.bodies.map((body): SimulatedBody => {
    const shape = loaded.get(body.shape.key) ?? loadPlaneShape(body.shape);
    loaded.set(body.shape.key, shape);
    const kind = kindOf(body);
    return { name: body.name, shape, kind, id: addBody(world, body, shape) };
  });
  addJoints(world, scene, bodies);
  const forces = forcesOn(world, scene, bodies);
  const probes = probesOf(world, scene, bodies);
  const plates = new Map<number, Plate>();
  let steps = 0;
  let isForced = false;
  return {
    dimension: 2,
    world,
    bodies,
    timestep,
    substeps: world.substeps,
    elements: 0,
    unsolved: 0,
    get lostTime() {
      return world.lostTime;
    },
    step: (maxMilliseconds) => {
      // A step that had no time has its forces already.
      if (!isForced) forces.apply(steps * timestep, timestep);
      isForced = true;
      if (!world.step(maxMilliseconds)) return false;
      isForced = false;
      steps++;
      return true;
    },
    frame: (): SimulationFrame => ({
      time: steps * timestep,
      bodies: bodies.map(({ id }) => ({
        pose: world.poseOf(id),
        centerOfMass: world.centerOf(id),
        velocity: world.velocityOf(id),
        angularVelocity: world.angularVelocityOf(id),
      })),
      energy: world.energy(),
      momentum: world.momentum(),
      contacts: world.contacts().length,
      worstPenetration: world.worstPenetration(),
      localPenetration: world.localPenetration(),
      inverted: 0,
      probes: probes.map((probe) => probe()),
    }),
    nodesOf: (index) => (bodies[index].kind === 'elastic' ? pairsOf(world.nodesOf(bodies[index].id)) : null),
    surfaceOf: (index) => surfaceOf(world, bodies[index], plates),
  };
}

function forcesOn(world: PlaneWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): SceneForces {
  return new SceneForces(
    scene.forces,
    (body, [px, py]) => {
      const [x, y, angle] = world.poseOf(bodies[body].id);
      return turn(px - x, py - y, -angle);
    },
    (body, force, [torque], local) => {
      const { id } = bodies[body];
      const [x, y, angle] = world.poseOf(id);
      const arm = local === null ? null : turn((local as number[])[0], (local as number[])[1], angle);
      world.applyForce(id, force, arm === null ? undefined : [x + arm[0], y + arm[1]]);
      world.applyTorque(id, torque);
    },
  );
}

/** Where the probes of a scene are, as functions to call after each step. */
function probesOf(
  world: PlaneWorld,
  scene: CheckedScene,
  bodies: readonly SimulatedBody[],
): (() => [number, number])[] {
  return scene.probes.map(({ body, at }) => {
    const { id } = bodies[body];
    const { point } = at as { point: readonly number[] };
    const [x, y, angle] = world.poseOf(id);
    const local = turn(point[0] - x, point[1] - y, -angle);
    return () => {
      const [px, py, turned] = world.poseOf(id);
      const [dx, dy] = turn(local[0], local[1], turned);
      return [px + dx, py + dy];
    };
  });
}

function addJoints(world: PlaneWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
  for (const { place, type, body, other, at, axis, speed, strength, limits, to } of scene.joints) {
    place.name(() => {
      if (type !== 'pin' && type !== 'slider' && type !== 'fixed' && type !== 'distance') {
        throw new NearfieldError(
          'bad-argument',
          `A ${type} is for scenes in space; give a pin, a slider, a distance or fixed.`,
        );
      }
      world.addJoint({
        type,
        bodyA: bodies[body].id,
        ...(other !== null && { bodyB: bodies[other].id }),
        at,
        ...(axis !== null && { axis }),
        ...(to !== null && { to }),
        ...(speed !== null && { motor: { speed, torque: strength ?? undefined } }),
        ...(limits !== null && { limits }),
      });
    });
  }
}

function turn(x: number, y: number, angle: number): [number, number] {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [c * x - s * y, s * x + c * y];
}

function addBody(world: PlaneWorld, body: CheckedBody, shape: PlaneShape): number {
  const { name, pose, density, mass, velocity, angularVelocity, friction, restitution, fixed, path } = body;
  const { group, mask, sensor, wave } = body;
  const moves = !fixed && path === null;
  const outline = 'circle' in shape ? shape : { polygon: shape.polygon.rings[0], holes: shape.polygon.rings.slice(1) };
  const elastic =
    wave === null ? null : { waveSpeed: wave.waveSpeed, frequency: wave.frequency, damping: wave.damping };
  const given = elastic === null || 'circle' in outline ? outline : { ...outline, elastic };
  return body.place.name(() => {
    const id = world.addBody({
      name: name === '' ? undefined : name,
      shape: given,
      friction,
      restitution,
      ...{ group, mask, sensor },
      ...(fixed && { fixed }),
      ...(path === null ? { pose } : { path: path as { time: number; pose: readonly number[] }[] }),
      ...(moves && {
        density: density ?? undefined,
        mass: mass ?? undefined,
        velocity,
        angularVelocity: angularVelocity[0],
      }),
    });
    if (wave !== null) setWave(world, id, wave);
    return id;
  });
}

function kindOf({ fixed, path, wave }: CheckedBody): SimulatedBody['kind'] {
  if (wave !== null) return 'elastic';
  return fixed ? 'fixed' : path === null ? 'dynamic' : 'moved';
}

/** Places the nodes of a soft body, and sets their velocities, where the scene gives them. */
function setWave(world: PlaneWorld, id: number, { nodes, velocities }: CheckedWave): void {
  if (nodes === null && velocities === null) return;
  world.setNodes(id, nodes === null ? world.nodesOf(id).slice() : nodes.flat(), velocities?.flat());
}

function pairsOf(values: Float64Array): number[][] {
  return Array.from({ length: values.length / 2 }, (_, i) => [values[2 * i], values[2 * i + 1]]);
}

/** Where the vertices of the plate are that a soft body is drawn as; plates are kept by body. */
function surfaceOf(
  world: PlaneWorld,
  { kind, id, shape }: SimulatedBody,
  plates: Map<number, Plate>,
): Float64Array | null {
  if (kind !== 'elastic' || !('polygon' in shape)) return null;
  const nodes = world.nodesOf(id);
  const drawn = plates.get(id) ?? plateOf(shape.polygon);
  plates.set(id, drawn);
  const { plate, nodeOf } = drawn;
  return plate.positions.map((value, i) => (i % 3 === 2 ? value : nodes[2 * nodeOf[Math.floor(i / 3)] + (i % 3)]));
}
