// Whether triangles of two trees of oriented boxes cross, from the roots. The larger of two overlapping boxes is split:
// the other is placed in its frame once and tested against both children; the child with the deeper overlap is searched
// first. Boxes are separated along 15 directions (Gottschalk, Lin and Manocha 1996), with a margin for rounding.
import { growTo } from '../../core/grow-array.js';
import { invertPlacement } from '../../core/placement.js';
import { type BoxKernel, type CrossingTest, FOUND, UNFINISHED } from './box-kernel.js';
import { BOX_RADIUS, BOX_STRIDE, type BoxTree, UNOPENED } from './box-tree.js';
import { PLACED_RESULT, PLACED_SIZE, PLACED_SLACK, placeAxes, placeCenter } from './placed-box.js';

/** Where a test writes its result: the largest gap along the six face normals, not positive, or {@link APART}. */
const GAP = PLACED_RESULT;
/** Label: the result for boxes that are apart: above all gaps of boxes that overlap. */
const APART = 1;

/** Searches two trees for triangles that cross: in WebAssembly once the kernel is ready, otherwise here. */
export class BoxCrossing {
  /** Pairs of boxes tested by the last search. */
  tests = 0;
  readonly #a: BoxTree;
  readonly #b: BoxTree;
  readonly #kernel: BoxKernel | null;
  /** The box that is not split, in the frame of the other tree: see placed-box.ts. */
  readonly #placed = new Float64Array(PLACED_SIZE);
  /** A in B's frame. */
  readonly #inverse = new Float64Array(12);
  /** Pairs of nodes still to be searched. */
  #stackA = new Int32Array(64);
  #stackB = new Int32Array(64);
  /** Pairs on the stack when a search begins. */
  #depth = 0;

  constructor(a: BoxTree, b: BoxTree, kernel: BoxKernel | null = null) {
    this.#a = a;
    this.#b = b;
    this.#kernel = kernel;
  }

