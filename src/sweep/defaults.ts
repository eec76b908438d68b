/** What sweeps assume where nothing is said. */
export const SWEEP_DEFAULTS = {
  /** The clearance wanted of every pair, in meters or the unit of the parts. */
  clearance: 0,
  /** The relative width of the interval of a least gap to aim for. */
  gapError: 0.02,
  /** The share of the range of a joint, or of the time, to which ends of stretches are told apart. */
  resolution: 1 / 2048,
} as const;
