// One pair of a sweep: its least gap over the whole motion, proven, where the clearance fails, and how deep the parts overlap. Pairs
// that move evenly are proven stretch by stretch, others box by box.
import type { Deadline } from '../core/deadline.js';
import type { Vec3 } from '../core/vec3.js';
import { Pair } from '../proximity/pair.js';
import type { SweptMotion, SweptPair } from './motion/swept-motion.js';
import { BoxSearch } from './search/box-search.js';
import { EvenSearch } from './search/even-search.js';
import { searchOverlap } from './search/overlap-search.js';
import { solidDepth } from './search/solid-depth.js';
import type { PairFinding } from './search/stretch.js';
import type { SweepPlace, SweepStretch, SweepVerdict, SweptPairResult } from './sweep-result.js';

/** Chosen: places of each stretch at which the depth is measured. */
const DEPTH_SAMPLES = 7;

/** Chosen: stretches of a pair in which depths are measured. */
const MAX_DEPTH_STRETCHES = 3;

/** Chosen: the relative width of the interval of a depth. */
const DEPTH_GAP = 0.05;

/** Chosen: cells of the proof of one depth. */
const DEPTH_CELLS = 4000;

/** What is asked of each pair: plain data. */
export interface PairRequest {
  readonly clearance: number;
  /** Gaps are proven up to this. */
  readonly upTo: number;
  readonly gapError: number;
  readonly resolution: number;
  readonly depth: boolean;
}

export class PairExaminer {
  /** Distances measured so far. */
  queries = 0;
  readonly #motion: SweptMotion;
  readonly #request: PairRequest;
  readonly #deadline: Deadline | null;

  constructor(motion: SweptMotion, request: PairRequest, deadline: Deadline | null) {
    this.#motion = motion;
    this.#request = request;
    this.#deadline = deadline;
  }

  examine(pair: SweptPair): SweptPairResult {
    if (pair.allowedDepth > 0) return this.#examineOverlap(pair);
    const finding = this.#find(pair);
    this.queries += finding.queries;
    const verdict = this.#judge(finding);
    const violated = this.#describe(pair, finding);
    const deep = finding.upper === 0 && this.#request.depth ? this.#deepest(pair, finding) : null;
    const at = deep?.at ?? finding.at;
    return {
      ...this.#place(pair, at),
      verdict,
      lower: finding.lower,
      upper: finding.upper,
      depth: deep?.depth ?? null,
      violated,
    };
  }

