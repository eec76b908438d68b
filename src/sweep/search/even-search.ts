// The least gap of a pair that moves evenly, stretch by stretch, and where a clearance fails: a descent finds a small distance,
// then a calendar of pairs proves that nothing is nearer by more than the error wanted; where it ends, something nearer is looked for.
import type { Deadline } from '../../core/deadline.js';
import * as pose from '../../core/pose.js';
import type { Segment } from '../../proximity/impact/motion.js';
import { timeAt } from '../../proximity/impact/time-of-impact.js';
import { PairQueries } from '../../proximity/pair-queries.js';
import { PairSearches } from '../../proximity/pair-searches.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { ClearCalendar } from './clear-calendar.js';
import type { PairFinding, Stretch } from './stretch.js';

/** Chosen: the tolerance of a proof of the clearance wanted, as a share of it. */
const TOLERANCE_SHARE = 1e-3;

/** Chosen: the tolerance of proofs, as a share of the smaller radius, where no clearance is wanted. */
const TOUCH_SHARE = 1e-7;

/** Chosen: the tolerance of a proof of the least gap, as a share of the error wanted. */
const ERROR_SHARE = 0.25;

/** Chosen: the places that are measured first, over all segments. */
const SAMPLES = 16;

/** Chosen: steps of a descent: they narrow its interval to a thousandth. */
const DESCENT_STEPS = 15;

/** Definition: the golden ratio, by which each step of a descent narrows the interval. */
const GOLDEN = (Math.sqrt(5) - 1) / 2;

/** Chosen: the share of a segment, or of the range, on each side of a place in which a nearer one is looked for. */
const AROUND = 1 / 16;

/** Chosen: a proof that ends where nothing nearer is found goes on at this share of its bound. */
const LESS = 0.999;

/** What is asked of a pair. */
export interface EvenQuestion {
  readonly a: ProximityModel;
  readonly b: ProximityModel;
  readonly segments: readonly Segment[];
  readonly clearance: number;
  /** A larger gap is proven to be this only. */
  readonly upTo: number;
  readonly gapError: number;
  /** Ends of stretches are told apart to this share of the range. */
  readonly resolution: number;
  readonly deadline: Deadline | null;
}

export class EvenSearch {
  readonly #question: EvenQuestion;
  readonly #queries: PairQueries;
  readonly #prover: ClearCalendar;
  readonly #tolerance: number;
  readonly #poseA = pose.identity();
  readonly #poseB = pose.identity();
  #isOpen = false;
  #upper = Infinity;
  #at: number;
  /** The segment that the prover is in. */
  #segment: Segment;
  #measured = 0;

  constructor(question: EvenQuestion) {
    const { a, b, segments, clearance } = question;
    this.#question = question;
    this.#segment = segments[0];
    this.#at = segments[0].start;
    this.#queries = new PairQueries(a, b, new PairSearches(a, b, { volume: 'boxes' }), true);
    this.#prover = new ClearCalendar(a.boxes, b.boxes);
    this.#tolerance = Math.max(TOLERANCE_SHARE * clearance, TOUCH_SHARE * Math.min(a.radius, b.radius));
  }

