// The nearest triangles of two trees of oriented boxes, from the roots: the nearest pair of boxes first, from a bounded
// queue, until two triangles have been measured; then nearer child first (Larsen et al. 1999), with a threshold that is
// nearly the smallest distance. A bound is the gap between two boxes along the shortest way from one to the other's
// enclosure: that halves the pairs of triangles, compared with the length of that way. Long thin boxes that cross are bounded
// across their long axes too: of two drawn pipes at a distance that leaves 1 pair of triangles in 1,000.
import { growTo } from '../../core/grow-array.js';
import { invertPlacement } from '../../core/placement.js';
import { PairQueue } from '../hulls/pair-queue.js';
import { type BoxKernel, MAX_QUEUED, type NearTest, UNFINISHED } from './box-kernel.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, UNOPENED } from './box-tree.js';
import { PLACED_LIMIT, PLACED_RESULT, PLACED_SIZE, PLACED_SLACK, placeAxes, placeCenter } from './placed-box.js';

/** Chosen: long axes with a smaller squared sine between them have no direction across both that is certain enough. */
const MIN_SINE_SQUARED = 0.01;

/** Searches two trees for near triangles: in WebAssembly once the kernel is ready, otherwise here. */
export class BoxNearest {
  /** Pairs of boxes tested by the last search. */
  tests = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #kernel: BoxKernel | null;
  readonly #queueSize: number;
  /** The box that is not split, in the frame of the other tree: see placed-box.ts. */
  readonly #placed = new Float64Array(PLACED_SIZE);
  /** A in B's frame. */
  readonly #inverse = new Float64Array(12);
  /** Pairs still to be searched, with their bounds: those on the stack come before those in the queue. */
  readonly #queue: PairQueue;
  #stackA = new Int32Array(128);
  #stackB = new Int32Array(128);
  #bounds = new Float64Array(128);
  /** Pairs on the stack when a search begins. */
  #depth = 0;
  /** No triangles have been measured yet: children of pairs from the queue go back into it. */
  #probing = false;
  /** The pair on top of the stack was taken from the queue. */
  #fromQueue = false;

  /** @param queueSize the most pairs in the queue. */
  constructor(a: BoxTree, b: BoxTree, queueSize: number, kernel: BoxKernel | null = null) {
    this.#a = a;
    this.#b = b;
    this.#kernel = kernel;
    this.#queueSize = Math.min(queueSize, MAX_QUEUED);
    this.#queue = new PairQueue(this.#queueSize);
  }

  /** Bytes of the stack. */
  get bytes(): number {
    return this.#stackA.byteLength + this.#stackB.byteLength + this.#bounds.byteLength;
  }

  /**
   * Judges all pairs of triangles that may be within the threshold, which each judgment lowers.
   * @param m where B is in A's frame, row-major 3 × 4.
   * @param slack rounding of the coordinates: bounds are lowered by more than it.
   * @param queued whether the nearest boxes come first until two triangles have been measured.
   */
  search(m: Float64Array, slack: number, threshold: number, queued: boolean, test: NearTest): void {
    const kernel = this.#kernel;
    let limit = threshold;
    this.#clear(queued);
    if (kernel?.isReady) {
      const room = queued ? this.#queueSize : 0;
      const ended = kernel.searchNearest(this.#a, this.#b, m, slack, threshold, room, test);
      this.tests = kernel.tests;
      if (ended !== UNFINISHED) return;
      limit = kernel.threshold;
      this.#takeRest(kernel);
    }
    this.#begin(m, slack, limit);
    if (this.tests === 0) this.#addRoots(m, queued);
    this.#searchRest(this.#depth, m, test);
    kernel?.earn(this.tests);
  }

  /** The same below two nodes whose boxes are at least `bound` apart, without a queue. */
  searchBelow(
    nodeA: number,
    nodeB: number,
    bound: number,
    m: Float64Array,
    slack: number,
    threshold: number,
    test: NearTest,
  ): void {
    this.#clear(false);
    this.#begin(m, slack, threshold);
    this.#searchRest(this.#push(0, nodeA, nodeB, bound), m, test);
  }

  #clear(probing: boolean): void {
    this.tests = 0;
    this.#depth = 0;
    this.#queue.clear();
    this.#probing = probing;
    this.#fromQueue = false;
  }

