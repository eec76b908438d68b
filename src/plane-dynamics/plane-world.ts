// A world of bodies in the plane: polygons with holes, exact circles, and polygons that carry waves.
import { nameValue } from '../core/check/check-options.js';
import { NearfieldError } from '../core/errors.js';
import { DYNAMICS_DEFAULTS } from '../dynamics/defaults.js';
import { addPlaneBody, placePlaneBody } from './add-body.js';
import { PlaneAutoMethod } from './auto-method.js';
import { PlaneBacktrackingMethod } from './backtracking-method.js';
import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactEvents, type PlaneEvent } from './contact/contact-events.js';
import { Sleeping } from './contact/sleeping.js';
import { createPlaneJoint } from './create-joint.js';
import type { ElasticRing } from './penalty/elastic-ring.js';
import { chooseStiffness, PlanePenaltyMethod } from './penalty-method.js';
import { DYNAMIC, ELASTIC, KINEMATIC, REMOVED } from './plane-bodies.js';
import { PlaneEngine } from './plane-engine.js';
import { PlaneGrab } from './plane-grab.js';
import type { PlaneJoint } from './plane-joints.js';
import {
  assertJointOptions,
  assertWorldOptions,
  type PlaneBodyOptions,
  type PlaneJointOptions,
  type PlaneMethod,
  type PlaneWorldOptions,
  takeNumbers,
} from './plane-options.js';
import {
  listPlaneContacts,
  measurePlaneEnergy,
  measurePlaneMomentum,
  measureWorstPenetration,
  type PlaneContact,
  type PlaneEnergy,
  type PlaneMomentum,
} from './plane-reports.js';
import { loadState, saveState } from './plane-snapshot.js';

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

/** Bodies of the plane under gravity, in contact with each other. Units: m, s, kg, radians; y up. */
export class PlaneWorld {
  readonly timestep: number;
  readonly method: PlaneMethod;
  readonly substeps: number;
  readonly #engine: PlaneEngine;
  readonly #method: PlaneAutoMethod | PlanePenaltyMethod | PlaneBacktrackingMethod;
  readonly #sleeping: Sleeping;
  readonly #maySleep: boolean;
  readonly #events: ContactEvents;
  readonly #stiffness: number | undefined;
  #steps = 0;
  #isMoved = true;

  /** @throws NearfieldError `bad-argument` for options that are none. */
  constructor(options: PlaneWorldOptions = {}) {
    assertWorldOptions(options);
    this.timestep = options.timestep ?? DYNAMICS_DEFAULTS.timestep;
    this.substeps = options.substeps ?? DYNAMICS_DEFAULTS.substeps;
    this.method = options.method ?? DYNAMICS_DEFAULTS.method;
    const engine = new PlaneEngine(options.spacing ?? DYNAMICS_DEFAULTS.planeSpacing);
    const [, gravity] = DYNAMICS_DEFAULTS.gravity;
    engine.gravity.set(takeNumbers(options.gravity ?? [0, gravity], 2, 'gravity'));
    this.#engine = engine;
    this.#stiffness = options.stiffness;
    const { substeps, method } = this;
    if (method === 'penalty') this.#method = new PlanePenaltyMethod(engine, substeps);
    else if (method === 'backtracking') this.#method = new PlaneBacktrackingMethod(engine, substeps);
    else this.#method = new PlaneAutoMethod(engine, substeps);
    engine.everyContact = method === 'time-of-contact';
    this.#sleeping = new Sleeping(engine.bodies, engine.contacts, engine.joints);
    this.#maySleep = (options.sleeping ?? DYNAMICS_DEFAULTS.sleeping) && method !== 'penalty';
    this.#events = new ContactEvents(engine.bodies);
    engine.onReady = () => this.#sleeping.wakeTouched();
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
    return this.#method instanceof PlaneBacktrackingMethod ? this.#method.lostTime : 0;
  }

  /** The ids of all bodies, ascending. */
  get bodies(): number[] {
    const { count, kind } = this.#engine.bodies;
    return Array.from({ length: count }, (_, i) => i).filter((i) => kind[i] !== REMOVED);
  }

