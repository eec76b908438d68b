// The front of a search over two trees of boxes (Ehmann and Lin 2001, section 7.3): the tree of pairs that were tested,
// whose leaves begin the next search. Each leaf keeps the direction along which its boxes were found apart, so that
// most leaves get a new bound from the motion of B alone, without a box test.

import { bytesOf } from '../../core/derived-parts.js';
import { copyInto } from '../../core/grow-array.js';

/** Layout: numbers per slot in {@link BoxFront.bounds}. */
export const FRONT_STRIDE = 4;

/** Chosen: slots that are skipped together. */
export const FRONT_BLOCK = 32;

/** A tree of pairs of boxes. Pair 0 is that of the roots; siblings are adjacent, at an even slot and the next. */
export class BoxFront {
  /** Slots in use, counted from 0: pairs, and free slots between them. */
  end = 0;
  /** Leaves: pairs in the front. */
  size = 0;
  nodesA: Int32Array;
  nodesB: Int32Array;
  /** The first of a pair's two children, −1 for a leaf. */
  children: Int32Array;
  /** The parent of slots 2k and 2k + 1. */
  parents: Int32Array;
  /**
   * {@link FRONT_STRIDE} numbers per slot, which bound the distance of a leaf for later placements: an offset o and a unit
   * direction u from A to B. With c the center of B and m the total rotation motion, in A's frame, the boxes are at least
   * o + u · c − m apart. The offset is infinite for slots that are not leaves, so that the same comparison skips them.
   */
  bounds: Float64Array;
  /**
   * For {@link FRONT_BLOCK} slots together: no leaf among them is nearer than this minus the total motion, that of the
   * center and by rotation.
   */
  blocks: Float64Array;
  /** The first free pair of slots, linked through `parents`; −1 for none. */
  #free = -1;
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
    // Small until it is used: stateless calls make a front and leave it empty.
    const room = Math.max(2, Math.min(16, limit & ~1));
    this.nodesA = new Int32Array(room);
    this.nodesB = new Int32Array(room);
    this.children = new Int32Array(room);
    this.parents = new Int32Array(room / 2);
    this.bounds = new Float64Array(FRONT_STRIDE * room);
    this.blocks = new Float64Array(Math.ceil(room / FRONT_BLOCK));
  }

  get bytes(): number {
    return bytesOf({ ...this });
  }

  /** Forgets everything. */
  clear(): void {
    this.end = 0;
    this.size = 0;
    this.#free = -1;
  }

  /** Begins a front with the pair of the roots. */
  plant(): void {
    this.end = 2;
    this.size = 1;
    this.#free = -1;
    this.setLeaf(0, 0, 0);
    this.bounds[FRONT_STRIDE] = Infinity;
    this.children[1] = -1;
    this.parents[0] = -1;
  }

  /** Gives a leaf two children, still to be set, and returns their slot; −1 when the front is full. */
  split(pair: number): number {
    let first: number;
    if (this.#free >= 0) {
      first = 2 * this.#free;
      this.#free = this.parents[this.#free];
    } else {
      if (this.end + 2 > this.nodesA.length && !this.#grow()) return -1;
      first = this.end;
      this.end += 2;
    }
    this.parents[first >> 1] = pair;
    this.children[pair] = first;
    this.bounds[FRONT_STRIDE * pair] = Infinity;
    this.size++;
    return first;
  }

  /** Makes a pair with two leaves as children a leaf again; {@link setBound} must follow. */
  merge(pair: number): void {
    const first = this.children[pair];
    this.children[pair] = -1;
    this.blocks[(pair / FRONT_BLOCK) | 0] = -Infinity;
    this.bounds[FRONT_STRIDE * first] = Infinity;
    this.bounds[FRONT_STRIDE * (first + 1)] = Infinity;
    this.parents[first >> 1] = this.#free;
    this.#free = first >> 1;
    this.size--;
  }

  /** Makes a slot a leaf for two nodes; {@link setBound} must follow. */
  setLeaf(pair: number, nodeA: number, nodeB: number): void {
    this.nodesA[pair] = nodeA;
    this.nodesB[pair] = nodeB;
    this.children[pair] = -1;
    this.bounds[FRONT_STRIDE * pair] = -Infinity;
    this.blocks[(pair / FRONT_BLOCK) | 0] = -Infinity;
  }

  /** Records that a leaf's boxes are apart by `gap` along a unit direction, with B's center at c and rotation motion m. */
  setBound(pair: number, gap: number, x: number, y: number, z: number, c: Float64Array, m: number): void {
    const { bounds } = this;
    const at = FRONT_STRIDE * pair;
    bounds[at] = gap + m - (x * c[0] + y * c[1] + z * c[2]);
    bounds[at + 1] = x;
    bounds[at + 2] = y;
    bounds[at + 3] = z;
  }

  /** The current value of a leaf's last bound. */
  boundNow(pair: number, c: Float64Array, m: number): number {
    const { bounds } = this;
    const at = FRONT_STRIDE * pair;
    return bounds[at] + bounds[at + 1] * c[0] + bounds[at + 2] * c[1] + bounds[at + 3] * c[2] - m;
  }

  /** Restarts the sums of motion from zero, before they grow so large that rounding matters. */
  rebase(turning: number, motion: number): void {
    for (let pair = 0; pair < this.end; pair++) this.bounds[FRONT_STRIDE * pair] -= turning;
    for (let block = 0; FRONT_BLOCK * block < this.end; block++) this.blocks[block] -= motion;
  }

  #grow(): boolean {
    const room = Math.min(2 * this.nodesA.length, this.#limit & ~1);
    if (room < this.end + 2) return false;
    this.nodesA = copyInto(this.nodesA, new Int32Array(room));
    this.nodesB = copyInto(this.nodesB, new Int32Array(room));
    this.children = copyInto(this.children, new Int32Array(room));
    this.parents = copyInto(this.parents, new Int32Array(room / 2));
    this.bounds = copyInto(this.bounds, new Float64Array(FRONT_STRIDE * room));
    this.blocks = copyInto(this.blocks, new Float64Array(Math.ceil(room / FRONT_BLOCK)));
    return true;
  }
}
