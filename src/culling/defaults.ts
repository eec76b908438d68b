// The defaults of this chapter's options.

/** Used where an option is left out. */
export const CULLING_DEFAULTS = {
  /** How the set is found. */
  method: 'auto',
  /** Of method 'cullide': pixels along each side of a view. */
  resolution: 512,
  /** Of method 'cullide' on a GPU: how visibility is found. */
  visibility: 'fragments',
  /** What is computed about the pairs that are left. */
  output: 'count',
  /** Also pairs of triangles within an object. */
  selfCollision: false,
} as const;
