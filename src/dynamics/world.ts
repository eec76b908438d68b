// A world of rigid bodies in space. Bodies live in slots of flat arrays; ids stay valid until their body is removed.
import { assertBytes, assertNumbers } from '../core/check/check-array.js';
import { assertOptions, nameValue, type OptionNames } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import { identity, type Pose, type ReadonlyPose } from '../core/pose.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import { PairContacts } from '../manifold/pair-contacts.js';
import type { CollisionShape } from '../manifold/shape/collision-shape.js';
import { Bodies, DYNAMIC, KINEMATIC, REMOVED, STATIC } from './body/bodies.js';
import { measureBodyMass } from './body/body-mass.js';
import { assertBodyOptions, chooseMass, makeShape, type RigidBodyOptions, takeVector } from './body/body-options.js';
import { type Energy, type Momentum, measureEnergy, measureMomentum } from './body/conserved.js';
import { DYNAMICS_DEFAULTS, MAX_SUBSTEPS } from './defaults.js';
import { GRAB, Joint, WORLD } from './joint/joint.js';
import { type JointMotor, type JointOptions, takeJoint, takeMotor } from './joint/joint-options.js';
import { JointSolver } from './joint/joint-solver.js';
import { createMethod, DYNAMICS_METHODS, type DynamicsMethod } from './method/create-method.js';
import { aimAtPose } from './motion/aim.js';
import { Motion } from './motion/motion.js';
import { Path } from './motion/path.js';
import { WorstPenetration } from './overlap/worst-penetration.js';
import { BroadPhase } from './solver/broad-phase.js';
import { Collision, pairKey } from './solver/collision.js';
import { ContactBuffer, GIVEN_UP } from './solver/contact-buffer.js';
import { TouchEvents } from './solver/events.js';
import { Sleep } from './solver/sleep.js';
import { readSnapshot, writeSnapshot } from './solver/snapshot.js';
import { SubstepSolver } from './solver/substep-solver.js';
import type { StepMethod } from './step-method.js';

/** Options of a {@link RigidWorld}; SI units. */
export interface RigidWorldOptions {
  readonly gravity?: ReadonlyVec3 | undefined;
  /** Length of a step, s. */
  readonly timestep?: number | undefined;
  readonly method?: DynamicsMethod | undefined;
  /** Substeps of the solver in a step. */
  readonly substeps?: number | undefined;
  /** Bodies at rest sleep until something touches them. */
  readonly sleeping?: boolean | undefined;
}

const WORLD_NAMES: OptionNames<RigidWorldOptions> = {
  gravity: true,
  timestep: true,
  method: true,
  substeps: true,
  sleeping: true,
};

/** A point where two bodies touch, or nearly do, as of the last step. */
export interface WorldContact {
  readonly bodyA: number;
  readonly bodyB: number;
  /** In the world, between the two. */
  readonly point: Vec3;
  /** Unit, from A to B. */
  readonly normal: Vec3;
  /** The gap along the normal, negative in overlap. */
  readonly separation: number;
  /** What B is pushed with along the normal, N, and by friction. */
  readonly force: number;
  readonly friction: Vec3;
}

/** Two bodies began to touch, or ceased to. */
export interface ContactEvent {
  readonly type: 'begin' | 'end';
  readonly bodyA: number;
  readonly bodyB: number;
  /** One of them is a sensor. */
  readonly sensor: boolean;
}

/** Pulls a body by a point, as a hand would. */
export interface Grab {
  /** Moves the hand to a point in the world. */
  moveTo(point: ReadonlyVec3): void;
  /** Lets go. */
  release(): void;
}

/** An id is a slot plus this times how often the slot was used before. */
const SLOTS = 1 << 20;
/** The largest force of a grab, N for each kg. */
const GRAB_STRENGTH = 1000;

