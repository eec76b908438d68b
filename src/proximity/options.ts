// The options of the queries.
import { labelled, needed, numberFrom, optionTable } from '../core/check/option-table.js';

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

/** What bounds the parts of a model: oriented boxes of triangles, or hulls of convex patches (Ehmann and Lin 2001). */
export type BoundingVolume = 'boxes' | 'hulls';

/**
 * A bounding volume, or 'auto': boxes at first, hulls once both models have them and queries have done enough work to
 * pay for them. Meshes without a convex decomposition stay on boxes.
 */
export type VolumeChoice = BoundingVolume | 'auto';

/**
 * What a {@link Pair} keeps from one query to the next, and in which order it searches; each has its own switch
 * (Ehmann and Lin 2001, section 7). They change the cost of answers, never the answers.
 */
export interface CoherenceOptions {
  /** Start with the pair of nodes that decided the last query. Default true. */
  readonly pieceCaching?: boolean | undefined;
  /** Take the nearest pair of volumes first, from a bounded queue. Default true. */
  readonly prioritySearch?: boolean | undefined;
  /** Start where the last query ended instead of at the roots. Default true. */
  readonly frontTracking?: boolean | undefined;
  /** Skip pairs of the front that motion cannot have brought near. Default true; needs front tracking. */
  readonly motionBounds?: boolean | undefined;
}

/** How a {@link Pair} works. */
export interface PairOptions {
  /** Default `PROXIMITY_DEFAULTS.volume`. */
  readonly volume?: VolumeChoice | undefined;
  /** False: nothing is kept between queries. Default: everything is kept. */
  readonly coherence?: CoherenceOptions | boolean | undefined;
  /** The most pairs that the queue of priority search may hold. Default `PROXIMITY_DEFAULTS.queueSize`. */
  readonly queueSize?: number | undefined;
  /** The most pairs in the front; a search that needs more runs without it. Default `PROXIMITY_DEFAULTS.frontSize`. */
  readonly frontSize?: number | undefined;
}

/** Every bounding volume that a caller can choose. */
export const VOLUMES: readonly VolumeChoice[] = ['auto', 'boxes', 'hulls'];

/** Limits and allowed errors of a distance query. */
export interface DistanceOptions {
  /** Distances beyond this are reported as null. Default: no limit. */
  readonly cutoff?: number | undefined;
  /** The answer may exceed the true distance by this much. Default 0. */
  readonly absoluteError?: number | undefined;
  /** The answer may exceed the true distance by this share of it. Default 0. The larger of the two errors applies. */
  readonly relativeError?: number | undefined;
}

export const DISTANCE_OPTIONS = optionTable<DistanceOptions>()({
  cutoff: labelled('cut-off', numberFrom(0, Infinity)),
  absoluteError: labelled('absolute error', numberFrom(0)),
  relativeError: labelled('relative error', numberFrom(0)),
});

/** Which contacts to find. */
export interface ContactOptions {
  /** Local minima of the distance up to this are contacts. */
  readonly tolerance: number;
}

export const CONTACT_OPTIONS = optionTable<ContactOptions>()({ tolerance: needed(numberFrom(0)) });
