// Regular grids: where the nodes lie, and a value per node. A grid with one node along z is planar; every algorithm in
// this folder works on planar and spatial grids.

import type { Box } from '../core/box.js';
import { assertBox } from '../core/check/check-box.js';
import { nameValue } from '../core/check/check-options.js';
import { flag, optionTable } from '../core/check/option-table.js';
import { NearfieldError } from '../core/errors.js';
import { MAX_COORDINATE } from '../core/tolerances.js';
import type { Vec3 } from '../core/vec3.js';
import { firstNodeFrom, lastNodeUpTo } from './source/node-range.js';

/** Nodes along x, y and z; one along z for a planar grid. */
export type GridSize = readonly [number, number, number];

/** Where the nodes of a grid lie. The node (i, j, k) is at origin + spacing · (i, j, k). */
export interface GridFrame {
  /** Position of the node (0, 0, 0). */
  readonly origin: Readonly<Vec3>;
  /** Distance between neighbors, the same along every axis. */
  readonly spacing: number;
  readonly size: GridSize;
}

/** A number at every node of a grid. */
export interface Field extends GridFrame {
  /** The node (i, j, k) is at i + nx · (j + ny · k): x runs fastest. */
  readonly values: Float64Array;
}

/** Nodes of a grid from `min` to `max`, both included; empty if a `max` is below its `min`. */
export interface NodeBox {
  readonly min: Readonly<Vec3>;
  readonly max: Readonly<Vec3>;
}

/** Chosen: the largest number of nodes of a dense grid, whose values fill 4 GiB. Use sparse fields beyond that. */
export const MAX_GRID_NODES = 2 ** 29;

/** The number of nodes of a grid. */
export function gridNodeCount(frame: GridFrame): number {
  return frame.size[0] * frame.size[1] * frame.size[2];
}

/** The index of the value of the node (i, j, k). */
export function nodeIndex(frame: GridFrame, i: number, j: number, k: number): number {
  return i + frame.size[0] * (j + frame.size[1] * k);
}

/** The position of the node (i, j, k). */
export function nodePosition(frame: GridFrame, i: number, j: number, k: number): Vec3 {
  const { origin, spacing } = frame;
  return [origin[0] + spacing * i, origin[1] + spacing * j, origin[2] + spacing * k];
}

/** The box from the first node to the last. */
export function frameBox(frame: GridFrame): Box {
  const [nx, ny, nz] = frame.size;
  return { min: [...frame.origin], max: nodePosition(frame, nx - 1, ny - 1, nz - 1) };
}

/** All nodes of a grid. */
export function allNodes(frame: GridFrame): NodeBox {
  const [nx, ny, nz] = frame.size;
  return { min: [0, 0, 0], max: [nx - 1, ny - 1, nz - 1] };
}

/** The nodes of a grid in a closed box grown by `margin`, compared by position exactly as {@link nodePosition} rounds. */
export function nodesInBox(frame: GridFrame, box: Box, margin = 0): NodeBox {
  const { origin, spacing, size } = frame;
  const min: Vec3 = [0, 0, 0];
  const max: Vec3 = [0, 0, 0];
  for (let axis = 0; axis < 3; axis++) {
    const last = size[axis] - 1;
    min[axis] = firstNodeFrom(origin[axis], spacing, 0, last, box.min[axis] - margin);
    max[axis] = lastNodeUpTo(origin[axis], spacing, 0, last, box.max[axis] + margin);
  }
  return { min, max };
}

const GRID_OPTIONS = optionTable<{ sparse?: boolean }>()({ sparse: flag(false) });

/**
 * A grid with `resolution` nodes along the longest side of a box, the first and the last of them on its faces. Along
 * the other sides it has as many as cover the box, so the grid can extend past it by less than one spacing. A box
 * without height gives a planar grid.
 * @throws NearfieldError `bad-argument` for an empty or unbounded box or fewer than two nodes, `too-large` beyond
 * `MAX_GRID_NODES` unless `sparse`.
 */
