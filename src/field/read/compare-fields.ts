// Differences between two fields on the same grid.
import { checkedElsewhere, numberFrom, optionTable } from '../../core/check/option-table.js';
import { NearfieldError } from '../../core/errors.js';
import { type AnyField, denseField, isSparse } from '../any-field.js';
import { allNodes, assertField, type GridFrame, type NodeBox } from '../grid.js';

/**
 * Chosen: grids whose nodes are no more than this share of a spacing apart are the same: a file stores fewer digits
 * than memory.
 */
export const SAME_GRID_TOLERANCE = 1e-6;

/** Which nodes are compared. */
export interface CompareOptions {
  /** Only these nodes. Default: all. */
  readonly box?: NodeBox | undefined;
  /** Only nodes where the second field, the reference, is at most this far from 0. Default: no limit. */
  readonly maxDistance?: number | undefined;
}

const COMPARE_OPTIONS = optionTable<CompareOptions>()({ box: checkedElsewhere(), maxDistance: numberFrom(0) });

/** Differences |a − b| over the nodes where both fields are finite; NaN without a node of that kind. */
export interface FieldDifference {
  /** The mean: L1 divided by the number of nodes. */
  readonly mean: number;
  /** The root mean square. */
  readonly rms: number;
  /** The largest, L∞. */
  readonly max: number;
  /** The number of nodes compared. */
  readonly nodes: number;
  /** The lowest node with the largest difference, −1 if none was compared. */
  readonly worstNode: number;
}

/**
 * Compares two fields node by node.
 * @throws NearfieldError `bad-argument` when their grids differ by more than `SAME_GRID_TOLERANCE`.
 */
export function compareFields(field: AnyField, reference: AnyField, options: CompareOptions = {}): FieldDifference {
  if (!isSparse(field)) assertField(field);
  if (!isSparse(reference)) assertField(reference);
  COMPARE_OPTIONS.assert(options);
  assertSameGrid(field, reference);
  const a = denseField(field);
  const b = denseField(reference);
  const { box = allNodes(b), maxDistance = Infinity } = options;
  const [nx, ny, nz] = b.size;
  let nodes = 0;
  let sum = 0;
  let squares = 0;
  let max = -1;
  let worstNode = -1;
  for (let k = Math.max(0, box.min[2]); k <= Math.min(nz - 1, box.max[2]); k++) {
    for (let j = Math.max(0, box.min[1]); j <= Math.min(ny - 1, box.max[1]); j++) {
      const row = nx * (j + ny * k);
      for (let i = Math.max(0, box.min[0]); i <= Math.min(nx - 1, box.max[0]); i++) {
        const node = row + i;
        const expected = b.values[node];
        const difference = Math.abs(a.values[node] - expected);
        // False for NaN and Infinity, which result if either field was not computed at the node.
        if (!(difference < Infinity) || Math.abs(expected) > maxDistance) continue;
        nodes++;
        sum += difference;
        squares += difference * difference;
        if (difference > max) {
          max = difference;
          worstNode = node;
        }
      }
    }
  }
  if (nodes === 0) return { mean: NaN, rms: NaN, max: NaN, nodes, worstNode };
  return { mean: sum / nodes, rms: Math.sqrt(squares / nodes), max, nodes, worstNode };
}

function assertSameGrid(a: GridFrame, b: GridFrame): void {
  for (let axis = 0; axis < 3; axis++) {
    const firstOff = Math.abs(a.origin[axis] - b.origin[axis]);
    const lastOff = Math.abs(
      a.origin[axis] + a.spacing * (a.size[axis] - 1) - (b.origin[axis] + b.spacing * (b.size[axis] - 1)),
    );
    if (a.size[axis] === b.size[axis] && Math.max(firstOff, lastOff) <= SAME_GRID_TOLERANCE * b.spacing) continue;
    throw new NearfieldError(
      'bad-argument',
      `The grids differ along ${'xyz'[axis]}: ${describe(a, axis)} and ${describe(b, axis)}. Compare fields on the same grid.`,
    );
  }
}

function describe(field: GridFrame, axis: number): string {
  return `${field.size[axis]} nodes from ${field.origin[axis]}, ${field.spacing} apart`;
}
