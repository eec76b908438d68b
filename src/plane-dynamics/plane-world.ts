// A world of bodies in the plane: polygons with holes, exact circles, and polygons that carry waves.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { OutOfTime } from '../core/step-limit.js';
import { assertFiniteStep } from '../dynamics/body/assert-finite.js';
import { addPlaneBody, placePlaneBody } from './body/add-body.js';
import { DYNAMIC, ELASTIC, KINEMATIC, REMOVED } from './body/plane-bodies.js';
import { PlaneGrab } from './body/plane-grab.js';
import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactEvents, type PlaneEvent } from './contact/contact-events.js';
import { createPlaneJoint } from './joint/create-joint.js';
import type { PlaneJoint } from './joint/plane-joint.js';
import { createPlaneMethod } from './method/create-method.js';
import type { ElasticRing } from './penalty/elastic-ring.js';
import {
  assertJointOptions,
  type PlaneBodyOptions,
  type PlaneJointOptions,
  type PlaneMethod,
  type PlaneWorldOptions,
  takeNumbers,
  takeWorldOptions,
} from './plane-options.js';
import {
  listPlaneContacts,
  measureLocalPenetration,
  measurePlaneEnergy,
  measurePlaneMomentum,
  measureWorstPenetration,
  type PlaneContact,
  type PlaneEnergy,
  type PlaneMomentum,
} from './plane-reports.js';
import { loadState, type SnapshotParts, saveState } from './plane-snapshot.js';
import { createPlaneContext, type PlaneContext } from './step/plane-context.js';
import type { PlaneStepMethod } from './step/plane-step-method.js';

/** A spring between a point of a body and a place, for pointers. */
export interface PlaneHandle {
  /** Moves the place the body is pulled to. */
  moveTo(x: number, y: number): void;
  /** Lets the body go. */
  release(): void;
}

/** What the last step did. */
export interface PlaneStepCounters {
  /** Near pairs, and contacts known of them. */
  readonly pairs: number;
  readonly contacts: number;
  /** Impacts resolved at their time (or, under penalty forces, pairs that overlap). */
  readonly impacts: number;
  /** Deeply overlapping pairs that were moved apart. */
  readonly recovering: number;
  readonly asleep: number;
}

/** Numbers of a body in its center, angle, velocity and spin. */
const WIDTHS = [2, 1, 2, 1];

/** Bodies of the plane under gravity, in contact with each other. Units: m, s, kg, radians; y up. */
export class PlaneWorld {
  readonly timestep: number;
  readonly method: PlaneMethod;
  readonly substeps: number;
  readonly #context: PlaneContext;
  readonly #method: PlaneStepMethod;
  readonly #events: ContactEvents;
  #steps = 0;
  #lostTime = 0;

