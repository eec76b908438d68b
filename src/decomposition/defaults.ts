/** The options of decompositions when none are given. */
export const DECOMPOSITION_DEFAULTS = {
  /** The most faces that the method 'global' and the lower bounds accept: both compare all pairs. */
  maxFaces: 4000,
  /** The concavity that pieces of a solid may have, as a share of the longest side of its box. */
  relativeConcavity: 0.025,
  /** The most pieces of a solid. */
  maxPieces: 64,
  /** Cells along a part's longest side when cuts through a solid are compared. */
  resolution: 24,
  /** The random points of a fracture. */
  fragments: 32,
} as const;
