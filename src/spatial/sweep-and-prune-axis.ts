// The ends of all boxes along one axis, in order. From one frame to the next few ends change places, so insertion sort
// takes about as many steps as there are changes; a merge sort replaces it where that would be quadratic.
import { growTo } from '../core/grow-array.js';

/** Is notified when ends change places while an axis is sorted. */
export interface EndSwapSink {
  /** The lower end of `item` went below the upper end of `other`: on this axis they overlap now. */
  meet(item: number, other: number): void;
  /** The upper end of `item` went below the lower end of `other`: on this axis they are apart now. */
  part(item: number, other: number): void;
}

/** The two ends of every box along one axis. At equal coordinates lower ends come first, so touching boxes overlap. */
export class SweepAxis {
  readonly #axis: number;
  /** 2 × item for a lower end, 2 × item + 1 for an upper one. */
  #ends = new Uint32Array(32);
  #keys = new Float64Array(32);
  #endsAside = new Uint32Array(0);
  #keysAside = new Float64Array(0);
  #count = 0;

  /** `axis`: 0, 1 or 2 for x, y or z. */
  constructor(axis: number) {
    this.#axis = axis;
  }

  /** Number of ends: two per box. */
  get count(): number {
    return this.#count;
  }

  /** The ends in order after a sort; only the first `count` entries are valid. */
  get ends(): Uint32Array {
    return this.#ends;
  }

  /** Appends the two ends of a box after all others, where it overlaps none. */
  append(item: number): void {
    if (this.#count + 2 > this.#ends.length) {
      this.#ends = growTo(this.#ends, 2 * this.#ends.length);
      this.#keys = growTo(this.#keys, 2 * this.#keys.length);
    }
    this.#ends[this.#count++] = 2 * item;
    this.#ends[this.#count++] = 2 * item + 1;
  }

  /** Removes the ends of all items whose entry in `wanted` is 0. */
  compact(wanted: Uint8Array): void {
    const ends = this.#ends;
    let kept = 0;
    for (let k = 0; k < this.#count; k++) {
      if (wanted[ends[k] >> 1] !== 0) ends[kept++] = ends[k];
    }
    this.#count = kept;
  }

  /** Reads the coordinates of the ends from boxes, six numbers per item: minimum, then maximum. */
  read(boxes: Float64Array): void {
    const ends = this.#ends;
    const keys = this.#keys;
    const axis = this.#axis;
    for (let k = 0; k < this.#count; k++) keys[k] = boxes[6 * (ends[k] >> 1) + axis + 3 * (ends[k] & 1)];
  }

  /**
   * Sorts by exchanging neighbors and notifies the sink once of every lower end that passes an upper one. Returns the
   * number of exchanges, or -1 when there would be more than `limit`: the order is then undefined.
   */
  sortBySwaps(limit: number, sink: EndSwapSink): number {
    const ends = this.#ends;
    const keys = this.#keys;
    const count = this.#count;
    let swaps = 0;
    for (let k = 1; k < count; k++) {
      const key = keys[k];
      const end = ends[k];
      const upper = end & 1;
      let p = k - 1;
      while (p >= 0 && (keys[p] > key || (keys[p] === key && (ends[p] & 1) > upper))) {
        const other = ends[p];
        if ((other & 1) !== upper) {
          if (upper === 0) sink.meet(end >> 1, other >> 1);
          else sink.part(end >> 1, other >> 1);
        }
        keys[p + 1] = keys[p];
        ends[p + 1] = other;
        p--;
      }
      keys[p + 1] = key;
      ends[p + 1] = end;
      swaps += k - 1 - p;
      if (swaps > limit) return -1;
    }
    return swaps;
  }

  /** Sorts in O(n log n) whatever the order was, by merging. Notifies nobody. */
  sortByMerging(): void {
    const count = this.#count;
    if (this.#endsAside.length < count) {
      this.#endsAside = new Uint32Array(this.#ends.length);
      this.#keysAside = new Float64Array(this.#keys.length);
    }
    for (let width = 1; width < count; width *= 2) {
      for (let start = 0; start < count; start += 2 * width) {
        this.#merge(start, Math.min(start + width, count), Math.min(start + 2 * width, count));
      }
      [this.#ends, this.#endsAside] = [this.#endsAside, this.#ends];
      [this.#keys, this.#keysAside] = [this.#keysAside, this.#keys];
    }
  }

  #merge(start: number, middle: number, stop: number): void {
    const ends = this.#ends;
    const keys = this.#keys;
    const endsOut = this.#endsAside;
    const keysOut = this.#keysAside;
    let left = start;
    let right = middle;
    for (let k = start; k < stop; k++) {
      const takesRight =
        left === middle ||
        (right < stop &&
          (keys[right] < keys[left] || (keys[right] === keys[left] && (ends[right] & 1) < (ends[left] & 1))));
      const from = takesRight ? right++ : left++;
      endsOut[k] = ends[from];
      keysOut[k] = keys[from];
    }
  }
}
