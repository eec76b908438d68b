// The pairs that a step follows to their impacts: certificates on the motion of a substep say when the first of them touches.

import type { StepLimit } from '../../core/step-limit.js';
import type { Bodies } from '../body/bodies.js';
import { BracketSearch } from '../published/bracket-search.js';
import { sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import { CorePair } from './core-pair.js';
import type { SavedMotion } from './saved-motion.js';
import { StepMotion } from './step-motion.js';
import type { TimeOfContactMethod } from './time-of-contact.js';

/** Chosen: impacts are answered at this share of the gap at rest, so that the gap does not show in bounces. */
const CLEARANCE = 0.02;
/** Chosen: pairs of boxes and triangles that a certificate looks at. Bodies that nearly slide along each other have no end of them. */
const MAX_BOX_PAIRS = 3000;
/** Chosen: a certificate may stop short of the gap by this share of the smaller radius. */
const CERTIFIED_TOLERANCE = 1e-9;
/** Chosen: trials of the published methods for one pair: bisection needs some 20. */
const MAX_TRIALS = 60;
/** Chosen: gaps are measured up to this many clearances: one that is larger is not near. */
const NEAREST_REACH = 4;

export class FollowedPairs {
  /** The pair that {@link findFirst} found last. */
  hit: PairState | null = null;
  readonly #bodies: Bodies;
  readonly #pairs: PairState[] = [];
  readonly #cores = new WeakMap<PairState, CorePair>();
  readonly #searches = new WeakMap<PairState, { readonly step: number; readonly search: BracketSearch }>();
  readonly #times: TimeOfContactMethod;
  /** The gap at which each pair counts as touching. */
  readonly #clearances: number[] = [];
  readonly #motionA = new StepMotion();
  readonly #motionB = new StepMotion();
  #step = 0;

  /** @param times how times of impacts are found. */
  constructor(bodies: Bodies, times: TimeOfContactMethod) {
    this.#bodies = bodies;
    this.#times = times;
  }

  get count(): number {
    return this.#pairs.length;
  }

  /** Begins a step: what it does depends on nothing but the state of the world. */
  beginStep(): void {
    this.#step++;
  }

  clear(): void {
    this.#pairs.length = 0;
  }

  add(pair: PairState): void {
    this.#pairs.push(pair);
  }

  /** The share of a substep just made up to which no pair touches; 1 if none does in it. */
  findFirst(saved: SavedMotion, h: number, limit: StepLimit): number {
    const bodies = this.#bodies;
    let first = 1;
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
      limit.check();
      const { a, b } = pair;
      const cores = this.#coresOf(pair).beginStep(this.#step);
      saved.writeMotion(bodies, a, h, this.#motionA);
      saved.writeMotion(bodies, b, h, this.#motionB);
      const size = Math.min(sizeOf(bodies, a), sizeOf(bodies, b));
      const wanted = CLEARANCE * pair.rest;
      const gap = cores.measureAt(this.#motionA, this.#motionB, 0, wanted);
      // Where they are as near as that already, they may come nearer: they hit when they do so at once.
      const clearance = gap > 2 * wanted ? wanted : 0.5 * gap;
      this.#clearances[i] = clearance;
      const time = this.#findTime(pair, cores, clearance, CERTIFIED_TOLERANCE * size);
      if (!(time < first)) continue;
      first = time;
      this.hit = pair;
    }
    return first;
  }

  /** When a pair comes as near as the clearance, in shares of the motion; Infinity if it does not. */
  #findTime(pair: PairState, cores: CorePair, clearance: number, tolerance: number): number {
    if (this.#times === 'certified') {
      const { status, lower } = cores.certify(this.#motionA, this.#motionB, clearance, tolerance, MAX_BOX_PAIRS);
      return status === 'clear' ? Infinity : lower;
    }
    const search = this.#searchOf(pair, cores);
    const end = search.run(this.#times, this.#motionA, this.#motionB, clearance, MAX_TRIALS);
    return end === 'contact' || end === 'limit' ? search.lower : Infinity;
  }

  #searchOf(pair: PairState, cores: CorePair): BracketSearch {
    const known = this.#searches.get(pair);
    // Depths remember those before: in each step they begin anew.
    if (known?.step === this.#step) return known.search;
    const { shape } = this.#bodies;
    const search = new BracketSearch(shape[pair.a]!, shape[pair.b]!, cores);
    this.#searches.set(pair, { step: this.#step, search });
    return search;
  }

  /** The least gap of a pair where the bodies are now, in clearances; Infinity if all are far. */
  nearest(saved: SavedMotion): number {
    let least = Infinity;
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
      saved.writeMotion(this.#bodies, pair.a, 1, this.#motionA);
      saved.writeMotion(this.#bodies, pair.b, 1, this.#motionB);
      const clearance = this.#clearances[i];
      const reach = NEAREST_REACH * clearance;
      const gap = this.#coresOf(pair).measureAt(this.#motionA, this.#motionB, 1, reach);
      least = Math.min(least, gap / clearance);
    }
    return least;
  }

  #coresOf(pair: PairState): CorePair {
    let cores = this.#cores.get(pair);
    if (cores === undefined) {
      const { shape } = this.#bodies;
      this.#cores.set(pair, (cores = new CorePair(shape[pair.a]!, shape[pair.b]!)));
    }
    return cores;
  }
}
