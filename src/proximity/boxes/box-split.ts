// One step of a search from the roots: the larger box of a pair is split, and the other is placed in its frame, once for both
// children. The WebAssembly kernel does the same operations in the same order.
import { invertPlacement } from '../../core/placement.js';
import { BOX_STRIDE, type BoxTree, splitsA, UNOPENED } from './box-tree.js';
import { PLACED_SIZE, PLACED_SLACK, placeAxes, placeCenter } from './placed-box.js';

/** Splits pairs of nodes of two trees, for one placement at a time. */
export class BoxSplit {
  /** The box that is not split, in the frame of the other tree: in the layout of placed-box.ts. */
  readonly placed = new Float64Array(PLACED_SIZE);
  /** Whether A's node is split. */
  splitsA = false;
  /** The children, and all boxes of their tree. */
  first = 0;
  second = 0;
  boxes: Float64Array;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  /** B in A's frame, and A in B's frame. */
  #placement: Float64Array = new Float64Array(12);
  readonly #inverse = new Float64Array(12);
  /** The box to be placed: its tree's boxes, its place among them, and its tree in the frame of the other. */
  #whole: Float64Array;
  #at = 0;
  #frame: Float64Array = this.#placement;

  constructor(a: BoxTree, b: BoxTree) {
    this.#a = a;
    this.#b = b;
    this.boxes = a.boxes;
    this.#whole = b.boxes;
  }

  /**
   * Begins a search.
   * @param placement where B is in A's frame, row-major 3 × 4.
   * @param slack rounding of the coordinates.
   */
  begin(placement: Float64Array, slack: number): void {
    this.placed[PLACED_SLACK] = slack;
    this.#placement = placement;
    invertPlacement(placement, this.#inverse);
  }

  /** Splits nothing: places the center of B's root, for a test against A's. */
  placeRoot(): void {
    this.boxes = this.#a.boxes;
    this.#whole = this.#b.boxes;
    this.#at = 0;
    this.#frame = this.#placement;
    placeCenter(this.#frame, this.#whole, 0, this.placed);
  }

  /** Splits a pair of which at most one is a leaf, and places the center of the node that is not split. */
  split(nodeA: number, nodeB: number): void {
    const a = this.#a;
    const b = this.#b;
    const splits = splitsA(a, nodeA, b, nodeB);
    const tree = splits ? a : b;
    const node = splits ? nodeA : nodeB;
    const link = tree.links[node];
    this.splitsA = splits;
    this.boxes = tree.boxes;
    this.first = node + 1;
    this.second = link === UNOPENED ? tree.open(node) : link;
    this.#whole = splits ? b.boxes : a.boxes;
    this.#at = BOX_STRIDE * (splits ? nodeB : nodeA);
    this.#frame = splits ? this.#placement : this.#inverse;
    placeCenter(this.#frame, this.#whole, this.#at, this.placed);
  }

  /** Places the axes too: only a test that the spheres do not settle needs them. */
  placeAxes(): void {
    placeAxes(this.#frame, this.#whole, this.#at, this.placed);
  }
}
