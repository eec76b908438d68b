// The methods by name.

import type { TimeOfContactMethod } from '../impact/time-of-contact.js';
import { PenaltyMethod } from '../published/penalty-method.js';
import { AutoMethod } from '../solver/auto-method.js';
import type { StepContext } from '../solver/step-context.js';
import type { StepMethod } from '../step-method.js';
import { BacktrackingMethod } from './backtracking-method.js';
import { ImpactTimesMethod } from './time-of-contact-method.js';

/**
 * How contacts are handled. 'auto': small steps of impulses, the one to use. 'penalty': springs on depths. 'time-of-contact':
 * impulses at the certified times of impacts. 'backtracking': steps are taken back to just before bodies would overlap.
 */
export type DynamicsMethod = 'auto' | 'penalty' | 'time-of-contact' | 'backtracking';

/** All methods, the default first. */
export const DYNAMICS_METHODS: readonly DynamicsMethod[] = ['auto', 'penalty', 'time-of-contact', 'backtracking'];

/**
 * Makes a method of a world.
 * @param times how 'time-of-contact' finds times.
 */
export function createMethod(method: DynamicsMethod, context: StepContext, times: TimeOfContactMethod): StepMethod {
  if (method === 'penalty') return new PenaltyMethod(context);
  if (method === 'time-of-contact') return new ImpactTimesMethod(context, times);
  if (method === 'backtracking') return new BacktrackingMethod(context);
  return new AutoMethod(context);
}
