// How many passes a stage has for each island of contact points: small islands as many as they need to be hard, the others what
// is left, and more where a blow has not come to its end. So a chain is not soft because a wall stands beside it.
import { growTo } from '../../core/grow-array.js';
import type { ContactIslands } from './contact-islands.js';

/** Chosen: passes over all constraints in a stage; it ends earlier once velocities change by less than the tolerance. */
const MAX_PASSES = 100;
/** Chosen: rows of constraints solved in a stage by all islands that are not small, which bounds the passes of large scenes. */
const MAX_ROWS = 4000;
/** Chosen: contacts are hard if a stage may have this many passes, soft below. */
const HARD_PASSES = 60;
/** Chosen: the rows of small islands together, the smallest first: they are hard whatever there is beside them. */
const MAX_SMALL_ROWS = 400;
/** Chosen: the shortest substep in which the springs of soft contacts do anything, s: in shorter ones contacts are hard. */
export const MIN_SOFT = 2e-4;
/** Measured on heaps and on stacks of 20 and 30 boxes: more passes over soft contacts make none stiller or more upright. */
export const SOFT_PASSES = 4;
/** Measured on a row of 80 boxes that a heavy one hits: passes of an island that is hit: with 100 it overlaps 12 times as deep. */
const MAX_HIT_PASSES = 400;
/** Chosen: rows solved in a stage by an island that is hit, beyond {@link MAX_PASSES}. */
const MAX_HIT_ROWS = 400_000;
/** Chosen: passes of pushes that open gaps. */
const PUSH_PASSES = 60;
/** Chosen: the rows that a joint counts as: about what one costs beside a contact. */
const JOINT_ROWS = 4;
/** Proven: an island of more rows has fewer passes than {@link HARD_PASSES}. */
const MAX_SMALL = Math.floor(MAX_ROWS / HARD_PASSES);

export class IslandPasses {
  /** Number of islands; with joints, which may join any, all are one. */
  count = 0;
  /** Whether the contacts of each island are springs. */
  isSoft = new Uint8Array(0);
  /** Passes in a stage, those of a blow, and those of pushes. */
  most = new Int32Array(0);
  mostHit = new Int32Array(0);
  mostPushes = new Int32Array(0);
  readonly #islands: ContactIslands;
  #first = new Int32Array(2);
  /** Of each island: it was hit in this advance, harder than its passes could answer; of points too, as islands change. */
  #isHit = new Uint8Array(0);
  #pointIsHit = new Uint8Array(0);
  /** How many small islands have each number of rows. */
  readonly #sizes = new Int32Array(MAX_SMALL + 1);

  constructor(islands: ContactIslands) {
    this.#islands = islands;
  }

  /** Forgets what was hit. */
  begin(): void {
    this.#pointIsHit.fill(0);
  }

  /** Takes over islands that have been found anew, of a number of points. */
  prepare(points: number, joints: number): void {
    const { count, first, ofPoint } = this.#islands;
    const isOne = joints > 0;
    this.count = isOne ? 1 : count;
    this.#first = growTo(this.#first, this.count + 1);
    this.#first[0] = 0;
    for (let island = 1; island < this.count; island++) this.#first[island] = first[island];
    this.#first[this.count] = points;
    this.isSoft = growTo(this.isSoft, this.count);
    this.most = growTo(this.most, this.count);
    this.mostHit = growTo(this.mostHit, this.count);
    this.mostPushes = growTo(this.mostPushes, this.count);
    this.#isHit = growTo(this.#isHit, this.count);
    this.#pointIsHit = growTo(this.#pointIsHit, points);
    this.#isHit.fill(0, 0, this.count);
    for (let i = 0; i < points; i++) if (this.#pointIsHit[i] === 1) this.#isHit[isOne ? 0 : ofPoint[i]] = 1;
    this.#divide(points + JOINT_ROWS * joints, JOINT_ROWS * joints);
  }

  /** Where an island begins in the order of points, and where it ends. */
  start(island: number): number {
    return this.#first[island];
  }

  end(island: number): number {
    return this.#first[island + 1];
  }

  /** Divides the passes of a stage. @param more rows of joints. */
  #divide(rows: number, more: number): void {
    const small = rows > MAX_SMALL ? this.#smallest() : MAX_SMALL;
    let others = rows;
    for (let island = 0; island < this.count; island++) {
      const own = this.end(island) - this.start(island) + more;
      if (own <= small) others -= own;
    }
    for (let island = 0; island < this.count; island++) {
      const own = Math.max(1, this.end(island) - this.start(island) + more);
      const passes = Math.floor(MAX_ROWS / (own <= small ? own : others));
      this.most[island] = Math.max(1, Math.min(MAX_PASSES, passes));
      this.mostHit[island] = Math.max(MAX_PASSES, Math.min(MAX_HIT_PASSES, Math.floor(MAX_HIT_ROWS / own)));
      this.mostPushes[island] = Math.max(SOFT_PASSES, Math.min(PUSH_PASSES, passes));
    }
  }

  /** The most rows of an island that is small: those of all of them together are bounded. */
  #smallest(): number {
    const sizes = this.#sizes.fill(0);
    for (let island = 0; island < this.count; island++) {
      const own = this.end(island) - this.start(island);
      if (own <= MAX_SMALL) sizes[own]++;
    }
    let sum = 0;
    for (let size = 1; size <= MAX_SMALL; size++) {
      sum += size * sizes[size];
      if (sum > MAX_SMALL_ROWS) return size - 1;
    }
    return MAX_SMALL;
  }

  /** Makes the contacts of each island hard or soft for a stage of a substep of this length. */
  beginStage(h: number): void {
    for (let island = 0; island < this.count; island++) {
      const isSoft = this.most[island] < HARD_PASSES && h >= MIN_SOFT && this.#isHit[island] === 0;
      this.isSoft[island] = isSoft ? 1 : 0;
    }
  }

  /** Passes of an island in this stage, if it is not hit. */
  passesOf(island: number): number {
    return this.isSoft[island] === 1 ? Math.min(this.most[island], SOFT_PASSES) : this.most[island];
  }

  /** Whether an island was hit in this advance. */
  isHit(island: number): boolean {
    return this.#isHit[island] === 1;
  }

  /** An island was hit harder than its passes can answer. */
  hit(island: number): void {
    if (this.#isHit[island] === 1) return;
    this.#isHit[island] = 1;
    const { order } = this.#islands;
    for (let k = this.start(island); k < this.end(island); k++) this.#pointIsHit[order[k]] = 1;
  }
}
