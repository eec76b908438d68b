// The grid of samples for an error bound: the half diagonal of a cell is the error, so that every point has a sample
// within it (Hoff et al. 2001, section 2.2.1). Its nodes are whole multiples of the spacing, whatever the region, so
// that samples of one frame are samples of the next. Large regions are computed block by block.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { GridFrame } from '../../field/grid.js';

/**
 * Rounding: the half diagonal is smaller than the error by this share: more than coordinates in spacings are rounded.
 */
const ROOM = 2 ** -16;
/** Rounding: the smallest error, as a share of the largest coordinate. */
const MIN_ERROR = 2 ** -30;
/** Proven: numbers of nodes below this fit 32 bits, with some room. */
const MAX_CELLS = 2 ** 30;
/** Chosen: nodes of a block. Its arrays fill 20 MB. */
const BLOCK_NODES = 2 ** 22;
/** Chosen: nodes of a region, in all blocks. */
const MAX_NODES = 2 ** 31;
/** Chosen: nodes of a grid that is returned whole. */
const MAX_WHOLE_NODES = 2 ** 27;

/** Nodes from `low` to `high`, both included, counted from the origin. */
export interface NodeRange {
  readonly low: Int32Array;
  readonly high: Int32Array;
}

/** The spacing whose cells have a half diagonal just below the error. */
export function spacingFor(error: number): number {
  return ((2 * error) / Math.sqrt(3)) * (1 - ROOM);
}

/** Throws for an error that is not a positive number, or too small for the coordinates. */
export function assertError(error: number, extent: number): void {
  if (!(typeof error === 'number' && error > 0 && error < Infinity)) {
    throw new NearfieldError('bad-argument', `The error is ${nameValue(error)}; give a positive length.`);
  }
  if (error < MIN_ERROR * extent) {
    throw new NearfieldError(
      'bad-argument',
      `The error ${error} is too small for coordinates of ${extent}; give at least ${MIN_ERROR * extent}, or move the shapes to the origin.`,
    );
  }
}

/**
 * The nodes whose cells meet the overlap of one box with another grown by `margin`; null if no node does.
 * @throws NearfieldError `too-large` where they are too many.
 */
export function overlapRange(
  minA: Float64Array,
  maxA: Float64Array,
  minB: Float64Array,
  maxB: Float64Array,
  margin: number,
  spacing: number,
): NodeRange | null {
  const min = new Float64Array(3);
  const max = new Float64Array(3);
  for (let axis = 0; axis < 3; axis++) {
    min[axis] = Math.max(minA[axis], minB[axis] - margin);
    max[axis] = Math.min(maxA[axis], maxB[axis] + margin);
    if (min[axis] > max[axis]) return null;
  }
  return rangeOfBox(min, max, spacing);
}

/**
 * The nodes whose cells meet a box.
 * @throws NearfieldError `too-large` where they are too many.
 */
export function rangeOfBox(min: ArrayLike<number>, max: ArrayLike<number>, spacing: number): NodeRange {
  const low = new Int32Array(3);
  const high = new Int32Array(3);
  let nodes = 1;
  for (let axis = 0; axis < 3; axis++) {
    const [first, last] = [cellOf(min[axis], spacing), cellOf(max[axis], spacing)];
    if (!(first >= -MAX_CELLS && last <= MAX_CELLS)) {
      throw new NearfieldError(
        'bad-argument',
        `The box reaches from ${min[axis]} to ${max[axis]}, more than ${MAX_CELLS} samples of ${spacing} from the origin; give a nearer box or a larger error.`,
      );
    }
    low[axis] = first;
    high[axis] = last;
    nodes *= high[axis] - low[axis] + 1;
  }
  if (nodes > MAX_NODES) {
    const factor = Math.cbrt(nodes / MAX_NODES);
    throw new NearfieldError(
      'too-large',
      `The region has ${nodes.toPrecision(3)} samples, more than ${MAX_NODES}; give an error ${Math.ceil(10 * factor) / 10} times as large.`,
    );
  }
  return { low, high };
}

/** Throws for grids with too many nodes to be returned whole. */
export function assertWhole(nodes: number): void {
  if (nodes <= MAX_WHOLE_NODES) return;
  throw new NearfieldError(
    'too-large',
    `The grid has ${nodes} samples, more than ${MAX_WHOLE_NODES}; give an error ${Math.ceil(10 * Math.cbrt(nodes / MAX_WHOLE_NODES)) / 10} times as large.`,
  );
}

/** The cell that a coordinate is in. */
export function cellOf(x: number, spacing: number): number {
  return Math.floor(x / spacing + 0.5);
}

/** The nodes of a range as a grid. */
export function frameOf({ low, high }: NodeRange, spacing: number): GridFrame {
  return {
    origin: [spacing * low[0], spacing * low[1], spacing * low[2]],
    spacing,
    size: [high[0] - low[0] + 1, high[1] - low[1] + 1, high[2] - low[2] + 1],
  };
}

/** Halves a range along its longest side until the parts are small enough; they share no node. */
export function blocksOf(range: NodeRange, most = BLOCK_NODES): NodeRange[] {
  const sides = [0, 1, 2].map((axis) => range.high[axis] - range.low[axis] + 1);
  if (sides[0] * sides[1] * sides[2] <= most) return [range];
  const axis = sides.indexOf(Math.max(...sides));
  const middle = range.low[axis] + (sides[axis] >> 1);
  return [
    ...blocksOf({ low: range.low, high: range.high.map((end, a) => (a === axis ? middle - 1 : end)) }, most),
    ...blocksOf({ low: range.low.map((start, a) => (a === axis ? middle : start)), high: range.high }, most),
  ];
}