  /** Adds a body and returns its id: 0, 1, 2, … in this order; ids of removed bodies are not used again. */
  addBody(options: PlaneBodyOptions): number {
    this.#isMoved = true;
    return addPlaneBody(this.#engine, options, this.time);
  }

  /** Takes a body and its joints out of the world. */
  removeBody(body: number): void {
    this.#assertBody(body);
    const { bodies, joints, grabs, rings } = this.#engine;
    bodies.kind[body] = REMOVED;
    bodies.inverseMass[body] = bodies.inverseInertia[body] = 0;
    bodies.velocity[2 * body] = bodies.velocity[2 * body + 1] = bodies.spin[body] = 0;
    bodies.asleep[body] = 0;
    rings[body] = null;
    this.#isMoved = true;
    for (const joint of joints) if (joint.a === body || joint.b === body) joint.isRemoved = true;
    for (const grab of grabs) if (grab.body === body) grab.isReleased = true;
    this.#sleeping.wakeAll();
  }

  /** Joins two bodies, or a body and the world, and returns the joint's id. */
  addJoint(options: PlaneJointOptions): number {
    assertJointOptions(options);
    this.#assertBody(options.bodyA);
    if (options.bodyB !== undefined) this.#assertBody(options.bodyB);
    const joint = createPlaneJoint(this.#engine.bodies, options);
    this.#sleeping.wake(joint.b);
    if (joint.a >= 0) this.#sleeping.wake(joint.a);
    return this.#engine.joints.push(joint) - 1;
  }

  /** Changes the speed of a motor; undefined takes the motor off. */
  setMotor(joint: number, speed: number | undefined): void {
    const found = this.#joint(joint);
    if (speed !== undefined && !Number.isFinite(speed)) {
      throw new NearfieldError('bad-argument', `The speed of the motor is ${nameValue(speed)}; give a number.`);
    }
    found.speed = speed ?? Number.NaN;
    this.#sleeping.wake(found.b);
  }

  /** Takes a joint out of the world. */
  removeJoint(joint: number): void {
    this.#joint(joint).isRemoved = true;
    this.#sleeping.wakeAll();
  }

  /** Advances the world by its timestep. */
  step(): void {
    const { bodies, contacts, penalty, grabs } = this.#engine;
    this.#engine.time = this.time;
    for (let k = grabs.length - 1; k >= 0; k--) {
      if (grabs[k].isReleased) grabs.splice(k, 1);
      else this.#sleeping.wake(grabs[k].body);
    }
    this.#isMoved = true;
    this.#findForces();
    this.#method.step(this.timestep);
    this.#steps++;
    for (let i = 0; i < bodies.count; i++) this.#follow(i);
    if (this.#maySleep) this.#sleeping.update(this.timestep);
    const keys: number[] = [];
    for (let pair = 0; pair < contacts.pairCount; pair++) {
      if (contacts.isTouching(pair)) keys.push(contacts.pairKey[pair]);
    }
    for (let pair = 0; pair < penalty.pairCount; pair++) {
      keys.push(PlaneBroadPhase.key(penalty.pairA[pair], penalty.pairB[pair]));
    }
    if (this.method === 'penalty') this.#sense(keys);
    this.#events.update(keys.sort((p, q) => p - q));
  }

  /** Springs for where the bodies are, if bodies were added or placed since they were last found. */
  #findForces(): void {
    if (!this.#isMoved || !this.#engine.hasElastic) return;
    this.#isMoved = false;
    this.#engine.penalty.stiffness = this.#stiffness ?? chooseStiffness(this.#engine, this.timestep / this.substeps);
    this.#engine.findForces();
  }

  /** Center, angle and velocities of a soft body, from its nodes. */
  #follow(i: number): void {
    const { bodies, rings } = this.#engine;
    const ring = rings[i];
    if (ring === null) return;
    const [vx, vy, spin, x, y] = ring.rigidMotion();
    bodies.velocity[2 * i] = vx;
    bodies.velocity[2 * i + 1] = vy;
    bodies.spin[i] = spin;
    bodies.turn(i, ring.angle);
    const c = bodies.cosine[i];
    const s = bodies.sine[i];
    bodies.center[2 * i] = x - c * ring.offsetX + s * ring.offsetY;
    bodies.center[2 * i + 1] = y - s * ring.offsetX - c * ring.offsetY;
  }

  /** Sensors where springs do not look for contacts. */
  #sense(keys: number[]): void {
    const { bodies, query } = this.#engine;
    if (!bodies.isSensor.includes(1)) return;
    bodies.placeAll();
    for (let a = 0; a < bodies.count; a++) {
      for (let b = a + 1; b < bodies.count; b++) {
        if (bodies.isSensor[a] + bodies.isSensor[b] === 0 || !bodies.canMeet(a, b)) continue;
        if (query.overlaps(bodies.placed[a], bodies.placed[b])) keys.push(PlaneBroadPhase.key(a, b));
      }
    }
  }

  /** x, y, angle of the shape's own frame. */
  poseOf(body: number): [number, number, number] {
    this.#assertBody(body);
    const pose: [number, number, number] = [0, 0, 0];
    this.#writePose(body, pose, 0);
    return pose;
  }

  #writePose(i: number, out: { [index: number]: number }, at: number): void {
    const { bodies } = this.#engine;
    const { centerX, centerY } = bodies.outlines[i];
    out[at] = bodies.center[2 * i] - bodies.cosine[i] * centerX + bodies.sine[i] * centerY;
    out[at + 1] = bodies.center[2 * i + 1] - bodies.sine[i] * centerX - bodies.cosine[i] * centerY;
    out[at + 2] = bodies.angle[i];
  }

