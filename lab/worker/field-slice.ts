// A field on a plane across its grid, ready to be drawn: places on a scale of colors, isolines and arrows of the gradient.
import type { ReadonlyVec3, Vec3 } from 'nearfield/core';
import { extractIsolines, type Field, FieldSampler, type FieldSides, sliceField } from 'nearfield/field';
import type { Picture } from '../viewer/picture.js';

export interface SliceInput {
  /** 0, 1 or 2. */
  readonly axis: 0 | 1 | 2;
  /** From the first node along the axis, 0, to the last, 1. */
  readonly share: number;
  readonly shows: 'distance' | 'difference';
  /** The values that the ends of the scale of distances stand for. */
  readonly low: number;
  readonly high: number;
  /** What the end of the scale of differences stands for, and, where equal steps are equal ratios, its beginning. */
  readonly most: number;
  readonly least: number | null;
  readonly sides: FieldSides;
  /** From one isoline to the next. */
  readonly step: number;
}

export interface ShownSlice {
  readonly picture: Picture;
  /** Separate segments, six numbers each, without the line at 0. */
  readonly isolines: Float64Array;
  readonly zero: Float64Array;
  readonly arrows: Float64Array;
}

/** The axes of the world along the rows and the columns of a slice, by the axis that it is across. */
export const SLICE_AXES = [
  [1, 2],
  [0, 2],
  [0, 1],
] as const;

/** Arrows along the longer side of a slice. */
const ARROWS = 17;
/** An arrow's length and the length of its head, in distances between arrows. */
const ARROW_LENGTH = 0.62;
const HEAD_LENGTH = 0.2;

/** Where a share of the way along an axis is. */
export function placeAlong({ origin, spacing, size }: Field, axis: number, share: number): number {
  return origin[axis] + share * spacing * (size[axis] - 1);
}

/** The least and the largest of the finite values. */
export function rangeOf(values: Float64Array): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (const value of values) {
    if (!Number.isFinite(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return [low, high];
}

/** What a field is compared with, at the nodes of the slice at a coordinate along the axis. */
type Reference = (slice: Field, position: number) => ArrayLike<number>;

export function drawSlice(field: Field, reference: Reference, input: SliceInput): ShownSlice {
  const { axis, share } = input;
  const [u, v] = SLICE_AXES[axis];
  const position = placeAlong(field, axis, share);
  const slice = sliceField(field, axis, position);
  const corner: Vec3 = [...field.origin];
  corner[axis] = position;
  const [columns, rows] = slice.size;
  const across: Vec3 = [0, 0, 0];
  const up: Vec3 = [0, 0, 0];
  across[u] = field.spacing * (columns - 1);
  up[v] = field.spacing * (rows - 1);
  const other = input.shows === 'distance' ? null : reference(slice, position);
  // In shares of the largest: single precision has the room for them.
  const largest = Math.max(-input.low, input.high);
  const samples = Float32Array.from(slice.values, (value, i) => {
    if (other !== null) return shareOf(Math.abs(value - other[i]), input);
    return Number.isFinite(value) ? value / largest : Number.NaN;
  });
  const [low, high] = other === null ? [input.low / largest, input.high / largest] : [0, 1];
  const lift = (points: ArrayLike<number>, i: number): Vec3 => {
    const at: Vec3 = [0, 0, 0];
    at[axis] = position;
    at[u] = points[2 * i];
    at[v] = points[2 * i + 1];
    return at;
  };
  const levels: number[] = [];
  for (let n = Math.ceil(input.low / input.step); n * input.step <= input.high; n++) {
    if (n !== 0 && input.sides !== (n < 0 ? 'outside' : 'inside')) levels.push(n * input.step);
  }
  return {
    picture: { corner, across, up, columns, rows, samples, low, high },
    isolines: isolineSegments(slice, levels, lift),
    zero: isolineSegments(slice, [0], lift),
    arrows: arrowSegments(field, axis, position, [columns, rows]),
  };
}

function shareOf(difference: number, { most, least }: SliceInput): number {
  if (!Number.isFinite(difference)) return Number.NaN;
  if (!(most > 0)) return 0;
  return least === null ? difference / most : Math.max(0, Math.log(difference / least) / Math.log(most / least));
}

function isolineSegments(
  slice: Field,
  levels: readonly number[],
  lift: (points: ArrayLike<number>, i: number) => Vec3,
): Float64Array {
  const segments: number[] = [];
  for (const { points, closed } of extractIsolines(slice, levels)) {
    const count = points.length / 2;
    for (let i = 0; i + 1 < count + (closed ? 1 : 0); i++) {
      segments.push(...lift(points, i), ...lift(points, (i + 1) % count));
    }
  }
  return Float64Array.from(segments);
}

/** The gradient's part in the plane, evenly over the slice; longer where more of it lies in the plane. */
function arrowSegments(field: Field, axis: number, position: number, [columns, rows]: readonly number[]): Float64Array {
  const [u, v] = SLICE_AXES[axis];
  const { origin, spacing } = field;
  const gap = (spacing * (Math.max(columns, rows) - 1)) / ARROWS;
  const [across, up] = [Math.floor(((columns - 1) * spacing) / gap), Math.floor(((rows - 1) * spacing) / gap)];
  // In the middle of what is left over on both sides.
  const [left, below] = [
    origin[u] + 0.5 * ((columns - 1) * spacing - (across - 1) * gap),
    origin[v] + 0.5 * ((rows - 1) * spacing - (up - 1) * gap),
  ];
  const segments: number[] = [];
  const sampler = new FieldSampler(field);
  const gradient: Vec3 = [0, 0, 0];
  const at: Vec3 = [0, 0, 0];
  at[axis] = position;
  for (let row = 0; row < up; row++) {
    for (let column = 0; column < across; column++) {
      at[u] = left + column * gap;
      at[v] = below + row * gap;
      sampler.gradient(at[0], at[1], at[2], gradient);
      const [a, b] = [gradient[u], gradient[v]];
      if (!Number.isFinite(a) || !Number.isFinite(b) || Math.hypot(a, b) < 0.05) continue;
      pushArrow(segments, at, [u, v], [a * gap, b * gap]);
    }
  }
  return Float64Array.from(segments);
}

function pushArrow(
  segments: number[],
  middle: ReadonlyVec3,
  [u, v]: readonly number[],
  [a, b]: readonly number[],
): void {
  const along = (forward: number, sideways: number): Vec3 => {
    const at: Vec3 = [middle[0], middle[1], middle[2]];
    at[u] += forward * a - sideways * b;
    at[v] += forward * b + sideways * a;
    return at;
  };
  const half = ARROW_LENGTH / 2;
  const tip = along(half, 0);
  segments.push(...along(-half, 0), ...tip);
  for (const side of [0.45, -0.45]) segments.push(...tip, ...along(half - HEAD_LENGTH, side * HEAD_LENGTH));
}
