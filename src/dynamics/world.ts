// A world of rigid bodies in space: the public class over the parts that a step works on.
import { assertBytes, assertNumbers } from '../core/check/check-array.js';
import { nameValue } from '../core/check/check-options.js';
import { takePose } from '../core/check/check-pose.js';
import { NearfieldError } from '../core/errors.js';
import { identity, type Pose, type ReadonlyPose } from '../core/pose.js';
import { OutOfTime, StepLimit } from '../core/step-limit.js';
import type { ReadonlyVec3, Vec3 } from '../core/vec3.js';
import { ContactKernel } from '../manifold/contact-kernel.js';
import { PairContacts } from '../manifold/pair-contacts.js';
import type { CollisionShape } from '../manifold/shape/collision-shape.js';
import { assertFiniteStep } from './body/assert-finite.js';
import { Bodies, DYNAMIC, HELD, KINEMATIC, REMOVED, STATIC } from './body/bodies.js';
import { type RigidBodyOptions, takeLocks, takeVector } from './body/body-options.js';
import { BodyRegistry } from './body/body-registry.js';
import { type Energy, type Momentum, measureEnergy, measureMomentum } from './body/conserved.js';
import { pushBody } from './body/impulse.js';
import { type PairSurfaceOptions, takePairSurface } from './body/pair-surface-options.js';
import { SavedMotion } from './impact/saved-motion.js';
import { type Joint, WORLD } from './joint/joint.js';
import { type JointMotor, type JointOptions, takeJoint, takeMotor } from './joint/joint-options.js';
import { JointRegistry } from './joint/joint-registry.js';
import { JointSolver } from './joint/joint-solver.js';
import { createMethod, type DynamicsMethod } from './method/create-method.js';
import { Motion } from './motion/motion.js';
import { LocalPenetration } from './overlap/local-penetration.js';
import { OverlapFinder, type PlacedBody, WorstPenetration } from './overlap/worst-penetration.js';
import { BroadPhase } from './solver/broad-phase.js';
import { Collision } from './solver/collision.js';
import { ContactBuffer } from './solver/contact-buffer.js';
import { TouchEvents } from './solver/events.js';
import { listContacts, type WorldContact } from './solver/list-contacts.js';
import { pairKey } from './solver/pair-key.js';
import { Sleep } from './solver/sleep.js';
import { readSnapshot, type SnapshotParts, writeSnapshot } from './solver/snapshot.js';
import type { StepContext } from './solver/step-context.js';
import { SubstepSolver } from './solver/substep-solver.js';
import type { StepMethod } from './step-method.js';
import { type RigidWorldOptions, WORLD_OPTIONS } from './world-options.js';

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

/** Numbers of a body in its center, orientation, velocity and angular velocity. */
const WIDTHS = [3, 4, 3, 3];

