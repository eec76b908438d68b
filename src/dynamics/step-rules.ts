// How steps are taken, in space and in the plane: the defaults, and the rows that both tables of world options have.
import { flag, numberAbove, wholeNumber } from '../core/check/option-table.js';

/** Used where an option is left out. SI units. */
export const DYNAMICS_DEFAULTS = {
  /** Acceleration of everything, m/s². */
  gravity: [0, -9.81, 0],
  /** Length of a step, s. */
  timestep: 1 / 60,
  /** Substeps of the solver in a step. */
  substeps: 8,
  /** How contacts are handled. */
  method: 'auto',
  /** kg/m³. */
  density: 1000,
  /** Coulomb's coefficient of a body; of a pair: the geometric mean. */
  friction: 0.5,
  /** Restitution of a body; of a pair: the larger. */
  restitution: 0,
  /** Bodies at rest sleep until something touches them. */
  sleeping: true,
  /** In the plane: the spacing of the boundary samples of penalty forces, in sizes of a body. */
  planeSpacing: 0.02,
} as const;

/** Chosen: the most substeps of a step, in space and in the plane: beyond it a shorter timestep does the same. */
export const MAX_SUBSTEPS = 1024;

export const STEP_RULES = {
  timestep: numberAbove(0, DYNAMICS_DEFAULTS.timestep),
  substeps: wholeNumber(1, MAX_SUBSTEPS, DYNAMICS_DEFAULTS.substeps),
  sleeping: flag(DYNAMICS_DEFAULTS.sleeping),
};
