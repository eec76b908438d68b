/** The options of decompositions when none are given. */
export const DECOMPOSITION_DEFAULTS = {
  /** The most faces that the method 'global' and the lower bounds accept: both compare all pairs. */
  maxFaces: 4000,
} as const;