  run(): PairFinding {
    const { clearance } = this.#question;
    this.#sample();
    let lower = this.#upper > 0 ? this.#proveLeast() : 0;
    let stretches: Stretch[] = [];
    if (this.#upper === 0 || lower < clearance) {
      stretches = this.#stretches(clearance);
      if (stretches.length === 0 && this.#upper > 0 && !this.#isOpen)
        lower = Math.max(lower, Math.min(clearance, this.#upper));
    }
    return {
      lower: Math.min(lower, this.#upper),
      upper: this.#upper,
      at: Float64Array.of(this.#at),
      stretches,
      boxes: null,
      isOpen: this.#isOpen,
      queries: this.#measured,
    };
  }

  /** Measures some places, and goes down from the nearest. */
  #sample(): void {
    const { segments } = this.#question;
    const count = Math.max(1, Math.round(SAMPLES / segments.length));
    for (const segment of segments) {
      this.#enter(segment);
      for (let i = 0; i < count; i++) this.#measure(i / count);
    }
    this.#enter(segments[segments.length - 1]);
    this.#measure(1);
    const nearest = segments.find(({ start, end }) => this.#at >= start && this.#at <= end) ?? segments[0];
    this.#enter(nearest);
    const length = nearest.end - nearest.start;
    if (this.#upper > 0 && this.#upper <= this.#question.upTo && length > 0)
      this.#descend((this.#at - nearest.start) / length, 1 / count);
  }

  /** Proves that nothing is nearer than the least distance found by more than the error; returns what is proven. */
  #proveLeast(): number {
    const { segments, gapError, upTo } = this.#question;
    const share = Math.max(gapError, 1e-6);
    let bound = Math.min(upTo, (1 - share) * this.#upper);
    for (const segment of segments) {
      this.#enter(segment);
      for (let s = 0; s < 1; ) {
        const tolerance = Math.min(ERROR_SHARE * share * this.#upper, 0.5 * (this.#upper - bound));
        s = this.#prover.advance(s, bound, tolerance, this.#isOver);
        if (this.#isOpen) return 0;
        if (s === 1) break;
        this.#measure(s);
        this.#descend(s, AROUND);
        if (this.#upper === 0) return 0;
        bound = Math.min((1 - share) * this.#upper, LESS * bound);
      }
    }
    return bound;
  }

  /** All stretches in which the distance is not proven to be larger than the clearance. */
  #stretches(clearance: number): Stretch[] {
    const { segments, resolution } = this.#question;
    const range = segments[segments.length - 1].end - segments[0].start;
    const stretches: Stretch[] = [];
    for (const segment of segments) {
      const length = segment.end - segment.start;
      const smallest = length > 0 ? Math.min(0.25, (resolution * range) / length) : 1;
      this.#enter(segment);
      for (const { from, to, inner } of this.#stretchesOf(clearance, smallest)) {
        const own: Stretch = {
          from: timeAt(segment, from),
          to: timeAt(segment, to),
          inner: inner && { from: timeAt(segment, inner.from), to: timeAt(segment, inner.to) },
        };
        const last = stretches[stretches.length - 1];
        if (last !== undefined && own.from <= last.to + 1e-12 * range) joinStretch(last, own);
        else stretches.push(own);
      }
    }
    return stretches;
  }

  #stretchesOf(clearance: number, smallest: number): Stretch[] {
    const found: Stretch[] = [];
    let isBelow = this.#isBelow(0, clearance);
    for (let s = 0; s < 1; ) {
      if (!isBelow) s = this.#prover.advance(s, clearance, this.#tolerance, this.#isOver);
      if (s >= 1) return found;
      if (this.#isOpen) {
        found.push({ from: s, to: 1, inner: null });
        return found;
      }
      const stretch = this.#through(clearance, smallest, s, isBelow);
      found.push(stretch);
      s = stretch.to;
      isBelow = false;
    }
    return found;
  }

  /** Follows a stretch from its start to a place that is measured to be clear. */
  #through(clearance: number, smallest: number, from: number, startsBelow: boolean): Stretch {
    let first = startsBelow ? from : -1;
    let s = from;
    if (!startsBelow) {
      // The place that ended the proof may be clear by less than the tolerance; one that fails may be close behind.
      for (let step = smallest / 64; step <= smallest && first < 0; step *= 2) {
        const next = Math.min(1, from + step);
        if (this.#isBelow(next, clearance)) first = next;
      }
      if (first < 0) return { from, to: Math.min(1, from + smallest), inner: null };
      s = first;
    }
    while (s < 1) {
      const next = Math.min(1, s + smallest);
      if (!this.#isBelow(next, clearance)) {
        let [below, above] = [s, next];
        for (let i = 0; i < 6; i++) {
          const middle = (below + above) / 2;
          if (this.#isBelow(middle, clearance)) below = middle;
          else above = middle;
        }
        return { from, to: above, inner: { from: first, to: below } };
      }
      s = next;
    }
    return { from, to: 1, inner: { from: first, to: 1 } };
  }

  /** Whether the distance is measured to be smaller than the clearance, or 0. */
  #isBelow(s: number, clearance: number): boolean {
    const distance = this.#distanceAt(s, Math.max(clearance, this.#tolerance));
    return clearance > 0 ? distance < clearance : distance === 0;
  }

  readonly #isOver = (): boolean => {
    this.#isOpen ||= this.#question.deadline?.isOver('Sweeping pairs') ?? false;
    return this.#isOpen;
  };

  #enter(segment: Segment): void {
    this.#segment = segment;
    this.#prover.begin(segment);
  }

  /** The distance at s, up to the least so far. */
  #measure(s: number): number {
    return this.#distanceAt(s, this.#upper);
  }

  /** The distance at s; Infinity beyond the cut-off. */
  #distanceAt(s: number, cutoff: number): number {
    this.#measured++;
    const { motion } = this.#prover;
    motion.move(s);
    motion.writePoses(this.#poseA, this.#poseB);
    const distance = this.#queries.measureDistance(this.#poseA, this.#poseB, { cutoff }).distance ?? Infinity;
    if (distance < this.#upper) {
      this.#upper = distance;
      this.#at = timeAt(this.#segment, s);
    }
    return distance;
  }

  /** Golden sections around s towards a nearer place. */
  #descend(s: number, radius: number): void {
    let [low, high] = [Math.max(0, s - radius), Math.min(1, s + radius)];
    let left = high - GOLDEN * (high - low);
    let right = low + GOLDEN * (high - low);
    let [atLeft, atRight] = [this.#distanceAt(left, Infinity), this.#distanceAt(right, Infinity)];
    for (let i = 0; i < DESCENT_STEPS && this.#upper > 0; i++) {
      if (atLeft <= atRight) {
        [high, right, atRight] = [right, left, atLeft];
        left = high - GOLDEN * (high - low);
        atLeft = this.#distanceAt(left, Infinity);
      } else {
        [low, left, atLeft] = [left, right, atRight];
        right = low + GOLDEN * (high - low);
        atRight = this.#distanceAt(right, Infinity);
      }
    }
  }
}

function joinStretch(last: Stretch, next: Stretch): void {
  last.to = next.to;
  if (next.inner === null) return;
  last.inner = last.inner === null ? next.inner : { from: last.inner.from, to: next.inner.to };
}
