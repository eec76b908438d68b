// What both methods and backends start from: checked options, the elements of the sites, and where the samples are.

import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import { assertBackend } from '../../gpu/choose-backend.js';
import { VORONOI_DEFAULTS } from '../defaults.js';
import { DISTANCE_ROUNDING } from '../sites/element-distance.js';
import { type PlaneElements, SHAPE_RADIUS, SHAPE_STRIDE } from '../sites/plane-elements.js';
import type { PlaneSite } from '../sites/plane-site.js';
import { type PlaneBox, placeSites } from '../sites/sites-box.js';
import { VORONOI_OPTIONS, type VoronoiMethod, type VoronoiOptions } from './voronoi-image.js';

/** Chosen: the largest number of samples along a side. */
export const MAX_RESOLUTION = 32768;

/** Chosen: the largest number of samples of an image; eight bytes each. */
const MAX_SAMPLES = 2 ** 28;

/** Proven: the largest coordinate of an image: its distances are single precision, their squares too on a GPU. */
const MAX_IMAGE_COORDINATE = 1e18;

/** Rounding: to single precision, relative. */
const SINGLE_ROUNDING = 2 ** -24;

/** The samples of an image and what they are compared with. */
export interface ImageFrame {
  readonly elements: PlaneElements;
  readonly width: number;
  readonly height: number;
  readonly box: PlaneBox;
  readonly spacing: readonly [number, number];
  readonly method: VoronoiMethod;
  /** Infinity without a limit. */
  readonly maxDistance: number;
  /** For 'mesh': the error that was asked for. */
  readonly meshError: number;
}

/**
 * Checks everything that does not depend on the backend.
 * @throws NearfieldError `bad-argument` or `too-large`, see each option.
 */
export function frameImage(sites: readonly PlaneSite[], options: VoronoiOptions): ImageFrame {
  const { method, maxDistance, error, backend } = VORONOI_OPTIONS.read(options);
  assertBackend(backend);
  const { resolution = VORONOI_DEFAULTS.resolution } = options;
  if (!(Number.isInteger(resolution) && resolution >= 1 && resolution <= MAX_RESOLUTION)) {
    throw new NearfieldError(
      resolution > MAX_RESOLUTION ? 'too-large' : 'bad-argument',
      `The resolution is ${nameValue(resolution)}; give a whole number from 1 to ${MAX_RESOLUTION}.`,
    );
  }
  if (error !== undefined && method === 'exact') {
    throw new NearfieldError(
      'bad-argument',
      "The option error is for the method 'mesh'; 'exact' has none to choose. Leave it out, or choose 'mesh'.",
    );
  }
  const { elements, box } = placeSites(sites, options.box, options.curveError);
  assertSmall(elements, box);
  const [x0, y0, x1, y1] = box;
  const longest = Math.max(x1 - x0, y1 - y0);
  const width = Math.max(1, Math.round((resolution * (x1 - x0)) / longest));
  const height = Math.max(1, Math.round((resolution * (y1 - y0)) / longest));
  if (width * height > MAX_SAMPLES) {
    throw new NearfieldError(
      'too-large',
      `An image of ${width} × ${height} samples is larger than ${MAX_SAMPLES}; give a smaller resolution.`,
    );
  }
  const spacing = [(x1 - x0) / width, (y1 - y0) / height] as const;
  if (!(x0 + spacing[0] / 2 > x0 && y0 + spacing[1] / 2 > y0 && x1 - spacing[0] / 2 < x1 && y1 - spacing[1] / 2 < y1)) {
    throw new NearfieldError(
      'bad-argument',
      `The box ${box.join(', ')} is too small for its coordinates: samples would coincide. Move it closer to the origin.`,
    );
  }
  const meshError = error ?? VORONOI_DEFAULTS.meshError * Math.min(spacing[0], spacing[1]);
  return { elements, width, height, box, spacing, method, maxDistance, meshError };
}

/** The error of distances up to `largest` that were computed in double and stored in single precision. */
export function exactError({ elements, box }: ImageFrame, largest: number): number {
  let coordinate = 0;
  for (const value of box) coordinate = Math.max(coordinate, Math.abs(value));
  for (const value of elements.shapes) coordinate = Math.max(coordinate, Math.abs(value));
  let weight = Infinity;
  let offset = 0;
  for (const value of elements.weights) weight = Math.min(weight, value);
  for (const value of elements.offsets) offset = Math.max(offset, Math.abs(value));
  if (elements.count === 0) return 0;
  return (
    SINGLE_ROUNDING * largest +
    (DISTANCE_ROUNDING * coordinate + elements.curveError) / weight +
    DISTANCE_ROUNDING * offset
  );
}

/** Coordinates of samples along an axis, at the centers of pixels. */
export function sampleCoordinates(low: number, spacing: number, count: number): Float64Array<ArrayBuffer> {
  const result = new Float64Array(count);
  for (let i = 0; i < count; i++) result[i] = low + (i + 0.5) * spacing;
  return result;
}

function assertSmall({ shapes, count, weights, offsets }: PlaneElements, box: PlaneBox): void {
  let largest = 0;
  for (let i = 0; i < 4; i++) largest = Math.max(largest, Math.abs(box[i]));
  for (let element = 0; element < count; element++) {
    const at = SHAPE_STRIDE * element;
    for (let i = at; i <= at + SHAPE_RADIUS; i++) largest = Math.max(largest, Math.abs(shapes[i]));
  }
  for (let site = 0; site < weights.length; site++) {
    largest = Math.max(largest, Math.abs(offsets[site]), weights[site], 1 / weights[site]);
  }
  if (largest <= MAX_IMAGE_COORDINATE) return;
  throw new NearfieldError(
    'too-large',
    `A coordinate or weight has the size ${largest}; images take up to ${MAX_IMAGE_COORDINATE}. Scale the sites.`,
  );
}
