import type { PenetrationMethod } from './options.js';

/** The options of penetration queries when none are given. */
export const PENETRATION_DEFAULTS = {
  method: 'certified' as PenetrationMethod,
  /** The method 'certified' ends when upper − lower is at most this share of upper. */
  relativeGap: 1e-3,
  /** The most cells that 'certified' examines: some seconds of work where the gap cannot be closed. */
  maxCells: 100_000,
  /** Pixels along each side of the six views of 'image-space' at the last level. */
  resolution: 256,
  /** Pixels along each side at all levels before the last. */
  coarseResolution: 128,
  /** The most poses that the generalized depth tries. */
  maxEvaluations: 6000,
  /** The gradient treats vectors that are longer by up to this share of the depth as equally short. */
  distinctness: 1e-6,
  grading: {
    /** Relative to the box diagonal of the smaller part: files in single precision place parts no better. */
    touchTolerance: 1e-6,
    relativeGap: 0.01,
    maxCells: 10_000,
  },
} as const;
