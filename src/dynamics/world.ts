// A world of rigid bodies in space. Bodies live in slots of flat arrays; ids stay valid until their body is removed.
import { assertNumbers } from '../core/check-array.js';
import { assertOptions, nameValue, type OptionNames } from '../core/check-options.js';
import { takePose } from '../core/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import { identity, type Pose, type ReadonlyPose } from '../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import { Bodies, DYNAMIC, KINEMATIC, REMOVED, STATIC } from './body/bodies.js';
import { measureBodyMass } from './body/body-mass.js';
import { assertBodyOptions, chooseMass, makeShape, type RigidBodyOptions, takeVector } from './body/body-options.js';
import { type Energy, type Momentum, measureEnergy, measureMomentum } from './body/conserved.js';
import { DYNAMICS_DEFAULTS } from './defaults.js';
import { aimAtPose } from './motion/aim.js';
import { Motion } from './motion/motion.js';
import { Path } from './motion/path.js';
import type { CollisionShape } from './shape/collision-shape.js';
import { AutoMethod } from './solver/auto-method.js';
import { ContactBuffer } from './solver/contact-buffer.js';
import type { StepMethod } from './solver/step-method.js';

/** How contacts are handled. */
export type DynamicsMethod = 'auto';

/** Options of a {@link RigidWorld}; SI units. */
export interface RigidWorldOptions {
  readonly gravity?: ReadonlyVec3 | undefined;
  /** Length of a step, s. */
  readonly timestep?: number | undefined;
  readonly method?: DynamicsMethod | undefined;
  /** Substeps of the solver in a step. */
  readonly substeps?: number | undefined;
}

const WORLD_NAMES: OptionNames<RigidWorldOptions> = { gravity: true, timestep: true, method: true, substeps: true };

const METHODS: readonly DynamicsMethod[] = ['auto'];
const MAX_SUBSTEPS = 1024;
/** An id is a slot plus this times how often the slot was used before. */
const SLOTS = 1 << 20;

/** Rigid bodies under gravity, in contact with each other. */
export class RigidWorld {
  readonly timestep: number;
  readonly method: DynamicsMethod;
  readonly substeps: number;
  readonly #gravity: Float64Array;
  readonly #bodies = new Bodies();
  readonly #contacts = new ContactBuffer();
  readonly #motion = new Motion();
  readonly #stepMethod: StepMethod;
  /** How often each slot was used before. */
  readonly #generations: number[] = [];
  readonly #names: string[] = [];
  readonly #paths: (Path | null)[] = [];
  #steps = 0;

