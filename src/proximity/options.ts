// What the queries can be told, with the defaults.

/** What bounds the parts of a model: oriented boxes around triangles, or hulls around convex patches (Ehmann and Lin 2001). */
export type BoundingVolume = 'boxes' | 'hulls';

/**
 * A bounding volume, or 'auto': boxes at first, hulls once both models have them and queries have paid for them. Meshes
 * without a convex decomposition stay on boxes.
 */
export type VolumeChoice = BoundingVolume | 'auto';

/**
 * What a {@link Pair} keeps from one query to the next, and in which order it searches; each on its own switch
 * (Ehmann and Lin 2001, section 7). Answers do not depend on them, only what they cost.
 */
export interface CoherenceOptions {
  /** Begin with the pair that decided the last query. Default true. */
  readonly pieceCaching?: boolean | undefined;
  /** Take the nearest pair of volumes first, from a bounded queue. Default: as measures best for the volume. */
  readonly prioritySearch?: boolean | undefined;
  /** Begin where the last query ended instead of at the roots. Default true. */
  readonly frontTracking?: boolean | undefined;
  /** Leave alone the pairs of the front that motion cannot have brought near. Default true; needs front tracking. */
  readonly motionBounds?: boolean | undefined;
}

/** How a {@link Pair} works. */
export interface PairOptions {
  /** Default `PROXIMITY_DEFAULTS.volume`. */
  readonly volume?: VolumeChoice | undefined;
  /** False: nothing is kept between queries. Default: everything is. */
  readonly coherence?: CoherenceOptions | boolean | undefined;
  /** The most pairs that the queue of priority search may hold. Default `PROXIMITY_DEFAULTS.queueSize`. */
  readonly queueSize?: number | undefined;
  /** The most pairs that the front may hold; beyond it the search goes on without. Default `PROXIMITY_DEFAULTS.frontSize`. */
  readonly frontSize?: number | undefined;
}

/** Everything that can be chosen. */
export const VOLUMES: readonly VolumeChoice[] = ['auto', 'boxes', 'hulls'];

/** What a distance query may leave out. */
export interface DistanceOptions {
  /** Distances beyond this are answered by null. Default: none. */
  readonly cutoff?: number | undefined;
  /** The answer may be too large by this much. Default 0. */
  readonly absoluteError?: number | undefined;
  /** The answer may be too large by this share of the true distance. Default 0. The larger of the two errors counts. */
  readonly relativeError?: number | undefined;
}

/** Which contacts are asked for. */
export interface ContactOptions {
  /** Local minima of the distance up to this are contacts. */
  readonly tolerance: number;
}
