// What callers give for a world in space, and its checks.
import { checkedElsewhere, oneOf, optionTable } from '../core/check/option-table.js';
import type { ReadonlyVec3 } from '../core/vec3.js';
import { TIME_OF_CONTACT_METHODS, type TimeOfContactMethod } from './impact/time-of-contact.js';
import { DYNAMICS_METHODS, type DynamicsMethod } from './method/create-method.js';
import { DYNAMICS_DEFAULTS, STEP_RULES } from './step-rules.js';

/** Options of a {@link RigidWorld}; SI units. */
export interface RigidWorldOptions {
  readonly gravity?: ReadonlyVec3 | undefined;
  /** Length of a step, s. */
  readonly timestep?: number | undefined;
  readonly method?: DynamicsMethod | undefined;
  /** How the method `time-of-contact` finds the times of impacts; see `timeOfContact`. */
  readonly timeOfContact?: TimeOfContactMethod | undefined;
  /** Substeps of the solver in a step. */
  readonly substeps?: number | undefined;
  /** Bodies at rest sleep until something touches them. */
  readonly sleeping?: boolean | undefined;
}

export const WORLD_OPTIONS = optionTable<RigidWorldOptions>()({
  // Checked by takeVector, whose message names the component that is wrong.
  gravity: checkedElsewhere<ReadonlyVec3>(DYNAMICS_DEFAULTS.gravity),
  method: oneOf(DYNAMICS_METHODS, DYNAMICS_DEFAULTS.method),
  timeOfContact: oneOf(TIME_OF_CONTACT_METHODS, 'certified'),
  ...STEP_RULES,
});
