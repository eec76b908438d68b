// How steps are taken, in space and in the plane: the rows that both tables of world options have.
import { flag, numberAbove, wholeNumber } from '../core/check/option-table.js';
import { DYNAMICS_DEFAULTS, MAX_SUBSTEPS } from './defaults.js';

export const STEP_RULES = {
  timestep: numberAbove(0, DYNAMICS_DEFAULTS.timestep),
  substeps: wholeNumber(1, MAX_SUBSTEPS, DYNAMICS_DEFAULTS.substeps),
  sleeping: flag(DYNAMICS_DEFAULTS.sleeping),
};
