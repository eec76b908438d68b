import type { VolumeChoice } from './options.js';

/** The options of proximity queries when none are given. */
export const PROXIMITY_DEFAULTS = {
  /** The bounding volume of a `Pair`. */
  volume: 'auto' as VolumeChoice,
  /** The bounding volume of batches and clashes, which remember nothing: boxes are faster to prepare and to ask first. */
  statelessVolume: 'boxes' as VolumeChoice,
  /** The most pairs of nodes in the queue of priority search. */
  queueSize: 256,
  /** The most pairs of nodes in the front. */
  frontSize: 1 << 20,
  /** The number of frames that a pair of a scene keeps its memory after its bodies part. */
  idleFrames: 8,
  /** The most pairs of a scene that keep memory. */
  maxPairs: 1 << 14,
  /** The tolerance of an impact, as a share of the larger radius. */
  impactTolerance: 1e-9,
  /** The most pairs of volumes and triangles that a query along a motion bounds: some minutes. */
  maxImpactPairs: 5e8,
  /** The relative error of the least clearance of a motion. */
  clearanceError: 0.01,
  /** The most segments of the curves in which two surfaces cross. */
  crossingSegments: 10_000,
} as const;
