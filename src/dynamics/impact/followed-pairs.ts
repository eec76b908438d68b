// The pairs that a step follows to their impacts: certificates on the motion of a substep say when the first of them touches.
import type { Bodies } from '../body/bodies.js';
import { sizeOf } from '../solver/collision.js';
import type { PairState } from '../solver/pair-table.js';
import { CorePair } from './core-pair.js';
import type { SavedMotion } from './saved-motion.js';
import { StepMotion } from './step-motion.js';

/** Chosen: impacts are answered at this share of the gap at rest, so that the gap does not show in bounces. */
const CLEARANCE = 0.02;
/** Chosen: pairs of boxes and triangles that a certificate looks at. Bodies that nearly slide along each other have no end of them. */
const MAX_BOX_PAIRS = 3000;
/** Chosen: a certificate may stop short of the gap by this share of the smaller radius. */
const CERTIFIED_TOLERANCE = 1e-9;
/** Chosen: gaps are measured up to this many clearances: one that is larger is not near. */
const NEAREST_REACH = 4;

export class FollowedPairs {
  /** The pair that {@link findFirst} found last. */
  hit: PairState | null = null;
  readonly #bodies: Bodies;
  readonly #pairs: PairState[] = [];
  readonly #cores = new WeakMap<PairState, CorePair>();
  /** The gap at which each pair counts as touching. */
  readonly #clearances: number[] = [];
  readonly #motionA = new StepMotion();
  readonly #motionB = new StepMotion();
  #step = 0;

  constructor(bodies: Bodies) {
    this.#bodies = bodies;
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
  findFirst(saved: SavedMotion, h: number): number {
    const bodies = this.#bodies;
    let first = 1;
    for (let i = 0; i < this.#pairs.length; i++) {
      const pair = this.#pairs[i];
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
      const { status, lower } = cores.certify(
        this.#motionA,
        this.#motionB,
        clearance,
        CERTIFIED_TOLERANCE * size,
        MAX_BOX_PAIRS,
      );
      if (status === 'clear' || !(lower < first)) continue;
      first = lower;
      this.hit = pair;
    }
    return first;
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