/** Rigid bodies under gravity, in contact with each other. */
export class RigidWorld {
  readonly timestep: number;
  readonly method: DynamicsMethod;
  readonly substeps: number;
  readonly #gravity: Float64Array;
  readonly #bodies = new Bodies();
  readonly #registry = new BodyRegistry(this.#bodies);
  readonly #contacts = new ContactBuffer();
  readonly #joints = new JointSolver(this.#bodies);
  readonly #jointRegistry = new JointRegistry(this.#bodies, this.#joints.joints, (slot) =>
    this.#registry.isDynamic(slot),
  );
  readonly #collision: Collision;
  readonly #solver: SubstepSolver;
  readonly #sleep: Sleep;
  readonly #events: TouchEvents;
  readonly #stepMethod: StepMethod;
  /** Numbers bodies as {@link bodies} does: made anew when these change. */
  #overlaps: WorstPenetration | null = null;
  #depths: LocalPenetration | null = null;
  readonly #limit = new StepLimit();
  readonly #before = new SavedMotion();
  #steps = 0;
  #lostTime = 0;

  /** @throws NearfieldError `bad-argument` for invalid options. */
  constructor(options: RigidWorldOptions = {}) {
    const { gravity, timestep, method, timeOfContact, substeps, sleeping } = WORLD_OPTIONS.read(options);
    this.timestep = timestep;
    this.substeps = substeps;
    this.method = method;
    this.#gravity = Float64Array.from(takeVector(gravity, 'gravity'));
    const bodies = this.#bodies;
    const contacts = this.#contacts;
    const joints = this.#joints;
    const kernel = new ContactKernel();
    const makeContacts = (a: CollisionShape, b: CollisionShape): PairContacts => new PairContacts(a, b, kernel);
    const limit = this.#limit;
    const { excluded } = this.#jointRegistry;
    this.#collision = new Collision(bodies, contacts, new BroadPhase(), makeContacts, excluded, limit);
    this.#solver = new SubstepSolver(bodies, new Motion(), this.#gravity, contacts, joints, limit);
    this.#sleep = new Sleep(bodies, contacts, this.#collision, joints);
    this.#sleep.enabled = sleeping;
    this.#events = new TouchEvents(bodies, this.#collision);
    const context: StepContext = {
      bodies,
      contacts,
      collision: this.#collision,
      joints,
      solver: this.#solver,
      sleep: this.#sleep,
      gravity: this.#gravity,
      substeps,
      acceleration: () => this.#acceleration(),
    };
    this.#stepMethod = createMethod(method, context, timeOfContact);
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /**
   * Seconds of motion that steps have left out so far, summed over islands. A step answers a limited number of impacts;
   * bodies that would have more keep their place for the rest of it. Snapshots do not have it.
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
    return this.#registry.ids();
  }

  /** Adds a body and returns its id. The first bodies of a world have the ids 0, 1, 2, … */
  addBody(options: RigidBodyOptions): number {
    const id = this.#registry.add(options, this.time);
    const locks = takeLocks(options.locks, `body ${id}`);
    if (locks !== 0) this.#jointRegistry.addLocks(this.#registry.slotOf(id), locks);
    this.#overlaps = this.#depths = null;
    return id;
  }

  /** Takes a body out of the world. Its id is never used again. */
  removeBody(body: number): void {
    const slot = this.#slotOf(body);
    for (const id of this.#jointRegistry.idsOf(slot)) this.removeJoint(id);
    this.#sleep.wakeNeighbors(slot);
    this.#events.forget(slot);
    this.#collision.forget(slot);
    this.#registry.remove(slot);
    this.#overlaps = this.#depths = null;
  }

  /**
   * Advances the world by its timestep.
   * @param maxMilliseconds the time that it may take: looked at again and again within the step.
   * @returns false if the time ran out; then all bodies are where they were before, with their velocities.
   * @throws NearfieldError `non-finite` if a body has left the range of numbers.
   */
  step(maxMilliseconds = Infinity): boolean {
    if (typeof maxMilliseconds !== 'number' || !(maxMilliseconds >= 0)) {
      const given = nameValue(maxMilliseconds);
      throw new NearfieldError('bad-argument', `The time of a step is ${given}; give milliseconds, at least 0.`);
    }
    this.#limit.begin(maxMilliseconds);
    if (maxMilliseconds === Infinity) {
      this.#stepOnce();
      return true;
    }
    this.#before.save(this.#bodies);
    try {
      this.#stepOnce();
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.#before.restore(this.#bodies);
      const { asleep, count } = this.#bodies;
      for (let i = 0; i < count; i++) if (asleep[i] === HELD) asleep[i] = 0;
      return false;
    }
    return true;
  }

  #stepOnce(): void {
    const bodies = this.#bodies;
    const end = (this.#steps + 1) * this.timestep;
    for (const slot of this.#registry.letGo(this.time)) this.#sleep.wakeNeighbors(slot);
    bodies.blow.fill(0);
    this.#registry.aim(end, this.timestep);
    this.#stepMethod.step(this.timestep);
    this.#lostTime += this.#stepMethod.lostTime ?? 0;
    this.#events.update();
    this.#registry.placeOnPaths(end);
    bodies.force.fill(0);
    bodies.torque.fill(0);
    this.#steps++;
    const { count, kind, center, orientation, velocity, angularVelocity } = bodies;
    const arrays = [center, orientation, velocity, angularVelocity];
    const nameOf = (slot: number): string => this.#registry.nameOf(slot);
    assertFiniteStep({ count, kind, arrays, nameOf }, WIDTHS, this.time);
  }

  /** The pose of the shape's own frame. */
  poseOf(body: number): Pose {
    const pose = identity();
    this.#bodies.writePose(this.#slotOf(body), pose);
    return pose;
  }

  /** Where its path leads a body at a time, in seconds; where a body without one is now. */
  poseAt(body: number, time: number): Pose {
    const path = this.#registry.pathOf(this.#slotOf(body));
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

  /** Sets friction and restitution of two bodies where they touch each other, in place of what both have; null takes it back. */
  setPairSurface(bodyA: number, bodyB: number, surface: PairSurfaceOptions | null): void {
    const [a, b] = [this.#slotOf(bodyA), this.#slotOf(bodyB)];
    this.#bodies.surfaces.set(a, b, surface === null ? null : takePairSurface(this.#bodies, a, b, surface));
  }

  /** What contacts pushed a body with in the last step, N s: the sum over all its points and substeps. */
  contactImpulse(body: number): number {
    return this.#bodies.blow[this.#slotOf(body)];
  }

  /** What the body is for contacts; other bodies may share it. */
  shapeOf(body: number): CollisionShape {
    return this.#bodies.shape[this.#slotOf(body)]!;
  }

  /** Places a body that is not on a path. */
  setPose(body: number, pose: ReadonlyPose): void {
    const slot = this.#slotOf(body);
    if (this.#bodies.kind[slot] === KINEMATIC) {
      throw new NearfieldError('bad-argument', `${this.#registry.nameOf(slot)} follows its path and cannot be placed.`);
    }
    const placed = takePose(pose, this.#registry.nameOf(slot));
    this.#sleep.wake(slot);
    this.#sleep.wakeNeighbors(slot);
    this.#bodies.setPose(slot, placed);
    this.#jointRegistry.moveLocks(slot);
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
    const { center } = this.#bodies;
    const [x, y, z] = takeVector(impulse, 'impulse');
    const [px, py, pz] = point === undefined ? readVector(center, slot) : takeVector(point, 'point of the impulse');
    pushBody(this.#bodies, slot, px, py, pz, x, y, z);
  }

  /** Joins a body with another or with the world, as they are now, and returns the id of the joint. */
  addJoint(options: JointOptions): number {
    const parts = takeJoint(options);
    const b = this.#slotOf(options.bodyA);
    const a = options.bodyB === undefined ? WORLD : this.#slotOf(options.bodyB);
    if (a === b) {
      throw new NearfieldError('bad-argument', `The joint holds body ${options.bodyA} to itself; give another.`);
    }
    const id = this.#jointRegistry.add(parts, a, b, options.collide === true);
    this.#wakeEnds(this.#jointRegistry.get(id));
    return id;
  }

  /** Takes a joint away. */
  removeJoint(joint: number): void {
    this.#wakeEnds(this.#jointRegistry.remove(joint));
  }

  /** The angle of a pin or hinge, rad, over all its turns, or the displacement of a slider, m. */
  jointPosition(joint: number): number {
    return this.#jointRegistry.get(joint).position;
  }

  /** Sets, changes or (null) stops the motor of a pin, hinge or slider. */
  setMotor(joint: number, motor: JointMotor | null): void {
    const found = this.#jointRegistry.get(joint);
    found.setMotor(motor === null ? null : takeMotor(motor));
    this.#wakeEnds(found);
  }

  /** Takes hold of a dynamic body by a point in the world, to pull it about until it is released. */
  grab(body: number, point: ReadonlyVec3): Grab {
    const slot = this.#dynamicSlotOf(body, 'grabs');
    const registry = this.#jointRegistry;
    const id = registry.addGrab(slot, takeVector(point, 'point of the grab'));
    const joint = registry.get(id);
    this.#wakeEnds(joint);
    return {
      moveTo: (target) => {
        const at = takeVector(target, 'point of the grab');
        if (!registry.has(id)) return;
        joint.anchorA.set(at);
        this.#sleep.wake(slot);
      },
      release: () => {
        if (registry.has(id)) this.removeJoint(id);
      },
    };
  }

  /** Whether a body rests and is left out of the steps until something touches it. */
  isAsleep(body: number): boolean {
    return this.#bodies.asleep[this.#slotOf(body)] !== 0;
  }

  /** The points of the last step where bodies touch or nearly do. */
  contacts(): WorldContact[] {
    return listContacts(this.#contacts, this.#bodies, this.#registry, this.#solver.lastLength);
  }

  /**
   * How many contact points there are, those of sleeping bodies included. Two bodies that are moved or fixed have none; where
   * they overlap they count as one.
   */
  get contactCount(): number {
    return this.#contacts.liveCount() + this.#collision.restingPoints() + this.#countMoved();
  }

  /**
   * An upper bound of the deepest overlap of two bodies that collide, now, m: the length of a translation that parts them. 0 if
   * none overlap. About 15 µs for each pair that is near, and 1 ms or more for each that overlaps.
   */
  worstPenetration(): number {
    const slots = this.bodies.map((id) => this.#slotOf(id));
    this.#overlaps ??= new WorstPenetration((i, j) => this.#collide(slots[i], slots[j]));
    return this.#overlaps.measure(this.#placedBodies(slots));
  }

  /**
   * An upper bound of how deep surfaces of two bodies that collide dip into each other now, m: of the largest distance of a point
   * of one, inside the other, to the surface of that; to a tenth where the search finds that soon. Of captive parts this is far less than the way out of the whole.
   * Costs as {@link worstPenetration}, and some ms for each pair that overlaps.
   */
  localPenetration(): number {
    const slots = this.bodies.map((id) => this.#slotOf(id));
    this.#depths ??= new LocalPenetration((i, j) => this.#collide(slots[i], slots[j]));
    return this.#depths.measure(this.#placedBodies(slots));
  }

  /** The pairs of bodies that overlap although nothing can part them: one is moved, the other moved or fixed. */
  #countMoved(): number {
    const { kind } = this.#bodies;
    const slots = this.bodies.map((id) => this.#slotOf(id)).filter((slot) => kind[slot] !== DYNAMIC);
    if (!slots.some((slot) => kind[slot] === KINEMATIC)) return 0;
    return new OverlapFinder((i, j) => this.#collide(slots[i], slots[j])).find(this.#placedBodies(slots)).length;
  }

  #placedBodies(slots: readonly number[]): PlacedBody[] {
    return slots.map((slot) => {
      const pose = identity();
      this.#bodies.writePose(slot, pose);
      return { shape: this.#bodies.shape[slot]!, pose, moves: this.#bodies.kind[slot] !== STATIC };
    });
  }

  /** Which bodies began and ceased to touch since the last call. */
  takeEvents(): ContactEvent[] {
    const taken = this.#events.changes.map(({ begins, a, b, sensor }): ContactEvent => {
      return { type: begins ? 'begin' : 'end', bodyA: this.#registry.idOf(a), bodyB: this.#registry.idOf(b), sensor };
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
    return measureEnergy(this.#bodies, this.#gravity, this.#stepMethod.energy, this.#joints.storedEnergy());
  }

  /** Of all dynamic bodies. */
  momentum(): Momentum {
    return measureMomentum(this.#bodies);
  }

  #parts(): SnapshotParts {
    return {
      bodies: this.#bodies,
      joints: this.#joints.joints,
      collision: this.#collision,
      sleep: this.#sleep,
      solver: this.#solver,
      method: this.#stepMethod,
      generations: this.#registry.generations,
      mayHave: (slot, kind) => this.#registry.mayHave(slot, kind),
    };
  }

  #collide(a: number, b: number): boolean {
    const { sensor, group, mask } = this.#bodies;
    if ((sensor[a] | sensor[b]) !== 0 || this.#jointRegistry.excluded.has(pairKey(a, b))) return false;
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

  #wakeEnds({ a, b }: Joint): void {
    this.#sleep.wake(b);
    if (a !== WORLD) this.#sleep.wake(a);
  }

  #slotOf(body: number): number {
    return this.#registry.slotOf(body);
  }

  #dynamicSlotOf(body: number, what: string): number {
    const slot = this.#slotOf(body);
    if (this.#bodies.kind[slot] === DYNAMIC) {
      this.#sleep.wake(slot);
      return slot;
    }
    throw new NearfieldError('bad-argument', `${this.#registry.nameOf(slot)} is not dynamic and takes no ${what}.`);
  }
}

function readVector(values: Float64Array, slot: number): Vec3 {
  return [values[3 * slot], values[3 * slot + 1], values[3 * slot + 2]];
}
