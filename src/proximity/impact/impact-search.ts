// The first time at which two moving surfaces may come within a clearance. Each pair of nodes has a time until which it is
// proven to stay apart. The pair with the earliest of these times comes first: it is bounded anew from there, and split if that
// gains little. So all pairs are proven up to the current time, and none is followed beyond the first impact.
import { BOX_RADIUS, BOX_STRIDE, type BoxTree } from '../boxes/box-tree.js';
import { PairStack } from '../boxes/pair-stack.js';
import { PairQueue } from '../hulls/pair-queue.js';
import { ClearTime } from './clear-time.js';
import type { Segment } from './motion.js';
import { RelativeMotion } from './relative-motion.js';

/** How a search ended. */
export type SearchEnd = 'clear' | 'impact' | 'limit';

/** Chosen: a pair of nodes is split if it would move by less than this share of its size until its next bound. */
const WORTH = 0.5;
/** Chosen: the largest number of pairs that may wait, some 64 MB. */
const MAX_WAITING = 1 << 22;
/** Chosen: a pair of triangles that gains less than this share of the tolerance is not followed any further. */
const STALLED = 1e-3;

/** Searches one segment of a motion after another. Times are s, from 0 to 1 in the segment. */
export class ImpactSearch {
  readonly motion = new RelativeMotion();
  readonly bounds: ClearTime;
  /** Until when everything is proven clear. */
  s = 0;
  /** The triangles that ended the search, their distance and their closing velocity then. */
  triangleA = -1;
  triangleB = -1;
  distance = 0;
  closing = 0;
  volumePairs = 0;
  trianglePairs = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #queue = new PairQueue(MAX_WAITING);
  readonly #stack = new PairStack();

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.bounds = new ClearTime(a, b, this.motion);
  }

  /** Starts a segment. Returns how long the two root boxes prove it clear. */
  begin(segment: Segment, clearance: number): number {
    this.motion.begin(segment);
    this.bounds.place();
    this.volumePairs++;
    return this.bounds.ofBoxes(0, 0, clearance, 1);
  }

  /** Searches the segment from s = `from`, up to which the caller knows it to be clear. */
  start(from: number): void {
    this.#queue.clear();
    this.s = from;
    this.#queue.push(from, 0, 0);
  }

  /**
   * Goes on until the surfaces come within the clearance, or within clearance + tolerance without a proof that they stay
   * apart, or the segment ends. May be called again, with a smaller clearance, to go on from an impact.
   * @param limit the number of pairs, of volumes and triangles, after which to stop.
   */
  run(clearance: number, tolerance: number, limit: number): SearchEnd {
    const { bounds, motion } = this;
    const queue = this.#queue;
    while (queue.size > 0) {
      const s = queue.least;
      this.s = s;
      if (s >= 1) break;
      if (this.volumePairs + this.trianglePairs > limit) return 'limit';
      const nodeA = queue.leastA;
      const nodeB = queue.leastB;
      queue.pop();
      motion.move(s);
      bounds.place();
      this.#stack.begin(nodeA, nodeB);
      const end = this.#follow(s, clearance, tolerance);
      if (end !== 'clear') return end;
    }
    this.s = 1;
    return 'clear';
  }

  /** Bounds the pair on the stack from s on, and what is split from it, until all of it waits in the queue. */
  #follow(s: number, clearance: number, tolerance: number): SearchEnd {
    const { bounds } = this;
    const queue = this.#queue;
    const a = this.#a;
    const b = this.#b;
    const rest = 1 - s;
    const stack = this.#stack;
    let first = true;
    while (stack.size > 0) {
      const nodeA = stack.nodesA[--stack.size];
      const nodeB = stack.nodesB[stack.size];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      const leaf = linkA < 0 && linkB < 0;
      let time: number;
      if (leaf) {
        this.trianglePairs++;
        time = bounds.ofTriangles(~linkA, ~linkB, clearance, rest);
        const stalled = Math.max(4 * bounds.slack, STALLED * tolerance);
        if (bounds.distance <= clearance + tolerance && time < rest && time * bounds.speed <= stalled) {
          this.triangleA = ~linkA;
          this.triangleB = ~linkB;
          this.distance = bounds.distance;
          this.closing = bounds.closing;
          // The rest of the stack is proven up to s, as is this pair.
          for (let k = stack.size; k >= 0; k--) queue.push(s, stack.nodesA[k], stack.nodesB[k]);
          return 'impact';
        }
      } else {
        this.volumePairs++;
        time = bounds.ofBoxes(nodeA, nodeB, clearance, rest);
      }
      if (time >= rest) continue;
      const splits = !leaf && (!(time > 0) || (first && time * bounds.speed < WORTH * this.#size(nodeA, nodeB)));
      first = false;
      if (!splits) {
        if (!queue.push(s + time, nodeA, nodeB)) return 'limit';
        continue;
      }
      stack.pushChildren(a, nodeA, b, nodeB);
    }
    return 'clear';
  }

  #size(nodeA: number, nodeB: number): number {
    return Math.max(this.#a.boxes[BOX_STRIDE * nodeA + BOX_RADIUS], this.#b.boxes[BOX_STRIDE * nodeB + BOX_RADIUS]);
  }
}
