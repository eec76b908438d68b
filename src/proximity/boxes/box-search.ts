// Searches over two trees of oriented boxes for crossing, near and nearest triangles, of a pair that is queried again and
// again: from the front of the last search, after the triangles that decided it (Ehmann and Lin 2001, section 7), or from
// the roots where that costs less.
import { doubled } from '../../core/grow-array.js';
import { boundTurn } from '../../core/placement.js';
import { type Coherence, resolveCoherence } from '../coherence.js';
import type { PairOptions } from '../options.js';
import type { SearchOutcome, SurfaceSearch } from '../surface-search.js';
import { BoxBound } from './box-bound.js';
import { BoxCrossing } from './box-crossing.js';
import { BoxFront, FRONT_BLOCK, FRONT_STRIDE } from './box-front.js';
import type { BoxKernel } from './box-kernel.js';
import { BoxNearest } from './box-nearest.js';
import { BOX_RADIUS, type BoxTree, splitsA, UNOPENED } from './box-tree.js';
import { FrontSwitch } from './front-switch.js';
import { KERNEL_TEST_COST } from './root-search.js';
import { TriangleJudge } from './triangle-judge.js';

/** Chosen: each pair of sibling leaves is considered for merging into its parent once in this many queries. */
const RAISE_QUERIES = 16;
/**
 * Chosen: a pair is raised if its parent is farther than required by this factor, so that it is not split again at
 * once.
 */
const RAISE_MARGIN = 1.05;

/**
 * Measured beside the roots: the cost of a test in the front, with upkeep and memory, in tests from the roots in
 * TypeScript.
 */
const FRONT_TEST_COST = 1.3;
/** Measured likewise: the cost of visiting one slot of the front. */
const SCAN_COST = 0.1;

/**
 * Measured at random poses: a front is not tried for intersections if searches from the roots cost less than this many
 * tests. A hit costs 20 to 40; planting a front costs thousands, and more until its code is compiled.
 */
const CHEAP_CROSSING = 400;
/**
 * Chosen: an intersection is searched from the front only if B moved by less than this share of its size since the last
 * query.
 */
const SMALL_STEP = 0.1;

/**
 * Chosen: the sums of motion restart from zero at this many sizes, so that they round by less than bounds allow for.
 */
const MOTION_SPAN = 16;

/** Searches two surfaces by their trees of boxes. */
export class BoxSearch implements SurfaceSearch {
  readonly #judge: TriangleJudge;
  readonly #bounds: BoxBound;
  readonly #crossing: BoxCrossing;
  readonly #front: BoxFront;
  readonly #nearest: BoxNearest;
  /** If models cross, or jump, the roots cost less: they come first. */
  readonly #crossingSwitch = new FrontSwitch(false, CHEAP_CROSSING);
  readonly #distanceSwitch = new FrontSwitch();
  readonly #coherence: Coherence;
  #placement: Float64Array = new Float64Array(12);
  /** The center of B's root box in A's frame, and the total motion of any point of B by rotation about it. */
  readonly #center = new Float64Array(3);
  #turning = 0;
  /** The most that B has moved since the last query. */
  #step = Infinity;
  /** The total motion by rotation and of the center. */
  #motion = 0;
  /** The placement of the last search; only its rotation is used. */
  readonly #last = new Float64Array(12);
  /** The two leaves that were last considered for merging. */
  #raised = 0;
  /** The triangles that decided the last search, −1 for none. */
  #lastA = -1;
  #lastB = -1;
  /**
   * The last search was a hit, or this is the first: a distance is searched from the roots, where another hit is found soonest
   * and a single answer costs least.
   */
  #met = true;

  /** The search keeps what it finds in the front. */
  #remembers = false;
  /** Slots of the front that the search visited. */
  #scanned = 0;

  /** Pairs of the front still to be split. */
  #stack = new Int32Array(128);
  readonly #a: BoxTree;
  readonly #b: BoxTree;

  /** @param kernel that of A, for searches without coherence; otherwise they run in TypeScript. */
  constructor(a: BoxTree, b: BoxTree, options: PairOptions = {}, kernel: BoxKernel | null = null) {
    this.#a = a;
    this.#b = b;
    this.#judge = new TriangleJudge(a, b);
    this.#bounds = new BoxBound(a, b);
    this.#crossing = new BoxCrossing(a, b, kernel);
    this.#coherence = resolveCoherence(options);
    this.#front = new BoxFront(this.#coherence.frontSize);
    this.#nearest = new BoxNearest(a, b, this.#coherence.queueSize, kernel);
  }

