// Elements of sites in single precision, as nearest-sites.wgsl reads them: relative to the center of the samples and to a
// unit, so that no coordinate exceeds ±1 and the precision is highest around the samples.
import type { Vec3 } from '../../core/vec3.js';
import type { GridSize } from '../../field/grid.js';
import {
  ARC,
  type PlaneElements,
  SHAPE_A,
  SHAPE_B,
  SHAPE_CENTER,
  SHAPE_COSINE,
  SHAPE_MIDDLE,
  SHAPE_RADIUS,
  SHAPE_STRIDE,
} from '../sites/plane-elements.js';

export const ELEMENT_LAYOUT = {
  size: 64,
  offsets: { a: 0, kind: 12, b: 16, scale: 28, c: 32, offset: 44, middle: 48, cosine: 56, site: 60 },
} as const;

/**
 * The error of a distance as a share of the unit: the rounding of corners (1), samples (3), the difference of both (2),
 * the point of the element (12), each of 2⁻²⁴ per axis, root and weight (6), doubled, and √3 for three axes.
 */
const DISTANCE_ROUNDING = 2 * Math.sqrt(3) * 24 * 2 ** -24;

/** Where the samples are: the first one, the steps from sample to sample, and how many along each axis. */
export interface SampleFrame {
  readonly origin: Readonly<Vec3>;
  readonly spacing: Readonly<Vec3>;
  readonly size: GridSize;
}

export interface GpuElements {
  readonly count: number;
  /** The divisor of lengths: a power of two. */
  readonly unit: number;
  /** Subtracted from positions before the division. */
  readonly center: Readonly<Vec3>;
  readonly words: Uint32Array<ArrayBuffer>;
  /** The largest error of a distance, in the caller's units. */
  readonly error: number;
}

/** Packs elements of the plane for samples in it. */
export function packPlaneElements(elements: PlaneElements, frame: SampleFrame): GpuElements {
  const { count, shapes, kinds, site, weights, offsets, curveError } = elements;
  const { origin, spacing, size } = frame;
  const center = [0, 1, 2].map((axis) => origin[axis] + (spacing[axis] * (size[axis] - 1)) / 2) as Vec3;
  let largest = Math.max(spacing[0] * size[0], spacing[1] * size[1]) / 2;
  for (let element = 0; element < count; element++) {
    const at = SHAPE_STRIDE * element;
    const from = kinds[element] === ARC ? SHAPE_CENTER : SHAPE_A;
    const radius = kinds[element] === ARC ? shapes[at + SHAPE_RADIUS] : 0;
    for (let axis = 0; axis < 2; axis++) {
      largest = Math.max(largest, Math.abs(shapes[at + from + axis] - center[axis]) + radius);
      if (radius === 0) largest = Math.max(largest, Math.abs(shapes[at + SHAPE_B + axis] - center[axis]));
    }
  }
  const unit = 2 ** Math.ceil(Math.log2(largest));
  const words = new Uint32Array((ELEMENT_LAYOUT.size / 4) * count);
  const floats = new Float32Array(words.buffer);
  const at = ELEMENT_LAYOUT.offsets;
  let leastWeight = Infinity;
  let largestOffset = 0;
  for (let element = 0; element < count; element++) {
    const to = (ELEMENT_LAYOUT.size / 4) * element;
    const shape = SHAPE_STRIDE * element;
    for (let axis = 0; axis < 2; axis++) {
      floats[to + at.a / 4 + axis] = (shapes[shape + SHAPE_A + axis] - center[axis]) / unit;
      floats[to + at.b / 4 + axis] = (shapes[shape + SHAPE_B + axis] - center[axis]) / unit;
      floats[to + at.c / 4 + axis] = (shapes[shape + SHAPE_CENTER + axis] - center[axis]) / unit;
      floats[to + at.middle / 4 + axis] = shapes[shape + SHAPE_MIDDLE + axis];
    }
    floats[to + at.c / 4 + 2] = shapes[shape + SHAPE_RADIUS] / unit;
    floats[to + at.cosine / 4] = shapes[shape + SHAPE_COSINE];
    const owner = site[element];
    words[to + at.kind / 4] = kinds[element];
    words[to + at.site / 4] = owner;
    floats[to + at.scale / 4] = 1 / weights[owner];
    floats[to + at.offset / 4] = offsets[owner] / unit;
    leastWeight = Math.min(leastWeight, weights[owner]);
    largestOffset = Math.max(largestOffset, Math.abs(offsets[owner]));
  }
  const error = (unit * DISTANCE_ROUNDING + curveError) / leastWeight + 2 ** -22 * largestOffset;
  return { count, unit, center, words, error: count === 0 ? 0 : error };
}