/** Rigid bodies under gravity, in contact with each other. */
export class RigidWorld {
  readonly timestep: number;
  readonly method: DynamicsMethod;
  readonly substeps: number;
  readonly #gravity: Float64Array;
  readonly #bodies = new Bodies();
  readonly #contacts = new ContactBuffer();
  readonly #motion = new Motion();
  readonly #joints = new JointSolver(this.#bodies);
  /** Joints by their ids, and pairs of bodies that do not collide since a joint holds them. */
  readonly #jointsById = new Map<number, Joint>();
  readonly #excluded = new Set<number>();
  readonly #collision: Collision;
  readonly #solver: SubstepSolver;
  readonly #sleep: Sleep;
  readonly #events: TouchEvents;
  #nextJoint = 0;
  readonly #stepMethod: StepMethod;
  /** How often each slot was used before. */
  readonly #generations: number[] = [];
  readonly #names: string[] = [];
  readonly #paths: (Path | null)[] = [];
  /** Numbers bodies as {@link bodies} does: made anew when these change. */
  #overlaps: WorstPenetration | null = null;
  #steps = 0;
  #lostTime = 0;

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
    if (!DYNAMICS_METHODS.includes(method)) {
      throw new NearfieldError(
        'bad-argument',
        `The method is ${nameValue(method)}; there are ${DYNAMICS_METHODS.map((name) => `'${name}'`).join(', ')}.`,
      );
    }
    this.timestep = timestep;
    this.substeps = substeps;
    this.method = method;
    this.#gravity = Float64Array.from(takeVector(options.gravity ?? DYNAMICS_DEFAULTS.gravity, 'gravity'));
    if (options.sleeping !== undefined && typeof options.sleeping !== 'boolean') {
      throw new NearfieldError(
        'bad-argument',
        `The option sleeping is ${nameValue(options.sleeping)}; give true or false.`,
      );
    }
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const joints = this.#joints;
    this.#collision = new Collision(
      bodies,
      contacts,
      new BroadPhase(),
      (a, b) => new PairContacts(a, b),
      this.#excluded,
    );
    this.#solver = new SubstepSolver(bodies, this.#motion, this.#gravity, contacts, joints);
    this.#sleep = new Sleep(bodies, contacts, this.#collision, joints);
    this.#sleep.enabled = options.sleeping ?? DYNAMICS_DEFAULTS.sleeping;
    this.#events = new TouchEvents(bodies, this.#collision);
    this.#stepMethod = createMethod(method, {
      bodies,
      motion: this.#motion,
      contacts,
      collision: this.#collision,
      joints,
      solver: this.#solver,
      sleep: this.#sleep,
      gravity: this.#gravity,
      substeps,
      acceleration: () => this.#acceleration(),
    });
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /**
   * Seconds of motion that steps have left out so far, summed over islands. A step answers a limited number of impacts;
   * bodies that would have more keep their place for the rest of it. No part of snapshots.
   */
  get lostTime(): number {
    return this.#lostTime;
  }

  /** m/s². */
  get gravity(): Vec3 {
    return [this.#gravity[0], this.#gravity[1], this.#gravity[2]];
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
    this.#overlaps = null;
    return slot + SLOTS * this.#generations[slot];
  }

  /** Takes a body out of the world. Its id is never used again. */
  removeBody(body: number): void {
    const slot = this.#slotOf(body);
    for (const [id, joint] of this.#jointsById) if (joint.a === slot || joint.b === slot) this.removeJoint(id);
    this.#sleep.wakeNeighbors(slot);
    this.#events.forget(slot);
    this.#collision.forget(slot);
    this.#bodies.remove(slot);
    this.#paths[slot] = null;
    this.#generations[slot]++;
    this.#overlaps = null;
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
    this.#lostTime += this.#stepMethod.lostTime ?? 0;
    this.#events.update();
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

  /** Where its path leads a body at a time, in seconds; where a body without one is now. */
  poseAt(body: number, time: number): Pose {
    const path = this.#paths[this.#slotOf(body)];
    if (!Number.isFinite(time)) {
      throw new NearfieldError('bad-argument', `The time is ${nameValue(time)}; give seconds.`);
    }
    return path === null ? this.poseOf(body) : path.at(time, identity());
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

  /** Coulomb's coefficient; a pair has the geometric mean. */
  frictionOf(body: number): number {
    return this.#bodies.friction[this.#slotOf(body)];
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
    const placed = takePose(pose, this.#nameOf(slot));
    this.#sleep.wake(slot);
    this.#sleep.wakeNeighbors(slot);
    this.#bodies.setPose(slot, placed);
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

  /** Adds a torque for the next step, N m, in world axes. */
  applyTorque(body: number, torque: ReadonlyVec3): void {
    const slot = this.#dynamicSlotOf(body, 'torques');
    const t = takeVector(torque, 'torque');
    for (let k = 0; k < 3; k++) this.#bodies.torque[3 * slot + k] += t[k];
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

  /** Joins a body with another or with the world, as they are now, and returns the id of the joint. */
  addJoint(options: JointOptions): number {
    const parts = takeJoint(options);
    const b = this.#slotOf(options.bodyA);
    const a = options.bodyB === undefined ? WORLD : this.#slotOf(options.bodyB);
    if (a === b)
      throw new NearfieldError('bad-argument', `The joint holds body ${options.bodyA} to itself; give another.`);
    const { kind } = this.#bodies;
    if (kind[b] !== DYNAMIC && (a === WORLD || kind[a] !== DYNAMIC)) {
      throw new NearfieldError(
        'bad-argument',
        'Neither end of the joint is dynamic, so it holds nothing; give a body that is.',
      );
    }
    const joint = new Joint(parts.kind, a, b);
    joint.attach(this.#bodies, parts.at, parts.axis);
    [joint.low, joint.high] = parts.limits;
    if (parts.motor !== null) {
      joint.hasMotor = true;
      joint.speed = parts.motor.speed;
      joint.strength = parts.motor.strength;
    }
    if (a !== WORLD && options.collide !== true) this.#excluded.add(pairKey(a, b));
    return this.#addJoint(joint);
  }

  /** Takes a joint away. */
  removeJoint(joint: number): void {
    const found = this.#jointOf(joint);
    const { joints } = this.#joints;
    joints.splice(joints.indexOf(found), 1);
    this.#jointsById.delete(joint);
    this.#wakeEnds(found);
    const isHeld = joints.some((other) => other.a === found.a && other.b === found.b);
    if (found.a !== WORLD && !isHeld) this.#excluded.delete(pairKey(found.a, found.b));
  }

  /** The angle of a pin or hinge, rad, over all its turns, or the displacement of a slider, m. */
  jointPosition(joint: number): number {
    return this.#jointOf(joint).position;
  }

  /** Sets, changes or (null) stops the motor of a pin, hinge or slider. */
  setMotor(joint: number, motor: JointMotor | null): void {
    const found = this.#jointOf(joint);
    const taken = motor === null ? null : takeMotor(motor);
    found.hasMotor = taken !== null;
    found.speed = taken?.speed ?? 0;
    found.strength = taken?.strength ?? Infinity;
    this.#wakeEnds(found);
  }

  /** Takes hold of a dynamic body by a point in the world, to pull it about until it is released. */
  grab(body: number, point: ReadonlyVec3): Grab {
    const slot = this.#dynamicSlotOf(body, 'grabs');
    const joint = new Joint(GRAB, WORLD, slot);
    joint.attach(this.#bodies, takeVector(point, 'point of the grab'), [0, 0, 1]);
    joint.strength = GRAB_STRENGTH * this.#bodies.mass[slot];
    const id = this.#addJoint(joint);
    return {
      moveTo: (target) => {
        const at = takeVector(target, 'point of the grab');
        if (!this.#jointsById.has(id)) return;
        joint.anchorA.set(at);
        this.#sleep.wake(slot);
      },
      release: () => {
        if (this.#jointsById.has(id)) this.removeJoint(id);
      },
    };
  }

  /** Whether a body rests and is left out of the steps until something touches it. */
  isAsleep(body: number): boolean {
    return this.#bodies.asleep[this.#slotOf(body)] !== 0;
  }

  /** The points of the last step where bodies touch or nearly do. */
  contacts(): WorldContact[] {
    const { count, bodyA, bodyB, normal, separation, rest, normalImpulse, frictionImpulse } = this.#contacts;
    const found: WorldContact[] = [];
    const perSecond = this.#solver.lastLength > 0 ? 1 / this.#solver.lastLength : 0;
    for (let i = 0; i < count; i++) {
      if (rest[i] === GIVEN_UP) continue;
      const friction = readVector(frictionImpulse, i);
      found.push({
        bodyA: this.#idOf(bodyA[i]),
        bodyB: this.#idOf(bodyB[i]),
        point: this.#contacts.pointOf(this.#bodies, i),
        normal: readVector(normal, i),
        separation: separation[i],
        force: perSecond * normalImpulse[i],
        friction: [perSecond * friction[0], perSecond * friction[1], perSecond * friction[2]],
      });
    }
    return found;
  }

  /** How many contact points there are, those of sleeping bodies included. */
  get contactCount(): number {
    return this.#contacts.liveCount() + this.#collision.restingPoints();
  }

  /**
   * An upper bound of the deepest overlap of two bodies that collide, now, m: the length of a translation that parts them. 0 if
   * none overlap. About 15 µs for each pair that is near, and 1 ms or more for each that overlaps.
   */
  worstPenetration(): number {
    const { bodies } = this;
    const { kind } = this.#bodies;
    this.#overlaps ??= new WorstPenetration((i, j) => this.#collide(bodies[i] % SLOTS, bodies[j] % SLOTS));
    return this.#overlaps.measure(
      bodies.map((id) => ({
        shape: this.shapeOf(id),
        pose: this.poseOf(id),
        moves: kind[id % SLOTS] === DYNAMIC,
      })),
    );
  }

  /** Which bodies began and ceased to touch since the last call. */
  takeEvents(): ContactEvent[] {
    const taken = this.#events.changes.map(({ begins, a, b, sensor }): ContactEvent => {
      return { type: begins ? 'begin' : 'end', bodyA: this.#idOf(a), bodyB: this.#idOf(b), sensor };
    });
    this.#events.changes.length = 0;
    return taken;
  }

  /**
   * Everything that changes from step to step, as bytes; changes nothing. This world, and one restored from them, go on bit for
   * bit as this world would have without.
   * Shapes, paths and joints are not in them: restore them in a world with the same ones.
   */
  snapshot(): Uint8Array {
    return writeSnapshot(this.#steps, this.#parts());
  }

  /** Goes back to a snapshot of this world, or of one with the same bodies and joints. */
  restore(bytes: Uint8Array): void {
    assertBytes(bytes);
    this.#steps = readSnapshot(bytes, this.#parts());
    this.#events.restore();
  }

  /** Of all dynamic bodies, J. */
  energy(): Energy {
    return measureEnergy(this.#bodies, this.#gravity, this.#stepMethod.energy);
  }

  /** Of all dynamic bodies. */
  momentum(): Momentum {
    return measureMomentum(this.#bodies);
  }

  readonly #pose = identity();

  #parts(): Parameters<typeof writeSnapshot>[1] {
    return {
      bodies: this.#bodies,
      joints: this.#joints.joints,
      collision: this.#collision,
      sleep: this.#sleep,
      solver: this.#solver,
      method: this.#stepMethod,
      generations: this.#generations,
    };
  }

  #collide(a: number, b: number): boolean {
    const { sensor, group, mask } = this.#bodies;
    if ((sensor[a] | sensor[b]) !== 0 || this.#excluded.has(pairKey(a, b))) return false;
    return (group[a] & mask[b]) !== 0 && (group[b] & mask[a]) !== 0;
  }

  /** The largest acceleration that gravity and forces give a body. */
  #acceleration(): number {
    const { count, force, inverseMass } = this.#bodies;
    const g = Math.hypot(this.#gravity[0], this.#gravity[1], this.#gravity[2]);
    let largest = 0;
    for (let i = 0; i < count; i++) {
      const f = Math.hypot(force[3 * i], force[3 * i + 1], force[3 * i + 2]) * inverseMass[i];
      if (f > largest) largest = f;
    }
    return g + largest;
  }

  #addJoint(joint: Joint): number {
    this.#joints.joints.push(joint);
    this.#jointsById.set(this.#nextJoint, joint);
    this.#wakeEnds(joint);
    return this.#nextJoint++;
  }

  #wakeEnds({ a, b }: Joint): void {
    this.#sleep.wake(b);
    if (a !== WORLD) this.#sleep.wake(a);
  }

  #jointOf(joint: number): Joint {
    const found = this.#jointsById.get(joint);
    if (found !== undefined) return found;
    throw new NearfieldError(
      'bad-argument',
      `The world has no joint ${nameValue(joint)}; give an id that addJoint returned and that was not removed.`,
    );
  }

  #idOf(slot: number): number {
    return slot + SLOTS * this.#generations[slot];
  }

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
    if (this.#bodies.kind[slot] === DYNAMIC) {
      this.#sleep.wake(slot);
      return slot;
    }
    throw new NearfieldError('bad-argument', `${this.#nameOf(slot)} is not dynamic and takes no ${what}.`);
  }

  #nameOf(slot: number): string {
    return this.#names[slot] === '' ? `Body ${slot + SLOTS * this.#generations[slot]}` : `Body '${this.#names[slot]}'`;
  }
}

function readVector(values: Float64Array, slot: number): Vec3 {
  return [values[3 * slot], values[3 * slot + 1], values[3 * slot + 2]];
}