  /** Takes over what the kernel left on its stack and in its queue when its memory was full; nothing if it did not begin. */
  #takeRest(kernel: BoxKernel): void {
    if (kernel.tests === 0) return;
    this.#makeRoom(kernel.depth);
    kernel.takeBounded(this.#stackA, this.#stackB, this.#bounds, this.#queue);
    this.#depth = kernel.depth;
    this.#probing = kernel.probing;
    this.#fromQueue = kernel.fromQueue;
  }

  #begin(m: Float64Array, slack: number, threshold: number): void {
    this.#placed[PLACED_SLACK] = slack;
    this.#placed[PLACED_LIMIT] = threshold;
    invertPlacement(m, this.#inverse);
  }

  #addRoots(m: Float64Array, queued: boolean): void {
    const { boxes } = this.#a;
    const placed = this.#placed;
    this.tests = 1;
    placeCenter(m, this.#b.boxes, 0, placed);
    if (areSpheresBeyond(boxes, 0, placed)) return;
    placeAxes(m, this.#b.boxes, 0, placed);
    findBound(boxes, 0, placed);
    const bound = placed[PLACED_RESULT];
    if (bound > placed[PLACED_LIMIT]) return;
    if (!queued || !this.#queue.push(bound, 0, 0)) this.#depth = this.#push(0, 0, 0, bound);
  }

  /**
   * Searches below the pairs on the stack, the last first, and then those in the queue. In one piece: with the choice of the
   * box to split in an object that both searches share, they measured 3 to 8 % slower.
   */
  #searchRest(top: number, m: Float64Array, test: NearTest): void {
    const a = this.#a;
    const b = this.#b;
    const placed = this.#placed;
    const inverse = this.#inverse;
    const queue = this.#queue;
    const boxesA = a.boxes;
    const boxesB = b.boxes;
    while (true) {
      let nodeA: number;
      let nodeB: number;
      let bound: number;
      let fromQueue = false;
      if (top > 0) {
        top--;
        nodeA = this.#stackA[top];
        nodeB = this.#stackB[top];
        bound = this.#bounds[top];
        fromQueue = this.#fromQueue;
        this.#fromQueue = false;
      } else {
        if (queue.size === 0) return;
        bound = queue.least;
        nodeA = queue.leastA;
        nodeB = queue.leastB;
        queue.pop();
        fromQueue = this.#probing;
      }
      if (bound > placed[PLACED_LIMIT]) continue;
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      if (linkA < 0 && linkB < 0) {
        this.#probing = false;
        const threshold = test.judge(~linkA, ~linkB);
        if (threshold < 0) return;
        placed[PLACED_LIMIT] = threshold;
        continue;
      }
      this.tests += 2;
      // One box is placed in the frame of the other, whose children are tested.
      const splitsA =
        linkB < 0 || (linkA >= 0 && boxesA[BOX_STRIDE * nodeA + BOX_RADIUS] >= boxesB[BOX_STRIDE * nodeB + BOX_RADIUS]);
      const frame = splitsA ? m : inverse;
      const whole = splitsA ? boxesB : boxesA;
      const split = splitsA ? boxesA : boxesB;
      const at = BOX_STRIDE * (splitsA ? nodeB : nodeA);
      const first = splitsA ? nodeA + 1 : nodeB + 1;
      let second = splitsA ? linkA : linkB;
      if (second === UNOPENED) second = (splitsA ? a : b).open(first - 1);
      placeCenter(frame, whole, at, placed);
      const isBeyond1 = areSpheresBeyond(split, BOX_STRIDE * first, placed);
      const isBeyond2 = areSpheresBeyond(split, BOX_STRIDE * second, placed);
      if (isBeyond1 && isBeyond2) continue;
      placeAxes(frame, whole, at, placed);
      let bound1 = Infinity;
      let bound2 = Infinity;
      if (!isBeyond1) {
        findBound(split, BOX_STRIDE * first, placed);
        bound1 = placed[PLACED_RESULT];
      }
      if (!isBeyond2) {
        findBound(split, BOX_STRIDE * second, placed);
        bound2 = placed[PLACED_RESULT];
      }
      const limit = placed[PLACED_LIMIT];
      // The farther child first: the nearer one is on top of it.
      const swapped = bound1 <= bound2;
      const far = swapped ? second : first;
      const near = swapped ? first : second;
      const farBound = swapped ? bound2 : bound1;
      const nearBound = swapped ? bound1 : bound2;
      if (!(farBound > limit)) top = this.#add(top, fromQueue, splitsA ? far : nodeA, splitsA ? nodeB : far, farBound);
      if (!(nearBound > limit)) {
        top = this.#add(top, fromQueue, splitsA ? near : nodeA, splitsA ? nodeB : near, nearBound);
      }
    }
  }

  /** Adds a pair to the queue, or to the stack of `top` pairs; returns how many the stack has then. */
  #add(top: number, queued: boolean, nodeA: number, nodeB: number, bound: number): number {
    return queued && this.#queue.push(bound, nodeA, nodeB) ? top : this.#push(top, nodeA, nodeB, bound);
  }

