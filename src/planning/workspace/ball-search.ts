// A way for a ball among obstacles, or a proof that it has no way. Space is divided into cubes as the search goes on: a cube
// is blocked if the ball cannot have its center anywhere in it, free if it can everywhere, and split otherwise. Distances
// change no faster than the point moves, so one distance in the middle of a cube decides. If all that can be reached is
// blocked, no continuous motion brings the ball to the goal, nor any body that contains it.

import type { Deadline } from '../../core/deadline.js';
import { growTo } from '../../core/grow-array.js';
import { IndexedHeap } from '../../core/heap.js';
import type { Vec3 } from '../../core/vec3.js';
import { DISTANCE_ROUNDING } from '../../kinematics/validity/distance-rounding.js';
import type { ClearanceMap } from './clearance-map.js';

/** What a search found. */
export interface BallWay {
  /** 'blocked' is a proof; 'unresolved' says only that the search was given up. */
  readonly status: 'found' | 'blocked' | 'unresolved';
  /** From start to goal, through the middles of cubes. */
  readonly points: readonly Vec3[];
  /** Cubes made. */
  readonly cells: number;
}

export interface BallSearchOptions {
  readonly radius: number;
  /** Where centers of the ball may be. */
  readonly min: Vec3;
  readonly max: Vec3;
  /** The coordinates that change: all three, or two in a plane. */
  readonly axes: readonly number[];
  /** Places with less clearance than this cost more, so that ways keep to the middle. */
  readonly comfort: number;
  /** Cubes are not split below this side; those that are not blocked then count as passable. */
  readonly finest: number;
  readonly maxCells: number;
}

/** Label: the state of a cell: the ball is free everywhere in it. */
const FREE = 1;

/** Label: the state of a cell: nothing is decided. */
const MIXED = 2;

/** Label: the state of a cell: the ball is free nowhere in it. */
const BLOCKED = 3;

/** Label: the state of a cell: it has been split. */
const SPLIT = 4;

/** Chosen: the most cells that are made before the first search. */
const FIRST_CELLS = 12_000;

/** Chosen: the count of cells between two looks at the time. */
const CHECKED = 64;

/** Chosen: the size to which cells are split before the first search, in radii of the ball. */
const COARSE = 2;

/** Chosen: the count of ways tried before all that separates start and goal is split. */
const TRIALS = 12;

/** Chosen: a way through a cell that is not known to be free costs this factor more. */
const UNKNOWN = 4;

/** Chosen: how often a cell may be split. */
const MAX_LEVELS = 14;

export class BallSearch {
  readonly #map: ClearanceMap;
  readonly #options: BallSearchOptions;
  readonly #side: number;
  readonly #ways: number;
  /** Of each cell: its corner in units of its own side, and its level; its state, clearance, middle, cost so far, parent on the way. */
  #corners = new Int32Array(3 * 64);
  #levels = new Int32Array(64);
  #states = new Int32Array(64);
  #clearances = new Float64Array(64);
  #middles = new Float64Array(3 * 64);
  #costs = new Float64Array(64);
  #parents = new Int32Array(64);
  #children = new Int32Array(64);
  #count = 0;
  readonly #heap = new IndexedHeap();
  readonly #point: Vec3 = [0, 0, 0];
  readonly #neighbors: number[] = [];
  #isCut = false;

  constructor(map: ClearanceMap, options: BallSearchOptions) {
    this.#map = map;
    this.#options = options;
    this.#ways = options.axes.length;
    let side = 0;
    for (const axis of options.axes) side = Math.max(side, options.max[axis] - options.min[axis]);
    // A little larger, so that nothing lies on the border.
    this.#side = side * (1 + 1e-9) + 1e-300;
  }

