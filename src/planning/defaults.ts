/** What planning assumes where nothing is said. */
export const PLANNING_DEFAULTS = {
  clearance: 0,
  planner: 'auto',
  timeLimit: 30,
  seed: 1,
  /** Trials to make a path shorter. */
  shortenTrials: 200,
  /** The relative width of the interval that states the clearance of a path. */
  clearanceError: 0.01,
} as const;
