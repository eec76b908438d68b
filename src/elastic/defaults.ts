// The defaults of this chapter's options.

/** Used where an option is left out. */
export const ELASTIC_DEFAULTS = {
  /** How tetrahedra are made from a surface. */
  tetrahedra: {
    mode: 'conforming',
    /** Creases and corners of the surface become edges and corners of elements. */
    features: true,
    /** Results whose holes and components are not those of the model are refused. */
    topology: 'same',
    /** Elements along the longest side of the model, where no size is given. */
    resolution: 16,
    /** The most elements. */
    maxElements: 2_000_000,
  },
} as const;