  /** Writes the poses of all bodies, 3 numbers each in the order of {@link bodies}, and returns `out`. */
  readPoses(out?: Float64Array): Float64Array {
    const { bodies } = this.#engine;
    const needed = 3 * this.bodies.length;
    out ??= new Float64Array(needed);
    if (!(out instanceof Float64Array) || out.length < needed) {
      throw new NearfieldError('bad-argument', `The poses need a Float64Array of ${needed} numbers.`);
    }
    let at = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === REMOVED) continue;
      this.#writePose(i, out, at);
      at += 3;
    }
    return out;
  }

  /** The center of mass, in the world. */
  centerOf(body: number): [number, number] {
    this.#assertBody(body);
    const { center } = this.#engine.bodies;
    return [center[2 * body], center[2 * body + 1]];
  }

  /** The velocity of the center of mass, m/s. */
  velocityOf(body: number): [number, number] {
    this.#assertBody(body);
    const { velocity } = this.#engine.bodies;
    return [velocity[2 * body], velocity[2 * body + 1]];
  }

  /** rad/s. */
  angularVelocityOf(body: number): number {
    this.#assertBody(body);
    return this.#engine.bodies.spin[body];
  }

  /** kg; Infinity for bodies that are fixed or moved. */
  massOf(body: number): number {
    this.#assertBody(body);
    const { bodies } = this.#engine;
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
    this.#isMoved = true;
    this.#follow(body);
  }

  /** Places a body that is not on a path. A soft body returns to its rest shape. */
  setPose(body: number, pose: ArrayLike<number>): void {
    this.#assertBody(body);
    const { bodies } = this.#engine;
    if (bodies.kind[body] === KINEMATIC) {
      throw new NearfieldError(
        'bad-argument',
        `${this.#engine.bodies.nameOf(body)} follows its path and cannot be placed.`,
      );
    }
    const values = takeNumbers(pose, 3, `pose of ${this.#engine.bodies.nameOf(body)}`);
    this.#sleeping.wakeAll();
    this.#isMoved = true;
    placePlaneBody(this.#engine, body, values, this.time);
  }

  /** Sets the velocity of the center of mass and, if given, the angular velocity of a dynamic body. */
  setVelocity(body: number, velocity: ArrayLike<number>, angularVelocity?: number): void {
    this.#assertDynamic(body, 'velocity');
    const { bodies } = this.#engine;
    const values = takeNumbers(velocity, 2, 'velocity');
    const spin = angularVelocity === undefined ? undefined : takeNumbers([angularVelocity], 1, 'angular velocity')[0];
    bodies.velocity.set(values, 2 * body);
    if (spin !== undefined) bodies.spin[body] = spin;
    this.#sleeping.wake(body);
  }

  /** Adds a force for the next step, at a point in the world, or at the center of mass. */
  applyForce(body: number, force: ArrayLike<number>, point?: ArrayLike<number>): void {
    this.#assertDynamic(body, 'forces');
    const { bodies } = this.#engine;
    const [x, y] = takeNumbers(force, 2, 'force');
    const [px, py] = point === undefined ? this.centerOf(body) : takeNumbers(point, 2, 'point of the force');
    bodies.force[2 * body] += x;
    bodies.force[2 * body + 1] += y;
    bodies.torque[body] += (px - bodies.center[2 * body]) * y - (py - bodies.center[2 * body + 1]) * x;
    this.#sleeping.wake(body);
  }

  /** Changes the velocity at once by an impulse, N s, at a point in the world, or at the center of mass. */
  applyImpulse(body: number, impulse: ArrayLike<number>, point?: ArrayLike<number>): void {
    this.#assertDynamic(body, 'impulses');
    const [x, y] = takeNumbers(impulse, 2, 'impulse');
    const [px, py] = point === undefined ? this.centerOf(body) : takeNumbers(point, 2, 'point of the impulse');
    this.#engine.bodies.push(body, px, py, x, y);
    this.#sleeping.wake(body);
  }

  /** The first body that holds a point, for pointers; -1 for none. */
  bodyAt(x: number, y: number): number {
    const { bodies, rings } = this.#engine;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] === REMOVED || rings[i] !== null) continue;
      bodies.place(i);
      if (bodies.placed[i].contains(x, y)) return i;
    }
    return -1;
  }

  /** Pulls a point of a dynamic body, given in the world, with a spring until it is released. */
  grab(body: number, point: ArrayLike<number>): PlaneHandle {
    this.#assertDynamic(body, 'pull');
    const [x, y] = takeNumbers(point, 2, 'point to grab');
    const [localX, localY] = this.#engine.bodies.toLocal(body, x, y);
    const grab = new PlaneGrab(body, localX, localY, x, y);
    this.#engine.grabs.push(grab);
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
    this.#findForces();
    return measurePlaneEnergy(this.#engine);
  }

  /** Of all bodies that move by forces. */
  momentum(): PlaneMomentum {
    return measurePlaneMomentum(this.#engine);
  }

  /**
   * Where bodies touch after the last step: within their skin, or, under penalty forces, each penetrating sample. Sleepers
   * go on touching as they did.
   */
  contacts(): PlaneContact[] {
    this.#findForces();
    return listPlaneContacts(this.#engine, this.#events.sleepingPairs(), this.substeps);
  }

  /**
   * An upper bound of the deepest overlap of two bodies now: the length of a translation that parts them. Soft bodies: the
   * depth of the deepest sample of their boundaries.
   */
  worstPenetration(): number {
    this.#findForces();
    return measureWorstPenetration(this.#engine);
  }

  /** Whether a body sleeps. */
  isAsleep(body: number): boolean {
    this.#assertBody(body);
    return this.#engine.bodies.asleep[body] !== 0;
  }

  /** The pairs that began or ceased to touch since the last call. */
  takeEvents(): PlaneEvent[] {
    return this.#events.take();
  }

  /** What the last step did. */
  counters(): PlaneStepCounters {
    const { contacts, penalty, recovery, bodies } = this.#engine;
    let asleep = 0;
    for (let i = 0; i < bodies.count; i++) if (bodies.asleep[i] !== 0) asleep++;
    return {
      pairs: contacts.pairCount + penalty.pairCount,
      contacts: contacts.count + penalty.count,
      impacts: this.#method.impacts,
      recovering: recovery.active,
      asleep,
    };
  }

  /** All of the state as bytes. The same bytes give the same motion in a world with the same bodies and joints. */
  snapshot(): Uint8Array {
    return saveState(this.#engine, this.#sleeping, this.#events, this.#steps);
  }

  /** @throws NearfieldError `bad-argument` for bytes that are no snapshot of a world with these bodies and joints. */
  restore(bytes: Uint8Array): void {
    this.#steps = loadState(bytes, this.#engine, this.#sleeping, this.#events);
  }

  #assertBody(body: number): void {
    const { count, kind } = this.#engine.bodies;
    if (Number.isInteger(body) && body >= 0 && body < count && kind[body] !== REMOVED) return;
    throw new NearfieldError(
      'bad-argument',
      `The world has no body ${nameValue(body)}; give an id that addBody returned and that was not removed.`,
    );
  }

  #assertDynamic(body: number, what: string): void {
    this.#assertBody(body);
    if (this.#engine.bodies.kind[body] === DYNAMIC) return;
    throw new NearfieldError(
      'bad-argument',
      `${this.#engine.bodies.nameOf(body)} is not a dynamic rigid body and takes no ${what}.`,
    );
  }

  #ring(body: number): ElasticRing {
    this.#assertBody(body);
    const ring = this.#engine.rings[body];
    if (ring !== null) return ring;
    throw new NearfieldError(
      'bad-argument',
      `${this.#engine.bodies.nameOf(body)} is rigid; only elastic bodies have nodes.`,
    );
  }

  #joint(joint: number): PlaneJoint {
    const found = this.#engine.joints[joint];
    if (found !== undefined && !found.isRemoved) return found;
    throw new NearfieldError(
      'bad-argument',
      `The world has no joint ${nameValue(joint)}; give an id that addJoint returned and that was not removed.`,
    );
  }
}
