// The least gap of a pair over a box of joint values, by branch and bound: a distance in the middle of a box, less what joints can
// move the pair within the box, bounds the gap in all of it. Boxes are cut in three, so that the one in the middle keeps
// its distance. Balls bound first; an exact distance is measured only in boxes that may have the least gap.
import type { Deadline } from '../../core/deadline.js';
import { IndexedHeap } from '../../core/heap.js';
import type { Pose } from '../../core/pose.js';
import { Pair } from '../../proximity/pair.js';
import { ballGap, type SweptMotion, type SweptPair } from '../motion/swept-motion.js';
import type { PairFinding, Stretch } from './stretch.js';

/** Rounding: a distance is off by less than this share of the pair's size. */
const DISTANCE_SLACK = 1e-12;

/** Chosen: an interval need not be narrower than this share of the smaller radius. */
const SMALLEST_ERROR = 1e-4;

/** Chosen: the most boxes in a search of one pair. */
const MAX_BOXES = 400_000;

/** Chosen: the number of steps between looks at the clock. */
const CLOCK_STEPS = 64;

/** Proven: of a box cut in three each part is this long. */
const THIRD = 1 / 3;

/** A box of the axes that matter. */
interface SearchBox {
  readonly middle: Float64Array;
  readonly widths: Float64Array;
  /** The distance in the middle; −1 before it is measured, and where only `atLeast` is known. */
  distance: number;
  /** At most the distance in the middle. */
  atLeast: number;
  lower: number;
}

/** What is asked of a pair. */
export interface BoxQuestion {
  readonly motion: SweptMotion;
  readonly pair: SweptPair;
  readonly clearance: number;
  /** A larger gap is proven to be this only. */
  readonly upTo: number;
  readonly gapError: number;
  readonly resolution: number;
  readonly deadline: Deadline | null;
}

