/** The options of hierarchies when none are given. */
export const SPATIAL_DEFAULTS = {
  /** Nodes with at most this many items become leaves. */
  leafSize: 4,
} as const;