  /** @throws NearfieldError `bad-argument` for invalid options. */
  constructor(options: PlaneWorldOptions = {}) {
    const settings = takeWorldOptions(options);
    this.timestep = settings.timestep;
    this.substeps = settings.substeps;
    this.method = settings.method;
    this.#context = createPlaneContext(settings);
    this.#method = createPlaneMethod(settings.method, this.#context);
    this.#events = new ContactEvents(this.#context.bodies);
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /**
   * Seconds of motion that steps have left out so far, summed over islands. With `backtracking` an island responds a limited
   * number of times in a substep; one that would more often keeps its place for the rest of it. No part of snapshots.
   */
  get lostTime(): number {
    return this.#lostTime;
  }

  /** The ids of all bodies, ascending. */
  get bodies(): number[] {
    const { count, kind } = this.#context.bodies;
    return Array.from({ length: count }, (_, i) => i).filter((i) => kind[i] !== REMOVED);
  }

  /** Adds a body and returns its id: 0, 1, 2, … in this order; ids of removed bodies are not used again. */
  addBody(options: PlaneBodyOptions): number {
    return addPlaneBody(this.#context, options, this.time);
  }

  /** Takes a body and its joints out of the world. */
  removeBody(body: number): void {
    this.#assertBody(body);
    const { bodies, joints, grabs, springs, sleeping } = this.#context;
    bodies.remove(body);
    springs.remove(body);
    springs.invalidate();
    for (const joint of joints) if (joint.a === body || joint.b === body) joint.isRemoved = true;
    for (const grab of grabs) if (grab.body === body) grab.isReleased = true;
    sleeping.wakeAll();
  }

  /** Joins two bodies, or a body and the world, and returns the joint's id. */
  addJoint(options: PlaneJointOptions): number {
    assertJointOptions(options);
    this.#assertBody(options.bodyA);
    if (options.bodyB !== undefined) this.#assertBody(options.bodyB);
    const joint = createPlaneJoint(this.#context.bodies, options);
    this.#context.sleeping.wake(joint.b);
    if (joint.a >= 0) this.#context.sleeping.wake(joint.a);
    return this.#context.joints.push(joint) - 1;
  }

  /** Changes the speed of a motor; undefined takes the motor off. */
  setMotor(joint: number, speed: number | undefined): void {
    const found = this.#joint(joint);
    if (speed !== undefined && !Number.isFinite(speed)) {
      throw new NearfieldError('bad-argument', `The speed of the motor is ${nameValue(speed)}; give a number.`);
    }
    found.speed = speed ?? Number.NaN;
    this.#context.sleeping.wake(found.b);
  }

  /** Takes a joint out of the world. */
  removeJoint(joint: number): void {
    this.#joint(joint).isRemoved = true;
    this.#context.sleeping.wakeAll();
  }

  /**
   * Advances the world by its timestep.
   * @param maxMilliseconds the time that it may take: looked at again and again within the step.
   * @returns false if the time ran out; then the world is as it was before.
   * @throws NearfieldError `non-finite` if a body has left the range of numbers.
   */
  step(maxMilliseconds = Infinity): boolean {
    if (typeof maxMilliseconds !== 'number' || !(maxMilliseconds >= 0)) {
      const given = nameValue(maxMilliseconds);
      throw new NearfieldError('bad-argument', `The time of a step is ${given}; give milliseconds, at least 0.`);
    }
    this.#context.limit.begin(maxMilliseconds);
    if (maxMilliseconds === Infinity) {
      this.#stepOnce();
      return true;
    }
    const before = this.snapshot();
    try {
      this.#stepOnce();
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.restore(before);
      return false;
    }
    return true;
  }

  #stepOnce(): void {
    const { motion, grabs, sleeping, springs } = this.#context;
    motion.setTime(this.time);
    for (let k = grabs.length - 1; k >= 0; k--) {
      if (grabs[k].isReleased) grabs.splice(k, 1);
      else sleeping.wake(grabs[k].body);
    }
    springs.invalidate();
    springs.refresh();
    this.#method.step(this.timestep);
    this.#lostTime += this.#method.lostTime ?? 0;
    this.#steps++;
    springs.followAll();
    this.#assertFinite();
    this.#events.update(this.#touchingPairs());
  }

  #assertFinite(): void {
    const { bodies } = this.#context;
    const { count, kind, center, angle, velocity, spin } = bodies;
    const nameOf = (body: number): string => bodies.nameOf(body);
    assertFiniteStep({ count, kind, arrays: [center, angle, velocity, spin], nameOf }, WIDTHS, this.time);
  }

  /** The keys of the pairs that touch after a step, ascending. */
  #touchingPairs(): number[] {
    const { contacts, springs } = this.#context;
    const { pairs } = contacts;
    const { forces } = springs;
    const keys: number[] = [];
    for (let pair = 0; pair < pairs.count; pair++) if (contacts.isTouching(pair)) keys.push(pairs.key[pair]);
    for (let pair = 0; pair < forces.pairCount; pair++) {
      keys.push(PlaneBroadPhase.key(forces.pairA[pair], forces.pairB[pair]));
    }
    this.#method.sense?.(keys);
    return keys.sort((p, q) => p - q);
  }

  /** x, y, angle of the shape's own frame. */
  poseOf(body: number): [number, number, number] {
    this.#assertBody(body);
    const pose: [number, number, number] = [0, 0, 0];
    this.#context.bodies.writePose(body, pose, 0);
    return pose;
  }

