// Fast marching on a grid (Sethian 1999; Fisher and Lin 2001, sections 4.2 and 4.3): arrival times with |∇T| = 1/F, first
// or second order, accepted in rising order from a 4-ary heap; nodes and heap slots refer to each other. All arrays are
// padded by two WALLs on each side (none along z in the plane), so there are no bounds tests. O(n log n) for n nodes.
import { copyInto, doubled } from '../../core/grow-array.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { FieldCounters } from '../distance-field.js';
import { noCounts } from '../field-options.js';
import { type GridFrame, gridNodeCount, type NodeBox } from '../grid.js';

/** Label of a node: no time yet. */
export const FAR_AWAY = 0;
/** Label of a node: in the heap, with a tentative time. */
export const NARROW_BAND = 1;
/** Label of a node: its time is final. */
export const ALIVE = 2;
/** Label of a node where nothing arrives: the padding, and nodes whose speed is 0. */
export const WALL = 3;

/** Options of a march. */
export interface MarchOptions {
  readonly order: 1 | 2;
  /** The speed F by node of the grid, x fastest; 1 everywhere if omitted. */
  readonly speed?: Float64Array | null | undefined;
}

/** Proven: layers of WALLs around the grid: second order reads two nodes along an axis. */
const PADDING = 2;
/** Chosen: children of a heap slot; also the number of readable slots past the last. */
const ARITY = 4;
/** Chosen: slots of the heap at first. */
const INITIAL_CAPACITY = 1024;
/** Chosen: nodes between two reports of progress: some milliseconds. */
const PROGRESS_STRIDE = 1 << 14;
/**
 * Rounding: times that differ by less than this share of what one spacing costs are equal. Along an edge or a face many
 * are equal up to rounding, and a choice by rounding would change when the model is moved, scaled or mirrored.
 */
const TIME_TIE = 1e-10;
/** Proven: (3T − 4T₁ + T₂)²/4 is this weight times (T − (4T₁ − T₂)/3)². */
const SECOND_ORDER_WEIGHT = 9 / 4;

/** Marches arrival times over the nodes of a grid. Give it times with `fix` and `offer`, then `march`. */
export class FastMarching {
  /** By padded node: one of the four labels. */
  readonly tags: Uint8Array;
  /** By padded node: |T|, tentative in the NARROW_BAND, Infinity where FAR_AWAY. */
  readonly times: Float64Array;
  /**
   * By padded node: 1 inside. A neighbor on the other side of the surface counts as −|T|, because the signed time is
   * smooth across the surface and |T| is not.
   */
  readonly inside: Uint8Array;
  readonly counters: FieldCounters = noCounts();

  readonly #nodes: number;
  readonly #strideY: number;
  readonly #strideZ: number;
  readonly #axes: number;
  /** The largest time that was fixed or offered: neighbors on the other side of the surface are never later. */
  #given = 0;
  /** Padding along z: none in the plane. */
  readonly #paddingZ: number;
  readonly #secondOrder: boolean;
  /** h/F: what one spacing costs. By padded node if the speed varies. */
  readonly #cost: number;
  readonly #costs: Float64Array | null;
  /** Times nearer than this are equal. */
  #tie: number;
  /** Whether the last `solve` used two neighbors along an axis. */
  #solvedSecondOrder = false;

  /** The heap: least time first, the lower node at a tie, so that the order does not depend on history. */
  #keys = new Float64Array(INITIAL_CAPACITY + ARITY).fill(Infinity);
  #items: Int32Array = new Int32Array(INITIAL_CAPACITY + ARITY);
  #size = 0;
  /** By padded node: its slot in the heap, −1 if it is not in the heap. */
  readonly #slots: Int32Array;

