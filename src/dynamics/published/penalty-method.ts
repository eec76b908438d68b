// The method `penalty`: bodies may overlap, and springs push them apart (Kim, Otaduy, Lin and Manocha 2002, section 7.1).
// Shallow overlaps have springs at the points of their contact manifolds, which share the stiffness of the pair, since one
// vector cannot hold a box on its face; deep ones have the spring of the global depth, kept along its way out.
import { APART, NEAR, OVERLAP } from '../../manifold/contact-state.js';
import type { BodyMotions } from '../body/impulse.js';
import type { ImpactContacts } from '../impact/impact-response.js';
import type { PairState } from '../solver/pair-table.js';
import type { StepContext } from '../solver/step-context.js';
import type { StepMethod } from '../step-method.js';
import { DeepWay } from './deep-way.js';
import { dampingRatio } from './spring-law.js';
import { type SpringStore, Springs } from './springs.js';

/**
 * Proven: a spring is stable from a period of 4 substeps on. Chosen: 24; a body then rests (period / 2π)² times g deep,
 * 0.6 mm at 1/480 s.
 */
const PERIOD = 24;
/**
 * Measured on bounces: they are off by the square of the length of a substep, since contacts begin within it. So
 * substeps are divided.
 */
const PARTS = 2;
/** Chosen: contacts are found up to this share of the smaller radius; deeper overlap goes by the global depth. */
const CONTACT_MARGIN = 0.02;
/** Chosen: the speed up to which springs part bodies that start in each other, m/s: they would shoot them apart. */
const PARTING_SPEED = 1;
/** Chosen: depths measured again in a step, by turns, which bounds its cost. */
const MEASURES_A_STEP = 8;

/** What is kept of a pair. */
interface SpringPair {
  readonly margin: number;
  readonly ratio: number;
  deep: DeepWay | null;
  /** Overlapped when it was first seen, and has not parted since. */
  isParting: boolean;
  /** What its springs may give back. */
  readonly store: SpringStore;
}

/** Springs between overlapping bodies. */
export class PenaltyMethod implements StepMethod {
  /** The energy in the springs after the last step. */
  energy = 0;
  readonly #context: StepContext;
  #pairs = new WeakMap<PairState, SpringPair>();
  readonly #springs = new Springs();
  readonly #placements: Float64Array[] = [];
  readonly #atRest = new Float64Array(6);
  #velocity = new Float64Array(0);
  #angularVelocity = new Float64Array(0);
  #turn = 0;
  #period = 0;

  constructor(context: StepContext) {
    this.#context = context;
  }

  step(dt: number): void {
    const { bodies, collision, contacts, sleep, substeps, acceleration } = this.#context;
    const h = dt / (PARTS * substeps);
    this.#period = PERIOD * PARTS * h;
    if (this.#velocity.length !== bodies.velocity.length) {
      this.#velocity = new Float64Array(bodies.velocity.length);
      this.#angularVelocity = new Float64Array(bodies.velocity.length);
    }
    do collision.update(dt, acceleration());
    while (sleep.wakeTouched());
    this.#stretch(true);
    for (let k = 0; k < PARTS * substeps; k++) {
      this.#springs.apply(bodies, h / 2);
      // The solver moves bodies and holds joints; contacts are the springs'.
      contacts.clear();
      const moved = this.#advance(h);
      this.#springs.charge(moved);
      this.#stretch(false);
      this.#springs.apply(bodies, h / 2);
      this.#springs.charge(moved);
    }
    this.energy = this.#storedEnergy();
    sleep.update(dt);
  }

