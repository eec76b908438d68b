// Distance fields by fast marching (Fisher and Lin 2001, section 4): a band around the surface, then the march, then the
// error against exact distances at nodes drawn by a fixed seed. Where the surface leaves the grid, the nodes of the grid's
// border are given their exact distance, because a front from outside comes in through them.
import { NearfieldError } from '../../core/errors.js';
import { partOfProgress, reportProgress } from '../../core/progress.js';
import type { DistanceField, FieldOptions, FieldSource } from '../distance-field.js';
import { sampleFieldError, UNKNOWN_ERROR } from '../field-error.js';
import { allNodes, assertGridFrame, type GridFrame, gridNodeCount } from '../grid.js';
import { surfaceOf } from '../source/surface.js';
import { leavesGrid } from './grid-border.js';
import { implicitBand } from './implicit-band.js';
import { type Band, documentBand, exactBand } from './initial-band.js';
import { type MarchedTimes, marchFromBand } from './march-from-band.js';
import { assertMarchOptions } from './march-options.js';

/** Of {@link FieldOptions.bandWidth}, in spacings: with two, every node that is marched to has its second neighbours on its own side. */
export const DEFAULT_BAND_WIDTH = 2;
/** The same with a speed: the band takes that at the node for the whole way from the surface, so it is kept short. */
export const DEFAULT_BAND_WIDTH_WITH_SPEED = 1;
/** Of {@link FieldOptions.errorSamples}. */
export const DEFAULT_ERROR_SAMPLES = 256;

/**
 * The field of a mesh, polygon or implicit shape by fast marching. Of an implicit shape only what lies in the grid is
 * seen, and only where its sign changes between neighbouring nodes. Where a mesh or polygon leaves the grid, all nodes of
 * the grid's border count as its first band, on both sides.
 * @throws NearfieldError `bad-argument` for options that cannot be, a mesh on a grid in the plane, a surface that leaves
 * the grid where there is a speed; `unsupported` for options of other methods.
 */
export function marchField(source: FieldSource, frame: GridFrame, options: FieldOptions = {}): DistanceField {
  assertGridFrame(frame);
  assertMarchOptions(source, frame, options);
  const { speed, sign = 'winding', sides = 'both' } = options;
  const bandWidth = options.bandWidth ?? (speed ? DEFAULT_BAND_WIDTH_WITH_SPEED : DEFAULT_BAND_WIDTH);
  reportProgress(options, 0, 'band');
  if ('lipschitz' in source) {
    const band = implicitBand(source, frame, bandWidth * frame.spacing);
    const marched = march(frame, band, options);
    if (sign === 'none') dropSigns(marched.values);
    return { ...describe(marched, band, options), closed: true, error: UNKNOWN_ERROR };
  }
  const surface = surfaceOf(source, frame);
  const leaves = leavesGrid(surface, frame);
  if (leaves && speed !== undefined) {
    throw new NearfieldError(
      'bad-argument',
      'The surface leaves the box of the grid, and the speed beyond it is not known; make the box larger.',
    );
  }
  const inside = new Uint8Array(gridNodeCount(frame));
  if (surface.closed || sign === 'winding' || sides !== 'both') surface.fillInside(frame, allNodes(frame), inside);
  reportProgress(options, 0.1, 'band');
  // The winding number of an open mesh jumps away from it too, where |T| is smooth: such a march has no sides.
  const flags = surface.closed ? inside : new Uint8Array(inside.length);
  const band =
    options.band === 'document'
      ? documentBand(surface, frame, flags)
      : exactBand(surface, frame, bandWidth * frame.spacing, flags);
  const marched = march(frame, band, surface.closed ? options : { ...options, sides: 'both' });
  const { values } = marched;
  if (!surface.closed && (sign === 'winding' || sides !== 'both')) {
    for (let node = 0; node < values.length; node++) {
      if (!isWanted(inside[node], sides) && !Number.isFinite(band.values[node])) values[node] = Infinity;
      if (inside[node] === 1) values[node] = -values[node];
    }
  }
  if (sign === 'none') dropSigns(values);
  const error =
    speed === undefined
      ? sampleFieldError(surface, marched, options.errorSamples ?? DEFAULT_ERROR_SAMPLES)
      : UNKNOWN_ERROR;
  reportProgress(options, 1, 'error');
  return { ...describe(marched, band, options), closed: surface.closed, error };
}

function march(frame: GridFrame, band: Band, options: FieldOptions): MarchedTimes {
  const { order, speed, sides, maxDistance } = options;
  const start = speed === undefined ? band.values : band.values.map((distance, node) => distance / speed[node]);
  const progress = partOfProgress(options, 0.2, 0.95);
  const common = { ...progress, order, speed, maxTime: maxDistance };
  if (options.band !== 'document') return marchFromBand(frame, start, { ...common, sides });
  if (sides !== undefined && sides !== 'both') return marchFromBand(frame, start, { ...common, sides, offered: true });
  // The document's start is made for one side: the other one is ALIVE from the beginning.
  const inner = marchFromBand(frame, start, { ...common, sides: 'inside', offered: true });
  const outer = marchFromBand(frame, start, { ...common, sides: 'outside', offered: true });
  const { values, counters } = outer;
  for (let node = 0; node < values.length; node++) if (start[node] < 0) values[node] = inner.values[node];
  counters.marched += inner.counters.marched;
  counters.updates += inner.counters.updates;
  counters.secondOrderUpdates += inner.counters.secondOrderUpdates;
  return outer;
}

function isWanted(inside: number, sides: FieldOptions['sides']): boolean {
  return sides === undefined || sides === 'both' || (sides === 'inside') === (inside === 1);
}

function dropSigns(values: Float64Array): void {
  for (let node = 0; node < values.length; node++) values[node] = Math.abs(values[node]);
}

function describe(marched: MarchedTimes, band: Band, options: FieldOptions): Omit<DistanceField, 'closed' | 'error'> {
  const { counters, ...field } = marched;
  counters.triangleDistances = band.triangleDistances;
  return {
    ...field,
    method: 'fast-marching',
    backend: 'cpu',
    signed: options.sign !== 'none',
    nearest: null,
    counters,
  };
}
