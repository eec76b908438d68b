// The defaults of this chapter's options.

/** Used where an option is left out. */
export const PIVOT_DEFAULTS = {
  /** The largest distance error, as a share of the diagonal of the smaller object's box. */
  errorShare: 0.002,
  /** The same in space, where the number of samples grows with the inverse square. */
  spaceErrorShare: 0.01,
  /** In the plane: the most levels of the box hierarchies that localize a query. */
  planeDepth: 8,
} as const;
