// Which of many moving boxes overlap. The ends of all boxes are kept in order along three axes; a pair can begin or end
// only where ends change places (Baraff 1992; Cohen, Lin, Manocha and Ponamgi 1995). A frame costs O(boxes + exchanges
// + pairs); where everything jumps, one sweep over newly sorted ends, O(n log n + overlaps on an axis).
import { nameValue } from '../core/check/check-options.js';
import { checkedElsewhere, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { growTo } from '../core/grow-array.js';
import { type EndSwapSink, SweepAxis } from './sweep-and-prune-axis.js';

/** The options of a {@link SweepAndPrune}. */
export interface SweepAndPruneOptions {
  /** Boxes within this distance on every axis count as overlapping. Default 0. */
  readonly margin?: number | undefined;
}

// The setter checks the margin too.
const OPTIONS = optionTable<SweepAndPruneOptions>()({ margin: checkedElsewhere(0) });

/** What the last {@link SweepAndPrune.update} did. */
export interface SweepCounters {
  /** Neighboring ends that changed places, on all three axes. */
  readonly swaps: number;
  /** Pairs of boxes compared. */
  readonly boxTests: number;
  readonly pairsBegun: number;
  readonly pairsEnded: number;
  /** Whether there would have been too many exchanges, so that everything was sorted from scratch. */
  readonly resorted: boolean;
}

/** Proven: item numbers are below this, so that a pair of them fits exactly in one number of 53 bits. */
const MAX_ITEMS = 2 ** 26;

/**
 * Chosen: exchanges that an update may take, per end and per halving of the number of ends, before it sorts from
 * scratch. It may also take as many as the last full sweep compared boxes: an exchange and a comparison take about
 * as long.
 */
const SWAP_PATIENCE = 4;

/** Keeps the overlapping pairs of boxes that move, come and go. Touching boxes overlap. */
export class SweepAndPrune {
  readonly #axes = [new SweepAxis(0), new SweepAxis(1), new SweepAxis(2)] as const;
  /** The margin as given. */
  #boxes = new Float64Array(6 * 16);
  /** Lower ends moved down by the margin: now, and at the last update. An absent item has an empty box. */
  #next = new Float64Array(6 * 16);
  #settled = new Float64Array(6 * 16);
  /** 1 for items that will be present after the next update, and for those on the axes. */
  #wanted = new Uint8Array(16);
  #present = new Uint8Array(16);
  #size = 0;
  #leaving = 0;
  #arrivals: number[] = [];
  #margin: number;
  /** MAX_ITEMS × lower item + higher item, ascending. */
  #pairs = new PairKeys();
  #pairsAside = new PairKeys();
  readonly #begun = new PairKeys();
  readonly #ended = new PairKeys();
  #boxTests = 0;
  /** Boxes compared by the last full sweep. */
  #sweepTests = 0;
  readonly #sink: EndSwapSink = {
    meet: (item, other) => {
      this.#boxTests++;
      if (overlap(this.#next, 6 * item, 6 * other)) this.#begun.push(pairOf(item, other));
    },
    part: (item, other) => {
      this.#boxTests++;
      if (overlap(this.#settled, 6 * item, 6 * other)) this.#ended.push(pairOf(item, other));
    },
  };
  #counters: SweepCounters = { swaps: 0, boxTests: 0, pairsBegun: 0, pairsEnded: 0, resorted: false };

  constructor(options: SweepAndPruneOptions = {}) {
    const { margin } = OPTIONS.read(options);
    assertMargin(margin);
    this.#margin = margin;
  }

  /** Number of boxes, including those that wait for the next update. */
  get size(): number {
    return this.#size;
  }

  /** Boxes within this distance on every axis count as overlapping. */
  get margin(): number {
    return this.#margin;
  }

  /** Takes effect with the next update. */
  set margin(margin: number) {
    assertMargin(margin);
    this.#margin = margin;
  }

  /** What the last update did. */
  get counters(): SweepCounters {
    return this.#counters;
  }

  /** Number of overlapping pairs at the last update. */
  get pairCount(): number {
    return this.#pairs.count;
  }

  /** Whether the box is present. */
  has(item: number): boolean {
    return item < this.#wanted.length && this.#wanted[item] === 1;
  }

  /**
   * Adds a box or moves it, with effect from the next update.
   * @param item a whole number; memory is allocated for all numbers up to the largest.
   * @param box min x, y, z, max x, y, z from `offset` on; finite, minimum first. Copied.
   */
  place(item: number, box: ArrayLike<number>, offset = 0): void {
    if (!Number.isInteger(item) || item < 0 || item >= MAX_ITEMS) {
      throw new NearfieldError(
        'bad-argument',
        `The item is ${nameValue(item)}; give a whole number from 0 below ${MAX_ITEMS}.`,
      );
    }
    if (box === null || typeof box !== 'object') {
      throw new NearfieldError('bad-argument', `The box of item ${item} is ${nameValue(box)}; give six numbers.`);
    }
    for (let axis = 0; axis < 3; axis++) {
      const low = box[offset + axis];
      const high = box[offset + 3 + axis];
      if (low <= high && low > -Infinity && high < Infinity) continue;
      throw new NearfieldError(
        Number.isFinite(low) && Number.isFinite(high) ? 'bad-argument' : 'non-finite',
        `The box of item ${item} goes from ${low} to ${high} on axis ${'xyz'[axis]}; give finite numbers, minimum first.`,
      );
    }
    if (item >= this.#wanted.length) this.#grow(item + 1);
    for (let k = 0; k < 6; k++) this.#boxes[6 * item + k] = box[offset + k];
    if (this.#wanted[item] === 1) return;
    this.#wanted[item] = 1;
    this.#size++;
    if (this.#present[item] === 1) this.#leaving--;
    else this.#arrivals.push(item);
  }

  /** Removes a box, with effect from the next update; false if it was absent. */
  remove(item: number): boolean {
    if (!this.has(item)) return false;
    this.#wanted[item] = 0;
    this.#size--;
    if (this.#present[item] === 1) this.#leaving++;
    else this.#arrivals.splice(this.#arrivals.indexOf(item), 1);
    return true;
  }

  /** Updates the pairs for all boxes placed and removed since the last update. */
  update(): void {
    const before = this.#pairs.count;
    if (this.#leaving > 0) this.#dropLeaving();
    const ended = before - this.#pairs.count;
    this.#boxTests = 0;
    this.#readBoxes();
    const resorting = this.#arrive();
    const swaps = resorting ? -1 : this.#sortBySwaps();
    const kept = this.#pairs.count;
    const shared = swaps < 0 ? this.#sweep() : this.#mergeEvents();
    [this.#next, this.#settled] = [this.#settled, this.#next];
    this.#counters = {
      swaps: Math.max(swaps, 0),
      boxTests: this.#boxTests,
      pairsBegun: this.#pairs.count - shared,
      pairsEnded: ended + kept - shared,
      resorted: swaps < 0,
    };
  }

  /** Calls back with every overlapping pair, lower item first, always in ascending order. */
  forEachPair(visit: (i: number, j: number) => void): void {
    const { keys, count } = this.#pairs;
    for (let k = 0; k < count; k++) {
      const i = Math.floor(keys[k] / MAX_ITEMS);
      visit(i, keys[k] - i * MAX_ITEMS);
    }
  }

  /** The pairs of {@link forEachPair}, two numbers each. */
  pairs(): Uint32Array {
    const list = new Uint32Array(2 * this.#pairs.count);
    let length = 0;
    this.forEachPair((i, j) => {
      list[length++] = i;
      list[length++] = j;
    });
    return list;
  }

  #grow(needed: number): void {
    const capacity = Math.max(needed, 2 * this.#wanted.length);
    this.#boxes = growTo(this.#boxes, 6 * capacity);
    this.#next = growTo(this.#next, 6 * capacity);
    this.#settled = growTo(this.#settled, 6 * capacity);
    this.#wanted = growTo(this.#wanted, capacity);
    this.#present = growTo(this.#present, capacity);
  }

  #dropLeaving(): void {
    for (const axis of this.#axes) axis.compact(this.#wanted);
    for (let item = 0; item < this.#present.length; item++) this.#present[item] &= this.#wanted[item];
    const { keys, count } = this.#pairs;
    let kept = 0;
    for (let k = 0; k < count; k++) {
      const i = Math.floor(keys[k] / MAX_ITEMS);
      if (this.#present[i] === 1 && this.#present[keys[k] - i * MAX_ITEMS] === 1) keys[kept++] = keys[k];
    }
    this.#pairs.count = kept;
    this.#leaving = 0;
  }

  /** Moves lower ends down by the whole margin: rounding is monotone, so it loses no pair within the margin. */
  #readBoxes(): void {
    const boxes = this.#boxes;
    const next = this.#next;
    const margin = this.#margin;
    for (let item = 0; item < this.#wanted.length; item++) {
      if (this.#wanted[item] === 0) continue;
      const o = 6 * item;
      for (let k = 0; k < 3; k++) next[o + k] = boxes[o + k] - margin;
      for (let k = 3; k < 6; k++) next[o + k] = boxes[o + k];
    }
  }

  /** Puts the new boxes on the axes; true when there are too many for exchanges to pay off. */
  #arrive(): boolean {
    for (const item of this.#arrivals) {
      for (const axis of this.#axes) axis.append(item);
      this.#settled.fill(Infinity, 6 * item, 6 * item + 3);
      this.#settled.fill(-Infinity, 6 * item + 3, 6 * item + 6);
      this.#present[item] = 1;
    }
    const count = this.#arrivals.length;
    this.#arrivals = [];
    // A new end passes half the others on average.
    return count * this.#size > this.#swapLimit();
  }

  #swapLimit(): number {
    const ends = 2 * this.#size;
    return Math.max(SWAP_PATIENCE * ends * (1 + Math.log2(ends + 1)), this.#sweepTests);
  }

  /** The exchanges on all axes, or -1 when there would be too many. Collects the pairs that begin and end. */
  #sortBySwaps(): number {
    this.#begun.count = 0;
    this.#ended.count = 0;
    const limit = this.#swapLimit();
    let swaps = 0;
    for (const axis of this.#axes) {
      axis.read(this.#next);
      const done = axis.sortBySwaps(limit - swaps, this.#sink);
      if (done < 0) return -1;
      swaps += done;
    }
    return swaps;
  }

  /** Applies the collected events to the pairs; a pair may occur once for each axis. Returns how many pairs stayed. */
  #mergeEvents(): number {
    this.#begun.sort();
    this.#ended.sort();
    const [old, begun, ended, out] = [this.#pairs, this.#begun, this.#ended, this.#pairsAside];
    out.count = 0;
    let e = 0;
    let b = 0;
    let stayed = 0;
    for (let k = 0; k < old.count; k++) {
      const pair = old.keys[k];
      for (; b < begun.count && begun.keys[b] < pair; b++) out.pushOnce(begun.keys[b]);
      while (e < ended.count && ended.keys[e] < pair) e++;
      if (e < ended.count && ended.keys[e] === pair) continue;
      out.push(pair);
      stayed++;
    }
    for (; b < begun.count; b++) out.pushOnce(begun.keys[b]);
    [this.#pairs, this.#pairsAside] = [out, old];
    return stayed;
  }

  /** Sorts all axes from scratch and finds the pairs along the axis of largest spread. Returns how many stayed. */
  #sweep(): number {
    for (const axis of this.#axes) {
      axis.read(this.#next);
      axis.sortByMerging();
    }
    const { ends, count } = this.#axes[this.#widestAxis()];
    const [old, out] = [this.#pairs, this.#pairsAside];
    const open = new Uint32Array(this.#size);
    const placeOf = new Uint32Array(this.#wanted.length);
    let opened = 0;
    out.count = 0;
    this.#sweepTests = 0;
    for (let k = 0; k < count; k++) {
      const item = ends[k] >> 1;
      if ((ends[k] & 1) === 0) {
        for (let p = 0; p < opened; p++) {
          if (overlap(this.#next, 6 * item, 6 * open[p])) out.push(pairOf(item, open[p]));
        }
        this.#sweepTests += opened;
        placeOf[item] = opened;
        open[opened++] = item;
      } else {
        const moved = open[--opened];
        open[placeOf[item]] = moved;
        placeOf[moved] = placeOf[item];
      }
    }
    this.#boxTests += this.#sweepTests;
    out.sort();
    [this.#pairs, this.#pairsAside] = [out, old];
    return countShared(old, out);
  }

  #widestAxis(): number {
    let widest = 0;
    let most = -1;
    for (let axis = 0; axis < 3; axis++) {
      let mean = 0;
      let moment = 0;
      let seen = 0;
      for (let item = 0; item < this.#wanted.length; item++) {
        if (this.#wanted[item] === 0) continue;
        const middle = this.#boxes[6 * item + axis] / 2 + this.#boxes[6 * item + axis + 3] / 2;
        const offset = middle - mean;
        mean += offset / ++seen;
        moment += offset * (middle - mean);
      }
      if (moment > most) {
        most = moment;
        widest = axis;
      }
    }
    return widest;
  }
}

/** Pairs as numbers, in an array that doubles when full. */
class PairKeys {
  keys = new Float64Array(64);
  count = 0;

  push(pair: number): void {
    if (this.count === this.keys.length) {
      this.keys = growTo(this.keys, 2 * this.count);
    }
    this.keys[this.count++] = pair;
  }

  /** Appends a value unless it equals the last one. */
  pushOnce(pair: number): void {
    if (this.count === 0 || this.keys[this.count - 1] !== pair) this.push(pair);
  }

  sort(): void {
    this.keys.subarray(0, this.count).sort();
  }
}

function countShared(a: PairKeys, b: PairKeys): number {
  let shared = 0;
  for (let i = 0, j = 0; i < a.count && j < b.count; ) {
    if (a.keys[i] === b.keys[j]) shared++;
    if (a.keys[i] <= b.keys[j]) i++;
    else j++;
  }
  return shared;
}

function pairOf(item: number, other: number): number {
  return item < other ? item * MAX_ITEMS + other : other * MAX_ITEMS + item;
}

function overlap(boxes: Float64Array, o: number, p: number): boolean {
  return (
    boxes[o] <= boxes[p + 3] &&
    boxes[p] <= boxes[o + 3] &&
    boxes[o + 1] <= boxes[p + 4] &&
    boxes[p + 1] <= boxes[o + 4] &&
    boxes[o + 2] <= boxes[p + 5] &&
    boxes[p + 2] <= boxes[o + 5]
  );
}

function assertMargin(margin: number): void {
  if (!(margin >= 0 && margin < Infinity)) {
    throw new NearfieldError('bad-argument', `The margin is ${margin}; give a finite number from 0.`);
  }
}