  #find(pair: SweptPair): PairFinding {
    const motion = this.#motion;
    const { clearance, upTo, gapError, resolution } = this.#request;
    const deadline = this.#deadline;
    const segments = motion.segmentsOf(pair);
    if (segments === null) {
      const solved = this.#findSolved(pair);
      if (solved !== null) return solved;
      return new BoxSearch({ motion, pair, clearance, upTo, gapError, resolution, deadline }).run();
    }
    const [a, b] = [motion.bodies[pair.a].model, motion.bodies[pair.b].model];
    const found = new EvenSearch({ a, b, segments, clearance, upTo, gapError, resolution, deadline }).run();
    const at = Float64Array.from(motion.axes, ({ low, high }) => (low + high) / 2);
    at[motion.axesOf(pair)[0]] = found.at[0];
    return { ...found, at };
  }

  /** A pair that one solved value moves alone: what holds in an interval around its values holds in the motion. */
  #findSolved(pair: SweptPair): PairFinding | null {
    const solved = this.#motion.solvedSegmentOf?.(pair) ?? null;
    if (solved === null) return null;
    const { bodies } = this.#motion;
    const [a, b] = [bodies[pair.a].model, bodies[pair.b].model];
    const { clearance, upTo, gapError, resolution } = this.#request;
    const deadline = this.#deadline;
    const question = { a, b, segments: [solved.segment], clearance, upTo, gapError, resolution, deadline };
    const found = new EvenSearch(question).run();
    // Where the clearance fails the places have to be told in values of the axis.
    if (found.lower < clearance || found.lower === 0) return null;
    const at = solved.placeOf(found.at[0]);
    return { ...found, at, upper: this.#distanceAt(pair, at) };
  }

  #judge({ lower, upper, isOpen }: PairFinding): SweepVerdict {
    const { clearance } = this.#request;
    if (clearance > 0 ? upper < clearance : upper === 0) return 'violated';
    if (clearance > 0 ? lower >= clearance : lower > 0) return 'holds';
    return isOpen || lower < Math.max(clearance, Number.MIN_VALUE) ? 'undecided' : 'holds';
  }

  /** A pair that may overlap by design. */
  #examineOverlap(pair: SweptPair): SweptPairResult {
    const { verdict, at, depth } = searchOverlap(this.#motion, pair, this.#deadline);
    const upper = depth === null ? this.#distanceAt(pair, at) : 0;
    return { ...this.#place(pair, at), verdict, lower: 0, upper, depth, violated: [] };
  }

  #distanceAt({ a, b }: SweptPair, u: Float64Array): number {
    const { bodies } = this.#motion;
    this.#motion.place(u);
    this.queries++;
    const [poseA, poseB] = [a, b].map((body) => this.#motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1]));
    return new Pair(bodies[a].model, bodies[b].model, { volume: 'boxes' }).distance(poseA, poseB).distance ?? Infinity;
  }

  /** The names, and the nearest points at a place. */
  #place(
    pair: SweptPair,
    u: Float64Array,
  ): Pick<SweptPairResult, 'a' | 'b' | 'at' | 'pointA' | 'pointB' | 'featureA' | 'featureB'> {
    const motion = this.#motion;
    const [a, b] = [motion.bodies[pair.a], motion.bodies[pair.b]];
    motion.place(u);
    const [poseA, poseB] = [pair.a, pair.b].map((body) => motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1]));
    const { witness } = new Pair(a.model, b.model, { volume: 'boxes' }).distance(poseA, poseB);
    return {
      a: a.name,
      b: b.name,
      at: this.#nameOf(u),
      pointA: (witness?.pointA ?? null) as Vec3 | null,
      pointB: (witness?.pointB ?? null) as Vec3 | null,
      featureA: witness?.featureA ?? null,
      featureB: witness?.featureB ?? null,
    };
  }

  #nameOf(u: Float64Array, only?: readonly number[]): SweepPlace {
    const { kind, axes } = this.#motion;
    if (kind === 'time') return u[0];
    const entries = axes.map(({ name }, i) => [name, u[i]] as const);
    return Object.fromEntries(only === undefined ? entries : entries.filter((_, i) => only.includes(i)));
  }

  #describe(pair: SweptPair, { stretches, boxes }: PairFinding): SweepStretch[] {
    const own = this.#motion.axesOf(pair);
    if (boxes !== null) {
      return boxes.map(({ low, high }) => ({ from: this.#nameOf(low, own), to: this.#nameOf(high, own), inner: null }));
    }
    const { kind, axes } = this.#motion;
    const place = (value: number): SweepPlace => (kind === 'time' ? value : { [axes[own[0]].name]: value });
    return (stretches ?? []).map(({ from, to, inner }) => ({ from: place(from), to: place(to), inner }));
  }

  /** The deepest of some places where a pair meets. */
  #deepest(
    pair: SweptPair,
    finding: PairFinding,
  ): { at: Float64Array; depth: { lower: number; upper: number } } | null {
    const motion = this.#motion;
    const [a, b] = [motion.bodies[pair.a].model, motion.bodies[pair.b].model];
    let best: { at: Float64Array; depth: { lower: number; upper: number } } | null = null;
    for (const at of this.#samples(pair, finding)) {
      motion.place(at);
      const [poseA, poseB] = [pair.a, pair.b].map((body) => motion.poseOf(body, [0, 0, 0, 0, 0, 0, 1]));
      const found = solidDepth(a, b, poseA, poseB, DEPTH_GAP, DEPTH_CELLS);
      if (found === null) return null;
      const { lower, upper } = found;
      if (upper > (best?.depth.upper ?? 0)) best = { at, depth: { lower, upper } };
      if (this.#deadline?.isOver('Measuring depths')) break;
    }
    return best;
  }

  #samples(pair: SweptPair, { at, stretches, boxes }: PairFinding): Float64Array[] {
    const samples = [at];
    const [axis] = this.#motion.axesOf(pair);
    for (const { inner } of (stretches ?? []).slice(0, MAX_DEPTH_STRETCHES)) {
      for (let i = 0; i <= DEPTH_SAMPLES && inner !== null; i++) {
        const sample = at.slice();
        sample[axis] = inner.from + (i / DEPTH_SAMPLES) * (inner.to - inner.from);
        samples.push(sample);
      }
    }
    for (const { low, high } of (boxes ?? []).slice(0, MAX_DEPTH_STRETCHES))
      samples.push(low.map((l, k) => (l + high[k]) / 2));
    return samples;
  }
}