  constructor(frame: GridFrame, options: MarchOptions) {
    const [nx, ny, nz] = frame.size;
    this.#paddingZ = nz > 1 ? PADDING : 0;
    this.#strideY = nx + 2 * PADDING;
    this.#strideZ = this.#strideY * (ny + 2 * PADDING);
    this.#axes = nz > 1 ? 3 : 2;
    this.#nodes = gridNodeCount(frame);
    this.#secondOrder = options.order === 2;
    const padded = this.#strideZ * (nz + 2 * this.#paddingZ);
    this.tags = new Uint8Array(padded).fill(WALL);
    this.times = new Float64Array(padded).fill(Infinity);
    this.inside = new Uint8Array(padded);
    this.#slots = new Int32Array(padded).fill(-1);
    this.#cost = frame.spacing;
    this.#tie = TIME_TIE * frame.spacing;
    const speed = options.speed ?? null;
    this.#costs = speed === null ? null : new Float64Array(padded);
    for (let k = 0; k < nz; k++) {
      for (let j = 0; j < ny; j++) {
        const row = this.node(0, j, k);
        if (speed === null || this.#costs === null) {
          this.tags.fill(FAR_AWAY, row, row + nx);
          continue;
        }
        const from = nx * (j + ny * k);
        for (let i = 0; i < nx; i++) {
          const fast = speed[from + i];
          if (!(fast > 0)) continue;
          this.#costs[row + i] = frame.spacing / fast;
          this.#tie = Math.min(this.#tie, (TIME_TIE * frame.spacing) / fast);
          this.tags[row + i] = FAR_AWAY;
        }
      }
    }
  }

  /** The padded index of the node (i, j, k). */
  node(i: number, j: number, k: number): number {
    return i + PADDING + this.#strideY * (j + PADDING) + this.#strideZ * (k + this.#paddingZ);
  }

