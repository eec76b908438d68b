/** The options of ice growth when none are given. */
export const ICE_DEFAULTS = {
  preset: 'dendritic',
  scheme: 'explicit',
  boundary: 'no-flux',
  precision: 'float32',
  /** Skip tiles in which nothing changes. */
  band: true,
  /**
   * Differences of temperature up to this between neighbors are dropped, and phases this near to 0 or 1 become 0 or 1:
   * rounding at 1 in single precision. Smaller values widen the active band.
   */
  still: 2 ** -23,
  /** The seed of the noise. */
  seed: 1,
  /** Radius of the seed in the middle, in cells. */
  seedRadius: 4,
  /** Cells along the longest side of a grid around a model. */
  modelResolution: 64,
  /** How far from a model ice can grow, as a share of the diagonal of its box. */
  reach: 0.1,
  /** Seeds on a model. */
  seedCount: 24,
} as const;
