// How far two surfaces that move evenly can go on before they may come within a clearance. Each pair of nodes or triangles has its
// own time until which it stays apart (ClearTime), and is looked at again at the last place before that: a calendar. So what is
// far apart is looked at rarely. Before a place is left, all pairs are proven up to the next one. Times are conservative
// advancement (Mirtich 1996) of each pair.
import { doubled, growTo } from '../../core/grow-array.js';
import type { BoxTree } from '../../proximity/boxes/box-tree.js';
import { PairStack } from '../../proximity/boxes/pair-stack.js';
import { ClearTime } from '../../proximity/impact/clear-time.js';
import type { Segment } from '../../proximity/impact/motion.js';
import { RelativeMotion } from '../../proximity/impact/relative-motion.js';

/** Measured on trains of gears: the share of a segment after which all pairs are found anew. */
const WINDOW = 1 / 4;

/** Measured on trains of gears: the places in a window. */
const PLACES = 128;

/** Rounding: a pair that waits for a place gives up this share of its time. */
const PLACE_ROUNDING = 1 - 1e-12;

/** Chosen: the most pairs that wait; beyond, a window ends at the next place, and the next one is shorter. */
const MAX_WAITING = 1 << 21;

export class ClearCalendar {
  readonly motion = new RelativeMotion();
  /** Pairs of boxes and of triangles that were bounded. */
  pairs = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #bounds: ClearTime;
  /** What was asked last, and how far it is proven. */
  #clearance = Infinity;
  #proven = 0;
  /** The window, how many of its places count, and the one that is gone through; −1 before a window begins. */
  #start = 0;
  #end = 0;
  #length = WINDOW;
  #places = PLACES;
  #place = -1;
  /** Pairs that wait: nodes, and the next pair that waits for the same place. */
  #nodesA = new Int32Array(256);
  #nodesB = new Int32Array(256);
  #next = new Int32Array(256);
  #used = 0;
  /** The first pair of those that wait for a place, and of those that are free; −1 for none. */
  readonly #first = new Int32Array(PLACES).fill(-1);
  #free = -1;
  readonly #stack = new PairStack();
  /** Triangles that do not stay apart up to the next place, and until when they do. */
  #urgentA = new Int32Array(64);
  #urgentB = new Int32Array(64);
  #urgentUntil = new Float64Array(64);
  #urgent = 0;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.#bounds = new ClearTime(a, b, this.motion);
  }

  /** Starts a segment, in which times are from 0 to 1. */
  begin(segment: Segment): void {
    this.motion.begin(segment);
    this.#clearance = -1;
  }

  /**
   * How far from s on the surfaces stay farther apart than the clearance: s if they are within clearance + tolerance there. From
   * where a call ended on, what is known of pairs serves again, for the same clearance or a smaller one.
   *
   * @param isOver ends the work early where it returns true; what is returned is proven.
   */
  advance(s: number, clearance: number, tolerance: number, isOver: () => boolean): number {
    if (s !== this.#proven || clearance > this.#clearance) {
      this.#place = -1;
      this.#length = WINDOW;
    }
    this.#clearance = clearance;
    this.#proven = s;
    while (this.#proven < 1) {
      if (this.#place < 0) this.#beginWindow();
      while (this.#place < this.#places) {
        const failed = this.#stepUrgent(tolerance);
        if (failed < Infinity) {
          this.#proven = failed;
          return failed;
        }
        // Up to the next place that a pair waits for nothing changes.
        do this.#place++;
        while (this.#place < this.#places && this.#first[this.#place] < 0);
        this.#proven = this.#at(this.#place);
        if (this.#place < this.#places) this.#open();
        if (isOver()) return this.#proven;
      }
      this.#place = -1;
      this.#length = this.#places < PLACES ? 0.25 * this.#length : Math.min(WINDOW, 2 * this.#length);
    }
    return 1;
  }

  #at(place: number): number {
    return place === PLACES ? this.#end : this.#start + (place / PLACES) * (this.#end - this.#start);
  }

  /** Looks at the roots from where the proof is. */
  #beginWindow(): void {
    this.#start = this.#proven;
    this.#end = Math.min(1, this.#start + this.#length);
    this.#places = PLACES;
    this.#used = 0;
    this.#free = -1;
    this.#urgent = 0;
    this.#first.fill(-1);
    this.#place = 0;
    this.#wait(0, 0, 0);
    this.#open();
  }

  /** Looks at the pairs that wait for the place, and opens those that do not stay apart up to the next one. */
  #open(): void {
    const stack = this.#stack;
    const s = this.#at(this.#place);
    const rest = this.#end - s;
    const step = (this.#end - this.#start) / PLACES;
    this.motion.move(s);
    this.#bounds.place();
    for (let pair = this.#first[this.#place]; pair >= 0; ) {
      stack.begin(this.#nodesA[pair], this.#nodesB[pair]);
      const next = this.#next[pair];
      this.#next[pair] = this.#free;
      this.#free = pair;
      pair = next;
      while (stack.size > 0) {
        const nodeA = stack.nodesA[--stack.size];
        const nodeB = stack.nodesB[stack.size];
        const isLeaf = this.#a.links[nodeA] < 0 && this.#b.links[nodeB] < 0;
        const time = this.#timeOf(nodeA, nodeB, isLeaf, Math.min(step, rest));
        if (time >= rest) continue;
        const places = Math.floor((time / step) * PLACE_ROUNDING);
        if (places >= 1) this.#wait(nodeA, nodeB, this.#place + places);
        else if (isLeaf) this.#hurry(nodeA, nodeB, s + time);
        else stack.pushChildren(this.#a, nodeA, this.#b, nodeB);
      }
    }
    this.#first[this.#place] = -1;
  }

  #timeOf(nodeA: number, nodeB: number, isLeaf: boolean, enough: number): number {
    this.pairs++;
    if (!isLeaf) return this.#bounds.ofBoxes(nodeA, nodeB, this.#clearance, enough);
    return this.#bounds.ofTriangles(~this.#a.links[nodeA], ~this.#b.links[nodeB], this.#clearance, enough);
  }

  /** Lets a pair wait for a place. Where too many wait, the window ends at the next place, up to which the pair is clear. */
  #wait(nodeA: number, nodeB: number, place: number): void {
    if (place >= this.#places) return;
    let pair = this.#free;
    if (pair >= 0) {
      this.#free = this.#next[pair];
    } else {
      if (this.#used === MAX_WAITING) {
        this.#places = this.#place + 1;
        return;
      }
      pair = this.#used++;
      if (pair === this.#nodesA.length) {
        this.#nodesA = doubled(this.#nodesA);
        this.#nodesB = doubled(this.#nodesB);
        this.#next = doubled(this.#next);
      }
    }
    this.#nodesA[pair] = nodeA;
    this.#nodesB[pair] = nodeB;
    this.#next[pair] = this.#first[place];
    this.#first[place] = pair;
  }

  #hurry(nodeA: number, nodeB: number, until: number): void {
    const i = this.#urgent++;
    if (i === this.#urgentA.length) {
      this.#urgentA = growTo(this.#urgentA, i + 1);
      this.#urgentB = growTo(this.#urgentB, i + 1);
      this.#urgentUntil = growTo(this.#urgentUntil, i + 1);
    }
    this.#urgentA[i] = nodeA;
    this.#urgentB[i] = nodeB;
    this.#urgentUntil[i] = until;
  }

  /** Steps all urgent triangles to the next place; returns where the first of them comes within the clearance, or Infinity. */
  #stepUrgent(tolerance: number): number {
    const end = this.#at(this.#place + 1);
    let failed = Infinity;
    for (let i = 0; i < this.#urgent; i++)
      failed = Math.min(failed, this.#stepPair(i, Math.min(end, failed), tolerance));
    if (failed < Infinity) return failed;
    for (let i = 0; i < this.#urgent; i++) this.#wait(this.#urgentA[i], this.#urgentB[i], this.#place + 1);
    this.#urgent = 0;
    return Infinity;
  }

  /** Steps two triangles up to a place; returns where they come within the clearance before, or Infinity. */
  #stepPair(i: number, end: number, tolerance: number): number {
    const [bounds, clearance] = [this.#bounds, this.#clearance];
    const triangleA = ~this.#a.links[this.#urgentA[i]];
    const triangleB = ~this.#b.links[this.#urgentB[i]];
    while (this.#urgentUntil[i] < end) {
      const s = this.#urgentUntil[i];
      this.motion.move(s);
      bounds.place();
      this.pairs++;
      const time = bounds.ofTriangles(triangleA, triangleB, clearance, end - s);
      const isNear = bounds.distance <= clearance + Math.max(tolerance, 4 * bounds.slack);
      if (time === 0 || (isNear && s + time < end)) return s;
      this.#urgentUntil[i] = s + time;
    }
    return Infinity;
  }
}