  get outcome(): SearchOutcome {
    return this.#judge.outcome;
  }

  get bytes(): number {
    return this.#front.bytes;
  }

  reset(): void {
    this.#front.clear();
    this.#crossingSwitch.reset();
    this.#distanceSwitch.reset();
    this.#turning = 0;
    this.#motion = 0;
    this.#lastA = -1;
    this.#lastB = -1;
    this.#met = true;
  }

  testIntersection(placement: Float64Array): boolean {
    return this.testTolerance(placement, 0, 0);
  }

  testTolerance(placement: Float64Array, _motion: number, tolerance: number): boolean {
    this.#search(placement, true, tolerance, 0, 0);
    return this.outcome.distance <= tolerance;
  }

  measureDistance(
    placement: Float64Array,
    _motion: number,
    cutoff: number,
    absoluteError: number,
    relativeError: number,
  ): boolean {
    this.#search(placement, false, cutoff, absoluteError, relativeError);
    return this.outcome.distance <= cutoff;
  }

  #search(placement: Float64Array, first: boolean, limit: number, absoluteError: number, relativeError: number): void {
    const { outcome } = this;
    const judge = this.#judge;
    const front = this.#front;
    const coherence = this.#coherence;
    const crossing = first && limit === 0;
    this.#placement = placement;
    this.#bounds.place(placement);
    judge.begin(placement, first, limit, absoluteError, relativeError);

