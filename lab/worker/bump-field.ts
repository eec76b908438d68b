// A field that follows a bump dragged over a surface. It is kept between moves, so that each move is an update of the
// previous field. A full field of the same surface is also computed, for comparison.
import { type Box, box as boxes, type ProgressOptions, partOfProgress, type Vec3 } from 'nearfield/core';
import {
  compareFields,
  type Field,
  type FieldDifference,
  type FieldOptions,
  type FieldUpdate,
  type GridFrame,
  gridNodeCount,
  MarchedField,
  nodePosition,
  sliceField,
  type UpdateOptions,
} from 'nearfield/field';
import type { Mesh } from 'nearfield/mesh';
import { gridAround } from '../field-view.js';
import { roundStep } from '../round-step.js';
import { bumpSurface } from './bump.js';
import { drawSlice, rangeOf, type ShownSlice, type SliceInput } from './field-slice.js';
import { queryOf } from './mesh-tasks.js';

/** 'found': around all nodes that can have changed. 'tight': around what moved and its band. 'small': half of what moved. */
export type BoxChoice = 'found' | 'tight' | 'small';

export interface BumpInput extends Pick<SliceInput, 'axis' | 'share' | 'shows'> {
  readonly base: Mesh;
  /** Three numbers, separated by blanks. */
  readonly hand: string;
  readonly radius: number;
  readonly sides: 'inside' | 'both';
  readonly resolution: number;
  /** How far the grid reaches beyond the base, as a share of its longest side. */
  readonly room: number;
  readonly boxes: BoxChoice;
  readonly border: 'old-values' | 'nothing';
  /** About how many lie across the values of the field. */
  readonly isolines: number;
}

export interface BumpUpdate {
  readonly mesh: Mesh;
  readonly update: FieldUpdate;
  /** The recomputed boxes, in world coordinates. */
  readonly boxes: readonly Box[];
  readonly milliseconds: number;
  readonly fullMilliseconds: number;
  /** From the full field. */
  readonly difference: FieldDifference;
  readonly nodes: number;
  readonly spacing: number;
  readonly low: number;
  readonly high: number;
  readonly slice: ShownSlice;
}

interface Kept {
  readonly base: Mesh;
  readonly how: string;
  readonly marched: MarchedField;
  mesh: Mesh;
  hand: string;
  last: Pick<BumpUpdate, 'update' | 'milliseconds'> | null;
  /** Of the same surface, computed at once; null until it is. */
  full: FullField | null;
}

interface FullField extends Pick<BumpUpdate, 'fullMilliseconds' | 'difference'> {
  readonly field: Field;
}

/** Around what moved, in spacings: the reach of the band that the march starts from, and a little. */
const TIGHT_ROOM = 3;
/** How much of what moved a box that is too small leaves out on each side, as a share of its shortest. */
const SMALL_SHARE = 0.25;

let kept: Kept | null = null;

export function moveBump(input: BumpInput, options: ProgressOptions): BumpUpdate {
  const { base, resolution, room, sides } = input;
  const frame = gridAround(boxes.ofPositions(base.positions), resolution, room);
  const field: FieldOptions = { method: 'fast-marching', order: 2, sides };
  // Other boxes are tried on the same move again, from the smooth surface.
  const how = [resolution, room, sides, input.boxes, input.border, input.radius].join();
  const known = kept?.base === base && kept.how === how ? kept : null;
  const state: Kept = known ?? {
    base,
    how,
    marched: new MarchedField(base, frame, { ...field, ...partOfProgress(options, 0, 0.3) }),
    mesh: base,
    hand: '',
    last: null,
    full: null,
  };
  if (state.hand !== input.hand) {
    const mesh = bumpSurface(base, queryOf(base), input.hand.split(' ').map(Number) as Vec3, input.radius);
    const start = performance.now();
    // Runs to its end even if the hand has moved on, because the next move starts from here.
    const update = state.marched.update(mesh, updateOptions(input, state.mesh, mesh, frame.spacing));
    const milliseconds = performance.now() - start;
    Object.assign(state, { mesh, hand: input.hand, last: { update, milliseconds }, full: null });
  }
  kept = state;
  state.full ??= computeFull(state, frame, { ...field, ...partOfProgress(options, 0.5, 1) });
  return show(state, frame, input);
}

function computeFull({ marched, mesh }: Kept, frame: GridFrame, options: FieldOptions): FullField {
  const start = performance.now();
  const { field } = new MarchedField(mesh, frame, options);
  const fullMilliseconds = performance.now() - start;
  return { field, fullMilliseconds, difference: compareFields(marched.field, field) };
}

function show({ marched, mesh, last, full }: Kept, frame: GridFrame, input: BumpInput): BumpUpdate {
  if (last === null || full === null) throw new Error('The bump was not moved.');
  const [low, high] = rangeOf(marched.field.values);
  const { axis, share, shows, sides, isolines } = input;
  const wanted = { axis, share, shows, sides, low, high, most: full.difference.max, least: null };
  const reference = (_: unknown, position: number) => sliceField(full.field, axis, position).values;
  return {
    mesh,
    ...last,
    fullMilliseconds: full.fullMilliseconds,
    difference: full.difference,
    boxes: last.update.boxes.map(({ min, max }) => ({
      min: nodePosition(frame, min[0], min[1], min[2]),
      max: nodePosition(frame, max[0], max[1], max[2]),
    })),
    nodes: gridNodeCount(frame),
    spacing: frame.spacing,
    low,
    high,
    slice: drawSlice(marched.field, reference, { ...wanted, step: roundStep((high - low) / isolines) }),
  };
}

export function updateOptions(
  { boxes: choice, border }: Pick<BumpInput, 'boxes' | 'border'>,
  before: Mesh,
  after: Mesh,
  spacing: number,
): UpdateOptions {
  if (choice === 'found') return { border };
  const moved = boxOfMoved(before, after);
  const margin = choice === 'tight' ? TIGHT_ROOM * spacing : -SMALL_SHARE * Math.min(...boxes.size(moved));
  return { border, boxes: [boxes.grow(moved, margin)] };
}

/** The box of the old and the new corners of all triangles that moved. */
function boxOfMoved(before: Mesh, after: Mesh): Box {
  const corners: number[] = [];
  for (let t = 0; t < after.indices.length; t += 3) {
    const triangle = after.indices.subarray(t, t + 3);
    const moves = triangle.some((vertex) =>
      [0, 1, 2].some((k) => before.positions[3 * vertex + k] !== after.positions[3 * vertex + k]),
    );
    if (!moves) continue;
    for (const vertex of triangle) {
      for (const { positions } of [before, after]) corners.push(...positions.subarray(3 * vertex, 3 * vertex + 3));
    }
  }
  return boxes.ofPositions(corners);
}