export function gridOverBox(box: Box, resolution: number, options: { sparse?: boolean } = {}): GridFrame {
  if (!Number.isInteger(resolution) || resolution < 2) {
    throw new NearfieldError('bad-argument', `The resolution is ${resolution}; give a whole number of at least 2.`);
  }
  assertBox(box);
  GRID_OPTIONS.assert(options);
  const sides = [0, 1, 2].map((axis) => box.max[axis] - box.min[axis]);
  for (let axis = 0; axis < 3; axis++) {
    if (!(sides[axis] >= 0) || !Number.isFinite(sides[axis])) {
      throw new NearfieldError(
        'bad-argument',
        `The box of the grid goes from ${box.min[axis]} to ${box.max[axis]} along ${'xyz'[axis]}; give finite bounds, lower first.`,
      );
    }
  }
  const longest = Math.max(...sides);
  const spacing = longest / (resolution - 1);
  if (!(spacing > 0)) {
    throw new NearfieldError('bad-argument', 'The box of the grid is a point; give one with a length along some axis.');
  }
  // The slack prevents an extra node when a side is a whole number of spacings up to rounding.
  const size = sides.map((side) =>
    side === longest ? resolution : 1 + Math.ceil(side / spacing - 1e-9),
  ) as unknown as GridSize;
  const frame: GridFrame = { origin: [...box.min], spacing, size };
  assertGridFrame(frame, options);
  return frame;
}

/**
 * Throws for an invalid grid: sizes that are not whole numbers from 1, a spacing that is not positive, or numbers that
 * are not finite or so large or small that their products overflow or underflow.
 */
export function assertGridFrame(frame: GridFrame, options: { sparse?: boolean } = {}): void {
  const { origin, spacing, size } = frame ?? {};
  if (origin?.length !== 3 || size?.length !== 3) {
    throw new NearfieldError(
      'bad-argument',
      `The grid is ${nameValue(frame)} without an origin and a size of three numbers each; make one with gridOverBox.`,
    );
  }
  if (!(spacing > 0) || !Number.isFinite(spacing)) {
    throw new NearfieldError('bad-argument', `The spacing of the grid is ${spacing}; give a positive number.`);
  }
  if (spacing < 1 / MAX_COORDINATE) {
    throw new NearfieldError(
      'bad-argument',
      `The spacing of the grid is ${spacing}, too small for its powers; scale the model so that it is at least ${1 / MAX_COORDINATE}.`,
    );
  }
  for (let axis = 0; axis < 3; axis++) {
    if (!Number.isInteger(size[axis]) || size[axis] < 1) {
      throw new NearfieldError(
        'bad-argument',
        `The grid has ${size[axis]} nodes along ${'xyz'[axis]}; give a whole number from 1.`,
      );
    }
    // NaN fails the comparison too.
    const last = origin[axis] + spacing * (size[axis] - 1);
    if (!Number.isFinite(origin[axis]) || !(Math.max(Math.abs(origin[axis]), Math.abs(last)) <= MAX_COORDINATE)) {
      throw new NearfieldError(
        'non-finite',
        `The grid goes from ${origin[axis]} to ${last} along ${'xyz'[axis]}; coordinates must be finite and at most ${MAX_COORDINATE}.`,
      );
    }
    if (origin[axis] + spacing === origin[axis]) {
      throw new NearfieldError(
        'bad-argument',
        `The spacing ${spacing} is lost in rounding at ${origin[axis]} along ${'xyz'[axis]}; move the model near the origin.`,
      );
    }
  }
  const nodes = gridNodeCount(frame);
  if (options.sparse !== true && nodes > MAX_GRID_NODES) {
    throw new NearfieldError(
      'too-large',
      `The grid has ${nodes} nodes, more than ${MAX_GRID_NODES}; use a lower resolution or a sparse field.`,
    );
  }
}

/** Throws if a field's values do not fit its grid. */
export function assertField(field: Field): void {
  assertGridFrame(field);
  if (!(field.values instanceof Float64Array)) {
    throw new NearfieldError('bad-argument', 'The field has no Float64Array of values; give one number per node.');
  }
  if (field.values.length !== gridNodeCount(field)) {
    throw new NearfieldError(
      'bad-argument',
      `The field has ${field.values.length} values on ${gridNodeCount(field)} nodes; give one per node.`,
    );
  }
}
