// The grid of a field from the options: a box, and the number of nodes along its longest side or their spacing.
import * as box from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { Vec3 } from '../../core/vec3.js';
import { assertGridFrame, frameBox, type GridFrame, type GridSize, gridOverBox } from '../../field/grid.js';
import type { Mesh } from '../../mesh/mesh.js';
import { parseNumber, takeNumber, takeString } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';

/** Chosen: nodes along the longest side if neither --resolution nor --spacing is given. */
const DEFAULT_RESOLUTION = 64;
/** Chosen: the default box is the model's box with each side longer by this fraction, about the same center. */
const BOX_GROWTH = 0.05;
/**
 * Proven: the smallest spacing of a sparse field; smaller ones lose digits in single precision, in which it is
 * stored.
 */
const MIN_SPARSE_SPACING = 1e-30;
/** Proven: the longest length of a sparse field; longer ones overflow single precision, in which it is stored. */
const MAX_SPARSE_LENGTH = 1e37;

export const GRID_OPTIONS: Verb['options'] = {
  resolution: { type: 'string' },
  spacing: { type: 'string' },
  box: { type: 'string' },
};
export const GRID_HELP = `  --resolution N       N nodes along the longest side of the box, the first and last on its faces (default ${DEFAULT_RESOLUTION}). The
                       other sides have the same spacing, the first node on a face, and enough nodes to cover the box
  --spacing H          the distance between nodes, instead of --resolution
  --box X0,Y0,Z0,X1,Y1,Z1   the box of the field (default: the model's box, each side ${100 * BOX_GROWTH} % longer about its center, a
                       side of length 0 by ${100 * BOX_GROWTH} % of the longest; with --moved, around both models). Z0 = Z1 gives a
                       plane field`;

/** The grid options, checked before the model is read. */
export interface AskedGrid {
  readonly box: box.Box | null;
  readonly resolution: number;
  readonly spacing: number | null;
}

export function takeGrid(input: VerbInput): AskedGrid {
  const resolution = takeNumber(input, 'resolution', DEFAULT_RESOLUTION, { min: 2, integer: true });
  const text = takeString(input, 'spacing');
  const spacing = text === null ? null : parseLength(text, '--spacing');
  if (spacing !== null && input.values.resolution !== undefined) {
    throw new NearfieldError('bad-argument', '--resolution and --spacing both set how fine the grid is; give one');
  }
  return { box: takeBox(input), resolution, spacing };
}

/** The requested grid, around the meshes unless a box was given. */
export function gridFor(asked: AskedGrid, meshes: readonly Mesh[], sparse: boolean): GridFrame {
  const bounds = asked.box ?? growSides(boxAround(meshes));
  const frame =
    asked.spacing === null ? gridOverBox(bounds, asked.resolution, { sparse }) : gridOf(bounds, asked.spacing);
  assertGridFrame(frame, { sparse });
  if (sparse) assertSingle(frame);
  return frame;
}

function gridOf(bounds: box.Box, spacing: number): GridFrame {
  // As for a resolution: a side that is a whole number of spacings, up to rounding, gets no extra node.
  const size = box.size(bounds).map((side) => 1 + Math.ceil(side / spacing - 1e-9)) as unknown as GridSize;
  return { origin: bounds.min, spacing, size };
}

/** Throws if lengths are outside the range of single precision. */
function assertSingle(frame: GridFrame): void {
  if (frame.spacing < MIN_SPARSE_SPACING || Math.max(...box.size(frameBox(frame))) > MAX_SPARSE_LENGTH) {
    throw new NearfieldError(
      'bad-argument',
      `The spacing is ${frame.spacing}; a sparse field can hold lengths from ${MIN_SPARSE_SPACING} to ${MAX_SPARSE_LENGTH}. Scale the model, or leave --sparse out.`,
    );
  }
}

function takeBox(input: VerbInput): box.Box | null {
  const text = takeString(input, 'box');
  return text === null ? null : parseBox(text, '--box');
}

/** A length above zero. */
export function parseLength(text: string, option: string): number {
  const length = parseNumber(text, option, { min: 0 });
  if (length === 0) throw new NearfieldError('bad-argument', `${option} is "${text}"; give a number above 0`);
  return length;
}

/** x0,y0,z0,x1,y1,z1: the corners of a box. */
export function parseBox(text: string, option: string): box.Box {
  const numbers = text
    .split(',')
    .map((word, i) => parseNumber(word, `number ${i} of ${option}`, { min: -MAX_COORDINATE, max: MAX_COORDINATE }));
  if (numbers.length !== 6) {
    throw new NearfieldError('bad-argument', `${option} is "${text}"; give six numbers: x0,y0,z0,x1,y1,z1`);
  }
  const bounds = { min: numbers.slice(0, 3) as Vec3, max: numbers.slice(3) as Vec3 };
  const sides = box.size(bounds);
  if (sides.some((side) => !(side >= 0)) || !(Math.max(...sides) > 0)) {
    throw new NearfieldError('bad-argument', `${option} is "${text}"; give the lower corner first, then the upper one`);
  }
  return bounds;
}

function boxAround(meshes: readonly Mesh[]): box.Box {
  const corners = meshes.map(({ positions }) => box.ofPositions(positions)).flatMap(({ min, max }) => [...min, ...max]);
  return box.ofPositions(corners);
}

/** The box with every side longer about its center, so that what touched its faces is strictly inside. */
function growSides(bounds: box.Box): box.Box {
  const sides = box.size(bounds);
  const longest = Math.max(...sides);
  const margins = sides.map((side) => (BOX_GROWTH / 2) * (side > 0 ? side : longest));
  return {
    min: bounds.min.map((value, axis) => value - margins[axis]) as Vec3,
    max: bounds.max.map((value, axis) => value + margins[axis]) as Vec3,
  };
}
