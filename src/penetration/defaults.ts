import type { PenetrationMethod } from './options.js';

/** The options of penetration queries when none are given. */
export const PENETRATION_DEFAULTS = {
  method: 'certified' as PenetrationMethod,
  /** The method 'certified' ends when upper − lower is at most this share of upper. */
  relativeGap: 1e-3,
  /** The most cells that 'certified' looks at: some seconds of work where nothing closes the gap. */
  maxCells: 100_000,
  /** Pixels along each side of the six views of 'image-space' at the last level. */
  resolution: 256,
  /** The same at the levels before. */
  coarseResolution: 128,
  /** The most poses that the generalized depth tries. */
  maxEvaluations: 6000,
  /** The gradient counts vectors that are longer by up to this share of the depth as equally short. */
  distinctness: 1e-6,
} as const;