    if (coherence.frontTracking) this.#follow(placement);
    if (coherence.pieceCaching && this.#lastA >= 0) {
      if (crossing) judge.cross(this.#lastA, this.#lastB);
      else judge.measure(this.#lastA, this.#lastB);
    }
    if (!this.#judge.ended) {
      const choice = crossing ? this.#crossingSwitch : this.#distanceSwitch;
      const skipped = crossing ? !(this.#step < SMALL_STEP * this.#b.boxes[BOX_RADIUS]) : this.#met;
      this.#remembers = coherence.frontTracking && !skipped && choice.fromFront;
      if (this.#remembers) this.#searchFront();
      else if (crossing) this.#searchCrossing();
      else this.#searchNear(coherence.prioritySearch && !first && (this.#met || outcome.triangleA < 0));
      if (this.#remembers) outcome.cost = FRONT_TEST_COST * outcome.volumePairs + SCAN_COST * this.#scanned;
      if (!skipped) choice.record(outcome.cost);
    }
    this.#met = outcome.distance === 0;
    outcome.frontSize = front.size;
    judge.finish();
    if (outcome.triangleA >= 0) {
      this.#lastA = outcome.triangleA;
      this.#lastB = outcome.triangleB;
    }
  }

  /** From the front: its leaves in order, each split as far as needed. */
  #searchFront(): void {
    const { outcome } = this;
    const front = this.#front;
    const center = this.#center;
    const fresh = front.size === 0;
    if (fresh) front.plant();
    const { motionBounds } = this.#coherence;
    let { bounds } = front;
    const x = center[0];
    const y = center[1];
    const z = center[2];
    let touched = 0;
    this.#scanned = 0;
    let level = motionBounds ? this.#turning + this.#judge.threshold : Number.MAX_VALUE;
    for (let block = 0, start = 0; start < front.end; block++, start += FRONT_BLOCK) {
      if (motionBounds && front.blocks[block] - this.#motion > this.#judge.threshold) continue;
      const stop = Math.min(front.end, start + FRONT_BLOCK);
      const { size } = front;
      this.#scanned += stop - start;
      let lowest = Infinity;
      for (let pair = start, at = FRONT_STRIDE * start; pair < stop; pair++, at += FRONT_STRIDE) {
        const bound = bounds[at] + bounds[at + 1] * x + bounds[at + 2] * y + bounds[at + 3] * z;
        if (bound > level) {
          if (bound < lowest) lowest = bound;
          continue;
        }
        touched++;
        this.#touch(pair);
        if (this.#judge.ended) {
          front.blocks[block] = -Infinity;
          return;
        }
        if (motionBounds) level = this.#turning + this.#judge.threshold;
        ({ bounds } = front);
        const now = front.boundNow(pair, center, 0);
        if (now < lowest) lowest = now;
      }
      // New children may be in slots of the block that were passed already, or behind its end.
      front.blocks[block] = front.size === size ? lowest - this.#turning + this.#motion : -Infinity;
    }
    outcome.frontSkipped = fresh ? 0 : Math.max(0, front.size - touched);
    this.#raiseSome();
  }

  /** Tests a leaf of the front again: along its direction, then by all faces; splits it if that does not prune it. */
  #touch(pair: number): void {
    const { outcome } = this;
    const bounds = this.#bounds;
    const front = this.#front;
    const nodeA = front.nodesA[pair];
    const nodeB = front.nodesB[pair];
    const x = front.bounds[FRONT_STRIDE * pair + 1];
    const y = front.bounds[FRONT_STRIDE * pair + 2];
    const z = front.bounds[FRONT_STRIDE * pair + 3];
    outcome.volumePairs++;
    const gap = bounds.boundAlong(nodeA, nodeB, x, y, z);
    if (gap > this.#judge.threshold) front.setBound(pair, gap, x, y, z, this.#center, this.#turning);
    else if (this.#boundPair(pair, nodeA, nodeB) <= this.#judge.threshold) this.#descend(pair);
  }

  /** Bounds a leaf of the front and keeps the bound there. */
  #boundPair(pair: number, nodeA: number, nodeB: number): number {
    const bounds = this.#bounds;
    const front = this.#front;
    const { axis } = bounds;
    this.outcome.volumePairs++;
    bounds.boundFaces(nodeA, nodeB, this.#judge.threshold, true);
    // Along the gap's direction the other box has a smaller projection than its enclosure: this bound is larger.
    const gap = bounds.boundAlong(nodeA, nodeB, axis[0], axis[1], axis[2]);
    front.setBound(pair, gap, axis[0], axis[1], axis[2], this.#center, this.#turning);
    return gap;
  }

  /** Splits a leaf of the front that is within the threshold, and its children, down to the triangles. */
  #descend(root: number): void {
    const front = this.#front;
    const a = this.#a;
    const b = this.#b;
    let top = 0;
    this.#stack[top++] = root;
    while (top > 0) {
      const pair = this.#stack[--top];
      if (front.boundNow(pair, this.#center, this.#turning) > this.#judge.threshold) continue;
      const nodeA = front.nodesA[pair];
      const nodeB = front.nodesB[pair];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      if (linkA < 0 && linkB < 0) {
        const distance = this.#judge.measure(~linkA, ~linkB);
        if (this.#judge.ended) return;
        if (distance > 0) this.#boundTriangles(pair);
        continue;
      }
      const first = front.split(pair);
      if (first < 0) {
        // The front is full: everything below this pair is searched without it, now and whenever it comes near again.
        this.#searchBelow(nodeA, nodeB, front.boundNow(pair, this.#center, this.#turning));
        if (this.#judge.ended) return;
        continue;
      }
      if (splitsA(a, nodeA, b, nodeB)) {
        front.setLeaf(first, nodeA + 1, nodeB);
        front.setLeaf(first + 1, linkA === UNOPENED ? a.open(nodeA) : linkA, nodeB);
      } else {
        front.setLeaf(first, nodeA, nodeB + 1);
        front.setLeaf(first + 1, nodeA, linkB === UNOPENED ? b.open(nodeB) : linkB);
      }
      const bound1 = this.#boundPair(first, front.nodesA[first], front.nodesB[first]);
      const bound2 = this.#boundPair(first + 1, front.nodesA[first + 1], front.nodesB[first + 1]);
      if (top + 2 > this.#stack.length) this.#stack = doubled(this.#stack);
      const nearer = bound1 <= bound2 ? first : first + 1;
      if (Math.max(bound1, bound2) <= this.#judge.threshold) this.#stack[top++] = first + first + 1 - nearer;
      if (Math.min(bound1, bound2) <= this.#judge.threshold) this.#stack[top++] = nearer;
    }
  }

  /** Bounds a leaf of the front by the gap between its two triangles, which were just measured. */
  #boundTriangles(pair: number): void {
    const { p, q, pointA, pointB } = this.#judge.triangles;
    let x = pointB[0] - pointA[0];
    let y = pointB[1] - pointA[1];
    let z = pointB[2] - pointA[2];
    // Not the distance: the points are rounded, and later bounds use a unit direction and the gap along exactly that.
    const length = Math.sqrt(x * x + y * y + z * z);
    if (!(length > 0)) return;
    x /= length;
    y /= length;
    z /= length;
    let low = Infinity;
    let high = -Infinity;
    for (let k = 0; k < 9; k += 3) {
      low = Math.min(low, x * q[k] + y * q[k + 1] + z * q[k + 2]);
      high = Math.max(high, x * p[k] + y * p[k + 1] + z * p[k + 2]);
    }
    this.#front.setBound(pair, low - high - this.#bounds.slack, x, y, z, this.#center, this.#turning);
  }

  /** Raises a share of the front by one level: another share in each query. */
  #raiseSome(): void {
    const bounds = this.#bounds;
    const front = this.#front;
    const twos = front.end >> 1;
    if (twos < 2) return;
    const wanted = RAISE_MARGIN * this.#judge.threshold;
    for (let count = Math.ceil(twos / RAISE_QUERIES); count > 0; count--) {
      if (++this.#raised >= twos) this.#raised = 1;
      const first = 2 * this.#raised;
      const parent = front.parents[this.#raised];
      if (parent < 0 || front.children[first] >= 0 || front.children[first + 1] >= 0) continue;
      if (
        !(
          front.boundNow(first, this.#center, this.#turning) > wanted &&
          front.boundNow(first + 1, this.#center, this.#turning) > wanted
        )
      )
        continue;
      if (front.children[parent] !== first) continue;
      this.outcome.volumePairs++;
      const { axis } = bounds;
      bounds.boundFaces(front.nodesA[parent], front.nodesB[parent], wanted, true);
      const gap = bounds.boundAlong(front.nodesA[parent], front.nodesB[parent], axis[0], axis[1], axis[2]);
      if (!(gap > wanted)) continue;
      front.merge(parent);
      front.setBound(parent, gap, bounds.axis[0], bounds.axis[1], bounds.axis[2], this.#center, this.#turning);
    }
  }

  /** Tracks B's center, and sums how far rotation may have moved its points in addition. */
  #follow(m: Float64Array): void {
    const { boxes } = this.#b;
    const center = this.#center;
    const last = this.#last;
    const x = boxes[0];
    const y = boxes[1];
    const z = boxes[2];
    let moved = 0;
    for (let k = 0; k < 3; k++) {
      const now = m[4 * k] * x + m[4 * k + 1] * y + m[4 * k + 2] * z + m[4 * k + 3];
      moved += (now - center[k]) ** 2;
      center[k] = now;
    }
    const turned = boundTurn(last, m) * boxes[BOX_RADIUS];
    last.set(m);
    this.#turning += turned;
    this.#step = turned + Math.sqrt(moved);
    this.#motion += this.#step;
    if (this.#motion > MOTION_SPAN * this.#bounds.magnitude) {
      this.#front.rebase(this.#turning, this.#motion);
      this.#turning = 0;
      this.#motion = 0;
    }
  }

  /** Without a front: whether triangles cross, by boxes that overlap. */
  #searchCrossing(): void {
    const crossing = this.#crossing;
    crossing.search(this.#placement, this.#bounds.slack, this.#judge);
    this.outcome.volumePairs += crossing.tests;
    this.outcome.cost = KERNEL_TEST_COST * crossing.tests;
  }

  /** Without a front: near triangles. */
  #searchNear(queued: boolean): void {
    const nearest = this.#nearest;
    nearest.search(this.#placement, this.#bounds.slack, this.#judge.threshold, queued, this.#judge);
    this.outcome.volumePairs += nearest.tests;
    this.outcome.cost = KERNEL_TEST_COST * nearest.tests;
  }

  /** Without a front: near triangles below two nodes. */
  #searchBelow(nodeA: number, nodeB: number, bound: number): void {
    const nearest = this.#nearest;
    nearest.searchBelow(nodeA, nodeB, bound, this.#placement, this.#bounds.slack, this.#judge.threshold, this.#judge);
    this.outcome.volumePairs += nearest.tests;
  }
}