  save(out: number[]): void {
    const { collision } = this.#context;
    out.push(this.#turn, this.energy);
    for (const pair of collision.pairs.sorted()) {
      const kept = this.#pairs.get(pair);
      out.push(kept === undefined ? -1 : kept.isParting ? 1 : 0, kept?.deep ? 1 : 0, kept?.store.energy ?? 0);
      kept?.deep?.save(out);
    }
  }

  load(values: Float64Array, at: number): void {
    const { bodies, collision } = this.#context;
    this.#pairs = new WeakMap();
    this.#turn = values[at];
    this.energy = values[at + 1];
    let from = at + 2;
    for (const pair of collision.pairs.sorted()) {
      const isParting = values[from];
      const hasDeep = values[from + 1] === 1;
      const stored = values[from + 2];
      from += 3;
      if (isParting < 0) continue;
      const kept = this.#springPairOf(pair);
      kept.isParting = isParting === 1;
      kept.store.energy = stored;
      if (!hasDeep) continue;
      kept.deep = new DeepWay(bodies, pair.a, pair.b);
      from += kept.deep.load(values, from);
    }
  }

  /** Moves the bodies. Returns the mean of their velocities on the way. */
  #advance(h: number): BodyMotions {
    const { bodies, solver } = this.#context;
    this.#velocity.set(bodies.velocity);
    this.#angularVelocity.set(bodies.angularVelocity);
    solver.advance(h, 1);
    for (let k = 0; k < 3 * bodies.count; k++) {
      this.#velocity[k] = 0.5 * (this.#velocity[k] + bodies.velocity[k]);
      this.#angularVelocity[k] = 0.5 * (this.#angularVelocity[k] + bodies.angularVelocity[k]);
    }
    return { velocity: this.#velocity, angularVelocity: this.#angularVelocity, center: bodies.center };
  }

  #storedEnergy(): number {
    let stored = 0;
    for (const pair of this.#context.collision.active) stored += this.#pairs.get(pair)?.store.energy ?? 0;
    return stored;
  }

  #springPairOf(pair: PairState): SpringPair {
    const known = this.#pairs.get(pair);
    if (known !== undefined) return known;
    const { bodies } = this.#context;
    const { shape } = bodies;
    const { a, b, manifold } = pair;
    const made: SpringPair = {
      margin: CONTACT_MARGIN * Math.min(shape[a]!.boundingRadius, shape[b]!.boundingRadius),
      ratio: dampingRatio(bodies.surfaces.of(bodies, a, b).restitution),
      deep: null,
      isParting: pair.state !== APART && manifold.distance <= 0,
      store: { energy: 0 },
    };
    this.#pairs.set(pair, made);
    return made;
  }

  /** Makes the springs of where the bodies are now. */
  #stretch(measures: boolean): void {
    const { bodies, contacts: buffer, collision } = this.#context;
    const { active } = collision;
    this.#springs.clear();
    buffer.clear();
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] < 0) continue;
      this.#placements[i] ??= new Float64Array(12);
      bodies.writePlacement(i, this.#placements[i]);
    }
    let measured = 0;
    const start = active.length > 0 ? this.#turn % active.length : 0;
    for (let k = 0; k < active.length; k++) {
      const pair = active[(start + k) % active.length];
      const { a, b, manifold } = pair;
      const kept = this.#springPairOf(pair);
      pair.first = buffer.count;
      pair.count = 0;
      if ((bodies.sensor[a] | bodies.sensor[b]) !== 0) continue;
      const [placeA, placeB] = [this.#placements[a], this.#placements[b]];
      const state = manifold.update(placeA, placeB, kept.margin, this.#atRest);
      if (state === OVERLAP) {
        const deep = (kept.deep ??= new DeepWay(bodies, a, b));
        if (measures && measured < MEASURES_A_STEP) {
          deep.measure(bodies, a, b, kept.margin);
          measured++;
          this.#turn = (start + k + 1) % active.length;
        }
        if (!deep.update(placeA, placeB, kept.margin)) {
          deep.measure(bodies, a, b, kept.margin);
          deep.update(placeA, placeB, kept.margin);
        }
        this.#add(pair, kept, deep.contacts, deep.count, deep.depths, 1);
        continue;
      }
      kept.deep?.forget();
      if (manifold.distance > 0) kept.isParting = false;
      if (state === APART || manifold.distance > 0) kept.store.energy = 0;
      if (state === NEAR) this.#add(pair, kept, manifold, manifold.count, manifold.separations, -1);
    }
  }

  /** Adds springs at contacts of which `sign` times these values are the depths. */
  #add(
    pair: PairState,
    kept: SpringPair,
    points: ImpactContacts,
    count: number,
    depths: Float64Array,
    sign: number,
  ): void {
    const { bodies, contacts } = this.#context;
    const { a, b } = pair;
    const maxSpeed = kept.isParting ? PARTING_SPEED : Infinity;
    const frequency = (2 * Math.PI) / this.#period;
    const law = { frequency, ratio: kept.ratio, share: 1 / count, maxSpeed, store: kept.store };
    let energy = 0;
    pair.count = count;
    for (let i = 0; i < count; i++) {
      const at = 3 * i;
      const depth = sign * depths[i];
      contacts.add(bodies, a, b, points, at, -depth);
      if (!(depth > 0)) continue;
      energy += this.#springs.add(bodies, a, b, points, i, depth, law);
    }
    // Springs of bodies that were placed in each other have the energy of their depth.
    if (kept.isParting) kept.store.energy = energy;
  }
}
