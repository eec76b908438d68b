// Elements of sites in single precision, as nearest-sites.wgsl reads them: relative to the center of the samples and to a
// unit, so that no coordinate exceeds ±1 and the precision is highest around the samples.

import type { Vec3 } from '../../core/vec3.js';
import { thinHeight } from '../../field/flood/triangles-gpu.js';
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
import { SPACE_TRIANGLE, type SpaceElements } from '../sites/space-elements.js';
import { NEAREST_SITES_LAYOUT } from './nearest-sites-layout.js';

const { Element: ELEMENT_LAYOUT } = NEAREST_SITES_LAYOUT.structs;

/** Layout: words of an element. */
const WORDS = ELEMENT_LAYOUT.size / 4;
/** Layout: the places of an element's members among its words. */
const AT = Object.fromEntries(
  Object.entries(ELEMENT_LAYOUT.offsets).map(([name, bytes]) => [name, bytes / 4]),
) as Record<keyof typeof ELEMENT_LAYOUT.offsets, number>;

/** Label: kind of an element in the shader, beside those of the plane: a triangle. */
const GPU_TRIANGLE = 3;
/** Label: kind of an element in the shader: a triangle that is measured by its sides. */
const GPU_SIDES = 4;

/**
 * Rounding: the error of a distance as a share of the unit: the rounding of corners (1), samples (3), the difference of
 * both (2), the point of the element (12), each of 2⁻²⁴ per axis, root and weight (6), doubled, and √3 for three axes.
 */
const ELEMENT_ROUNDING = 2 * Math.sqrt(3) * 24 * 2 ** -24;

/** The places of the samples: the first one, the steps from sample to sample, and the counts along each axis. */
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
  const { count, shapes, kinds, curveError } = elements;
  const packer = new ElementPacker(elements, frame);
  const { center } = packer;
  for (let element = 0; element < count; element++) {
    const at = SHAPE_STRIDE * element;
    const isArc = kinds[element] === ARC;
    const start = isArc ? SHAPE_CENTER : SHAPE_A;
    const radius = isArc ? shapes[at + SHAPE_RADIUS] : 0;
    for (let axis = 0; axis < 2; axis++) {
      packer.reach(Math.abs(shapes[at + start + axis] - center[axis]) + radius);
      if (!isArc) packer.reach(Math.abs(shapes[at + SHAPE_B + axis] - center[axis]));
    }
  }
  const { floats, words, unit } = packer.begin();
  for (let element = 0; element < count; element++) {
    const to = WORDS * element;
    const shape = SHAPE_STRIDE * element;
    for (let axis = 0; axis < 2; axis++) {
      floats[to + AT.a + axis] = (shapes[shape + SHAPE_A + axis] - center[axis]) / unit;
      floats[to + AT.b + axis] = (shapes[shape + SHAPE_B + axis] - center[axis]) / unit;
      floats[to + AT.c + axis] = (shapes[shape + SHAPE_CENTER + axis] - center[axis]) / unit;
      floats[to + AT.middle + axis] = shapes[shape + SHAPE_MIDDLE + axis];
    }
    floats[to + AT.c + 2] = shapes[shape + SHAPE_RADIUS] / unit;
    floats[to + AT.cosine] = shapes[shape + SHAPE_COSINE];
    words[to + AT.kind] = kinds[element];
  }
  return packer.finish(curveError);
}

/** Packs elements of space. */
export function packSpaceElements(elements: SpaceElements, frame: SampleFrame): GpuElements {
  const { count, corners, kinds } = elements;
  const packer = new ElementPacker(elements, frame);
  const { center } = packer;
  for (let i = 0; i < 9 * count; i++) packer.reach(Math.abs(corners[i] - center[i % 3]));
  const { floats, words, unit } = packer.begin();
  let thickness = 0;
  for (let element = 0; element < count; element++) {
    const to = WORDS * element;
    for (let axis = 0; axis < 3; axis++) {
      floats[to + AT.a + axis] = (corners[9 * element + axis] - center[axis]) / unit;
      floats[to + AT.b + axis] = (corners[9 * element + 3 + axis] - center[axis]) / unit;
      floats[to + AT.c + axis] = (corners[9 * element + 6 + axis] - center[axis]) / unit;
    }
    words[to + AT.kind] = kinds[element];
    if (kinds[element] !== SPACE_TRIANGLE) continue;
    const height = thinHeight(floats, to + AT.a, to + AT.b, to + AT.c);
    words[to + AT.kind] = height < 0 ? GPU_TRIANGLE : GPU_SIDES;
    thickness = Math.max(thickness, height);
  }
  return packer.finish((unit * thickness) / 2);
}

/** What packing in the plane and in space have in common: the unit, the sites and the error. */
class ElementPacker {
  readonly center: Vec3;
  readonly #elements: PlaneElements | SpaceElements;
  #largest = 0;
  #unit = 1;
  #words = new Uint32Array(0);

  constructor(elements: PlaneElements | SpaceElements, { origin, spacing, size }: SampleFrame) {
    this.#elements = elements;
    this.center = [0, 1, 2].map((axis) => origin[axis] + (spacing[axis] * (size[axis] - 1)) / 2) as Vec3;
    for (let axis = 0; axis < 3; axis++) this.reach((spacing[axis] * (size[axis] - 1)) / 2);
    this.reach(Math.max(...spacing) / 2);
  }

  /** Notes a distance along an axis from the center. */
  reach(distance: number): void {
    this.#largest = Math.max(this.#largest, distance);
  }

  /** Where to write what depends on the kind, in units. */
  begin(): { readonly words: Uint32Array; readonly floats: Float32Array; readonly unit: number } {
    this.#unit = 2 ** Math.ceil(Math.log2(this.#largest));
    this.#words = new Uint32Array(WORDS * this.#elements.count);
    return { words: this.#words, floats: new Float32Array(this.#words.buffer), unit: this.#unit };
  }

  /** Adds the sites with their weights. The shapes differ from the true ones by up to `shapeError`. */
  finish(shapeError: number): GpuElements {
    const { count, site, weights, offsets } = this.#elements;
    const words = this.#words;
    const floats = new Float32Array(words.buffer);
    const unit = this.#unit;
    let leastWeight = Infinity;
    let largestOffset = 0;
    for (let element = 0; element < count; element++) {
      const to = WORDS * element;
      const owner = site[element];
      words[to + AT.site] = owner;
      floats[to + AT.scale] = 1 / weights[owner];
      floats[to + AT.offset] = offsets[owner] / unit;
      leastWeight = Math.min(leastWeight, weights[owner]);
      largestOffset = Math.max(largestOffset, Math.abs(offsets[owner]));
    }
    const error = (unit * ELEMENT_ROUNDING + shapeError) / leastWeight + 2 ** -22 * largestOffset;
    return { count, unit, center: this.center, words, error: count === 0 ? 0 : error };
  }
}