  constructor(options: RigidWorldOptions = {}) {
    assertOptions(options, WORLD_NAMES);
    const { timestep = DYNAMICS_DEFAULTS.timestep, substeps = DYNAMICS_DEFAULTS.substeps } = options;
    const { method = DYNAMICS_DEFAULTS.method } = options;
    if (!(typeof timestep === 'number' && timestep > 0 && Number.isFinite(timestep))) {
      throw new NearfieldError('bad-argument', `The timestep is ${nameValue(timestep)}; give seconds above 0.`);
    }
    if (!(Number.isInteger(substeps) && substeps >= 1 && substeps <= MAX_SUBSTEPS)) {
      throw new NearfieldError(
        'bad-argument',
        `The number of substeps is ${nameValue(substeps)}; give a whole number from 1 to ${MAX_SUBSTEPS}.`,
      );
    }
    if (!METHODS.includes(method)) {
      throw new NearfieldError(
        'bad-argument',
        `The method is ${nameValue(method)}; there are ${METHODS.map((name) => `'${name}'`).join(', ')}.`,
      );
    }
    this.timestep = timestep;
    this.substeps = substeps;
    this.method = method;
    this.#gravity = Float64Array.from(takeVector(options.gravity ?? DYNAMICS_DEFAULTS.gravity, 'gravity'));
    this.#stepMethod = new AutoMethod({
      bodies: this.#bodies,
      motion: this.#motion,
      contacts: this.#contacts,
      gravity: this.#gravity,
      substeps,
    });
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /** The ids of all bodies, in the order of their slots. */
  get bodies(): number[] {
    const ids: number[] = [];
    for (let i = 0; i < this.#bodies.count; i++) {
      if (this.#bodies.kind[i] !== REMOVED) ids.push(i + SLOTS * this.#generations[i]);
    }
    return ids;
  }

  /** Adds a body and returns its id. The first bodies of a world have the ids 0, 1, 2, … */
  addBody(options: RigidBodyOptions): number {
    const owner = options?.name === undefined ? 'the body' : `the body ${nameValue(options.name)}`;
    assertBodyOptions(options, owner);
    const shape = makeShape(options.shape, owner);
    const path = options.path === undefined ? null : new Path(options.path, owner);
    const pose = path === null ? takePose(options.pose ?? identity(), owner) : path.at(this.time, identity());
    const velocity = takeVector(options.velocity, `velocity of ${owner}`);
    const angularVelocity = takeVector(options.angularVelocity, `angular velocity of ${owner}`);
    const kind = path !== null ? KINEMATIC : options.fixed === true ? STATIC : DYNAMIC;
    const mass = kind === DYNAMIC ? measureBodyMass(shape, chooseMass(options)) : null;
    const bodies = this.#bodies;
    const slot = bodies.add(kind, shape);
    if (mass !== null) {
      bodies.setMass(slot, mass);
      bodies.velocity.set(velocity, 3 * slot);
      bodies.angularVelocity.set(angularVelocity, 3 * slot);
    }
    bodies.setPose(slot, pose);
    bodies.friction[slot] = options.friction ?? DYNAMICS_DEFAULTS.friction;
    bodies.restitution[slot] = options.restitution ?? DYNAMICS_DEFAULTS.restitution;
    bodies.group[slot] = options.group ?? 1;
    bodies.mask[slot] = options.mask ?? -1;
    bodies.sensor[slot] = options.sensor === true ? 1 : 0;
    this.#paths[slot] = path;
    this.#generations[slot] ??= 0;
    this.#names[slot] = options.name ?? '';
    return slot + SLOTS * this.#generations[slot];
  }

  /** Takes a body out of the world. Its id is never used again. */
  removeBody(body: number): void {
    const slot = this.#slotOf(body);
    this.#bodies.remove(slot);
    this.#paths[slot] = null;
    this.#generations[slot]++;
  }

  /** Advances the world by its timestep. */
  step(): void {
    const { timestep } = this;
    const bodies = this.#bodies;
    const end = (this.#steps + 1) * timestep;
    for (let i = 0; i < bodies.count; i++) {
      const path = this.#paths[i];
      if (bodies.kind[i] === KINEMATIC && path !== null) aimAtPose(bodies, i, path.at(end, this.#pose), timestep);
    }
    this.#stepMethod.step(timestep);
    // Where the path says, without the rounding of the way there.
    for (let i = 0; i < bodies.count; i++) {
      const path = this.#paths[i];
      if (bodies.kind[i] === KINEMATIC && path !== null) bodies.setPose(i, path.at(end, this.#pose));
    }
    bodies.force.fill(0);
    bodies.torque.fill(0);
    this.#steps++;
  }

  /** The pose of the shape's own frame. */
  poseOf(body: number): Pose {
    const pose = identity();
    this.#bodies.writePose(this.#slotOf(body), pose);
    return pose;
  }

  /**
   * Writes the poses of all bodies, 7 numbers each in the order of {@link bodies}, and returns `out`. Allocates nothing
   * if `out` is given.
   */
  readPoses(out?: Float64Array): Float64Array {
    const { count, kind } = this.#bodies;
    out ??= new Float64Array(7 * this.bodies.length);
    assertNumbers(out, 0, 'poses');
    let at = 0;
    for (let i = 0; i < count; i++) {
      if (kind[i] === REMOVED) continue;
      if (at + 7 > out.length) {
        throw new NearfieldError(
          'bad-argument',
          `The poses need more than the ${out.length} numbers of the array given.`,
        );
      }
      this.#bodies.writePose(i, out, at);
      at += 7;
    }
    return out;
  }

  /** The center of mass, in the world. */
  centerOf(body: number): Vec3 {
    return readVector(this.#bodies.center, this.#slotOf(body));
  }

  /** The velocity of the center of mass, m/s. */
  velocityOf(body: number): Vec3 {
    return readVector(this.#bodies.velocity, this.#slotOf(body));
  }

  /** rad/s, in world axes. */
  angularVelocityOf(body: number): Vec3 {
    return readVector(this.#bodies.angularVelocity, this.#slotOf(body));
  }

  /** kg; Infinity for bodies that are fixed or moved. */
  massOf(body: number): number {
    const slot = this.#slotOf(body);
    return this.#bodies.kind[slot] === DYNAMIC ? this.#bodies.mass[slot] : Infinity;
  }

  /** What the body is for contacts; other bodies may share it. */
  shapeOf(body: number): CollisionShape {
    return this.#bodies.shape[this.#slotOf(body)]!;
  }

  /** Places a body that is not on a path. */
  setPose(body: number, pose: ReadonlyPose): void {
    const slot = this.#slotOf(body);
    if (this.#bodies.kind[slot] === KINEMATIC) {
      throw new NearfieldError('bad-argument', `${this.#nameOf(slot)} follows its path and cannot be placed.`);
    }
    this.#bodies.setPose(slot, takePose(pose, this.#nameOf(slot)));
  }

  /** Sets the velocity of the center of mass and, if given, the angular velocity of a dynamic body. */
  setVelocity(body: number, velocity: ReadonlyVec3, angularVelocity?: ReadonlyVec3): void {
    const slot = this.#dynamicSlotOf(body, 'velocity');
    const linear = takeVector(velocity, 'velocity');
    const angular = angularVelocity === undefined ? undefined : takeVector(angularVelocity, 'angular velocity');
    this.#bodies.velocity.set(linear, 3 * slot);
    if (angular !== undefined) this.#bodies.angularVelocity.set(angular, 3 * slot);
  }

  /** Adds a force for the next step, at a point in the world, or at the center of mass. */
  applyForce(body: number, force: ReadonlyVec3, point?: ReadonlyVec3): void {
    const slot = this.#dynamicSlotOf(body, 'forces');
    const { force: forces, torque, center } = this.#bodies;
    const f = takeVector(force, 'force');
    const at = point === undefined ? null : takeVector(point, 'point of the force');
    for (let k = 0; k < 3; k++) forces[3 * slot + k] += f[k];
    if (at === null) return;
    const arm = at.map((value, k) => value - center[3 * slot + k]);
    for (let k = 0; k < 3; k++) {
      torque[3 * slot + k] += arm[(k + 1) % 3] * f[(k + 2) % 3] - arm[(k + 2) % 3] * f[(k + 1) % 3];
    }
  }

  /** Changes the velocity at once by an impulse, N s, at a point in the world, or at the center of mass. */
  applyImpulse(body: number, impulse: ReadonlyVec3, point?: ReadonlyVec3): void {
    const slot = this.#dynamicSlotOf(body, 'impulses');
    const { velocity, angularVelocity, inverseMass, inverseInertia: j, center } = this.#bodies;
    const p = takeVector(impulse, 'impulse');
    const at = point === undefined ? null : takeVector(point, 'point of the impulse');
    for (let k = 0; k < 3; k++) velocity[3 * slot + k] += inverseMass[slot] * p[k];
    if (at === null) return;
    const arm = at.map((value, k) => value - center[3 * slot + k]);
    const x = arm[1] * p[2] - arm[2] * p[1];
    const y = arm[2] * p[0] - arm[0] * p[2];
    const z = arm[0] * p[1] - arm[1] * p[0];
    const i = 6 * slot;
    angularVelocity[3 * slot] += j[i] * x + j[i + 1] * y + j[i + 2] * z;
    angularVelocity[3 * slot + 1] += j[i + 1] * x + j[i + 3] * y + j[i + 4] * z;
    angularVelocity[3 * slot + 2] += j[i + 2] * x + j[i + 4] * y + j[i + 5] * z;
  }

  /** Of all dynamic bodies, J. */
  energy(): Energy {
    return measureEnergy(this.#bodies, this.#gravity);
  }

  /** Of all dynamic bodies. */
  momentum(): Momentum {
    return measureMomentum(this.#bodies);
  }

  readonly #pose = identity();

  #slotOf(body: number): number {
    const slot = body % SLOTS;
    const isHere =
      Number.isInteger(body) && slot >= 0 && slot < this.#bodies.count && this.#bodies.kind[slot] !== REMOVED;
    if (isHere && this.#generations[slot] === (body - slot) / SLOTS) return slot;
    throw new NearfieldError(
      'bad-argument',
      `The world has no body ${nameValue(body)}; give an id that addBody returned and that was not removed.`,
    );
  }

  #dynamicSlotOf(body: number, what: string): number {
    const slot = this.#slotOf(body);
    if (this.#bodies.kind[slot] === DYNAMIC) return slot;
    throw new NearfieldError('bad-argument', `${this.#nameOf(slot)} is not dynamic and takes no ${what}.`);
  }

  #nameOf(slot: number): string {
    return this.#names[slot] === '' ? `Body ${slot + SLOTS * this.#generations[slot]}` : `Body '${this.#names[slot]}'`;
  }
}

function readVector(values: Float64Array, slot: number): Vec3 {
  return [values[3 * slot], values[3 * slot + 1], values[3 * slot + 2]];
}
