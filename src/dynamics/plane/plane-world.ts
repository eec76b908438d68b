// A world of bodies in the plane: polygons with holes, exact circles, and polygons that carry waves.
import { nameValue } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { DYNAMICS_DEFAULTS } from '../defaults.js';
import { PlaneAutoMethod } from './auto-method.js';
import { PlaneBacktrackingMethod } from './backtracking-method.js';
import { PlaneBroadPhase } from './contact/broad-phase.js';
import { ContactEvents, type PlaneEvent } from './contact/contact-events.js';
import { Sleeping } from './contact/sleeping.js';
import { OVERLAP } from './outline/outline-pair.js';
import { ElasticRing } from './penalty/elastic-ring.js';
import { chooseStiffness, PlanePenaltyMethod } from './penalty-method.js';
import { DYNAMIC, ELASTIC, KINEMATIC, REMOVED, STATIC } from './plane-bodies.js';
import { PlaneEngine } from './plane-engine.js';
import { PlaneGrab } from './plane-grab.js';
import { PlaneJoint } from './plane-joints.js';
import {
  assertBodyOptions,
  assertJointOptions,
  assertPath,
  assertWorldOptions,
  type PlaneBodyOptions,
  type PlaneJointOptions,
  type PlaneMethod,
  type PlaneWorldOptions,
  takeNumbers,
  takeShape,
} from './plane-options.js';
import { PlanePath } from './plane-path.js';
import { loadState, saveState } from './plane-snapshot.js';

/** Joules. */
export interface PlaneEnergy {
  readonly kinetic: number;
  /** Zero at the origin. */
  readonly gravitational: number;
  /** Of soft bodies. */
  readonly elastic: number;
  /** Of penalty springs. */
  readonly contact: number;
  readonly total: number;
}

/** Of all bodies that move by forces. */
export interface PlaneMomentum {
  /** kg m/s. */
  readonly linear: readonly [number, number];
  /** About the origin, kg m²/s. */
  readonly angular: number;
}