  /** Makes the nodes of a box FAR_AWAY again, except WALLs. */
  clear(box: NodeBox): void {
    for (let k = box.min[2]; k <= box.max[2]; k++) {
      for (let j = box.min[1]; j <= box.max[1]; j++) {
        const row = this.node(0, j, k);
        for (let node = row + box.min[0]; node <= row + box.max[0]; node++) {
          if (this.#slots[node] >= 0) this.#remove(node);
          this.times[node] = Infinity;
          if (this.tags[node] !== WALL) this.tags[node] = FAR_AWAY;
        }
      }
    }
  }

  /** Makes a node ALIVE with a time; WALLs do not change. */
  fix(node: number, time: number): void {
    if (this.tags[node] === WALL) return;
    if (this.#slots[node] >= 0) this.#remove(node);
    this.tags[node] = ALIVE;
    this.times[node] = time;
    if (time > this.#given) this.#given = time;
  }

  /** Puts a node into the NARROW_BAND with the lower of a time and its own; ALIVE nodes and WALLs do not change. */
  offer(node: number, time: number): void {
    if (this.tags[node] >= ALIVE) return;
    if (time > this.#given) this.#given = time;
    this.#lower(node, time);
  }

  /** Solves for the FAR_AWAY and NARROW_BAND neighbors of an ALIVE node and offers them the solutions. */
  updateNeighbors(node: number): void {
    const strideY = this.#strideY;
    this.#update(node, 1);
    this.#update(node, -1);
    this.#update(node, strideY);
    this.#update(node, -strideY);
    if (this.#paddingZ === 0) return;
    const strideZ = this.#strideZ;
    this.#update(node, strideZ);
    this.#update(node, -strideZ);
  }

  /**
   * The local solution at a node from its ALIVE neighbors, Infinity without any. It is the T of Σ max(T − vₐ, 0)² wₐ =
   * (h/F)² over the axes a, each with its nearer neighbor: vₐ = T₁ and wₐ = 1 at first order, vₐ = (4T₁ − T₂)/3 and wₐ
   * = 9/4 at second order, which is used if T₂ is ALIVE and earlier than T₁. Of two neighbors equally near, the one
   * that gives the least T counts, so that the order of updates does not matter. Runs for every update of a node, so
   * that all its values are locals of one function.
   */
  solve(node: number): number {
    const { tags, times, inside } = this;
    const side = inside[node];
    const strideY = this.#strideY;
    const strideZ = this.#strideZ;
    const axes = this.#axes;
    const given = this.#given;
    const tie = this.#tie;
    const isSecond = this.#secondOrder;
    // Values, weights and nearer neighbors of up to three axes, by rising value.
    let count = 0;
    let v0 = Infinity;
    let v1 = Infinity;
    let v2 = Infinity;
    let w0 = 1;
    let w1 = 1;
    let w2 = 1;
    let t0 = 0;
    let t1 = 0;
    let t2 = 0;
    for (let axis = 0; axis < axes; axis++) {
      const step = axis === 0 ? 1 : axis === 1 ? strideY : strideZ;
      const below = node - step;
      const above = node + step;
      let beyond = below - step;
      let near = Infinity;
      if (tags[below] === ALIVE) {
        near = times[below];
        if (near <= given && inside[below] !== side) near = -near;
      }
      if (tags[above] === ALIVE) {
        let time = times[above];
        if (time <= given && inside[above] !== side) time = -time;
        if (time < near - tie) {
          near = time;
          beyond = above + step;
        } else if (time < near + tie && this.#backTime(above + step, near, side) > this.#backTime(beyond, near, side)) {
          beyond = above + step;
        }
      }
      if (near === Infinity) continue;
      let value = near;
      let weight = 1;
      if (isSecond && tags[beyond] === ALIVE) {
        let far = times[beyond];
        if (far <= given && inside[beyond] !== side) far = -far;
        if (far < near - tie) {
          value += (near - far) * (1 / 3);
          weight = SECOND_ORDER_WEIGHT;
        }
      }
      count++;
      if (value < v1) {
        v2 = v1;
        w2 = w1;
        t2 = t1;
        if (value < v0) {
          v1 = v0;
          w1 = w0;
          t1 = t0;
          v0 = value;
          w0 = weight;
          t0 = near;
        } else {
          v1 = value;
          w1 = weight;
          t1 = near;
        }
      } else {
        v2 = value;
        w2 = weight;
        t2 = near;
      }
    }
    if (count === 0) return Infinity;
    const cost = this.#costs === null ? this.#cost : this.#costs[node];
    for (;;) {
      if (count === 1) {
        this.#solvedSecondOrder = w0 !== 1;
        return w0 === 1 ? v0 + cost : v0 + cost * (2 / 3);
      }
      // Relative to the least value, so that large times do not cancel.
      const d1 = v1 - v0;
      let last = d1;
      let a = w0 + w1;
      let b = w1 * d1;
      let c = b * d1 - cost * cost;
      if (count === 3) {
        last = v2 - v0;
        a += w2;
        b += w2 * last;
        c += w2 * last * last;
      }
      const discriminant = b * b - a * c;
      if (discriminant >= 0) {
        const root = (b + Math.sqrt(discriminant)) / a;
        if (root >= last) {
          this.#solvedSecondOrder = a !== count;
          return v0 + root;
        }
      }
      // The front does not come along the axis of the largest value. First order looks less far back and may still use
      // it; otherwise the axis is dropped.
      if (count === 3) {
        if (w2 === 1) {
          count = 2;
          continue;
        }
        v2 = t2;
        w2 = 1;
        if (v2 < v1) {
          [v1, v2] = [v2, v1];
          [w1, w2] = [w2, w1];
          [t1, t2] = [t2, t1];
        }
      } else {
        if (w1 === 1) {
          count = 1;
          continue;
        }
        v1 = t1;
        w1 = 1;
      }
      if (v1 < v0) {
        [v0, v1] = [v1, v0];
        [w0, w1] = [w1, w0];
        [t0, t1] = [t1, t0];
      }
    }
  }

  /** Accepts nodes in the order of their times until the NARROW_BAND is empty or its least time is above `maxTime`. */
  march(maxTime: number, progress?: ProgressOptions): void {
    const { tags, counters } = this;
    let next = PROGRESS_STRIDE;
    let marched = 0;
    while (this.#size > 0 && this.#keys[0] <= maxTime) {
      const node = this.#items[0];
      this.#removeFirst();
      tags[node] = ALIVE;
      marched++;
      this.updateNeighbors(node);
      if (marched === next) {
        next += PROGRESS_STRIDE;
        reportProgress(progress, Math.min(1, marched / this.#nodes), 'march');
      }
    }
    counters.marched += marched;
  }

  #update(from: number, step: number): void {
    const node = from + step;
    if (this.tags[node] >= ALIVE) return;
    // If the opposite neighbor is earlier, the solution uses it along this axis, before and after.
    const opposite = node + step;
    if (this.tags[opposite] === ALIVE && this.times[opposite] < this.times[from] - this.#tie) return;
    const time = this.solve(node);
    this.counters.updates++;
    if (this.#solvedSecondOrder) this.counters.secondOrderUpdates++;
    // Below 0 it would lie across the surface: strongly varying speeds give these solutions next to an offered band.
    if (time >= 0) this.#lower(node, time);
  }

  #lower(node: number, time: number): void {
    if (!(time < this.times[node])) return;
    this.times[node] = time;
    let slot = this.#slots[node];
    if (slot < 0) {
      this.tags[node] = NARROW_BAND;
      if (this.#size + ARITY === this.#keys.length) this.#grow();
      slot = this.#size++;
    }
    this.#rise(slot, node, time);
  }

  /** The time of a second neighbor if it counts behind a first one of time `near`, otherwise −Infinity. */
  #backTime(node: number, near: number, side: number): number {
    if (this.tags[node] !== ALIVE) return -Infinity;
    const time = this.inside[node] === side ? this.times[node] : -this.times[node];
    return time < near - this.#tie ? time : -Infinity;
  }

  #grow(): void {
    this.#keys = copyInto(this.#keys, new Float64Array(2 * this.#keys.length).fill(Infinity));
    this.#items = doubled(this.#items);
  }

  /** Moves the empty slot up while the parent is later, then stores a node with its time. */
  #rise(slot: number, node: number, time: number): void {
    const keys = this.#keys;
    const items = this.#items;
    const slots = this.#slots;
    while (slot > 0) {
      const parent = (slot - 1) >> 2;
      const key = keys[parent];
      if (key <= time && (key < time || items[parent] < node)) break;
      const item = items[parent];
      keys[slot] = key;
      items[slot] = item;
      slots[item] = slot;
      slot = parent;
    }
    keys[slot] = time;
    items[slot] = node;
    slots[node] = slot;
  }

  /** Moves the empty slot down while a child is earlier, then stores a node with its time. */
  #sink(slot: number, node: number, time: number): void {
    const keys = this.#keys;
    const items = this.#items;
    const slots = this.#slots;
    const size = this.#size;
    for (;;) {
      const begin = ARITY * slot + 1;
      if (begin >= size) break;
      // The least of four by two independent comparisons and one more, without unpredictable branches: 15 % of the time
      // of a march at 60³. Slots past the end hold Infinity.
      const k0 = keys[begin];
      const k1 = keys[begin + 1];
      const k2 = keys[begin + 2];
      const k3 = keys[begin + 3];
      let left = begin + Number(k1 < k0);
      let right = begin + 2 + Number(k3 < k2);
      if (k0 === k1 && items[begin + 1] < items[begin]) left = begin + 1;
      if (k2 === k3 && items[begin + 3] < items[begin + 2]) right = begin + 3;
      let child = keys[right] < keys[left] ? right : left;
      const key = keys[child];
      if (keys[right] === keys[left] && items[right] < items[left]) child = right;
      const item = items[child];
      if (time <= key && (time < key || node < item)) break;
      keys[slot] = key;
      items[slot] = item;
      slots[item] = slot;
      slot = child;
    }
    keys[slot] = time;
    items[slot] = node;
    slots[node] = slot;
  }

  #removeFirst(): void {
    this.#slots[this.#items[0]] = -1;
    const last = --this.#size;
    const key = this.#keys[last];
    this.#keys[last] = Infinity;
    if (last > 0) this.#sink(0, this.#items[last], key);
  }

  #remove(node: number): void {
    const slot = this.#slots[node];
    this.#slots[node] = -1;
    const last = --this.#size;
    const key = this.#keys[last];
    this.#keys[last] = Infinity;
    if (slot === last) return;
    const item = this.#items[last];
    this.#rise(slot, item, key);
    this.#sink(this.#slots[item], item, key);
  }
}