  /** Writes the poses of all bodies, 3 numbers each in the order of {@link bodies}, and returns `out`. */
  readPoses(out?: Float64Array): Float64Array {
    const { bodies } = this.#context;
    const needed = 3 * this.bodies.length;
    out ??= new Float64Array(needed);
    if (!(out instanceof Float64Array) || out.length < needed) {
      throw new NearfieldError('bad-argument', `The poses need a Float64Array of ${needed} numbers.`);
    }
    let at = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === REMOVED) continue;
      bodies.writePose(i, out, at);
      at += 3;
    }
    return out;
  }

  /** The center of mass, in the world. */
  centerOf(body: number): [number, number] {
    this.#assertBody(body);
    const { center } = this.#context.bodies;
    return [center[2 * body], center[2 * body + 1]];
  }

  /** The velocity of the center of mass, m/s. */
  velocityOf(body: number): [number, number] {
    this.#assertBody(body);
    const { velocity } = this.#context.bodies;
    return [velocity[2 * body], velocity[2 * body + 1]];
  }

  /** rad/s. */
  angularVelocityOf(body: number): number {
    this.#assertBody(body);
    return this.#context.bodies.spin[body];
  }

  /** kg; Infinity for bodies that are fixed or moved. */
  massOf(body: number): number {
    this.#assertBody(body);
    const { bodies } = this.#context;
    return bodies.kind[body] === DYNAMIC || bodies.kind[body] === ELASTIC ? bodies.mass[body] : Infinity;
  }

  /** The nodes of a soft body in the world, x, y each, as they are kept: read them, change them with {@link setNodes}. */
  nodesOf(body: number): Float64Array {
    return this.#ring(body).positions;
  }

  /** Moves the nodes of a soft body, and sets their velocities if given. */
  setNodes(body: number, positions: ArrayLike<number>, velocities?: ArrayLike<number>): void {
    const ring = this.#ring(body);
    const count = ring.positions.length;
    const places = takeNumbers(positions, count, 'list of nodes');
    const speeds = velocities === undefined ? undefined : takeNumbers(velocities, count, 'list of velocities of nodes');
    ring.positions.set(places);
    if (speeds !== undefined) ring.velocities.set(speeds);
    this.#context.springs.invalidate();
    this.#context.springs.follow(body);
  }

  /** Places a body that is not on a path. A soft body returns to its rest shape. */
  setPose(body: number, pose: ArrayLike<number>): void {
    this.#assertBody(body);
    const { bodies } = this.#context;
    if (bodies.kind[body] === KINEMATIC) {
      throw new NearfieldError(
        'bad-argument',
        `${this.#context.bodies.nameOf(body)} follows its path and cannot be placed.`,
      );
    }
    const values = takeNumbers(pose, 3, `pose of ${this.#context.bodies.nameOf(body)}`);
    this.#context.sleeping.wakeAll();
    placePlaneBody(this.#context, body, values, this.time);
  }

  /** Sets the velocity of the center of mass and, if given, the angular velocity of a dynamic body. */
  setVelocity(body: number, velocity: ArrayLike<number>, angularVelocity?: number): void {
    this.#assertDynamic(body, 'velocity');
    const { bodies } = this.#context;
    const values = takeNumbers(velocity, 2, 'velocity');
    const spin = angularVelocity === undefined ? undefined : takeNumbers([angularVelocity], 1, 'angular velocity')[0];
    bodies.velocity.set(values, 2 * body);
    if (spin !== undefined) bodies.spin[body] = spin;
    this.#context.sleeping.wake(body);
  }

  /** Adds a force for the next step, at a point in the world, or at the center of mass. */
  applyForce(body: number, force: ArrayLike<number>, point?: ArrayLike<number>): void {
    this.#assertDynamic(body, 'forces');
    const { bodies } = this.#context;
    const [x, y] = takeNumbers(force, 2, 'force');
    const [px, py] = point === undefined ? this.centerOf(body) : takeNumbers(point, 2, 'point of the force');
    bodies.force[2 * body] += x;
    bodies.force[2 * body + 1] += y;
    bodies.torque[body] += (px - bodies.center[2 * body]) * y - (py - bodies.center[2 * body + 1]) * x;
    this.#context.sleeping.wake(body);
  }

  /** Adds a torque for the next step, N m, counter-clockwise. */
  applyTorque(body: number, torque: number): void {
    this.#assertDynamic(body, 'torques');
    this.#context.bodies.torque[body] += takeNumbers([torque], 1, 'torque')[0];
    this.#context.sleeping.wake(body);
  }

  /** Changes the velocity at once by an impulse, N s, at a point in the world, or at the center of mass. */
  applyImpulse(body: number, impulse: ArrayLike<number>, point?: ArrayLike<number>): void {
    this.#assertDynamic(body, 'impulses');
    const [x, y] = takeNumbers(impulse, 2, 'impulse');
    const [px, py] = point === undefined ? this.centerOf(body) : takeNumbers(point, 2, 'point of the impulse');
    this.#context.bodies.push(body, px, py, x, y);
    this.#context.sleeping.wake(body);
  }

  /** The first body that holds a point, for pointers; -1 for none. */
  bodyAt(x: number, y: number): number {
    const { bodies, springs } = this.#context;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === REMOVED || springs.rings[i] !== null) continue;
      bodies.place(i);
      if (bodies.placed[i].contains(x, y)) return i;
    }
    return -1;
  }

  /** Pulls a point of a dynamic body, given in the world, with a spring until it is released. */
  grab(body: number, point: ArrayLike<number>): PlaneHandle {
    this.#assertDynamic(body, 'pull');
    const [x, y] = takeNumbers(point, 2, 'point to grab');
    const [localX, localY] = this.#context.bodies.toLocal(body, x, y);
    const grab = new PlaneGrab(body, localX, localY, x, y);
    this.#context.grabs.push(grab);
    return {
      moveTo: (toX, toY) => {
        [grab.x, grab.y] = takeNumbers([toX, toY], 2, 'place to pull to');
      },
      release: () => {
        grab.isReleased = true;
      },
    };
  }

  /** Of all bodies that move by forces, sleepers too. */
  energy(): PlaneEnergy {
    this.#context.springs.refresh();
    return measurePlaneEnergy(this.#context);
  }

  /** Of all bodies that move by forces. */
  momentum(): PlaneMomentum {
    return measurePlaneMomentum(this.#context);
  }

  /**
   * Where bodies touch after the last step: within their skin, or, under penalty forces, each penetrating sample. Sleepers
   * go on touching as they did.
   */
  contacts(): PlaneContact[] {
    this.#context.springs.refresh();
    return listPlaneContacts(this.#context, this.#events.sleepingPairs());
  }

  /**
   * An upper bound of the deepest overlap of two bodies now: the length of a translation that parts them. Soft bodies: the
   * depth of the deepest sample of their boundaries.
   */
  worstPenetration(): number {
    this.#context.springs.refresh();
    return measureWorstPenetration(this.#context);
  }

  /**
   * How deep boundaries of two bodies dip into each other at most, now: the largest distance of a point of one, inside the
   * other, to the boundary of that, to a tenth. Of captive parts this is far less than the way out of the whole.
   */
  localPenetration(): number {
    this.#context.springs.refresh();
    return measureLocalPenetration(this.#context);
  }

  /** Whether a body sleeps. */
  isAsleep(body: number): boolean {
    this.#assertBody(body);
    return this.#context.bodies.asleep[body] !== 0;
  }

  /** The pairs that began or ceased to touch since the last call. */
  takeEvents(): PlaneEvent[] {
    return this.#events.take();
  }

  /** What the last step did. */
  counters(): PlaneStepCounters {
    const { contacts, springs, collision, bodies } = this.#context;
    const { forces } = springs;
    let asleep = 0;
    for (let i = 0; i < bodies.count; i++) if (bodies.asleep[i] !== 0) asleep++;
    return {
      pairs: contacts.pairs.count + forces.pairCount,
      contacts: contacts.count + forces.count,
      impacts: this.#method.impacts,
      recovering: collision.recovery.active,
      asleep,
    };
  }

  /** All of the state as bytes. The same bytes give the same motion in a world with the same bodies and joints. */
  snapshot(): Uint8Array {
    return saveState(this.#snapshotParts(), this.#steps);
  }

  /** @throws NearfieldError `bad-argument` for bytes that are not a snapshot of a world with these bodies and joints. */
  restore(bytes: Uint8Array): void {
    this.#steps = loadState(bytes, this.#snapshotParts());
  }

  #snapshotParts(): SnapshotParts {
    return { context: this.#context, events: this.#events, method: this.#method };
  }

  #assertBody(body: number): void {
    const { count, kind } = this.#context.bodies;
    if (Number.isInteger(body) && body >= 0 && body < count && kind[body] !== REMOVED) return;
    throw new NearfieldError(
      'bad-argument',
      `The world has no body ${nameValue(body)}; give an id that addBody returned and that was not removed.`,
    );
  }

  #assertDynamic(body: number, what: string): void {
    this.#assertBody(body);
    if (this.#context.bodies.kind[body] === DYNAMIC) return;
    throw new NearfieldError(
      'bad-argument',
      `${this.#context.bodies.nameOf(body)} is not a dynamic rigid body and takes no ${what}.`,
    );
  }

  #ring(body: number): ElasticRing {
    this.#assertBody(body);
    const ring = this.#context.springs.rings[body];
    if (ring !== null) return ring;
    throw new NearfieldError(
      'bad-argument',
      `${this.#context.bodies.nameOf(body)} is rigid; only elastic bodies have nodes.`,
    );
  }

  #joint(joint: number): PlaneJoint {
    const found = this.#context.joints[joint];
    if (found !== undefined && !found.isRemoved) return found;
    throw new NearfieldError(
      'bad-argument',
      `The world has no joint ${nameValue(joint)}; give an id that addJoint returned and that was not removed.`,
    );
  }
}
