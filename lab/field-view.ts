// What the scenes of fields have in common: the grid around a model, the controls of a slice, and how a slice is drawn.
import { type Box, box, type Vec3 } from 'nearfield/core';
import { type FieldSides, frameBox, type GridFrame, gridOverBox } from 'nearfield/field';
import type { Choice, Slider } from './controls.js';
import type { CutPlane, View } from './viewer/view.js';
import type { ShownSlice } from './worker/field-slice.js';

/** The grid of `resolution` nodes along the longest side of a box grown by `room` of that side. */
export function gridAround(bounds: Box, resolution: number, room: number): GridFrame {
  return gridOverBox(box.grow(bounds, room * Math.max(...box.size(bounds))), resolution);
}

/** The controls of a plane across the grid; give them the names `axis` and `at`. */
export const sliceControls = {
  axis: {
    kind: 'choice',
    label: 'Slice across',
    initial: 'z',
    options: [
      { value: 'x', label: 'X' },
      { value: 'y', label: 'Y' },
      { value: 'z', label: 'Z' },
    ],
  },
  at: {
    kind: 'slider',
    label: 'Slice at',
    hint: '0: the first node along the axis; 1: the last',
    min: 0,
    max: 1,
    step: 0.005,
    initial: 0.5,
  },
} as const satisfies { axis: Choice; at: Slider };

/** The plane of a slice; its normal points to the side that a cut removes. */
export function slicePlane(frame: GridFrame, axis: number, share: number): CutPlane {
  const bounds = frameBox(frame);
  const normal: Vec3 = [0, 0, 0];
  normal[axis] = 1;
  const point = box.center(bounds);
  point[axis] = bounds.min[axis] + share * (bounds.max[axis] - bounds.min[axis]);
  return { normal, point };
}

/** Converts fractions of the sides to positions on the slice and in the grid's box, and back. */
export function placeInGrid(frame: GridFrame, shares: Readonly<Vec3>): Vec3 {
  const { min, max } = frameBox(frame);
  return [0, 1, 2].map((k) => min[k] + shares[k] * (max[k] - min[k])) as Vec3;
}

export function sharesInGrid(frame: GridFrame, point: Readonly<Vec3>): Vec3 {
  const { min, max } = frameBox(frame);
  return [0, 1, 2].map((k) => Math.min(1, Math.max(0, (point[k] - min[k]) / (max[k] - min[k])))) as Vec3;
}

interface SliceLook {
  readonly isolines: boolean;
  readonly arrows: boolean;
  readonly scale: 'diverging' | 'sequential';
  readonly sides: FieldSides;
}

export function drawFieldSlice(view: View, slice: ShownSlice, { isolines, arrows, scale, sides }: SliceLook): void {
  const part = sides === 'inside' ? 'below' : sides === 'outside' ? 'above' : 'both';
  view.addPicture(slice.picture, { scale, part });
  // A sequential scale begins with dark colors, a diverging one ends with them.
  const [thin, thick] =
    scale === 'diverging' ? (['isoline', 'surfaceLine'] as const) : (['paleIsoline', 'front'] as const);
  if (isolines) {
    view.addLines(slice.isolines, { color: thin, width: 1, name: 'Isolines' });
    view.addLines(slice.zero, { color: thick, width: 2.5, name: 'The surface: 0' });
  }
  if (arrows) view.addLines(slice.arrows, { color: thick, width: 1.5, name: 'Gradient' });
}
