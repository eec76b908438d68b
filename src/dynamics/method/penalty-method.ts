// The method `penalty`: bodies may overlap, and springs push them apart (Kim, Otaduy, Lin and Manocha 2002, section 7.1).
// Shallow overlaps have springs at the points of their contact manifolds, which share the stiffness of the pair, since one
// vector cannot hold a box on its face; deep ones have the spring of the global depth, kept along its way out.
import type { Bodies } from '../body/bodies.js';
import { BroadPhase } from '../contact/broad-phase.js';
import { APART, NEAR, OVERLAP } from '../contact/contact-state.js';
import { PairContacts } from '../contact/pair-contacts.js';
import type { StepContext, StepMethod } from '../solver/step-method.js';
import { DeepWay } from './deep-way.js';
import { dampingRatio } from './spring-law.js';
import { Springs } from './springs.js';

/** A spring's period in substeps: stable from 4 on. A body then rests (period / 2π)² times g deep: 0.6 mm at 1/480 s. */
const PERIOD = 24;
/** Contacts are found up to this share of the smaller radius; deeper overlap goes by the global depth. */
const MARGIN = 0.02;
/** Bodies that start in each other part at this speed at most, m/s: their springs would shoot them apart. */
const PARTING_SPEED = 1;
/** Depths measured again in a step, by turns. */
const MEASURES_A_STEP = 8;

/** What the method uses of a world. */
export type PenaltyContext = Pick<StepContext, 'bodies' | 'motion' | 'contacts' | 'gravity' | 'substeps'>;

/** A candidate pair and what is kept of it. */
interface SpringPair {
  readonly a: number;
  readonly b: number;
  readonly contacts: PairContacts;
  readonly margin: number;
  readonly ratio: number;
  deep: DeepWay | null;
  /** Overlapped when it was first seen, and has not parted since. */
  isParting: boolean;
  stamp: number;
}

/** Springs between overlapping bodies. */
export class PenaltyMethod implements StepMethod {
  readonly #context: PenaltyContext;
  readonly #broadPhase = new BroadPhase();
  readonly #pairs = new Map<number, SpringPair>();
  readonly #active: SpringPair[] = [];
  readonly #springs = new Springs();
  readonly #placements: Float64Array[] = [];
  #stamp = 0;
  #turn = 0;
  #period = 0;

  constructor(context: PenaltyContext) {
    this.#context = context;
  }

  /** The energy in the springs after the last step. */
  get energy(): number {
    return this.#springs.energy;
  }

  step(dt: number): void {
    const { bodies, motion, gravity, substeps } = this.#context;
    const h = dt / substeps;
    this.#period = PERIOD * h;
    this.#findPairs(bodies, dt);
    this.#stretch(bodies, true);
    for (let k = 0; k < substeps; k++) {
      this.#springs.apply(bodies, h / 2);
      motion.kick(bodies, gravity, h / 2);
      motion.drift(bodies, h);
      motion.kick(bodies, gravity, h / 2);
      this.#stretch(bodies, false);
      this.#springs.apply(bodies, h / 2);
    }
  }

  #findPairs(bodies: Bodies, dt: number): void {
    const stamp = ++this.#stamp;
    let largest = 0;
    for (let i = 0; i < bodies.count; i++) {
      if (bodies.kind[i] < 0) continue;
      this.#placements[i] ??= new Float64Array(12);
      largest = Math.max(largest, bodies.inverseMass[i] > 0 ? MARGIN * bodies.shape[i]!.boundingRadius : 0);
    }
    const { count, pairs } = this.#broadPhase.findPairs(bodies, dt, largest);
    this.#active.length = 0;
    for (let i = 0; i < count; i++) {
      const a = pairs[2 * i];
      const b = pairs[2 * i + 1];
      if ((bodies.sensor[a] | bodies.sensor[b]) !== 0) continue;
      const key = a * 2 ** 26 + b;
      let pair = this.#pairs.get(key);
      if (pair === undefined) this.#pairs.set(key, (pair = this.#begin(bodies, a, b)));
      pair.stamp = stamp;
      this.#active.push(pair);
    }
    for (const [key, pair] of this.#pairs) if (pair.stamp !== stamp) this.#pairs.delete(key);
  }

  #begin(bodies: Bodies, a: number, b: number): SpringPair {
    const [shapeA, shapeB] = [bodies.shape[a]!, bodies.shape[b]!];
    const pair: SpringPair = {
      a,
      b,
      contacts: new PairContacts(shapeA, shapeB),
      margin: MARGIN * Math.min(shapeA.boundingRadius, shapeB.boundingRadius),
      ratio: dampingRatio(Math.max(bodies.restitution[a], bodies.restitution[b])),
      deep: null,
      isParting: false,
      stamp: 0,
    };
    const [placeA, placeB] = [new Float64Array(12), new Float64Array(12)];
    bodies.writePlacement(a, placeA);
    bodies.writePlacement(b, placeB);
    pair.isParting = pair.contacts.update(placeA, placeB, pair.margin) !== APART && pair.contacts.distance <= 0;
    return pair;
  }

  /** Makes the springs of where the bodies are now. */
  #stretch(bodies: Bodies, measures: boolean): void {
    const { contacts: buffer } = this.#context;
    this.#springs.clear();
    buffer.clear();
    for (let i = 0; i < bodies.count; i++) if (bodies.kind[i] >= 0) bodies.writePlacement(i, this.#placements[i]);
    let measured = 0;
    const active = this.#active;
    const start = active.length > 0 ? this.#turn % active.length : 0;
    for (let k = 0; k < active.length; k++) {
      const pair = active[(start + k) % active.length];
      const { a, b, contacts } = pair;
      const state = contacts.update(this.#placements[a], this.#placements[b], pair.margin);
      if (state === OVERLAP) {
        const deep = (pair.deep ??= new DeepWay(bodies, a, b));
        if (measures && measured < MEASURES_A_STEP) {
          deep.measure(bodies, a, b, pair.margin);
          measured++;
          this.#turn = (start + k + 1) % active.length;
        }
        if (!deep.update(this.#placements[a], this.#placements[b], pair.margin)) {
          deep.measure(bodies, a, b, pair.margin);
          deep.update(this.#placements[a], this.#placements[b], pair.margin);
        }
        this.#add(bodies, pair, deep.contacts, deep.count, deep.depths, 1);
        continue;
      }
      pair.deep?.forget();
      if (contacts.distance > 0) pair.isParting = false;
      if (state === NEAR) this.#add(bodies, pair, contacts, contacts.count, contacts.separations, -1);
    }
  }

  /** Adds springs at contacts of which `sign` times these values are the depths. */
  #add(
    bodies: Bodies,
    pair: SpringPair,
    contacts: PairContacts,
    count: number,
    depths: Float64Array,
    sign: number,
  ): void {
    const { a, b, ratio } = pair;
    const { pointsA, pointsB, normals } = contacts;
    const frequency = (2 * Math.PI) / this.#period;
    const speed = pair.isParting ? PARTING_SPEED : Infinity;
    for (let i = 0; i < count; i++) {
      const at = 3 * i;
      const depth = sign * depths[i];
      this.#context.contacts.add(bodies, a, b, pointsA, pointsB, normals, at, -depth);
      if (!(depth > 0)) continue;
      const x = 0.5 * (pointsA[at] + pointsB[at]);
      const y = 0.5 * (pointsA[at + 1] + pointsB[at + 1]);
      const z = 0.5 * (pointsA[at + 2] + pointsB[at + 2]);
      this.#springs.add(bodies, a, b, x, y, z, normals, at, depth, frequency, ratio, 1 / count, speed);
    }
  }
}