  #push(top: number, nodeA: number, nodeB: number, bound: number): number {
    if (top === this.#bounds.length) this.#makeRoom(top + 1);
    this.#stackA[top] = nodeA;
    this.#stackB[top] = nodeB;
    this.#bounds[top] = bound;
    return top + 1;
  }

  #makeRoom(depth: number): void {
    this.#stackA = growTo(this.#stackA, depth);
    this.#stackB = growTo(this.#stackB, depth);
    this.#bounds = growTo(this.#bounds, depth);
  }
}

/** Whether the spheres around a box of a tree and around the placed one are farther apart than the limit. */
function areSpheresBeyond(boxes: Float64Array, at: number, placed: Float64Array): boolean {
  const dx = placed[0] - boxes[at];
  const dy = placed[1] - boxes[at + 1];
  const dz = placed[2] - boxes[at + 2];
  const far = boxes[at + BOX_RADIUS] + placed[BOX_RADIUS] + placed[PLACED_LIMIT];
  return dx * dx + dy * dy + dz * dz > far * far;
}

/**
 * Writes a lower bound on the distance of a box of a tree to one placed in its frame; infinite beyond the limit. In one piece:
 * each of its bounds may end it, and cosines that passed from one function to the next would be allocated.
 */
function findBound(boxes: Float64Array, at: number, placed: Float64Array): void {
  placed[PLACED_RESULT] = Infinity;
  const slack = placed[PLACED_SLACK];
  const limit = placed[PLACED_LIMIT];
  const dx = placed[0] - boxes[at];
  const dy = placed[1] - boxes[at + 1];
  const dz = placed[2] - boxes[at + 2];
  const b00 = placed[3];
  const b01 = placed[4];
  const b02 = placed[5];
  const b10 = placed[6];
  const b11 = placed[7];
  const b12 = placed[8];
  const b20 = placed[9];
  const b21 = placed[10];
  const b22 = placed[11];
  const halfB0 = placed[12];
  const halfB1 = placed[13];
  const halfB2 = placed[14];

  // The cosines of the axes, c, and along each axis of one box: the way between the centers, t or u, how far the other
  // box is beyond the face, and what is left of that behind the other box's enclosure, the gap.
  let x = boxes[at + 3];
  let y = boxes[at + 4];
  let z = boxes[at + 5];
  const half0 = boxes[at + 12] + slack;
  const c00 = x * b00 + y * b01 + z * b02;
  const c01 = x * b10 + y * b11 + z * b12;
  const c02 = x * b20 + y * b21 + z * b22;
  const d00 = Math.abs(c00);
  const d01 = Math.abs(c01);
  const d02 = Math.abs(c02);
  const t0 = x * dx + y * dy + z * dz;
  let out0 = Math.abs(t0) - half0;
  let gap0 = out0 - (d00 * halfB0 + d01 * halfB1 + d02 * halfB2);
  x = boxes[at + 6];
  y = boxes[at + 7];
  z = boxes[at + 8];
  const half1 = boxes[at + 13] + slack;
  const c10 = x * b00 + y * b01 + z * b02;
  const c11 = x * b10 + y * b11 + z * b12;
  const c12 = x * b20 + y * b21 + z * b22;
  const d10 = Math.abs(c10);
  const d11 = Math.abs(c11);
  const d12 = Math.abs(c12);
  const t1 = x * dx + y * dy + z * dz;
  let out1 = Math.abs(t1) - half1;
  let gap1 = out1 - (d10 * halfB0 + d11 * halfB1 + d12 * halfB2);
  x = boxes[at + 9];
  y = boxes[at + 10];
  z = boxes[at + 11];
  const half2 = boxes[at + 14] + slack;
  const c20 = x * b00 + y * b01 + z * b02;
  const c21 = x * b10 + y * b11 + z * b12;
  const c22 = x * b20 + y * b21 + z * b22;
  const d20 = Math.abs(c20);
  const d21 = Math.abs(c21);
  const d22 = Math.abs(c22);
  const t2 = x * dx + y * dy + z * dz;
  let out2 = Math.abs(t2) - half2;
  let gap2 = out2 - (d20 * halfB0 + d21 * halfB1 + d22 * halfB2);
  if (gap0 < 0) gap0 = 0;
  if (gap1 < 0) gap1 = 0;
  if (gap2 < 0) gap2 = 0;
  let square = gap0 * gap0 + gap1 * gap1 + gap2 * gap2;
  if (square > limit * limit) return;

  // Along the direction of the gaps the other box is shorter than its enclosure. Without gaps no direction is given, and `along` is NaN.
  let s0 = t0 < 0 ? -gap0 : gap0;
  let s1 = t1 < 0 ? -gap1 : gap1;
  let s2 = t2 < 0 ? -gap2 : gap2;
  let along =
    gap0 * out0 +
    gap1 * out1 +
    gap2 * out2 -
    (Math.abs(s0 * c00 + s1 * c10 + s2 * c20) * halfB0 +
      Math.abs(s0 * c01 + s1 * c11 + s2 * c21) * halfB1 +
      Math.abs(s0 * c02 + s1 * c12 + s2 * c22) * halfB2);
  along /= Math.sqrt(square);
  if (along > limit) return;
  let bound = 0;
  if (along > bound) bound = along;

  const u0 = b00 * dx + b01 * dy + b02 * dz;
  const u1 = b10 * dx + b11 * dy + b12 * dz;
  const u2 = b20 * dx + b21 * dy + b22 * dz;
  out0 = Math.abs(u0) - halfB0;
  out1 = Math.abs(u1) - halfB1;
  out2 = Math.abs(u2) - halfB2;
  gap0 = out0 - (d00 * half0 + d10 * half1 + d20 * half2);
  gap1 = out1 - (d01 * half0 + d11 * half1 + d21 * half2);
  gap2 = out2 - (d02 * half0 + d12 * half1 + d22 * half2);
  if (gap0 < 0) gap0 = 0;
  if (gap1 < 0) gap1 = 0;
  if (gap2 < 0) gap2 = 0;
  square = gap0 * gap0 + gap1 * gap1 + gap2 * gap2;
  if (square > limit * limit) return;
  s0 = u0 < 0 ? -gap0 : gap0;
  s1 = u1 < 0 ? -gap1 : gap1;
  s2 = u2 < 0 ? -gap2 : gap2;
  along =
    gap0 * out0 +
    gap1 * out1 +
    gap2 * out2 -
    (Math.abs(s0 * c00 + s1 * c01 + s2 * c02) * half0 +
      Math.abs(s0 * c10 + s1 * c11 + s2 * c12) * half1 +
      Math.abs(s0 * c20 + s1 * c21 + s2 * c22) * half2);
  along /= Math.sqrt(square);
  if (along > limit) return;
  if (along > bound) bound = along;

  // Two rods that cross at a distance: only the direction across both long axes is free of their lengths.
  square = c10 * c10 + c20 * c20;
  if (square > MIN_SINE_SQUARED) {
    along = Math.abs(t2 * c10 - t1 * c20) - (half1 * d20 + half2 * d10 + halfB1 * d02 + halfB2 * d01) - 2 * slack;
    along /= Math.sqrt(square);
    if (along > limit) return;
    if (along > bound) bound = along;
  }
  placed[PLACED_RESULT] = bound;
}
