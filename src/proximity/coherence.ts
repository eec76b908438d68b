// Which accelerations a search uses; each has its own switch (Ehmann and Lin 2001, section 7).

import type { PairOptions } from './options.js';
import { PROXIMITY_DEFAULTS } from './options.js';

/** {@link PairOptions} with all defaults filled in. */
export interface Coherence {
  readonly pieceCaching: boolean;
  readonly prioritySearch: boolean;
  readonly frontTracking: boolean;
  readonly motionBounds: boolean;
  readonly queueSize: number;
  readonly frontSize: number;
}

/** Fills in the defaults. Without coherence only the search order remains, which stores nothing between queries. */
export function resolveCoherence(options: PairOptions): Coherence {
  const {
    coherence = true,
    queueSize = PROXIMITY_DEFAULTS.queueSize,
    frontSize = PROXIMITY_DEFAULTS.frontSize,
  } = options;
  const switches = typeof coherence === 'object' ? coherence : {};
  const keeps = coherence !== false;
  const frontTracking = keeps && (switches.frontTracking ?? true);
  return {
    pieceCaching: keeps && (switches.pieceCaching ?? true),
    prioritySearch: switches.prioritySearch ?? true,
    frontTracking,
    motionBounds: frontTracking && (switches.motionBounds ?? true),
    queueSize: Math.max(1, queueSize),
    frontSize: Math.max(1, frontSize),
  };
}
