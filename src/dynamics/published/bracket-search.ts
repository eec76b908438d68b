// The time of contact of two shapes that are apart at the start of a step and overlap at its end: retroactive detection
// (Mirtich 2000) with the interpolations of Kim et al. 2002, section 7.2. A guess is never an answer: an exact test at
// every trial keeps a bracket, apart at its lower end and overlapping at its upper, and the lower end is the answer once
// the shapes nearly touch there. Overlap that begins and ends within the step is not seen: that takes a certificate.

import type { CollisionShape } from '../../manifold/shape/collision-shape.js';
import type { CorePair } from '../impact/core-pair.js';
import type { StepMotion } from '../impact/step-motion.js';
import { PairDepth } from '../overlap/pair-depth.js';
import { extrapolateContact, guessContact, type Interpolation } from './interpolate-gap.js';

/** How trials are chosen within the bracket. */
export type BracketMethod = Interpolation | 'bisection' | 'extrapolation';

/** How a search ended: 'clear' means apart at both ends of the step; 'limit' that the gap is still above the tolerance. */
export type BracketEnd = 'contact' | 'clear' | 'overlap' | 'limit';

/** Chosen: trials aim at this share of the tolerance, so that they end apart and near enough. */
const AIM = 0.5;
/** Chosen: after two trials that together leave more than this share of the bracket, the next one halves it. */
const PROGRESS = 0.5;
/** Chosen: trials keep this share of the bracket away from its ends. */
const END_MARGIN = 1e-6;
/** Rounding: brackets as narrow as this cannot be divided. */
const MIN_WIDTH = 2 ** -50;
/** Depths for guesses need not be certified: a walk from the last way out finds the same vector. */
const DEPTH_OPTIONS = { maxCells: 0 };

/** Searches steps of one pair. */
export class BracketSearch {
  /** Apart at `lower`, with this gap; overlapping at `upper`. */
  lower = 0;
  upper = 1;
  gap = Infinity;
  /** Trials inside the step. */
  iterations = 0;
  /** Queries for distances, with those at the ends of the step, and for depths. */
  distances = 0;
  depths = 0;
  readonly #pair: CorePair;
  readonly #depth: PairDepth;
  readonly #poseA = new Float64Array(7);
  readonly #poseB = new Float64Array(7);

  constructor(a: CollisionShape, b: CollisionShape, pair: CorePair) {
    this.#pair = pair;
    this.#depth = new PairDepth(a, b, DEPTH_OPTIONS);
  }

  /** Narrows the bracket until the gap at its lower end is at most the tolerance. The pair's points are those there. */
  run(method: BracketMethod, a: StepMotion, b: StepMotion, tolerance: number, maxIterations: number): BracketEnd {
    this.lower = 0;
    this.upper = 1;
    this.iterations = this.distances = this.depths = 0;
    this.gap = this.#gapAt(0, a, b);
    if (!(this.gap > 0)) return 'overlap';
    let rate = this.#gapRate(0, a, b);
    if (!this.#meetsAt(1, a, b)) return 'clear';
    // Near and coming nearer: that is the contact.
    if (this.gap <= tolerance && rate < 0) return 'contact';
    let depth = 0;
    let endRate = 0;
    const needsDepths = method !== 'bisection' && method !== 'extrapolation';
    if (needsDepths) {
      depth = this.#measureDepth();
      endRate = this.#depthRate(1, a, b);
    }
    let before = Infinity;
    let last = Infinity;
    while (this.iterations < maxIterations && this.upper - this.lower > MIN_WIDTH) {
      const width = this.upper - this.lower;
      let u = 0.5;
      if (method !== 'bisection' && width <= PROGRESS * before) {
        u =
          method === 'extrapolation'
            ? extrapolateContact(this.gap, rate * width, AIM * tolerance)
            : guessContact(method, this.gap, rate * width, depth, endRate * width, AIM * tolerance);
        u = Math.min(1 - END_MARGIN, Math.max(END_MARGIN, u));
      }
      before = last;
      last = width;
      const s = this.lower + u * width;
      this.iterations++;
      const gap = this.#gapAt(s, a, b);
      if (gap > 0) {
        this.lower = s;
        this.gap = gap;
        if (gap <= tolerance) return 'contact';
        if (method !== 'bisection') rate = this.#gapRate(s, a, b);
      } else {
        this.upper = s;
        if (needsDepths) {
          depth = this.#measureDepth();
          endRate = this.#depthRate(s, a, b);
        }
      }
    }
    this.#gapAt(this.lower, a, b);
    return this.gap <= tolerance ? 'contact' : 'limit';
  }

  #place(s: number, a: StepMotion, b: StepMotion): void {
    a.writePose(s, this.#poseA);
    b.writePose(s, this.#poseB);
  }

  #meetsAt(s: number, a: StepMotion, b: StepMotion): boolean {
    this.#place(s, a, b);
    this.distances++;
    return this.#pair.meets(this.#poseA, this.#poseB);
  }

  #gapAt(s: number, a: StepMotion, b: StepMotion): number {
    this.#place(s, a, b);
    this.distances++;
    return this.#pair.measure(this.#poseA, this.#poseB);
  }

  /** The rate of the distance measured last, at s. */
  #gapRate(s: number, a: StepMotion, b: StepMotion): number {
    const { pointA, pointB, normal } = this.#pair;
    return b.speedAlong(s, pointB, normal) - a.speedAlong(s, pointA, normal);
  }

  /** The depth where the bodies were placed last. */
  #measureDepth(): number {
    this.depths++;
    return this.#depth.measure(this.#poseA, this.#poseB);
  }

  /** The rate of the gap, minus that of the depth measured last, at s. The way out moves A away from B. */
  #depthRate(s: number, a: StepMotion, b: StepMotion): number {
    const { pointA, pointB, direction } = this.#depth;
    return a.speedAlong(s, pointA, direction) - b.speedAlong(s, pointB, direction);
  }
}
