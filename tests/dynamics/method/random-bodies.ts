// Seeded cases that the tests and the soak run share: drops of random models, fast thin shots, deep overlaps in space.
import { createRandom, pose, type Random } from '../../../src/core/index.js';
import { CollisionShape, type DynamicsMethod, RigidWorld, timeOfContact } from '../../../src/dynamics/index.js';
import { findModel, type Mesh } from '../../../src/mesh/index.js';
import { machinedParts } from '../../generators/machined-parts.js';

/** Models of some hundred triangles at most, as closed meshes. */
function build(name: string): Mesh {
  if (name === 'torus') return findModel(name).build({ majorSegments: 10, minorSegments: 6 });
  return findModel(name).build({});
}

const NAMES = ['box', 'tetrahedron', 'octahedron', 'wedge', 'torus', 'grate-small', 'letter-a', 'letter-g', 'letter-s'];
const MORE = ['letter-h', 'letter-x', 'digit-0', 'digit-4', 'digit-8'];

/** Shapes with a largest extent of one meter, made once. */
export class RandomShapes {
  readonly #shapes: CollisionShape[] = [];

  constructor() {
    const parts = machinedParts(8).filter(({ mesh }) => mesh.indices.length < 3000);
    const meshes = [...[...NAMES, ...MORE].map(build), ...parts.map(({ mesh }) => mesh)];
    for (const mesh of meshes) this.#shapes.push(CollisionShape.solid(toUnit(mesh)));
  }

  pick(random: Random): CollisionShape {
    return this.#shapes[random.integer(this.#shapes.length)];
  }
}

function toUnit({ positions, indices }: Mesh): Mesh {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  const scale = 1 / Math.max(...high.map((value, k) => value - low[k]));
  const moved = Float64Array.from(positions, (value, i) => scale * (value - 0.5 * (low[i % 3] + high[i % 3])));
  return { positions: moved, indices };
}

/** Drops two models on a floor and on each other. @returns the deepest overlap, m, and what energy was made, as a share. */
export function drop(seed: number, shapes: RandomShapes, method: DynamicsMethod = 'auto', steps = 80) {
  const random = createRandom(seed);
  const world = new RigidWorld({ method });
  world.addBody({ shape: { box: [40, 1, 40] }, pose: [0, -0.5, 0, 0, 0, 0, 1], fixed: true, friction: random.next() });
  const bodies = [0, 1].map((i) => {
    const round = random.next() < 0.1;
    return world.addBody({
      shape: round ? { sphere: random.range(0.2, 0.5) } : shapes.pick(random),
      pose: [random.range(-0.3, 0.3), 1 + 1.9 * i, random.range(-0.3, 0.3), ...random.rotation()],
      velocity: [random.range(-1, 1), random.range(-4, 0), random.range(-1, 1)],
      angularVelocity: [random.range(-6, 6), random.range(-6, 6), random.range(-6, 6)],
      restitution: random.next() < 0.5 ? 0 : random.range(0, 0.8),
      friction: random.next(),
    });
  });
  const start = world.energy().total;
  let last = start;
  let deepest = 0;
  let growth = 0;
  for (let step = 0; step < steps; step++) {
    world.step();
    const { total } = world.energy();
    growth = Math.max(growth, (total - last) / start);
    last = total;
    if (step % 4 === 3) deepest = Math.max(deepest, world.worstPenetration());
  }
  const isLost = bodies.some((body) => !(world.centerOf(body)[1] > 0));
  return { deepest, growth, isLost, lostTime: world.lostTime };
}

/**
 * Shoots a small body at a thin plate at 10 to 1,000 m/s.
 * @returns whether it came through; and the bracket of the time of contact, found before, against what the world did.
 */