  /**
   * Whether two triangles cross; if so, `test` was true for the last pair it was given.
   * @param m where B is in A's frame, row-major 3 × 4.
   * @param slack rounding of the coordinates: boxes nearer than this are not apart.
   */
  search(m: Float64Array, slack: number, test: CrossingTest): boolean {
    const kernel = this.#kernel;
    this.tests = 0;
    this.#depth = 0;
    if (kernel?.isReady) {
      const ended = kernel.searchCrossing(this.#a, this.#b, m, slack, test);
      this.tests = kernel.tests;
      if (ended !== UNFINISHED) return ended === FOUND;
      this.#takeStack(kernel);
    }
    this.#placed[PLACED_SLACK] = slack;
    invertPlacement(m, this.#inverse);
    if (this.#depth === 0) {
      if (!this.#rootsMeet(m)) return false;
      this.#stackA[0] = 0;
      this.#stackB[0] = 0;
      this.#depth = 1;
    }
    const found = this.#searchStack(this.#depth, m, test);
    kernel?.earn(this.tests);
    return found;
  }

  /** Takes over what the kernel left on its stack when its memory was full. */
  #takeStack(kernel: BoxKernel): void {
    this.#stackA = growTo(this.#stackA, kernel.depth);
    this.#stackB = growTo(this.#stackB, kernel.depth);
    this.#depth = kernel.takeStack(this.#stackA, this.#stackB);
  }

  #rootsMeet(m: Float64Array): boolean {
    const { boxes } = this.#a;
    const placed = this.#placed;
    this.tests = 1;
    placeCenter(m, this.#b.boxes, 0, placed);
    if (!spheresMeet(boxes, 0, placed)) return false;
    placeAxes(m, this.#b.boxes, 0, placed);
    findGap(boxes, 0, placed);
    return placed[GAP] !== APART;
  }

  /**
   * Searches below the pairs of nodes on the stack, the last first. In one piece: with the choice of the box to split in an
   * object that both searches share, they measured 3 to 8 % slower.
   */
  #searchStack(top: number, m: Float64Array, test: CrossingTest): boolean {
    const a = this.#a;
    const b = this.#b;
    const placed = this.#placed;
    const inverse = this.#inverse;
    const boxesA = a.boxes;
    const boxesB = b.boxes;
    let stackA = this.#stackA;
    let stackB = this.#stackB;
    while (top > 0) {
      top--;
      const nodeA = stackA[top];
      const nodeB = stackB[top];
      const linkA = a.links[nodeA];
      const linkB = b.links[nodeB];
      if (linkA < 0 && linkB < 0) {
        if (test.cross(~linkA, ~linkB)) return true;
        continue;
      }
      if (top + 2 > stackA.length) {
        stackA = this.#stackA = growTo(stackA, top + 2);
        stackB = this.#stackB = growTo(stackB, top + 2);
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
      const meets1 = spheresMeet(split, BOX_STRIDE * first, placed);
      const meets2 = spheresMeet(split, BOX_STRIDE * second, placed);
      if (!meets1 && !meets2) continue;
      placeAxes(frame, whole, at, placed);
      let gap1 = APART;
      let gap2 = APART;
      if (meets1) {
        findGap(split, BOX_STRIDE * first, placed);
        gap1 = placed[GAP];
      }
      if (meets2) {
        findGap(split, BOX_STRIDE * second, placed);
        gap2 = placed[GAP];
      }
      // The deeper child is on top.
      const deeper = gap1 <= gap2 || gap2 === APART ? first : second;
      if (gap1 !== APART && gap2 !== APART) {
        stackA[top] = splitsA ? first + second - deeper : nodeA;
        stackB[top++] = splitsA ? nodeB : first + second - deeper;
      }
      if (gap1 !== APART || gap2 !== APART) {
        stackA[top] = splitsA ? deeper : nodeA;
        stackB[top++] = splitsA ? nodeB : deeper;
      }
    }
    return false;
  }
}

/** Whether the spheres around a box of a tree and around the placed one meet. */
function spheresMeet(boxes: Float64Array, at: number, placed: Float64Array): boolean {
  const dx = placed[0] - boxes[at];
  const dy = placed[1] - boxes[at + 1];
  const dz = placed[2] - boxes[at + 2];
  const radii = boxes[at + BOX_RADIUS] + placed[BOX_RADIUS];
  return dx * dx + dy * dy + dz * dz <= radii * radii;
}

/**
 * Writes how deeply a box of a tree overlaps one placed in its frame as {@link GAP}. In one piece: an axis that separates ends
 * it, and cosines that passed from one function to the next would be allocated.
 */
function findGap(boxes: Float64Array, at: number, placed: Float64Array): void {
  placed[GAP] = APART;
  const slack = placed[PLACED_SLACK];
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

  // The cosines of the axes, c, their sizes, d, and the way between the centers along each axis, t and u.
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
  let most = Math.abs(t0) - (half0 + d00 * halfB0 + d01 * halfB1 + d02 * halfB2);
  if (most > 0) return;

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
  let gap = Math.abs(t1) - (half1 + d10 * halfB0 + d11 * halfB1 + d12 * halfB2);
  if (gap > 0) return;
  if (gap > most) most = gap;

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
  gap = Math.abs(t2) - (half2 + d20 * halfB0 + d21 * halfB1 + d22 * halfB2);
  if (gap > 0) return;
  if (gap > most) most = gap;

  gap = Math.abs(b00 * dx + b01 * dy + b02 * dz) - (halfB0 + d00 * half0 + d10 * half1 + d20 * half2);
  if (gap > 0) return;
  if (gap > most) most = gap;
  gap = Math.abs(b10 * dx + b11 * dy + b12 * dz) - (halfB1 + d01 * half0 + d11 * half1 + d21 * half2);
  if (gap > 0) return;
  if (gap > most) most = gap;
  gap = Math.abs(b20 * dx + b21 * dy + b22 * dz) - (halfB2 + d02 * half0 + d12 * half1 + d22 * half2);
  if (gap > 0) return;
  if (gap > most) most = gap;

  // Cross products of edges are not unit, and vanish for parallel ones: the slack is used unscaled, twice for each box.
  const more = 2 * slack;
  if (
    Math.abs(t2 * c10 - t1 * c20) > half1 * d20 + half2 * d10 + halfB1 * d02 + halfB2 * d01 + more ||
    Math.abs(t2 * c11 - t1 * c21) > half1 * d21 + half2 * d11 + halfB0 * d02 + halfB2 * d00 + more ||
    Math.abs(t2 * c12 - t1 * c22) > half1 * d22 + half2 * d12 + halfB0 * d01 + halfB1 * d00 + more ||
    Math.abs(t0 * c20 - t2 * c00) > half0 * d20 + half2 * d00 + halfB1 * d12 + halfB2 * d11 + more ||
    Math.abs(t0 * c21 - t2 * c01) > half0 * d21 + half2 * d01 + halfB0 * d12 + halfB2 * d10 + more ||
    Math.abs(t0 * c22 - t2 * c02) > half0 * d22 + half2 * d02 + halfB0 * d11 + halfB1 * d10 + more ||
    Math.abs(t1 * c00 - t0 * c10) > half0 * d10 + half1 * d00 + halfB1 * d22 + halfB2 * d21 + more ||
    Math.abs(t1 * c01 - t0 * c11) > half0 * d11 + half1 * d01 + halfB0 * d22 + halfB2 * d20 + more ||
    Math.abs(t1 * c02 - t0 * c12) > half0 * d12 + half1 * d02 + halfB0 * d21 + halfB1 * d20 + more
  ) {
    return;
  }
  placed[GAP] = most;
}