/** A place where two bodies touch. */
export interface PlaneContact {
  readonly bodyA: number;
  readonly bodyB: number;
  readonly point: readonly [number, number];
  /** Unit, from A to B. */
  readonly normal: readonly [number, number];
  /** The gap, negative inside. */
  readonly separation: number;
  /** Normal impulse of the last step, N s; 0 under penalty forces. */
  readonly impulse: number;
}

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
    const owner = options?.name === undefined ? 'the body' : `the body ${nameValue(options.name)}`;
    assertBodyOptions(options, owner);
    const { outline, elastic } = takeShape(options.shape, owner);
    if (options.path !== undefined) assertPath(options.path, owner);
    if (elastic !== null && options.path !== undefined) {
      throw new NearfieldError(
        'bad-argument',
        `A path of ${owner} is given, but it is elastic; leave one of them out.`,
      );
    }
    const pose = takeNumbers(options.pose ?? [0, 0, 0], 3, `pose of ${owner}`);
    const velocity = takeNumbers(options.velocity ?? [0, 0], 2, `velocity of ${owner}`);
    const [spin] = takeNumbers([options.angularVelocity ?? 0], 1, `angular velocity of ${owner}`);
    const { bodies, rings } = this.#engine;
    const i = bodies.add(outline);
    bodies.names[i] = options.name ?? '';
    bodies.friction[i] = options.friction ?? DYNAMICS_DEFAULTS.friction;
    bodies.restitution[i] = options.restitution ?? DYNAMICS_DEFAULTS.restitution;
    bodies.group[i] = options.group ?? 1;
    bodies.mask[i] = options.mask ?? -1;
    bodies.isSensor[i] = options.sensor === true ? 1 : 0;
    const mass = options.mass ?? (options.density ?? DYNAMICS_DEFAULTS.density) * outline.area;
    bodies.mass[i] = mass;
    bodies.inertia[i] = (mass * outline.polarMoment) / outline.area;
    rings[i] = null;
    if (elastic !== null) {
      bodies.kind[i] = ELASTIC;
      rings[i] = new ElasticRing(outline, mass, elastic, options.fixed === true);
      this.#engine.hasElastic = true;
    } else if (options.path !== undefined) {
      bodies.kind[i] = KINEMATIC;
      const path = new PlanePath(
        options.path.map(({ time, pose: at }) => ({ time, pose: Float64Array.from(at) })),
        outline.centerX,
        outline.centerY,
      );
      bodies.paths[i] = path;
    } else bodies.kind[i] = options.fixed === true ? STATIC : DYNAMIC;
    if (bodies.kind[i] === DYNAMIC) {
      bodies.inverseMass[i] = 1 / mass;
      bodies.inverseInertia[i] = 1 / bodies.inertia[i];
      bodies.velocity.set(velocity, 2 * i);
      bodies.spin[i] = spin;
    }
    this.#put(i, pose, velocity[0], velocity[1], spin);
    return i;
  }

  /** Places a body by the pose of its shape. */
  #put(i: number, pose: readonly number[], vx: number, vy: number, spin: number): void {
    const { bodies, rings } = this.#engine;
    const outline = bodies.outlines[i];
    bodies.turn(i, pose[2]);
    const c = bodies.cosine[i];
    const s = bodies.sine[i];
    bodies.center[2 * i] = pose[0] + c * outline.centerX - s * outline.centerY;
    bodies.center[2 * i + 1] = pose[1] + s * outline.centerX + c * outline.centerY;
    this.#isMoved = true;
    const path = bodies.paths[i];
    if (path !== null) {
      path.moveTo(this.time);
      bodies.center[2 * i] = path.x;
      bodies.center[2 * i + 1] = path.y;
      bodies.turn(i, path.angle);
    }
    bodies.place(i);
    const ring = rings[i];
    if (ring === null) return;
    const x = bodies.center[2 * i] + c * ring.offsetX - s * ring.offsetY;
    const y = bodies.center[2 * i + 1] + s * ring.offsetX + c * ring.offsetY;
    ring.place(x, y, pose[2], vx, vy, spin);
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
    const { bodies, joints } = this.#engine;
    const b = options.bodyA;
    const a = options.bodyB ?? -1;
    for (const i of [a, b]) {
      if (i < 0 || bodies.kind[i] !== ELASTIC) continue;
      throw new NearfieldError('unsupported', `${this.#nameOf(i)} is elastic; joints hold rigid bodies.`);
    }
    if (a === b) throw new NearfieldError('bad-argument', `${this.#nameOf(a)} is joined to itself; give two bodies.`);
    const [x, y] = takeNumbers(options.at, 2, 'place of the joint');
    const [toX, toY] = options.type === 'distance' ? takeNumbers(options.to!, 2, 'point of the joint') : [x, y];
    const joint = new PlaneJoint(options.type, a, b);
    [joint.bx, joint.by] = this.#toLocal(b, x, y);
    [joint.ax, joint.ay] = a >= 0 ? this.#toLocal(a, toX, toY) : [toX, toY];
    joint.turn = bodies.angle[b] - (a >= 0 ? bodies.angle[a] : 0);
    joint.length = Math.hypot(x - toX, y - toY);
    if (options.type === 'slider') {
      const [ux, uy] = takeNumbers(options.axis!, 2, 'axis of the slider');
      const length = Math.hypot(ux, uy);
      const c = a >= 0 ? bodies.cosine[a] : 1;
      const s = a >= 0 ? bodies.sine[a] : 0;
      joint.ux = (c * ux + s * uy) / length;
      joint.uy = (c * uy - s * ux) / length;
    }
    if (options.motor !== undefined) {
      joint.speed = options.motor.speed;
      joint.mostTorque = options.motor.torque ?? Infinity;
    }
    if (options.limits !== undefined) {
      joint.low = options.limits[0];
      joint.high = options.limits[1];
    }
    this.#sleeping.wake(b);
    if (a >= 0) this.#sleeping.wake(a);
    return joints.push(joint) - 1;
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
      throw new NearfieldError('bad-argument', `${this.#nameOf(body)} follows its path and cannot be placed.`);
    }
    const values = takeNumbers(pose, 3, `pose of ${this.#nameOf(body)}`);
    this.#sleeping.wakeAll();
    this.#put(body, values, bodies.velocity[2 * body], bodies.velocity[2 * body + 1], bodies.spin[body]);
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
    const [localX, localY] = this.#toLocal(body, x, y);
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

  /** Of all bodies that move by forces. */
  energy(): PlaneEnergy {
    this.#findForces();
    const { bodies, rings, gravity, penalty, hasElastic } = this.#engine;
    let kinetic = 0;
    let gravitational = 0;
    let elastic = 0;
    for (let i = 0; i < bodies.count; i++) {
      const ring = rings[i];
      if (ring !== null) {
        kinetic += ring.kineticEnergy();
        elastic += ring.energy;
        gravitational -= ring.masses.reduce(
          (sum, mass, k) => sum + mass * (gravity[0] * ring.positions[2 * k] + gravity[1] * ring.positions[2 * k + 1]),
          0,
        );
      } else if (bodies.kind[i] === DYNAMIC) {
        kinetic += bodies.kineticEnergy(i);
        gravitational -= bodies.mass[i] * (gravity[0] * bodies.center[2 * i] + gravity[1] * bodies.center[2 * i + 1]);
      }
    }
    const contact = hasElastic ? penalty.energy() : 0;
    return { kinetic, gravitational, elastic, contact, total: kinetic + gravitational + elastic + contact };
  }

  /** Of all bodies that move by forces. */
  momentum(): PlaneMomentum {
    const { bodies, rings } = this.#engine;
    let px = 0;
    let py = 0;
    let angular = 0;
    const add = (mass: number, x: number, y: number, vx: number, vy: number): void => {
      px += mass * vx;
      py += mass * vy;
      angular += mass * (x * vy - y * vx);
    };
    for (let i = 0; i < bodies.count; i++) {
      const ring = rings[i];
      if (ring !== null) {
        const { positions: p, velocities: v } = ring;
        for (let k = 0; k < ring.masses.length; k++) {
          add(ring.masses[k], p[2 * k], p[2 * k + 1], v[2 * k], v[2 * k + 1]);
        }
      } else if (bodies.kind[i] === DYNAMIC) {
        const { center, velocity } = bodies;
        add(bodies.mass[i], center[2 * i], center[2 * i + 1], velocity[2 * i], velocity[2 * i + 1]);
        angular += bodies.inertia[i] * bodies.spin[i];
      }
    }
    return { linear: [px, py], angular };
  }

  /** Where bodies touch after the last step: within their skin, or, under penalty forces, each penetrating sample. */
  contacts(): PlaneContact[] {
    this.#findForces();
    const { contacts, penalty } = this.#engine;
    const found: PlaneContact[] = [];
    for (let c = 0; c < contacts.count; c++) {
      const pair = contacts.pair[c];
      if (contacts.kind[c] >= 3) continue;
      if (!contacts.isNear(c)) continue;
      found.push({
        bodyA: contacts.pairA[pair],
        bodyB: contacts.pairB[pair],
        point: [contacts.point[2 * c], contacts.point[2 * c + 1]],
        normal: [contacts.normal[2 * c], contacts.normal[2 * c + 1]],
        separation: contacts.separation[c],
        impulse: contacts.total[c],
      });
    }
    for (let n = 0; n < penalty.count; n++) {
      const { depth, point, target } = penalty;
      found.push({
        bodyA: penalty.owner[n],
        bodyB: penalty.other[n],
        point: [point[2 * n], point[2 * n + 1]],
        normal: [(point[2 * n] - target[2 * n]) / depth[n], (point[2 * n + 1] - target[2 * n + 1]) / depth[n]],
        separation: -depth[n],
        impulse: 0,
      });
    }
    return found;
  }

  /**
   * An upper bound of the deepest overlap of two bodies now: the length of a translation that parts them. Soft bodies: the
   * depth of the deepest sample of their boundaries.
   */
  worstPenetration(): number {
    const { bodies, query, recovery, penalty } = this.#engine;
    this.#findForces();
    let worst = 0;
    bodies.placeAll();
    for (let a = 0; a < bodies.count; a++) {
      for (let b = a + 1; b < bodies.count; b++) {
        if (bodies.kind[a] === ELASTIC || bodies.kind[b] === ELASTIC) continue;
        if (bodies.isSensor[a] + bodies.isSensor[b] > 0 || !bodies.canMeet(a, b)) continue;
        if (query.measure(bodies.placed[a], bodies.placed[b], 0) !== OVERLAP) continue;
        // A hair more than touching, or rounding would refuse the shortest ways out.
        const hair = 1e-9 * Math.min(bodies.outlines[a].reach, bodies.outlines[b].reach);
        worst = Math.max(worst, recovery.depth.find(bodies.placed[a], bodies.placed[b], hair));
      }
    }
    for (let n = 0; n < penalty.count; n++) {
      if (bodies.kind[penalty.owner[n]] === ELASTIC || bodies.kind[penalty.other[n]] === ELASTIC) {
        worst = Math.max(worst, penalty.depth[n]);
      }
    }
    return worst;
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

  #toLocal(i: number, x: number, y: number): [number, number] {
    const { center, cosine, sine } = this.#engine.bodies;
    const dx = x - center[2 * i];
    const dy = y - center[2 * i + 1];
    return [cosine[i] * dx + sine[i] * dy, cosine[i] * dy - sine[i] * dx];
  }

  #nameOf(i: number): string {
    const name = this.#engine.bodies.names[i];
    return name === '' ? `Body ${i}` : `Body '${name}'`;
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
    throw new NearfieldError('bad-argument', `${this.#nameOf(body)} is not a dynamic rigid body and takes no ${what}.`);
  }

  #ring(body: number): ElasticRing {
    this.#assertBody(body);
    const ring = this.#engine.rings[body];
    if (ring !== null) return ring;
    throw new NearfieldError('bad-argument', `${this.#nameOf(body)} is rigid; only elastic bodies have nodes.`);
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
