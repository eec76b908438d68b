// The front of a search over two trees of boxes (Ehmann and Lin 2001, section 7.3): the tree of pairs that were tested,
// whose leaves begin the next search. Each leaf keeps the direction along which its boxes were found apart, so that most
// are bounded anew from the motion of B alone, without a look at the boxes.
import { bytesOf } from '../../core/derived-parts.js';

/** Numbers a place in {@link BoxFront.bounds}. */
export const FRONT_STRIDE = 4;

/** Places that are passed over together. */
export const FRONT_BLOCK = 32;

/** A tree of pairs of boxes. Pair 0 is that of the roots; children come in twos, at an even place and the next. */
export class BoxFront {
  /** Places in use, counted from 0: pairs, and gaps that are free. */
  end = 0;
  /** Leaves: pairs in the front. */
  size = 0;
  nodesA: Int32Array;
  nodesB: Int32Array;
  /** The first of a pair's two children, −1 for a leaf. */
  children: Int32Array;
  /** The parent of places 2k and 2k + 1. */
  parents: Int32Array;
  /**
   * {@link FRONT_STRIDE} numbers a place, which bound the distance of a leaf for later placements: an offset o and a unit
   * direction u from A to B. With c the centre of B and m the turning so far, in A's frame, the boxes are no nearer than
   * o + u · c − m. The offset is infinite for places that are no leaves, so that the same comparison passes over them.
   */
  bounds: Float64Array;
  /**
   * For {@link FRONT_BLOCK} places together: no leaf among them is nearer than this less all motion so far, that of the
   * centre and turning.
   */
  blocks: Float64Array;
  /** The first of the free twos, linked through `parents`; −1 for none. */
  private free = -1;

  constructor(private readonly limit: number) {
    // Small until it is used: calls without memory make a front and leave it empty.
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
    this.free = -1;
  }

  /** Begins a front with the pair of the roots. */
  plant(): void {
    this.end = 2;
    this.size = 1;
    this.free = -1;
    this.setLeaf(0, 0, 0);
    this.bounds[FRONT_STRIDE] = Infinity;
    this.children[1] = -1;
    this.parents[0] = -1;
  }

  /** Gives a leaf two children, to be set, and says where; −1 when the front is full. */
  split(pair: number): number {
    let first: number;
    if (this.free >= 0) {
      first = 2 * this.free;
      this.free = this.parents[this.free];
    } else {
      if (this.end + 2 > this.nodesA.length && !this.grow()) return -1;
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
    this.parents[first >> 1] = this.free;
    this.free = first >> 1;
    this.size--;
  }

  /** Makes a place a leaf for two nodes; {@link setBound} must follow. */
  setLeaf(pair: number, nodeA: number, nodeB: number): void {
    this.nodesA[pair] = nodeA;
    this.nodesB[pair] = nodeB;
    this.children[pair] = -1;
    this.bounds[FRONT_STRIDE * pair] = -Infinity;
    this.blocks[(pair / FRONT_BLOCK) | 0] = -Infinity;
  }

  /** Keeps that a leaf's boxes are apart by `gap` along a unit direction, B's centre being at c and the turning m. */
  setBound(pair: number, gap: number, x: number, y: number, z: number, c: Float64Array, m: number): void {
    const { bounds } = this;
    const at = FRONT_STRIDE * pair;
    bounds[at] = gap + m - (x * c[0] + y * c[1] + z * c[2]);
    bounds[at + 1] = x;
    bounds[at + 2] = y;
    bounds[at + 3] = z;
  }

  /** What a leaf's last bound says now. */
  boundNow(pair: number, c: Float64Array, m: number): number {
    const { bounds } = this;
    const at = FRONT_STRIDE * pair;
    return bounds[at] + bounds[at + 1] * c[0] + bounds[at + 2] * c[1] + bounds[at + 3] * c[2] - m;
  }

  /** Counts turning and motion from zero again, before sums grow so large that they round. */
  rebase(turning: number, motion: number): void {
    for (let pair = 0; pair < this.end; pair++) this.bounds[FRONT_STRIDE * pair] -= turning;
    for (let block = 0; FRONT_BLOCK * block < this.end; block++) this.blocks[block] -= motion;
  }

  private grow(): boolean {
    const room = Math.min(2 * this.nodesA.length, this.limit & ~1);
    if (room < this.end + 2) return false;
    this.nodesA = enlarge(this.nodesA, new Int32Array(room));
    this.nodesB = enlarge(this.nodesB, new Int32Array(room));
    this.children = enlarge(this.children, new Int32Array(room));
    this.parents = enlarge(this.parents, new Int32Array(room / 2));
    this.bounds = enlarge(this.bounds, new Float64Array(FRONT_STRIDE * room));
    this.blocks = enlarge(this.blocks, new Float64Array(Math.ceil(room / FRONT_BLOCK)));
    return true;
  }
}

function enlarge<Values extends Int32Array | Float64Array>(values: Values, larger: Values): Values {
  larger.set(values);
  return larger;
}
