// A scene in the plane: its bodies and joints in a PlaneWorld, and frames of it.
import { NearfieldError } from '../core/errors.js';
import { PlaneWorld } from '../plane-dynamics/plane-world.js';
import type { CheckedBody, CheckedScene } from './check-scene.js';
import { loadPlaneShape, type PlaneShape } from './load-shape.js';
import type { SimulatedBody, SimulationBase, SimulationFrame } from './simulation.js';

/** A scene in the plane that runs. */
export interface PlaneSimulation extends SimulationBase {
  readonly dimension: 2;
  readonly world: PlaneWorld;
}

/** Builds the world of a scene in the plane. */
export function createPlaneSimulation(scene: CheckedScene, sleeping?: boolean): PlaneSimulation {
  const { gravity, timestep, method } = scene;
  const world = new PlaneWorld({ gravity, timestep, method, sleeping });
  const loaded = new Map<string, PlaneShape>();
  const bodies = scene.bodies.map((body): SimulatedBody => {
    const shape = loaded.get(body.shape.key) ?? loadPlaneShape(body.shape);
    loaded.set(body.shape.key, shape);
    const kind = body.fixed ? 'fixed' : body.path === null ? 'dynamic' : 'moved';
    return { name: body.name, shape, kind, id: addBody(world, body, shape) };
  });
  addJoints(world, scene, bodies);
  const probes = scene.probes.map(({ body, at }) => {
    const { id } = bodies[body];
    const { point } = at as { point: readonly number[] };
    const [x, y, angle] = world.poseOf(id);
    return { id, local: turn(point[0] - x, point[1] - y, -angle) };
  });

  let steps = 0;
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
    step: () => {
      world.step();
      steps++;
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
      inverted: 0,
      probes: probes.map(({ id, local }) => {
        const [x, y, angle] = world.poseOf(id);
        const [dx, dy] = turn(local[0], local[1], angle);
        return [x + dx, y + dy];
      }),
    }),
    nodesOf: () => null,
    surfaceOf: () => null,
  };
}

function addJoints(world: PlaneWorld, scene: CheckedScene, bodies: readonly SimulatedBody[]): void {
  for (const { place, type, body, other, at, axis, speed, strength, limits } of scene.joints) {
    place.name(() => {
      if (type !== 'pin' && type !== 'slider' && type !== 'fixed') {
        throw new NearfieldError('bad-argument', `A ${type} is for scenes in space; give a pin, a slider or fixed.`);
      }
      world.addJoint({
        type,
        bodyA: bodies[body].id,
        ...(other !== null && { bodyB: bodies[other].id }),
        at,
        ...(axis !== null && { axis }),
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
  const moves = !fixed && path === null;
  const given = 'circle' in shape ? shape : { polygon: shape.polygon.rings[0], holes: shape.polygon.rings.slice(1) };
  return body.place.name(() =>
    world.addBody({
      name: name === '' ? undefined : name,
      shape: given,
      friction,
      restitution,
      ...(fixed && { fixed }),
      ...(path === null ? { pose } : { path: path as { time: number; pose: readonly number[] }[] }),
      ...(moves && {
        density: density ?? undefined,
        mass: mass ?? undefined,
        velocity,
        angularVelocity: angularVelocity[0],
      }),
    }),
  );
}
