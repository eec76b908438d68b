/** Chosen: `parallel`, `attempts` and `concurrency` are refused above this, as typing errors. */
export const MAX_COUNT = 4096;

/** The defaults of a cluster's options. */
export const CLUSTER_DEFAULTS = {
  name: 'nearfield',
  parallel: 64,
  attempts: 5,
  /** Bytes of models that a worker keeps. */
  memory: 2 ** 30,
  /** Milliseconds after which the jobs of a worker that is silent go to others. */
  lease: 30_000,
} as const;