  /** @param from and to centers of the ball that have room. */
  find(from: Vec3, to: Vec3, deadline: Deadline): BallWay {
    this.#add(0, 0, 0, 0, -1);
    this.#refine(deadline);
    const start = this.#open(from);
    this.#open(to);
    for (let round = 0; ; round++) {
      // Ways are tried first; where many fail, what separates start and goal is looked for as a whole.
      if (round > TRIALS && this.#splitBetween(start, this.#cellAt(to))) {
        if (this.#isCut) return { status: 'blocked', points: [], cells: this.#count };
      } else {
        const end = this.#search(start, to, round > TRIALS);
        if (end < 0) return { status: 'blocked', points: [], cells: this.#count };
        let isWay = true;
        for (let cell = end; cell >= 0; cell = this.#parents[cell]) {
          if (this.#states[cell] !== MIXED || cell === start || cell === end || !this.#isDivisible(cell)) continue;
          this.#makeChildren(cell);
          isWay = false;
        }
        if (isWay) return { status: 'found', points: this.#trace(end, from, to), cells: this.#count };
      }
      if (this.#count > this.#options.maxCells || deadline.isOver('Finding a way')) {
        return { status: 'unresolved', points: [], cells: this.#count };
      }
    }
  }

  /**
   * Splits every cell that lies on a way through the fewest cells that are not known to be free. Returns false, and splits
   * nothing, where a way goes through none; `#isCut` says that there is no way at all.
   */
  #splitBetween(start: number, goal: number): boolean {
    const fromStart = this.#countMixed(start);
    this.#isCut = !(fromStart[goal] < Infinity);
    if (this.#isCut) return true;
    const fewest = fromStart[goal];
    if (fewest === 0) return false;
    const fromGoal = this.#countMixed(goal);
    for (let cell = 0, count = this.#count; cell < count; cell++) {
      if (this.#isOpen(cell) && fromStart[cell] + fromGoal[cell] - 1 === fewest) this.#makeChildren(cell);
    }
    return true;
  }

  /** The fewest cells not known to be free on a way from a cell to each other one, itself included. */
  #countMixed(from: number): Float64Array {
    const counts = new Float64Array(this.#count).fill(Infinity);
    counts[from] = 0;
    let now = [from];
    for (let level = 0; now.length > 0; level++) {
      const next: number[] = [];
      // Free cells cost nothing: they join the level that reaches them.
      for (let i = 0; i < now.length; i++) {
        const cell = now[i];
        if (counts[cell] !== level) continue;
        this.#findNeighbors(cell);
        for (const other of this.#neighbors) {
          if (this.#states[other] === BLOCKED) continue;
          const cost = level + (this.#isOpen(other) ? 1 : 0);
          if (cost >= counts[other]) continue;
          counts[other] = cost;
          (cost === level ? now : next).push(other);
        }
      }
      now = next;
    }
    return counts;
  }

  /** Whether a cell is not known to be free or blocked, and can be split. */
  #isOpen(cell: number): boolean {
    return this.#states[cell] === MIXED && this.#isDivisible(cell);
  }

  /** Splits what is mixed to about the size of the ball, level by level, as long as the cells are not too many. */
  #refine(deadline: Deadline): void {
    for (let cell = 0; cell < this.#count && this.#count < FIRST_CELLS; cell++) {
      if (cell % CHECKED === 0 && deadline.isOver('Finding a way')) return;
      if (
        this.#states[cell] === MIXED &&
        this.#sideOf(cell) > COARSE * this.#options.radius &&
        this.#isDivisible(cell)
      ) {
        this.#makeChildren(cell);
      }
    }
  }

  #isDivisible(cell: number): boolean {
    return this.#sideOf(cell) > this.#options.finest && this.#levels[cell] < MAX_LEVELS;
  }

  /** Splits cells around a point that has room, until one is free there or they are as small as they get. */
  #open(point: Vec3): number {
    let cell = this.#cellAt(point);
    while (this.#states[cell] !== FREE && this.#isDivisible(cell)) {
      this.#makeChildren(cell);
      cell = this.#cellAt(point);
    }
    // It holds a place with room, whatever its middle says.
    if (this.#states[cell] === BLOCKED) this.#states[cell] = MIXED;
    return cell;
  }

  /**
   * The shortest way through cells that are not blocked (Hart, Nilsson and Raphael 1968); returns its last cell, −1 if none.
   * @param avoidsOpen whether cells that are not known to be free are left out.
   */
  #search(start: number, to: Vec3, avoidsOpen: boolean): number {
    const goal = this.#cellAt(to);
    const heap = this.#heap;
    heap.clear();
    this.#costs.fill(Infinity, 0, this.#count);
    this.#costs[start] = 0;
    this.#parents[start] = -1;
    this.#push(start, to);
    while (heap.size > 0) {
      const cell = heap.pop();
      if (cell === goal) return cell;
      this.#findNeighbors(cell);
      for (const other of this.#neighbors) {
        if (this.#states[other] === BLOCKED || (avoidsOpen && other !== goal && this.#isOpen(other))) continue;
        const cost = this.#costs[cell] + this.#step(cell, other);
        if (!(cost < this.#costs[other])) continue;
        this.#costs[other] = cost;
        this.#parents[other] = cell;
        this.#push(other, to);
      }
    }
    return -1;
  }

  #push(cell: number, to: Vec3): void {
    const m = this.#middles;
    const [x, y, z] = [to[0] - m[3 * cell], to[1] - m[3 * cell + 1], to[2] - m[3 * cell + 2]];
    this.#heap.set(cell, this.#costs[cell] + Math.sqrt(x * x + y * y + z * z));
  }

  /** The cost of going from the middle of one cell to that of the next. */
  #step(a: number, b: number): number {
    const m = this.#middles;
    const [x, y, z] = [m[3 * b] - m[3 * a], m[3 * b + 1] - m[3 * a + 1], m[3 * b + 2] - m[3 * a + 2]];
    const way = Math.sqrt(x * x + y * y + z * z);
    const room = Math.max(Math.min(this.#clearances[a], this.#clearances[b]), this.#options.radius);
    const isNarrow = this.#states[a] === MIXED || this.#states[b] === MIXED;
    return way * Math.max(1, this.#options.comfort / room) * (isNarrow ? UNKNOWN : 1);
  }

  #trace(cell: number, from: Vec3, to: Vec3): Vec3[] {
    const points: Vec3[] = [[...to]];
    for (let at = cell; at >= 0; at = this.#parents[at]) {
      points.push([this.#middles[3 * at], this.#middles[3 * at + 1], this.#middles[3 * at + 2]]);
    }
    points.push([...from]);
    return points.reverse();
  }

  /**
   * The clearance in the middle of a cell tells what it is.
   * @param around the cell that it is a part of; −1 for the first.
   */
  #classify(cell: number, around: number): void {
    this.#writeMiddle(cell);
    const { radius } = this.#options;
    const half = (this.#sideOf(cell) / 2) * Math.sqrt(this.#ways) * (1 + DISTANCE_ROUNDING);
    // The middle of the cell around it is that far away; if nothing is as near to that, this one is not inside of anything.
    const isFree = around >= 0 && this.#clearances[around] > half;
    const clearance = isFree ? this.#map.at(this.#point, true) : this.#map.at(this.#point);
    const slack =
      DISTANCE_ROUNDING * (Math.abs(this.#point[0]) + Math.abs(this.#point[1]) + Math.abs(this.#point[2]) + half);
    this.#clearances[cell] = clearance;
    this.#states[cell] = clearance + half + slack < radius ? BLOCKED : clearance - half > radius ? FREE : MIXED;
  }

  #sideOf(cell: number): number {
    return this.#side / 2 ** this.#levels[cell];
  }

  /** Writes the middle of a cell; coordinates that do not change are those of the bounds. */
  #writeMiddle(cell: number): void {
    const side = this.#sideOf(cell);
    const { min, max, axes } = this.#options;
    for (let k = 0; k < 3; k++) this.#point[k] = (min[k] + max[k]) / 2;
    for (const [i, axis] of axes.entries()) this.#point[axis] = min[axis] + (this.#corners[3 * cell + i] + 0.5) * side;
    this.#middles.set(this.#point, 3 * cell);
  }

  #cellAt(point: Vec3): number {
    const { min, axes } = this.#options;
    let cell = 0;
    while (this.#states[cell] === SPLIT) {
      const side = this.#sideOf(cell) / 2;
      let child = 0;
      for (const [i, axis] of axes.entries()) {
        const at = Math.floor((point[axis] - min[axis]) / side);
        if (at > 2 * this.#corners[3 * cell + i]) child |= 1 << i;
      }
      cell = this.#children[cell] + child;
    }
    return cell;
  }

  #makeChildren(cell: number): void {
    const level = this.#levels[cell] + 1;
    const c = 3 * cell;
    const [x, y, z] = [this.#corners[c], this.#corners[c + 1], this.#corners[c + 2]];
    const first = this.#count;
    for (let i = 0; i < 1 << this.#ways; i++) {
      this.#add(2 * x + (i & 1), 2 * y + ((i >> 1) & 1), this.#ways > 2 ? 2 * z + (i >> 2) : 0, level, cell);
    }
    this.#children[cell] = first;
    this.#states[cell] = SPLIT;
    this.#costs[cell] = Infinity;
  }

  #add(x: number, y: number, z: number, level: number, around: number): number {
    const cell = this.#count++;
    this.#corners = growTo(this.#corners, 3 * this.#count);
    this.#levels = growTo(this.#levels, this.#count);
    this.#states = growTo(this.#states, this.#count);
    this.#clearances = growTo(this.#clearances, this.#count);
    this.#middles = growTo(this.#middles, 3 * this.#count);
    this.#costs = growTo(this.#costs, this.#count);
    this.#parents = growTo(this.#parents, this.#count);
    this.#children = growTo(this.#children, this.#count);
    this.#corners.set([x, y, z], 3 * cell);
    this.#levels[cell] = level;
    this.#states[cell] = FREE;
    this.#costs[cell] = Infinity;
    this.#parents[cell] = -1;
    this.#classify(cell, around);
    return cell;
  }

  /** Collects the leaves that share a part of a side with a leaf. */
  #findNeighbors(cell: number): void {
    this.#neighbors.length = 0;
    const c = 3 * cell;
    const level = this.#levels[cell];
    const end = 2 ** level;
    const [x, y, z] = [this.#corners[c], this.#corners[c + 1], this.#corners[c + 2]];
    if (x > 0) this.#collect(x - 1, y, z, level, 0, -1);
    if (x + 1 < end) this.#collect(x + 1, y, z, level, 0, 1);
    if (y > 0) this.#collect(x, y - 1, z, level, 1, -1);
    if (y + 1 < end) this.#collect(x, y + 1, z, level, 1, 1);
    if (this.#ways < 3) return;
    if (z > 0) this.#collect(x, y, z - 1, level, 2, -1);
    if (z + 1 < end) this.#collect(x, y, z + 1, level, 2, 1);
  }

  /** Goes down to the cell at a place of a level, or to the leaf that covers it. */
  #collect(x: number, y: number, z: number, level: number, axis: number, sign: number): void {
    let cell = 0;
    for (let l = level - 1; l >= 0 && this.#states[cell] === SPLIT; l--) {
      cell = this.#children[cell] + (((x >> l) & 1) | (((y >> l) & 1) << 1) | (((z >> l) & 1) << 2));
    }
    if (this.#states[cell] === SPLIT) this.#collectSide(cell, axis, sign);
    else this.#neighbors.push(cell);
  }

  /** The leaves of a split cell on the side towards the cell that asks. */
  #collectSide(cell: number, axis: number, sign: number): void {
    for (let i = 0; i < 1 << this.#ways; i++) {
      if (((i >> axis) & 1) !== (sign > 0 ? 0 : 1)) continue;
      const child = this.#children[cell] + i;
      if (this.#states[child] === SPLIT) this.#collectSide(child, axis, sign);
      else this.#neighbors.push(child);
    }
  }
}