export function shoot(seed: number, shapes: RandomShapes, method: DynamicsMethod = 'auto') {
  const random = createRandom(seed);
  const world = new RigidWorld({ method, gravity: [0, 0, 0] });
  const speed = 10 * 100 ** random.next();
  const plateShape: [number, number, number] = [10 ** random.range(-3, -1), 6, 6];
  const plate = world.addBody({
    shape: { box: plateShape },
    ...(random.next() < 0.5 ? { fixed: true } : { mass: 10 ** random.range(0, 4) }),
    restitution: random.next() < 0.5 ? 0 : random.next(),
  });
  const size = random.next();
  const shape = size < 0.3 ? CollisionShape.ball(random.range(0.01, 0.1)) : smaller(shapes.pick(random), random);
  const spin = random.next() < 0.5 ? 0 : 30;
  const from = [random.range(-3, -1.2), random.range(-0.5, 0.5), random.range(-0.5, 0.5), ...random.rotation()];
  const velocity = [speed, speed * random.range(-0.2, 0.2), speed * random.range(-0.2, 0.2)] as const;
  const angularVelocity = [random.range(-spin, spin), random.range(-spin, spin), random.range(-spin, spin)] as const;
  const bullet = world.addBody({ shape, pose: from, velocity, angularVelocity, mass: 1, restitution: random.next() });
  const moving = { shape, pose: from, velocity };
  const { lower, upper, status } = timeOfContact(
    moving,
    { shape: world.shapeOf(plate), pose: world.poseOf(plate) },
    { duration: 4 / speed, tolerance: 1e-9 },
  );
  const momentum = world.momentum().linear;
  const { total } = world.energy();
  const steps = Math.min(120, Math.ceil((60 * 4) / speed) + 2);
  let isThrough = false;
  let growth = 0;
  for (let step = 0; step < steps && !isThrough; step++) {
    world.step();
    // In the frame of the plate: the bullet stays on its side, or is beside it.
    const [x, y, z] = pose.transformPoint(pose.invert(world.poseOf(plate)), world.centerOf(bullet));
    if (Math.max(Math.abs(y), Math.abs(z)) > 3) break;
    isThrough = x > 0;
    growth = Math.max(growth, world.energy().total / total - 1);
  }
  const after = world.momentum().linear;
  const change = Math.hypot(...after.map((value, k) => value - momentum[k])) / Math.hypot(...momentum);
  const isHit = Math.hypot(...world.velocityOf(bullet).map((value, k) => value - velocity[k])) > 1e-9 * speed;
  const bracket = status === 'contact' && upper !== null ? (upper - lower) * speed : Infinity;
  return { isThrough, isHit, bracket, growth, change: isMovable(world, plate) ? change : 0, lostTime: world.lostTime };
}

function isMovable(world: RigidWorld, body: number): boolean {
  return Math.hypot(...world.velocityOf(body)) > 0;
}

/** A shape of a tenth to a fiftieth of the size. */
function smaller(shape: CollisionShape, random: Random): CollisionShape {
  const scale = 10 ** random.range(-1.7, -1);
  const { positions, indices } = shape.model!.mesh;
  return CollisionShape.solid({ positions: Float64Array.from(positions, (value) => scale * value), indices });
}

/** Puts models into each other without gravity. @returns how long they took to part, s, and the most energy for each kg, J. */
export function part(seed: number, shapes: RandomShapes, method: DynamicsMethod = 'auto', seconds = 4) {
  const random = createRandom(seed);
  const world = new RigidWorld({ method, gravity: [0, 0, 0] });
  for (let i = 0; i < 2 + random.integer(2); i++) {
    const at = [0, 1, 2].map(() => random.range(-0.25, 0.25));
    world.addBody({ shape: shapes.pick(random), pose: [...at, ...random.rotation()], mass: 1 });
  }
  let energy = 0;
  let momentum = 0;
  let step = 0;
  for (; step < 60 * seconds; step++) {
    if (step % 6 === 0 && world.worstPenetration() === 0) break;
    world.step();
    energy = Math.max(energy, world.energy().total);
    momentum = Math.max(momentum, Math.hypot(...world.momentum().linear));
  }
  return { seconds: step / 60, energy, momentum };
}
