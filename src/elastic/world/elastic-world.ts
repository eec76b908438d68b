// Elastic bodies in contact with each other, with themselves and with rigid bodies: one system of all unknowns, minimized in
// every step. Rigid bodies take part with six unknowns each; what contact pushes them with is then given to their own world.
import { assertNumbers } from '../../core/check/check-array.js';
import { assertOptions, nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { ReadonlyVec3, Vec3 } from '../../core/vec3.js';
import type { BarrierContact } from '../barrier/barrier-contact.js';
import { minimizeApart } from '../barrier/minimize-apart.js';
import { assertRange } from '../body/body-options.js';
import { ElasticBody, EQUILIBRIUM_NAMES, type EquilibriumOptions, solverLimits } from '../body/elastic-body.js';
import type { SolveReport } from '../body/newton.js';
import { QuasiNewton } from '../body/quasi-newton.js';
import { ContactBody } from '../contact/contact-body.js';
import { DeepestOverlap } from '../contact/deepest-overlap.js';
import type { RigidSolid } from '../contact/rigid-solid.js';
import { meanEdge } from '../contact/surface-edges.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { type Coupling, couple } from './coupling.js';
import { type GrabSpring, middleOf } from './grab-term.js';
import { HoldSchedule } from './hold-schedule.js';
import { CoupledRigid, makeSolid, type RigidShape, type RigidSystem } from './rigid-system.js';
import {
  checkContactOptions,
  checkKeyframes,
  checkWorldOptions,
  type ElasticContactOptions,
  type ElasticWorldOptions,
  type HoldKeyframe,
  type WorldIntegrator,
} from './world-options.js';

/** Joules. */
export interface ElasticWorldEnergy {
  readonly kinetic: number;
  /** Zero at the origin. */
  readonly gravitational: number;
  readonly elastic: number;
  /** Of overlaps. */
  readonly contact: number;
  /** Of loads other than gravity: the opposite of the work they have done since rest. */
  readonly load: number;
  readonly total: number;
}

/** Pulls a body by some of its nodes, as a hand would. */
export interface ElasticGrab {
  /** The middle of the nodes, now. */
  readonly point: Vec3;
  /** Moves the hand to a point in the world. */
  moveTo(point: ReadonlyVec3): void;
  /** Lets go. */
  release(): void;
}

/** What was found in a step. */
interface SolvedStep {
  readonly report: SolveReport;
  /** Where in the step the state is that was looked for: 1, or 0.5 for the midpoint rule. */
  readonly share: number;
  readonly isMultistep: boolean;
  /** Whether energy is to be kept exactly. */
  readonly isKept: boolean;
}

/** Elastic bodies in contact, with rigid ones where a world of them is given. */
export class ElasticWorld {
  readonly timestep: number;
  readonly #options: ElasticWorldOptions;
  readonly #rigid: RigidSystem | null;
  readonly #bodies: ElasticBody[] = [];
  readonly #surfaces: ContactBody[] = [];
  readonly #holds = new HoldSchedule();
  readonly #grabs: GrabSpring[] = [];
  readonly #solids = new Map<RigidShape, RigidSolid>();
  #coupling: Coupling | null = null;
  #steps = 0;
  /** The time of the last equilibrium, where rigid bodies on paths are then; null after a step. */
  #staticTime: number | null = null;

  constructor(options: ElasticWorldOptions = {}) {
    this.timestep = checkWorldOptions(options).timestep;
    const { mode = ELASTIC_DEFAULTS.solver.mode, iterations = ELASTIC_DEFAULTS.solver.realTimeIterations } = options;
    const { integrator = ELASTIC_DEFAULTS.solver.integrator } = options;
    if (mode !== 'converged' && mode !== 'real-time') {
      throw new NearfieldError('bad-argument', `The mode is ${nameValue(mode)}; give 'converged' or 'real-time'.`);
    }
    if (!['auto', 'midpoint', 'bdf2', 'euler'].includes(integrator)) {
      throw new NearfieldError(
        'bad-argument',
        `The integrator is ${nameValue(integrator)}; give 'auto', 'midpoint', 'bdf2' or 'euler'.`,
      );
    }
    assertRange('The number of iterations', iterations, 1, 1e6);
    solverLimits(options);
    this.#options = options;
    this.#rigid = options.rigid ?? null;
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /** The elastic bodies, in the order they were added. */
  get bodies(): readonly ElasticBody[] {
    return this.#bodies;
  }

  /** Elements turned inside out, of all bodies. */
  get inverted(): number {
    return this.#bodies.reduce((sum, body) => sum + body.inverted, 0);
  }

  /**
   * Adds a body. The world moves it from then on; its own `step` is not to be called. Elements whose nodes all lie on the
   * surface have the depth of their middle; `splitSurfaceElements` makes the field finer there.
   */
  addBody(body: ElasticBody, options: ElasticContactOptions = {}): void {
    if (!(body instanceof ElasticBody)) {
      throw new NearfieldError('bad-argument', `The body is ${nameValue(body)}; give an ElasticBody.`);
    }
    if (this.#bodies.includes(body)) throw new NearfieldError('bad-argument', 'The body is in this world already.');
    const surface = new ContactBody(
      body.mesh,
      checkContactOptions(options, body, meanEdge(body.mesh), !this.#hasBarrier),
    );
    this.#bodies.push(body);
    this.#surfaces.push(surface);
    this.#coupling = null;
  }

  /** Takes a body out of the world. */
  removeBody(body: ElasticBody): void {
    const at = this.#indexOf(body);
    this.#bodies.splice(at, 1);
    this.#surfaces.splice(at, 1);
    this.#holds.remove(body);
    for (let i = this.#grabs.length - 1; i >= 0; i--) if (this.#grabs[i].body === body) this.#grabs.splice(i, 1);
    this.#coupling = null;
  }

  /** Holds nodes of a body and moves them along keyframes, from where they are now; between two of them straight. */
  hold(body: ElasticBody, nodes: ArrayLike<number>, keyframes: readonly HoldKeyframe[]): void {
    this.#indexOf(body);
    checkKeyframes(keyframes);
    this.#holds.add(body, nodes, keyframes);
  }

  /**
   * Takes a body by some of its nodes: a soft spring with a damper draws their middle to a point, at first where it is. It
   * acts in steps, not in equilibria.
   */
  grab(body: ElasticBody, nodes: ArrayLike<number>): ElasticGrab {
    this.#indexOf(body);
    body.assertNodes(nodes);
    if (nodes.length === 0) throw new NearfieldError('bad-argument', 'There are no nodes to grab; give at least one.');
    const own = Uint32Array.from(nodes);
    const target = middleOf(body.positions, 0, own);
    const spring = { body, nodes: own, target };
    this.#grabs.push(spring);
    return {
      get point(): Vec3 {
        return middleOf(body.positions, 0, own);
      },
      moveTo: (point) => {
        assertNumbers(point, 3, 'coordinates of the point');
        if (!Number.isFinite(point[0] + point[1] + point[2])) {
          throw new NearfieldError('non-finite', 'The point has a coordinate that is not finite; give three numbers.');
        }
        for (let k = 0; k < 3; k++) target[k] = point[k];
      },
      release: () => {
        const at = this.#grabs.indexOf(spring);
        if (at >= 0) this.#grabs.splice(at, 1);
      },
    };
  }

  /** Advances the world by its timestep. */
  step(): SolveReport {
    const coupling = this.#couple();
    if (coupling.barrier !== null) return this.#stepBarrier(coupling, coupling.barrier);
    const { x, rigids, contact, friction } = coupling;
    this.#holds.place((this.#steps + 1) * this.timestep);
    const { integrator = ELASTIC_DEFAULTS.solver.integrator } = this.#options;
    const solved = integrator === 'auto' ? this.#solveAuto(coupling) : this.#solveStep(coupling, integrator);
    const { report, share, isMultistep, isKept } = solved;
    this.#gatherForces(coupling, x);
    const isAlone = integrator === 'auto' && this.#isAlone(rigids);
    if (isAlone) coupling.spin.begin();
    friction.lag(x);
    coupling.fieldUpdate.update(contact, x);
    this.#bodies.forEach(({ part }, i) => {
      const at = coupling.system.offsets[i];
      part.endStep(x.subarray(at, at + part.size));
      if (isKept) coupling.keepers[i].end();
      else coupling.keepers[i].forget();
    });
    if (isAlone) coupling.spin.end(this.timestep);
    for (const rigid of rigids) rigid.push(share === 1 && isMultistep);
    this.#rigid?.step();
    coupling.hasContacts = true;
    this.#staticTime = null;
    this.#steps++;
    return report;
  }

  /** Whether nothing but gravity acts on the elastic bodies from outside. */
  #isAlone(rigids: readonly CoupledRigid[]): boolean {
    if (this.#grabs.length > 0 || rigids.some(({ obstacle }) => obstacle.wrench.some((value) => value !== 0)))
      return false;
    const [first] = this.#bodies;
    return this.#bodies.every(({ part }) => {
      if (!part.constants.isLumped || part.constants.massDamping > 0) return false;
      if ([0, 1, 2].some((k) => part.constants.gravity[k] !== first.part.constants.gravity[k])) return false;
      return part.held.every((held) => held === 0) && part.loads.every((load) => load === 0);
    });
  }

  /** Finds the state that a method asks for; nothing has moved yet. */
  #solveStep(coupling: Coupling, integrator: Exclude<WorldIntegrator, 'auto'>): SolvedStep {
    const { x, start, rigids, contact, friction } = coupling;
    const h = this.timestep;
    let name = integrator;
    let share = this.#begin(coupling, name);
    if (this.#options.integrator === 'auto' && name === 'bdf2' && share < 1) {
      // There is no state before this one yet, and the midpoint rule is not for contact.
      name = 'euler';
      share = this.#begin(coupling, name);
    }
    for (const rigid of rigids) rigid.placeNow();
    this.#writeState(coupling, start);
    // Before the first step nothing is known of contacts.
    if (!coupling.hasContacts) contact.update(start);
    contact.noteStart(start, ELASTIC_DEFAULTS.contact.recoverySpeed * share * h);
    const slidingSpeed = this.#options.slidingSpeed ?? ELASTIC_DEFAULTS.contact.slidingSpeed;
    friction.begin(start, slidingSpeed * share * h);
    coupling.grabs.begin(start, share * h);
    for (const rigid of rigids) rigid.begin(share, x);
    contact.begin();
    const report = this.#minimize(coupling);
    return { report, share, isMultistep: name === 'bdf2', isKept: false };
  }

  /**
   * The midpoint rule keeps energy where nothing touches; contact needs a method that damps what steps do not resolve. So a step
   * at whose end something would touch is made again, by BDF2.
   */
  #solveAuto(coupling: Coupling): SolvedStep {
    const { x, start, probe, rigids } = coupling;
    for (const keeper of coupling.keepers) keeper.begin();
    if (!coupling.touches) {
      const solved = this.#solveStep(coupling, 'midpoint');
      for (let i = 0; i < x.length; i++) coupling.gradient[i] = 2 * x[i] - start[i];
      probe.begin();
      probe.update(coupling.gradient);
      coupling.touches = coupling.contact.recovery.isActive || probe.countActive(coupling.gradient) > 0;
      if (!coupling.touches) return { ...solved, isKept: this.#grabs.length === 0 };
      for (const rigid of rigids) rigid.placeNow();
    }
    const solved = this.#solveStep(coupling, 'bdf2');
    coupling.touches = coupling.contact.recovery.isActive || coupling.contact.countActive(x) > 0;
    return solved;
  }

  /**
   * Moves the elastic bodies to an equilibrium of elastic forces, loads, held nodes and contact, with rigid bodies where they
   * are, or where their paths and the keyframes of holds lead at a time. Friction does not act. Called for one keyframe after the other, it
   * is the static analysis of Fisher and Lin 2001.
   */
  solveStatic(time = this.time, options: EquilibriumOptions = {}): SolveReport {
    if (!Number.isFinite(time)) {
      throw new NearfieldError('bad-argument', `The time is ${nameValue(time)}; give seconds.`);
    }
    assertOptions(options, EQUILIBRIUM_NAMES);
    const { tolerance, maxIterations } = solverLimits(options);
    const coupling = this.#couple();
    const { rigids, still, contact } = coupling;
    this.#holds.place(time);
    for (const rigid of rigids) rigid.standAt(time);
    const x = coupling.x.subarray(0, still.system.size);
    if (coupling.barrier !== null) {
      const report = this.#solveBarrier(coupling, coupling.barrier, time, tolerance, maxIterations);
      this.#staticTime = time;
      return report;
    }
    for (const { part } of this.#bodies) part.beginStatic();
    this.#writeState(coupling, x);
    coupling.friction.clear();
    contact.begin();
    contact.recovery.begin();
    const report = still.newton.minimize(x, tolerance, maxIterations);
    coupling.fieldUpdate.update(contact, x);
    this.#gatherForces(coupling, x);
    this.#bodies.forEach(({ part }, i) => {
      part.endStatic(x.subarray(still.system.offsets[i], still.system.offsets[i] + part.size));
    });
    this.#staticTime = time;
    return report;
  }

  /** Of all bodies, rigid ones included. */
  energy(): ElasticWorldEnergy {
    let [kinetic, gravitational, elastic, load] = [0, 0, 0, 0];
    for (const { part } of this.#bodies) {
      const own = part.energy();
      kinetic += own.kinetic;
      elastic += own.elastic;
      const { gravity } = part.constants;
      for (let i = 0; i < part.size; i++) {
        gravitational -= part.masses[Math.floor(i / 3)] * gravity[i % 3] * part.positions[i];
        load -= part.loads[i] * (part.positions[i] - part.rest[i]);
      }
    }
    let contact = this.#bodies.length > 0 ? this.#probe().energy : 0;
    const rigid = this.#rigid?.energy();
    if (rigid !== undefined) {
      kinetic += rigid.kinetic;
      gravitational += rigid.gravitational;
      contact += rigid.contact;
    }
    const total = kinetic + gravitational + elastic + contact + load;
    return { kinetic, gravitational, elastic, contact, load, total };
  }

  /** Of all bodies, rigid ones included: linear, and angular about the origin. */
  momentum(): { readonly linear: Vec3; readonly angular: Vec3 } {
    const linear: Vec3 = [0, 0, 0];
    const angular: Vec3 = [0, 0, 0];
    const all = this.#bodies.map((body) => body.momentum());
    if (this.#rigid !== null) all.push(this.#rigid.momentum());
    for (const own of all) {
      for (let k = 0; k < 3; k++) {
        linear[k] += own.linear[k];
        angular[k] += own.angular[k];
      }
    }
    return { linear, angular };
  }

  /** Points where bodies overlap now, those between rigid bodies included. */
  get contactCount(): number {
    const own = this.#bodies.length > 0 ? this.#probe().count : 0;
    return own + (this.#rigid?.contactCount ?? 0);
  }

  /**
   * An upper bound of the deepest overlap that an elastic body is part of, from exact distances, 2 % or half a percent of an
   * edge above the true one; 0 for none. In a body that overlaps itself, surfaces around a point do not count.
   */
  worstPenetration(): number {
    if (this.#bodies.length === 0) return 0;
    const coupling = this.#couple();
    if (coupling.barrier !== null && this.#isProven(coupling, coupling.barrier)) return 0;
    this.#placeRigids(coupling.rigids);
    const x = new Float64Array(coupling.x.length);
    this.#writeState(coupling, x);
    for (const { obstacle } of coupling.rigids) obstacle.place(x);
    return new DeepestOverlap(
      coupling.bodies,
      coupling.rigids.map(({ obstacle }) => obstacle),
    ).measure(x);
  }

  /**
   * The deformed distance field of a body: distances of its nodes from the surface as contact uses them, one a node of the
   * mesh; between nodes they are interpolated in the deformed elements. A copy.
   */
  depthsOf(body: ElasticBody): Float64Array {
    return this.#surfaces[this.#indexOf(body)].depths.slice();
  }

  /** What elastic bodies push a rigid one with, as of the last step or equilibrium: N, and N m about its center of mass. */
  forceOn(rigidBody: number): { readonly force: Vec3; readonly torque: Vec3 } {
    const found = this.#couple().rigids.find(({ id }) => id === rigidBody);
    if (found === undefined) {
      throw new NearfieldError(
        'bad-argument',
        `The rigid world has no body ${nameValue(rigidBody)}; give an id of one of its bodies.`,
      );
    }
    // Not −0 where nothing pushes.
    const [fx, fy, fz, mx, my, mz] = Array.from(found.obstacle.wrench, (value) => 0 - value);
    return { force: [fx, fy, fz], torque: [mx, my, mz] };
  }

  /** Leaves the forces of contact and friction at x with the rigid bodies. */
  #gatherForces({ rigids, contact, barrier, friction, gradient }: Coupling, x: Float64Array): void {
    for (const { obstacle } of rigids) obstacle.wrench.fill(0);
    (barrier?.term ?? contact).evaluate(x, gradient);
    friction.evaluate(x, gradient);
  }

  /** A step that begins and ends without overlap, and is proven to have none on the way. */
  #stepBarrier(coupling: Coupling, barrier: BarrierContact): SolveReport {
    const { x, start, rigids, friction } = coupling;
    const h = this.timestep;
    this.#writeState(coupling, start);
    barrier.assertApart(start);
    this.#holds.place((this.#steps + 1) * h);
    const { integrator = ELASTIC_DEFAULTS.solver.integrator } = this.#options;
    // The first step has none before it; Euler's method looks for the end of the step too.
    const name = integrator === 'auto' ? 'bdf2' : integrator;
    this.#begin(coupling, this.#bodies.every(({ part }) => part.follows(h)) ? name : 'euler');
    rigids.forEach((rigid, i) => {
      rigid.beginFrom(barrier.poseOf(i));
    });
    friction.begin(start, (this.#options.slidingSpeed ?? ELASTIC_DEFAULTS.contact.slidingSpeed) * h);
    coupling.grabs.begin(start, h);
    const poses = rigids.map((rigid) => rigid.poseAt((this.#steps + 1) * h));
    const goal = { guess: x.slice(), held: this.#heldNodes(coupling), poses };
    x.set(start);
    const report = minimizeApart(barrier, coupling.newton, x, goal, solverLimits(this.#options));
    this.#gatherForces(coupling, x);
    friction.lag(x);
    this.#bodies.forEach(({ part }, i) => {
      const at = coupling.system.offsets[i];
      part.endStep(x.subarray(at, at + part.size));
    });
    this.#rigid?.step();
    this.#steps++;
    return report;
  }

  #solveBarrier(
    coupling: Coupling,
    barrier: BarrierContact,
    time: number,
    tolerance: number,
    maxIterations: number,
  ): SolveReport {
    const { rigids, still, start, friction } = coupling;
    this.#writeState(coupling, start);
    barrier.assertApart(start);
    for (const { part } of this.#bodies) part.beginStatic();
    // Held nodes are at their places now.
    const x = coupling.x.subarray(0, still.system.size);
    this.#writeState(coupling, x);
    friction.clear();
    rigids.forEach((rigid, i) => {
      rigid.beginFrom(barrier.poseOf(i));
    });
    const poses = rigids.map((rigid) => rigid.poseAt(time));
    const goal = { guess: x.slice(), held: this.#heldNodes(coupling), poses };
    x.set(start.subarray(0, x.length));
    const report = minimizeApart(barrier, still.newton, x, goal, { tolerance, maxIterations });
    this.#gatherForces(coupling, x);
    this.#bodies.forEach(({ part }, i) => {
      part.endStatic(x.subarray(still.system.offsets[i], still.system.offsets[i] + part.size));
    });
    return report;
  }

  /** Which nodes of all bodies are held. */
  #heldNodes({ system }: Coupling): Uint8Array {
    const held = new Uint8Array(system.size / 3);
    this.#bodies.forEach(({ part }, i) => {
      held.set(part.held, system.offsets[i] / 3);
    });
    return held;
  }

  /** Whether all bodies are where the last step with a barrier has proven them to be. */
  #isProven(coupling: Coupling, barrier: BarrierContact): boolean {
    const x = new Float64Array(coupling.x.length);
    this.#writeState(coupling, x);
    return barrier.isProven(x) && !barrier.isBehind;
  }

  /** Sets up the step of every body; returns where in it the state is that is looked for. */
  #begin(coupling: Coupling, integrator: string): number {
    const shares = this.#bodies.map(({ part }, i) => {
      const at = coupling.system.offsets[i];
      return part.beginStep(this.timestep, integrator, coupling.x.subarray(at, at + part.size));
    });
    if (shares.every((share) => share === shares[0])) return shares[0] ?? 1;
    // Bodies that touch must be looked at at the same time.
    return this.#begin(coupling, 'midpoint');
  }

  #minimize(coupling: Coupling): SolveReport {
    const { mode = ELASTIC_DEFAULTS.solver.mode, iterations = ELASTIC_DEFAULTS.solver.realTimeIterations } =
      this.#options;
    if (mode === 'real-time') {
      coupling.quasiNewton ??= new QuasiNewton(coupling.system);
      return coupling.quasiNewton.minimize(coupling.x, iterations);
    }
    const { tolerance, maxIterations } = solverLimits(this.#options);
    return coupling.newton.minimize(coupling.x, tolerance, maxIterations);
  }

  #probe(): { readonly energy: number; readonly count: number } {
    const coupling = this.#couple();
    const { probe, rigids } = coupling;
    this.#placeRigids(rigids);
    const x = new Float64Array(coupling.x.length);
    this.#writeState(coupling, x);
    if (coupling.barrier !== null) {
      const { term } = coupling.barrier;
      term.update(x);
      return { energy: term.evaluate(x), count: term.countActive(x) };
    }
    probe.begin();
    probe.update(x);
    return { energy: probe.evaluate(x), count: probe.countActive(x) };
  }

  /** Places rigid bodies where they are, or where their paths lead at the time of an equilibrium. */
  #placeRigids(rigids: readonly CoupledRigid[]): void {
    for (const rigid of rigids) {
      if (this.#staticTime === null) rigid.placeNow();
      else rigid.placeAt(this.#staticTime);
    }
  }

  /** Writes where all nodes are; rigid bodies are at 0. */
  #writeState({ system }: Coupling, x: Float64Array): void {
    x.fill(0);
    this.#bodies.forEach(({ positions }, i) => {
      x.set(positions, system.offsets[i]);
    });
  }

  #couple(): Coupling {
    const ids = this.#rigid?.bodies ?? [];
    const old = this.#coupling;
    if (old !== null && old.rigids.length === ids.length && old.rigids.every(({ id }, i) => id === ids[i])) return old;
    const rigids = ids.map((id) => new CoupledRigid(this.#rigid!, id, this.#solidOf(this.#rigid!.shapeOf(id))));
    this.#coupling = couple(this.#bodies, this.#surfaces, rigids, this.#grabs, this.#options);
    return this.#coupling;
  }

  #solidOf(shape: RigidShape): RigidSolid {
    const known = this.#solids.get(shape);
    if (known !== undefined) return known;
    const made = makeSolid(shape);
    this.#solids.set(shape, made);
    return made;
  }

  get #hasBarrier(): boolean {
    return (this.#options.contact ?? ELASTIC_DEFAULTS.contact.model) === 'barrier';
  }

  #indexOf(body: ElasticBody): number {
    const at = this.#bodies.indexOf(body);
    if (at >= 0) return at;
    throw new NearfieldError('bad-argument', 'The body is not in this world; add it by addBody.');
  }
}
