import type { VolumeChoice } from './options.js';

/** The options of proximity queries when none are given. */
export const PROXIMITY_DEFAULTS = {
  /** The bounding volume of a `Pair`. */
  volume: 'auto' as VolumeChoice,
  /** The bounding volume of calls without memory: boxes prepare faster and intersect faster from a cold start. */
  statelessVolume: 'boxes' as VolumeChoice,
  /** The most pairs of nodes in the queue of priority search. */
  queueSize: 256,
  /** The most pairs of nodes in the front. */
  frontSize: 1 << 20,
  /** For how many frames a pair of a scene keeps what it remembers after its bodies part. */
  idleFrames: 8,
  /** The most pairs of a scene that remember. */
  maxPairs: 1 << 14,
} as const;
