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
  /** What a body is made of. */
  body: {
    poisson: 0.3,
    /** Kilograms per cubic meter. */
    density: 1000,
    material: 'stable-neo-hookean',
    element: 'linear',
    mass: 'lumped',
  },
  /** How equilibria and steps are found. */
  solver: {
    /** Unbalanced forces left, as a share of loads and reactions. */
    tolerance: 1e-8,
    maxIterations: 200,
    integrator: 'bdf2',
    mode: 'converged',
    realTimeIterations: 8,
  },
  /** Bodies in contact. */
  contact: {
    /** Seconds. */
    timestep: 1 / 60,
    friction: 0.5,
    /**
     * Times Young's modulus over the mean edge of the surface: a pressure of a tenth of the modulus makes 0.5 % of an
     * edge.
     */
    stiffness: 10,
    /** Deep overlaps part at this speed, m/s. */
    recoverySpeed: 1,
    /** Friction has its full force above this speed, m/s. */
    slidingSpeed: 1e-3,
    /** How bodies are kept apart. */
    model: 'field',
    /** Where the barrier of `contact: 'barrier'` begins: a share of the mean edge of a body's surface. */
    barrierShare: 0.1,
  },
} as const;