export class BoxSearch {
  readonly #question: BoxQuestion;
  readonly #axes: readonly number[];
  readonly #query: Pair;
  readonly #size: number;
  readonly #poses: [Pose, Pose] = [
    [0, 0, 0, 0, 0, 0, 1],
    [0, 0, 0, 0, 0, 0, 1],
  ];
  /** The least error that is worth looking for. */
  readonly #smallest: number;
  #boxes: SearchBox[] = [];
  #upper = Infinity;
  #at: Float64Array;
  #queries = 0;
  #isOpen = false;

  constructor(question: BoxQuestion) {
    const { motion, pair } = question;
    const [a, b] = [motion.bodies[pair.a].model, motion.bodies[pair.b].model];
    this.#question = question;
    this.#axes = motion.axesOf(pair);
    this.#query = new Pair(a, b, { volume: 'boxes' });
    this.#size = a.radius + b.radius;
    this.#smallest = SMALLEST_ERROR * Math.min(a.radius, b.radius);
    this.#at = this.#root().middle;
  }

  run(): PairFinding {
    const lower = Math.min(this.#findLeast(), this.#upper);
    const needs = lower < this.#question.clearance || (lower === 0 && this.#upper === 0);
    const fails = needs ? this.#failing() : [];
    const isLine = this.#axes.length === 1;
    return {
      // What boxes at the clearance wanted prove is more than what the search for the least gap did.
      lower: needs && fails.length === 0 ? Math.max(lower, Math.min(this.#question.clearance, this.#upper)) : lower,
      upper: this.#upper,
      at: this.#at,
      stretches: isLine ? this.#join(fails) : null,
      boxes: isLine ? null : this.#merge(fails),
      isOpen: this.#isOpen,
      queries: this.#queries,
    };
  }

  #root(): SearchBox {
    const { motion } = this.#question;
    const middle = Float64Array.from(motion.axes, ({ low, high }) => (low + high) / 2);
    const widths = new Float64Array(motion.axes.length);
    for (const axis of this.#axes) widths[axis] = (motion.axes[axis].high - motion.axes[axis].low) / 2;
    return { middle, widths, distance: -1, atLeast: 0, lower: 0 };
  }

  /** Boxes in order of what is proven of them, until the least is as near to the gap that was measured as wanted. */
  #findLeast(): number {
    const { deadline, gapError, clearance, upTo } = this.#question;
    const heap = new IndexedHeap();
    const boxes = this.#boxes;
    boxes.push(this.#root());
    // Measured at least once, whatever the time.
    this.#bound(boxes[0], true);
    heap.set(0, boxes[0].lower);
    let proven = Infinity;
    for (let step = 0; heap.size > 0; step++) {
      const least = heap.minKey();
      const wanted = Math.min(upTo, this.#upper - Math.max(gapError * this.#upper, this.#smallest));
      const isDecided = !(least < clearance && this.#upper >= clearance && this.#upper < Infinity);
      if (least >= wanted && isDecided) return Math.min(proven, least);
      if (this.#upper === 0) return 0;
      if (boxes.length > MAX_BOXES || (step % CLOCK_STEPS === 0 && deadline?.isOver('Sweeping pairs'))) {
        this.#isOpen = true;
        return Math.min(proven, least);
      }
      const item = heap.minItem();
      const box = boxes[item];
      heap.pop();
      if (box.distance < 0 && box.atLeast < this.#upper) {
        this.#bound(box, true);
        heap.set(item, box.lower);
        continue;
      }
      if (this.#isTiny(box)) {
        proven = Math.min(proven, box.lower);
        continue;
      }
      for (const child of this.#cut(box)) heap.set(boxes.push(child) - 1, child.lower);
    }
    return Math.min(proven, this.#upper);
  }

  /** Boxes with bounds of their own are as small as rounding allows, or their reach is below what is worth looking for. */
  #isTiny({ widths, distance, lower }: SearchBox): boolean {
    const { motion } = this.#question;
    if (distance >= 0 && distance - lower <= 1e-3 * this.#smallest) return true;
    return this.#axes.every((axis) => widths[axis] <= 1e-7 * (motion.axes[axis].high - motion.axes[axis].low));
  }

  /** Bounds a box, by balls or by a measured distance. */
  #bound(box: SearchBox, exactly: boolean): void {
    const { motion, pair } = this.#question;
    motion.place(box.middle);
    const reach = motion.reach(pair, box.widths);
    if (!exactly) {
      box.atLeast = Math.max(box.atLeast, ballGap(motion, pair));
    } else if (box.distance < 0) {
      const known = this.#measure(box.middle, this.#upper + (Number.isFinite(reach) ? reach : this.#size));
      if (known === null) box.atLeast = this.#upper + (Number.isFinite(reach) ? reach : this.#size);
      else box.distance = box.atLeast = known;
    }
    const atLeast = box.atLeast - DISTANCE_SLACK * this.#size;
    box.lower = Math.max(box.lower, Number.isFinite(reach) ? atLeast - reach : 0, 0);
  }

  /** The distance where the motion is placed; null beyond the cut-off. */
  #measure(u: Float64Array, cutoff: number): number | null {
    const { motion, pair } = this.#question;
    this.#queries++;
    motion.poseOf(pair.a, this.#poses[0]);
    motion.poseOf(pair.b, this.#poses[1]);
    const { distance } = this.#query.distance(this.#poses[0], this.#poses[1], { cutoff });
    if (distance !== null && distance < this.#upper) {
      this.#upper = distance;
      this.#at = u.slice();
    }
    return distance;
  }

  /** Three parts along the axis that moves the pair most; the middle one keeps what is known of the middle. */
  #cut(box: SearchBox): SearchBox[] {
    const axis = this.#longest(box);
    const parts: SearchBox[] = [];
    for (const side of [-1, 0, 1]) {
      const middle = box.middle.slice();
      const widths = box.widths.slice();
      middle[axis] += 2 * THIRD * side * widths[axis];
      widths[axis] *= THIRD;
      const isMiddle = side === 0;
      const part = {
        middle,
        widths,
        distance: isMiddle ? box.distance : -1,
        atLeast: isMiddle ? box.atLeast : 0,
        lower: box.lower,
      };
      this.#bound(part, false);
      parts.push(part);
    }
    return parts;
  }

  #longest({ middle, widths }: SearchBox): number {
    const { motion, pair } = this.#question;
    if (this.#axes.length === 1) return this.#axes[0];
    motion.place(middle);
    let [best, most] = [this.#axes[0], -1];
    const alone = new Float64Array(widths.length);
    for (const axis of this.#axes) {
      alone.fill(0);
      alone[axis] = widths[axis];
      const reach = motion.reach(pair, alone);
      const { low, high } = motion.axes[axis];
      // Where loops are not closed in boxes of this size the longest side counts.
      const way = Number.isFinite(reach) ? reach : 1e9 * (widths[axis] / (high - low));
      if (way > most) [best, most] = [axis, way];
    }
    return best;
  }

  /** The smallest boxes in which the clearance is not proven, or is measured to fail. */
  #failing(): SearchBox[] {
    const { deadline, clearance, resolution, motion, pair } = this.#question;
    const share = this.#axes.length === 1 ? resolution : COARSE[Math.min(COARSE.length, this.#axes.length) - 1];
    const isSmall = ({ widths }: SearchBox): boolean =>
      this.#axes.every((axis) => 2 * widths[axis] <= 1.0001 * share * (motion.axes[axis].high - motion.axes[axis].low));
    const found: SearchBox[] = [];
    const open = [this.#root()];
    for (let step = 0; open.length > 0; step++) {
      const box = open.pop()!;
      if (found.length + open.length > MAX_BOXES || (step % CLOCK_STEPS === 0 && deadline?.isOver('Sweeping pairs'))) {
        this.#isOpen = true;
        found.push(box, ...open);
        break;
      }
      motion.place(box.middle);
      const reach = motion.reach(pair, box.widths);
      const finite = Number.isFinite(reach);
      if (finite && ballGap(motion, pair) - reach > clearance) continue;
      if (box.distance < 0)
        box.distance = this.#measure(box.middle, clearance + (finite ? reach : this.#size)) ?? Infinity;
      const slack = DISTANCE_SLACK * this.#size;
      const isClear =
        finite && (clearance > 0 ? box.distance - reach - slack >= clearance : box.distance - reach - slack > 0);
      if (isClear) continue;
      if (isSmall(box) || (finite && box.distance + reach + slack < clearance)) found.push(box);
      else open.push(...this.#halves(box));
    }
    return found;
  }

  /** Three parts, the first last, so that they are looked at in order. */
  #halves(box: SearchBox): SearchBox[] {
    return this.#cut(box).reverse();
  }

  #join(boxes: readonly SearchBox[]): Stretch[] {
    const axis = this.#axes[0];
    const { clearance } = this.#question;
    const stretches: Stretch[] = [];
    for (const { middle, widths, distance } of [...boxes].sort((a, b) => a.middle[axis] - b.middle[axis])) {
      const [from, to] = [middle[axis] - widths[axis], middle[axis] + widths[axis]];
      const isBelow = clearance > 0 ? distance < clearance : distance === 0;
      const inner = isBelow ? { from: middle[axis], to: middle[axis] } : null;
      const last = stretches[stretches.length - 1];
      if (last === undefined || from > last.to + 0.01 * widths[axis]) stretches.push({ from, to, inner });
      else {
        last.to = Math.max(last.to, to);
        if (inner !== null) last.inner = { from: last.inner?.from ?? inner.from, to: inner.to };
      }
    }
    return stretches;
  }

  /** One box around all boxes that hang together. */
  #merge(boxes: readonly SearchBox[]): { low: Float64Array; high: Float64Array }[] {
    const groups: { low: Float64Array; high: Float64Array }[] = [];
    for (const { middle, widths } of boxes) {
      const own = { low: middle.map((m, k) => m - widths[k]), high: middle.map((m, k) => m + widths[k]) };
      for (let g = groups.length - 1; g >= 0; g--) {
        const touches = this.#axes.every(
          (axis) => groups[g].low[axis] <= own.high[axis] + 1e-9 && own.low[axis] <= groups[g].high[axis] + 1e-9,
        );
        if (!touches) continue;
        for (const axis of this.#axes) {
          own.low[axis] = Math.min(own.low[axis], groups[g].low[axis]);
          own.high[axis] = Math.max(own.high[axis], groups[g].high[axis]);
        }
        groups.splice(g, 1);
      }
      groups.push(own);
    }
    return groups;
  }
}

/** Chosen: by the number of axes, the share of the range of each to which boxes that fail are told apart. */
const COARSE = [1 / 2187, 1 / 27, 1 / 9, 1 / 9] as const;
