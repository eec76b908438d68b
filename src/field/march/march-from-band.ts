// Fast marching from known times near the surface.
import { NearfieldError } from '../../core/errors.js';
import { assertGridFrame, type GridFrame, gridNodeCount } from '../grid.js';
import { KnownBand } from './band-source.js';
import { BAND_MARCH_OPTIONS, type BandMarchOptions, type MarchedTimes, marchAll } from './box-march.js';

export type { BandMarchOptions, MarchedTimes } from './box-march.js';

/**
 * Marches from known times. `band` has one number per node, negative inside: the time if it is finite; +Infinity or NaN
 * for unknown times outside, −Infinity for unknown times inside. Every grid edge that crosses the surface must have
 * both ends in the band, or the march leaks to the other side.
 * @throws NearfieldError `bad-argument` for arrays that do not fit the grid or an empty band.
 */
export function marchFromBand(frame: GridFrame, band: Float64Array, options: BandMarchOptions = {}): MarchedTimes {
  assertGridFrame(frame);
  BAND_MARCH_OPTIONS.assert(options);
  if (!(band instanceof Float64Array)) {
    throw new NearfieldError('bad-argument', 'The band is not a Float64Array; give a time for every node.');
  }
  if (band.length !== gridNodeCount(frame)) {
    throw new NearfieldError('bad-argument', `The band has ${band.length} values on ${gridNodeCount(frame)} nodes.`);
  }
  return marchAll(frame, new KnownBand(band), { ...options, sign: 'winding' });
}
