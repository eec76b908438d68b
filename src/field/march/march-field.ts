// Distance fields by fast marching (Fisher and Lin 2001, section 4): a band around the surface, then the march, then
// the error against exact distances at nodes drawn with a fixed seed.
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { DistanceField, FieldOptions, FieldSource } from '../distance-field.js';
import { sampleFieldError, UNKNOWN_ERROR } from '../field-error.js';
import { FIELD_DEFAULTS } from '../field-options.js';
import { assertGridFrame, type GridFrame } from '../grid.js';
import { surfaceOf } from '../source/surface.js';
import { type BandSource, exactBandWidth, KnownBand, SurfaceBand } from './band-source.js';
import { type MarchedTimes, marchAll } from './box-march.js';
import { implicitBand } from './implicit-band.js';
import { assertMarchOptions, boxMarchOptions } from './march-options.js';

/**
 * The field of a mesh, polygon or implicit shape by fast marching. An implicit shape is only found inside the grid, and
 * only where its sign changes between neighboring nodes. If a mesh or polygon leaves the grid, all nodes of the grid's
 * border belong to the first band, on both sides.
 * @throws NearfieldError `bad-argument` for invalid options, a mesh on a planar grid, or a surface that leaves the grid
 * if there is a speed; `unsupported` for options of other methods.
 */
export function marchField(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  assertGridFrame(frame);
  assertMarchOptions(source, frame, options);
  const { speed } = options;
  reportProgress(options, 0, 'band');
  if ('lipschitz' in source) {
    const distances = implicitBand(source, frame, exactBandWidth(options) * frame.spacing);
    const times = speed === undefined ? distances : distances.map((distance, node) => distance / speed[node]);
    const marched = march(frame, new KnownBand(times), options);
    return { ...describe(marched, options), closed: true, error: UNKNOWN_ERROR };
  }
  const surface = surfaceOf(source, frame);
  const marched = march(frame, new SurfaceBand(surface, frame, options), options);
  const error =
    speed === undefined
      ? sampleFieldError(surface, marched, options.errorSamples ?? FIELD_DEFAULTS.errorSamples)
      : UNKNOWN_ERROR;
  reportProgress(options, 1, 'error');
  return { ...describe(marched, options), closed: surface.closed, error };
}

function march(frame: GridFrame, source: BandSource, options: FieldOptions): MarchedTimes {
  const { sides = 'both', sign } = options;
  const how = { ...boxMarchOptions(options), ...partOfProgress(options, 0.2, 0.95) };
  if (!how.offered || sides !== 'both' || !source.closed) return marchAll(frame, source, how);
  // Times are offered on one side only: the other one is ALIVE from the beginning, so each side needs its own march.
  const band = KnownBand.of(source, frame);
  const inner = marchAll(frame, band, { ...how, sign: 'winding', sides: 'inside' });
  const outer = marchAll(frame, band, { ...how, sign: 'winding', sides: 'outside' });
  const { values, counters } = outer;
  for (let node = 0; node < values.length; node++) {
    // The outer march leaves the inside negative: its band, and −Infinity beyond.
    if (values[node] < 0) values[node] = inner.values[node];
    if (sign === 'none') values[node] = Math.abs(values[node]);
  }
  counters.triangleDistances = band.computed;
  counters.marched += inner.counters.marched;
  counters.updates += inner.counters.updates;
  counters.secondOrderUpdates += inner.counters.secondOrderUpdates;
  return outer;
}

function describe(marched: MarchedTimes, options: FieldOptions): Omit<DistanceField, 'closed' | 'error'> {
  return { ...marched, method: 'fast-marching', backend: 'cpu', signed: options.sign !== 'none', nearest: null };
}
