// The checks of a pair's options. Apart from the options themselves, so that stateless calls do not load them.
import { flag, labelled, oneOf, optionTable, wholeNumber } from '../core/check/option-table.js';
import { type CoherenceOptions, type PairOptions, VOLUMES } from './options.js';

const COHERENCE_OPTIONS = optionTable<CoherenceOptions>('The switches of coherence')({
  pieceCaching: flag(),
  prioritySearch: flag(),
  frontTracking: flag(),
  motionBounds: flag(),
});

/** The row of a bounding volume. */
export const VOLUME_RULE = labelled('bounding volume', oneOf(VOLUMES));

/** The rows of {@link PairOptions}, for other options that contain them. */
export const PAIR_OPTIONS = optionTable<PairOptions>()({
  volume: VOLUME_RULE,
  coherence: {
    expects: 'true, false or an object of switches',
    accepts: (value) => typeof value === 'boolean' || (typeof value === 'object' && value !== null),
  },
  queueSize: wholeNumber(1, Infinity),
  frontSize: wholeNumber(1, Infinity),
});

/** Rejects invalid switches of coherence, which the table of a pair's options leaves to this. */
export function assertCoherence({ coherence }: PairOptions): void {
  if (typeof coherence === 'object') COHERENCE_OPTIONS.assert(coherence);
}
