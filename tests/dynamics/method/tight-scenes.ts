// Seeded tight scenes that the tests and the soak run share: parts between walls that leave gaps from below that at rest to a
// centimeter, in closed and half-closed cavities, wedges and slots.
import { createRandom, quat, type Random, type Vec3, vec3 } from '../../../src/core/index.js';
import { CollisionShape, type DynamicsMethod, RigidWorld } from '../../../src/dynamics/index.js';
import { findModel, type Mesh } from '../../../src/mesh/index.js';

/** What is left of a rest gap of 1e-3 of the radius: bodies that were pressed together may be lifted by it, and by no more. */
const REST = 1e-3;
const GRAVITY = 9.81;

/** A tetrahedron with a corner as thin as a needle. */
function spike(): Mesh {
  const positions = Float64Array.of(-0.06, 0, -0.05, 0.07, 0, -0.04, 0, 0, 0.08, 0.02, 1, 0);
  return { positions, indices: Uint32Array.of(0, 1, 2, 0, 3, 1, 1, 3, 2, 2, 3, 0) };
}

/** Parts of at most some hundred triangles, made once. */
export class TightParts {
  readonly #shapes: CollisionShape[];

  constructor() {
    const names = ['box', 'tetrahedron', 'octahedron', 'wedge', 'letter-x', 'letter-h', 'digit-4'];
    this.#shapes = [spike(), ...names.map((name) => findModel(name).build({}))].map((mesh) =>
      CollisionShape.solid(mesh),
    );
  }

  pick(random: Random): CollisionShape {
    return this.#shapes[random.integer(this.#shapes.length)];
  }
}

/** What a scene did, in J where not said otherwise. */
export interface TightResult {
  /** The most energy that it had above the least before. */
  readonly growth: number;
  /** What lifting all parts by their gap at rest takes. */
  readonly allowed: number;
  readonly deepest: number;
  readonly size: number;
  readonly keepsFinite: boolean;
  /** Points touched in some step. */
  readonly touched: boolean;
}

/** Runs a scene of its seed. */
export function runTight(seed: number, parts: TightParts, method: DynamicsMethod, steps: number): TightResult {
  const random = createRandom(seed);
  const timestep = random.next() < 0.5 ? 1 / 60 : 10 ** random.range(-3.5, -1.5);
  const world = new RigidWorld({ method, timestep, sleeping: false });
  const shape = parts.pick(random);
  const turn = random.rotation();
  const friction = random.next() < 0.4 ? 0 : random.next();
  const restitution = random.next() < 0.7 ? 0 : random.next();
  const spin = random.next() < 0.5 ? 0 : 6;
  const speed = random.next() < 0.3 ? 0 : 3;
  const any = (most: number): Vec3 => [random.range(-most, most), random.range(-most, most), random.range(-most, most)];
  const part = world.addBody({
    shape,
    pose: [0, 0, 0, ...turn],
    friction,
    restitution,
    velocity: any(speed),
    angularVelocity: any(spin),
  });
  const moving = [part];
  for (const normal of chooseWalls(random)) {
    const gap = random.next() < 0.7 ? 10 ** random.range(-5, -3) : 10 ** random.range(-3, -2);
    const reach = -supportOf(shape, turn, vec3.scale(normal, -1)) - gap;
    addWall(world, normal, reach, friction);
  }
  if (random.next() < 0.3) {
    const up: Vec3 = [0, 1, 0];
    const top = supportOf(shape, turn, up);
    const other = parts.pick(random);
    const otherTurn = random.rotation();
    const low = -supportOf(other, otherTurn, [0, -1, 0]);
    const pose = [0, top - low + 1e-3, 0, ...otherTurn];
    const added = world.addBody({ shape: other, pose, friction, restitution, velocity: [0, -2, 0] });
    // Parts that start in a wall are lifted out of it, which takes energy.
    if (world.worstPenetration() > 0) world.removeBody(added);
    else moving.push(added);
  }
  let allowed = 0;
  let size = 0;
  for (const body of moving) {
    const radius = world.shapeOf(body).model!.radius;
    size = Math.max(size, radius);
    allowed += world.massOf(body) * GRAVITY * REST * radius;
  }
  let least = world.energy().total;
  const result = { growth: 0, allowed, deepest: 0, size, keepsFinite: true, touched: false };
  for (let step = 0; step < steps; step++) {
    world.step();
    const { total } = world.energy();
    result.keepsFinite &&= Number.isFinite(total) && world.readPoses().every(Number.isFinite);
    result.growth = Math.max(result.growth, total - least);
    result.touched ||= world.contactCount > 0;
    least = Math.min(least, total);
  }
  result.deepest = world.worstPenetration();
  return result;
}

/** Unit normals into the cavity: any few, a slot of two opposite ones, a wedge, or a box that is closed or lacks its lid. */
function chooseWalls(random: Random): Vec3[] {
  const kind = random.integer(4);
  const directions: Vec3[] = [];
  const any = (): Vec3 => quat.rotate(random.rotation(), [0, 1, 0]);
  if (kind === 0) for (let i = 3 + random.integer(6); i > 0; i--) directions.push(any());
  if (kind === 1) {
    const across = any();
    directions.push(across, vec3.scale(across, -1));
  }
  if (kind === 2) {
    const half = random.range(0.02, 1.2);
    const turn = quat.fromAxisAngle([0, 1, 0], random.range(0, 3));
    for (const side of [-1, 1]) directions.push(quat.rotate(turn, [side * Math.cos(half), Math.sin(half), 0]));
  }
  if (kind === 3) {
    const turn = random.next() < 0.5 ? ([0, 0, 0, 1] as const) : random.rotation();
    const lid = random.next() < 0.5 ? 6 : 5;
    const axes: Vec3[] = [
      [0, 1, 0],
      [1, 0, 0],
      [-1, 0, 0],
      [0, 0, 1],
      [0, 0, -1],
      [0, -1, 0],
    ];
    for (const axis of axes.slice(0, lid)) directions.push(quat.rotate(turn, axis));
  }
  if (kind !== 0 && random.next() < 0.7) directions.push([0, 1, 0]);
  return directions;
}

/** A large box with a face at a distance along a normal, on the side that the normal leaves. */
function addWall(world: RigidWorld, normal: Vec3, at: number, friction: number): void {
  const thick = 1;
  const [x, y, z] = vec3.scale(normal, at - thick / 2);
  const [nx, ny, nz] = normal;
  // The turn from the y axis to the normal.
  const turn = ny > -0.999999 ? quat.normalize([nz, 0, -nx, 1 + ny]) : ([1, 0, 0, 0] as const);
  world.addBody({ shape: { box: [8, thick, 8] }, pose: [x, y, z, ...turn], fixed: true, friction });
}

/** How far a turned shape reaches along a direction. */
function supportOf(shape: CollisionShape, turn: readonly number[], direction: Vec3): number {
  const { positions } = shape.model!.mesh;
  const local = quat.rotate(quat.conjugate(turn as [number, number, number, number]), direction);
  let most = -Infinity;
  for (let i = 0; i < positions.length; i += 3) {
    most = Math.max(most, positions[i] * local[0] + positions[i + 1] * local[1] + positions[i + 2] * local[2]);
  }
  return most;
}
