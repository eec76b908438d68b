// A box of one tree placed in the frame of the other, where it is tested against both children of a node. The WebAssembly
// kernel does the same operations in the same order.
import { BOX_RADIUS, BOX_STRIDE, type BoxTree } from './box-tree.js';

/**
 * Rounding: a bound is off by less than this share of the largest coordinate in it; about forty operations of half an
 * ulp each, with slack.
 */
const BOX_ROUNDING = 1e-14;

// A placed box has the numbers of a box in a tree, with half-lengths and radius enlarged by the slack, and behind them what a
// test reads and writes. These pass through memory because V8 allocates non-integer arguments and results of calls.

/** Where the slack is: the rounding of the coordinates, a length. */
export const PLACED_SLACK = BOX_STRIDE;
/** Label: where a test writes its result. */
export const PLACED_RESULT = BOX_STRIDE + 1;
/** Layout: where the largest bound of interest is. */
export const PLACED_LIMIT = BOX_STRIDE + 2;
/** Layout: the count of all these numbers. */
export const PLACED_SIZE = BOX_STRIDE + 3;

/** The amount that bounds are lowered by, so that rounding cannot raise them above the true distance. */
export function slackOf(a: BoxTree, b: BoxTree, placement: Float64Array): number {
  const shift = Math.abs(placement[3]) + Math.abs(placement[7]) + Math.abs(placement[11]);
  return BOX_ROUNDING * (a.magnitude + b.magnitude + shift);
}

/** Writes the center and the radius of a box of one tree into the frame of the other. */
export function placeCenter(m: Float64Array, boxes: Float64Array, at: number, out: Float64Array): void {
  const x = boxes[at];
  const y = boxes[at + 1];
  const z = boxes[at + 2];
  out[0] = m[0] * x + m[1] * y + m[2] * z + m[3];
  out[1] = m[4] * x + m[5] * y + m[6] * z + m[7];
  out[2] = m[8] * x + m[9] * y + m[10] * z + m[11];
  out[BOX_RADIUS] = boxes[at + BOX_RADIUS] + out[PLACED_SLACK];
}

/** Writes the axes in the same way, and the half-lengths, enlarged by the slack. */
export function placeAxes(m: Float64Array, boxes: Float64Array, at: number, out: Float64Array): void {
  const slack = out[PLACED_SLACK];
  const m0 = m[0];
  const m1 = m[1];
  const m2 = m[2];
  const m4 = m[4];
  const m5 = m[5];
  const m6 = m[6];
  const m8 = m[8];
  const m9 = m[9];
  const m10 = m[10];
  let x = boxes[at + 3];
  let y = boxes[at + 4];
  let z = boxes[at + 5];
  out[3] = m0 * x + m1 * y + m2 * z;
  out[4] = m4 * x + m5 * y + m6 * z;
  out[5] = m8 * x + m9 * y + m10 * z;
  x = boxes[at + 6];
  y = boxes[at + 7];
  z = boxes[at + 8];
  out[6] = m0 * x + m1 * y + m2 * z;
  out[7] = m4 * x + m5 * y + m6 * z;
  out[8] = m8 * x + m9 * y + m10 * z;
  x = boxes[at + 9];
  y = boxes[at + 10];
  z = boxes[at + 11];
  out[9] = m0 * x + m1 * y + m2 * z;
  out[10] = m4 * x + m5 * y + m6 * z;
  out[11] = m8 * x + m9 * y + m10 * z;
  out[12] = boxes[at + 12] + slack;
  out[13] = boxes[at + 13] + slack;
  out[14] = boxes[at + 14] + slack;
}
