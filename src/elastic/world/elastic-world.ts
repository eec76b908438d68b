// Elastic bodies in contact with each other, with themselves and with rigid bodies: one system of all unknowns, minimized in
// every step. Rigid bodies take part with six unknowns each; what contact pushes them with is then given to their own world.
import { assertOptions, nameValue } from '../../core/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { assertRange } from '../body/body-options.js';
import { ElasticBody, EQUILIBRIUM_NAMES, type EquilibriumOptions, solverLimits } from '../body/elastic-body.js';
import { Newton, type SolveReport } from '../body/newton.js';
import { PotentialSystem } from '../body/potential-system.js';
import { QuasiNewton } from '../body/quasi-newton.js';
import type { SystemPart } from '../body/system-part.js';
import { ContactBody } from '../contact/contact-body.js';
import { ContactTerm } from '../contact/contact-term.js';
import { DeepestOverlap } from '../contact/deepest-overlap.js';
import { FieldUpdate } from '../contact/field-update.js';
import { FrictionTerm } from '../contact/friction-term.js';
import type { RigidSolid } from '../contact/rigid-solid.js';
import { meanEdge } from '../contact/surface-edges.js';
import { ELASTIC_DEFAULTS } from '../defaults.js';
import { CoupledRigid, makeSolid, type RigidShape, type RigidSystem } from './rigid-system.js';
import {
  checkContactOptions,
  checkKeyframes,
  checkWorldOptions,
  type ElasticContactOptions,
  type ElasticWorldOptions,
  type HoldKeyframe,
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

interface Hold {
  readonly body: ElasticBody;
  readonly nodes: ArrayLike<number>;
  readonly from: Float64Array;
  readonly keyframes: readonly HoldKeyframe[];
}

/** What a step solves, made anew when bodies come or go. */
interface Coupling {
  readonly contact: ContactTerm;
  readonly friction: FrictionTerm;
  readonly fieldUpdate: FieldUpdate;
  readonly bodies: readonly ContactBody[];
  readonly rigids: readonly CoupledRigid[];
  readonly system: PotentialSystem;
  readonly newton: Newton;
  quasiNewton: QuasiNewton | null;
  /** Elastic bodies alone, for equilibria. */
  readonly still: { readonly system: PotentialSystem; readonly newton: Newton };
  /** For measurements between steps. */
  readonly probe: ContactTerm;
  readonly x: Float64Array;
  readonly start: Float64Array;
  readonly gradient: Float64Array;
  hasContacts: boolean;
}

/** Elastic bodies in contact, with rigid ones where a world of them is given. */
export class ElasticWorld {
  readonly timestep: number;
  readonly #options: ElasticWorldOptions;
  readonly #rigid: RigidSystem | null;
  readonly #bodies: ElasticBody[] = [];
  readonly #surfaces: ContactBody[] = [];
  readonly #holds: Hold[] = [];
  readonly #solids = new Map<RigidShape, RigidSolid>();
  #coupling: Coupling | null = null;
  #steps = 0;

  constructor(options: ElasticWorldOptions = {}) {
    this.timestep = checkWorldOptions(options).timestep;
    const { mode = ELASTIC_DEFAULTS.solver.mode, iterations = ELASTIC_DEFAULTS.solver.realTimeIterations } = options;
    const { integrator = ELASTIC_DEFAULTS.solver.integrator } = options;
    if (mode !== 'converged' && mode !== 'real-time') {
      throw new NearfieldError('bad-argument', `The mode is ${nameValue(mode)}; give 'converged' or 'real-time'.`);
    }
    if (!['midpoint', 'bdf2', 'euler'].includes(integrator)) {
      throw new NearfieldError(
        'bad-argument',
        `The integrator is ${nameValue(integrator)}; give 'midpoint', 'bdf2' or 'euler'.`,
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
   * Adds a body. The world moves it from then on; its own `step` is not to be called.
   * @throws NearfieldError `bad-argument` for a mesh with elements whose nodes all lie on the surface: pass it through
   * `splitSurfaceElements` first.
   */
  addBody(body: ElasticBody, options: ElasticContactOptions = {}): void {
    if (!(body instanceof ElasticBody)) {
      throw new NearfieldError('bad-argument', `The body is ${nameValue(body)}; give an ElasticBody.`);
    }
    if (this.#bodies.includes(body)) throw new NearfieldError('bad-argument', 'The body is in this world already.');
    const surface = new ContactBody(body.mesh, checkContactOptions(options, body, meanEdge(body.mesh)));
    this.#bodies.push(body);
    this.#surfaces.push(surface);
    this.#coupling = null;
  }

  /** Takes a body out of the world. */
  removeBody(body: ElasticBody): void {
    const at = this.#indexOf(body);
    this.#bodies.splice(at, 1);
    this.#surfaces.splice(at, 1);
    for (let i = this.#holds.length - 1; i >= 0; i--) if (this.#holds[i].body === body) this.#holds.splice(i, 1);
    this.#coupling = null;
  }

  /** Holds nodes of a body and moves them along keyframes, from where they are now; between two of them straight. */
  hold(body: ElasticBody, nodes: ArrayLike<number>, keyframes: readonly HoldKeyframe[]): void {
    this.#indexOf(body);
    checkKeyframes(keyframes);
    body.hold(nodes);
    const from = new Float64Array(3 * nodes.length);
    for (let i = 0; i < from.length; i++) from[i] = body.positions[3 * nodes[Math.floor(i / 3)] + (i % 3)];
    this.#holds.push({ body, nodes, from, keyframes });
  }

  /** Advances the world by its timestep. */
  step(): SolveReport {
    const coupling = this.#couple();
    const { x, start, rigids, contact, friction } = coupling;
    const h = this.timestep;
    const end = (this.#steps + 1) * h;
    this.#placeHolds(end);
    const { integrator = ELASTIC_DEFAULTS.solver.integrator } = this.#options;
    const share = this.#begin(coupling, integrator);
    for (const rigid of rigids) rigid.placeNow();
    this.#writeState(coupling, start);
    // Before the first step nothing is known of contacts.
    if (!coupling.hasContacts) contact.update(start);
    contact.noteStart(start, ELASTIC_DEFAULTS.contact.recoverySpeed * share * h);
    const slidingSpeed = this.#options.slidingSpeed ?? ELASTIC_DEFAULTS.contact.slidingSpeed;
    friction.begin(start, slidingSpeed * share * h);
    for (const rigid of rigids) rigid.begin(share, x);
    contact.begin();
    const report = this.#minimize(coupling);
    this.#gatherForces(coupling, x);
    friction.lag(x);
    coupling.fieldUpdate.update(contact, x);
    this.#bodies.forEach(({ part }, i) => {
      const at = coupling.system.offsets[i];
      part.endStep(x.subarray(at, at + part.size));
    });
    for (const rigid of rigids) rigid.push(share === 1 && integrator === 'bdf2');
    this.#rigid?.step();
    coupling.hasContacts = true;
    this.#steps++;
    return report;
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
    this.#placeHolds(time);
    const offsets = rigids.map(({ obstacle }) => obstacle.offset);
    for (const rigid of rigids) {
      rigid.placeAt(time);
      rigid.obstacle.offset = -1;
    }
    const x = coupling.x.subarray(0, still.system.size);
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
    rigids.forEach(({ obstacle }, i) => {
      obstacle.offset = offsets[i];
    });
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
    for (const rigid of coupling.rigids) rigid.placeNow();
    const x = new Float64Array(coupling.x.length);
    this.#writeState(coupling, x);
    for (const { obstacle } of coupling.rigids) obstacle.place(x);
    return new DeepestOverlap(
      coupling.bodies,
      coupling.rigids.map(({ obstacle }) => obstacle),
    ).measure(x);
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
  #gatherForces({ rigids, contact, friction, gradient }: Coupling, x: Float64Array): void {
    for (const { obstacle } of rigids) obstacle.wrench.fill(0);
    contact.evaluate(x, gradient);
    friction.evaluate(x, gradient);
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
    for (const rigid of rigids) rigid.placeNow();
    const x = new Float64Array(coupling.x.length);
    this.#writeState(coupling, x);
    probe.begin();
    probe.update(x);
    return { energy: probe.evaluate(x), count: probe.countActive(x) };
  }

  /** Writes where all nodes are; rigid bodies are at 0. */
  #writeState({ system }: Coupling, x: Float64Array): void {
    x.fill(0);
    this.#bodies.forEach(({ positions }, i) => {
      x.set(positions, system.offsets[i]);
    });
  }

  #placeHolds(time: number): void {
    const to: number[] = [];
    for (const { body, nodes, from, keyframes } of this.#holds) {
      let next = 0;
      while (next < keyframes.length && keyframes[next].time <= time) next++;
      const [before, after] = [keyframes[Math.max(0, next - 1)], keyframes[Math.min(next, keyframes.length - 1)]];
      const length = after.time - before.time;
      const share = length > 0 ? (time - before.time) / length : 0;
      to.length = from.length;
      for (let i = 0; i < from.length; i++) {
        const k = i % 3;
        to[i] = from[i] + before.offset[k] + share * (after.offset[k] - before.offset[k]);
      }
      body.hold(nodes, to);
    }
  }

  #couple(): Coupling {
    const ids = this.#rigid?.bodies ?? [];
    const old = this.#coupling;
    if (old !== null && old.rigids.length === ids.length && old.rigids.every(({ id }, i) => id === ids[i])) return old;
    let firstNode = 0;
    const bodies = [...this.#surfaces];
    bodies.forEach((body, i) => {
      body.firstNode = firstNode;
      firstNode += this.#bodies[i].part.size / 3;
    });
    const rigids = ids.map((id) => new CoupledRigid(this.#rigid!, id, this.#solidOf(this.#rigid!.shapeOf(id))));
    const obstacles = rigids.map(({ obstacle }) => obstacle);
    const parts: SystemPart[] = this.#bodies.map(({ part }) => part);
    let offset = 3 * firstNode;
    for (const { part, obstacle } of rigids) {
      if (part === null) continue;
      parts.push(part);
      obstacle.offset = offset;
      offset += part.size;
    }
    const contact = new ContactTerm(bodies, obstacles);
    const friction = new FrictionTerm(contact, obstacles);
    const system = new PotentialSystem(parts, [contact, friction]);
    const stillSystem = new PotentialSystem(
      this.#bodies.map(({ part }) => part),
      [contact],
    );
    const made: Coupling = {
      ...{
        contact,
        friction,
        fieldUpdate: new FieldUpdate(bodies),
        bodies,
        rigids,
        system,
        newton: new Newton(system),
        quasiNewton: null,
      },
      still: { system: stillSystem, newton: new Newton(stillSystem) },
      probe: new ContactTerm(bodies, obstacles, contact.recovery),
      x: new Float64Array(system.size),
      start: new Float64Array(system.size),
      gradient: new Float64Array(system.size),
      hasContacts: false,
    };
    this.#coupling = made;
    return made;
  }

  #solidOf(shape: RigidShape): RigidSolid {
    const known = this.#solids.get(shape);
    if (known !== undefined) return known;
    const made = makeSolid(shape);
    this.#solids.set(shape, made);
    return made;
  }

  #indexOf(body: ElasticBody): number {
    const at = this.#bodies.indexOf(body);
    if (at >= 0) return at;
    throw new NearfieldError('bad-argument', 'The body is not in this world; add it by addBody.');
  }
}
