// Where the nodes of a field lie, as people ask for it: a box and how many nodes along its longest side, or how far apart.
import * as box from '../../core/box.js';
import { NearfieldError } from '../../core/errors.js';
import type { Vec3 } from '../../core/vec3.js';
import { assertGridFrame, frameBox, type GridFrame, type GridSize, gridOverBox } from '../../field/grid.js';
import { MAX_COORDINATE, type Mesh } from '../../mesh/mesh.js';
import { parseNumber, takeNumber, takeString } from '../arguments.js';
import type { Verb, VerbInput } from '../verb.js';

/** Nodes along the longest side when neither a number nor a spacing is given. */
const DEFAULT_RESOLUTION = 64;
/** How much longer than the model's the sides of the default box are, about the same centre. */
const GROWTH = 0.05;
/** Sparse fields are kept in single precision. */
const MIN_SPARSE_SPACING = 1e-30;
const MAX_SPARSE_LENGTH = 1e37;

export const GRID_OPTIONS: Verb['options'] = {
  resolution: { type: 'string' },
  spacing: { type: 'string' },
  box: { type: 'string' },
};
export const GRID_HELP = `  --resolution N       nodes along the box's longest side, the first and the last on its faces (default ${DEFAULT_RESOLUTION}); along the
                       others as many as cover it at the same spacing, the first on its face
  --spacing H          instead of a number of nodes: how far apart they are
  --box X0,Y0,Z0,X1,Y1,Z1   the box of the field (default: the model's, every side ${100 * GROWTH} % longer about its centre; of a
                       side without length, ${100 * GROWTH} % of the longest); Z0 = Z1 is a field in the plane. With --moved
                       the default is around both models`;

/** What was asked for, checked before the model is read. */
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
    throw new NearfieldError('bad-argument', '--resolution and --spacing both tell how fine the grid is; give one');
  }
  return { box: takeBox(input), resolution, spacing };
}

/** The grid that was asked for, around the meshes unless a box was given. */
export function gridFor(asked: AskedGrid, meshes: readonly Mesh[], sparse: boolean): GridFrame {
  const bounds = asked.box ?? growSides(boxAround(meshes));
  const frame =
    asked.spacing === null ? gridOverBox(bounds, asked.resolution, { sparse }) : gridOf(bounds, asked.spacing);
  assertGridFrame(frame, { sparse });
  if (sparse) assertSingle(frame);
  return frame;
}

function gridOf(bounds: box.Box, spacing: number): GridFrame {
  // As for a resolution: a side that is a whole number of spacings but for rounding gets no node more.
  const size = box.size(bounds).map((side) => 1 + Math.ceil(side / spacing - 1e-9)) as unknown as GridSize;
  return { origin: bounds.min, spacing, size };
}

/** Refuses lengths that single precision does not have. */
function assertSingle(frame: GridFrame): void {
  if (frame.spacing < MIN_SPARSE_SPACING || Math.max(...box.size(frameBox(frame))) > MAX_SPARSE_LENGTH) {
    throw new NearfieldError(
      'bad-argument',
      `The spacing is ${frame.spacing}; a sparse field holds lengths from ${MIN_SPARSE_SPACING} to ${MAX_SPARSE_LENGTH}. Scale the model, or leave --sparse out.`,
    );
  }
}

function takeBox(input: VerbInput): box.Box | null {
  const text = takeString(input, 'box');
  return text === null ? null : parseBox(text, '--box');
}

/** A length that is not zero. */
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

/** The box about its centre with every side longer, so that what touched its faces lies strictly inside. */
function growSides(bounds: box.Box): box.Box {
  const sides = box.size(bounds);
  const longest = Math.max(...sides);
  const margins = sides.map((side) => (GROWTH / 2) * (side > 0 ? side : longest));
  return {
    min: bounds.min.map((value, axis) => value - margins[axis]) as Vec3,
    max: bounds.max.map((value, axis) => value + margins[axis]) as Vec3,
  };
}
