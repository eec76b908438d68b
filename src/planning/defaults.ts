/** What planning assumes where nothing is said. */
export const PLANNING_DEFAULTS = {
  clearance: 0,
  /** What chains keep beyond the clearance where there is room, as a share of the radius of the largest link. */
  preferredShare: 0.1,
  planner: 'auto',
  timeLimit: 30,
  /** Bytes. */
  maxMemory: 1e9,
  seed: 1,
  /** Samples of a new roadmap. */
  samples: 500,
  /** Trials to make a path shorter. */
  shortenTrials: 200,
  /** The relative width of the interval that states the clearance of a path. */
  clearanceError: 0.01,
} as const;
