// Elastic bodies in contact with each other, with themselves and with rigid bodies: one system of all unknowns, minimized in
// every step. Rigid bodies take part with six unknowns each; what contact pushes them with is then given to their own world.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { OutOfTime } from '../../core/step-limit.js';
import type { Vec3 } from '../../core/vec3.js';
import { type ElasticBody, EQUILIBRIUM_OPTIONS, type EquilibriumOptions } from '../body/elastic-body.js';
import type { SolveReport } from '../body/newton.js';
import { DeepestOverlap } from '../contact/deepest-overlap.js';
import { meanEdge } from '../contact/surface-edges.js';
import type { ContactMeasure } from './contact-steps.js';
import { Coupler } from './couple.js';
import { type ElasticGrab, WorldBodies } from './world-bodies.js';
import { type ElasticWorldEnergy, sumEnergies, sumMomenta } from './world-measures.js';
import {
  checkContactOptions,
  checkWorldOptions,
  type ElasticContactOptions,
  type ElasticWorldOptions,
  type HoldKeyframe,
  type WorldSettings,
} from './world-options.js';

/** Elastic bodies in contact, with rigid ones where a world of them is given. */
export class ElasticWorld {
  readonly timestep: number;
  readonly #settings: WorldSettings;
  readonly #bodies = new WorldBodies();
  readonly #coupler: Coupler;
  #steps = 0;
  /** The time of the last equilibrium, where rigid bodies on paths are then; null after a step. */
  #staticTime: number | null = null;

  constructor(options: ElasticWorldOptions = {}) {
    this.#settings = checkWorldOptions(options);
    this.timestep = this.#settings.timestep;
    this.#coupler = new Coupler(this.#bodies, this.#settings);
  }

  /** Seconds since the world was made. */
  get time(): number {
    return this.#steps * this.timestep;
  }

  /** The elastic bodies, in the order they were added. */
  get bodies(): readonly ElasticBody[] {
    return this.#bodies.elastic;
  }

  /** Elements turned inside out, of all bodies. */
  get inverted(): number {
    return this.bodies.reduce((sum, body) => sum + body.inverted, 0);
  }

  /**
   * Adds a body. The world moves it from then on; its own `step` is not to be called. Elements whose nodes all lie on the
   * surface have the depth of their middle; `splitSurfaceElements` makes the field finer there.
   */
  addBody(body: ElasticBody, options: ElasticContactOptions = {}): void {
    this.#bodies.assertNew(body);
    const needsDepths = this.#settings.contact === 'field';
    this.#bodies.add(body, checkContactOptions(options, body, meanEdge(body.mesh), needsDepths));
    this.#coupler.forget();
  }

  /** Takes a body out of the world. */
  removeBody(body: ElasticBody): void {
    this.#bodies.remove(body);
    this.#coupler.forget();
  }

  /** Holds nodes of a body and moves them along keyframes, from where they are now; between two of them straight. */
  hold(body: ElasticBody, nodes: ArrayLike<number>, keyframes: readonly HoldKeyframe[]): void {
    this.#bodies.hold(body, nodes, keyframes);
  }

  /**
   * Takes a body by some of its nodes: a soft spring with a damper draws their middle to a point, at first where it is. It
   * acts in steps, not in equilibria.
   */
  grab(body: ElasticBody, nodes: ArrayLike<number>): ElasticGrab {
    return this.#bodies.grab(body, nodes);
  }

  /** Advances the world by its timestep. */
  step(): SolveReport;
  /**
   * Advances the world by its timestep, in a time that is looked at in every iteration.
   * @returns null if the time ran out; then all bodies are where they were before, with their velocities.
   */
  step(maxMilliseconds: number): SolveReport | null;
  step(maxMilliseconds = Infinity): SolveReport | null {
    if (typeof maxMilliseconds !== 'number' || !(maxMilliseconds >= 0)) {
      const given = nameValue(maxMilliseconds);
      throw new NearfieldError('bad-argument', `The time of a step is ${given}; give milliseconds, at least 0.`);
    }
    const { steps } = this.#coupler.coupled;
    const { limit } = this.#coupler;
    const end = (this.#steps + 1) * this.timestep;
    this.#bodies.placeHolds(end);
    limit.begin(maxMilliseconds);
    let report: SolveReport;
    try {
      report = steps.step(end);
    } catch (error) {
      if (error instanceof OutOfTime) return null;
      throw error;
    } finally {
      limit.begin(Infinity);
    }
    this.#settings.rigid?.step();
    this.#staticTime = null;
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
    const limits = EQUILIBRIUM_OPTIONS.read(options);
    const { steps } = this.#coupler.coupled;
    this.#bodies.placeHolds(time);
    const report = steps.solveStatic(time, limits);
    this.#staticTime = time;
    return report;
  }

  /** Of all bodies, rigid ones included. */
  energy(): ElasticWorldEnergy {
    const contact = this.bodies.length > 0 ? this.#measure().energy : 0;
    return sumEnergies(this.bodies, contact, this.#settings.rigid);
  }

  /** Of all bodies, rigid ones included: linear, and angular about the origin. */
  momentum(): { readonly linear: Vec3; readonly angular: Vec3 } {
    return sumMomenta(this.bodies, this.#settings.rigid);
  }

  /** Points where bodies overlap now, those between rigid bodies included. */
  get contactCount(): number {
    const own = this.bodies.length > 0 ? this.#measure().count : 0;
    return own + (this.#settings.rigid?.contactCount ?? 0);
  }

  /**
   * An upper bound of the deepest overlap that an elastic body is part of, from exact distances, 2 % or half a percent of an
   * edge above the true one; 0 for none. In a body that overlaps itself, surfaces around a point do not count.
   */
  worstPenetration(): number {
    if (this.bodies.length === 0) return 0;
    const { coupling, steps } = this.#coupler.coupled;
    const x = coupling.state();
    if (steps.isProvenApart(x)) return 0;
    coupling.placeRigids(this.#staticTime);
    for (const obstacle of coupling.obstacles) obstacle.place(x);
    return new DeepestOverlap(coupling.surfaces, coupling.obstacles).measure(x);
  }

  /**
   * The deformed distance field of a body: distances of its nodes from the surface as contact uses them, one a node of the
   * mesh; between nodes they are interpolated in the deformed elements. A copy.
   */
  depthsOf(body: ElasticBody): Float64Array {
    return this.#bodies.surfaces[this.#bodies.indexOf(body)].depths.slice();
  }

  /**
   * What elastic bodies push a rigid one with, as of the last step or equilibrium: N, and N m about its center of mass.
   */
  forceOn(rigidBody: number): { readonly force: Vec3; readonly torque: Vec3 } {
    const found = this.#coupler.coupled.coupling.rigids.find(({ id }) => id === rigidBody);
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

  /** Contact now. */
  #measure(): ContactMeasure {
    const { coupling, steps } = this.#coupler.coupled;
    coupling.placeRigids(this.#staticTime);
    return steps.measure(coupling.state());
  }
}
