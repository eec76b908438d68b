// Pixels as samples of the whole plane: pixel (i, j) is the square from (i, j) · size to (i + 1, j + 1) · size, its sample
// the center. Half its diagonal is the error, so every point of the plane is within the error of a sample.
import { NearfieldError } from '../../core/errors.js';
import { PIVOT_DEFAULTS } from '../defaults.js';
import type { EdgeSet } from './edge-set.js';

/** Rounding: the largest coordinate, in errors. Beyond it, rounding would show in the answer. */
export const MAX_ERRORS = 2 ** 30;
/** Chosen: the pixels that one query may draw. */
export const MAX_PIXELS = 2 ** 25;
/** Chosen: the pixels that a query may list. What is known of them fills 700 MB. */
export const MAX_LISTED_PIXELS = 2 ** 23;

/** The error to use for two objects (or one, twice): what was asked, or a share of the smaller box. */
export function errorFor(asked: number | undefined, a: EdgeSet, b: EdgeSet): number {
  const error = asked ?? PIVOT_DEFAULTS.errorShare * Math.min(a.diagonal, b.diagonal);
  const reach = Math.max(Math.max(-a.minX, a.maxX, -a.minY, a.maxY), Math.max(-b.minX, b.maxX, -b.minY, b.maxY));
  if (error > 0 && reach <= MAX_ERRORS * error) return error;
  if (asked === undefined && error === 0) {
    throw new NearfieldError(
      'degenerate',
      'An object has no extent, so the error cannot follow from it; give { error }.',
    );
  }
  throw new NearfieldError(
    'bad-argument',
    `The error is ${error} and coordinates reach ${reach}; double precision cannot tell pixels of this size apart. Give an error of at ` +
      `least ${reach / MAX_ERRORS}, or move the shapes nearer to the origin.`,
  );
}

/** The side of a pixel whose half diagonal is the error. */
export function pixelSize(error: number): number {
  return error * Math.SQRT2;
}

/** Refuses queries that would draw too many pixels. */
export function assertPixels(count: number, error: number, most = MAX_PIXELS): void {
  if (count <= most) return;
  throw new NearfieldError(
    'too-large',
    `An error of ${error} takes about ${Math.ceil(count)} pixels, more than ${most}; give a larger error.`,
  );
}
