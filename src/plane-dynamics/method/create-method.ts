// The methods of the plane by name.
import type { PlaneMethod } from '../plane-options.js';
import { PlanePenaltyMethod } from '../published/penalty-method.js';
import type { PlaneContext } from '../step/plane-context.js';
import type { PlaneStepMethod } from '../step/plane-step-method.js';
import { PlaneAutoMethod } from './auto-method.js';
import { PlaneBacktrackingMethod } from './backtracking-method.js';

/** Makes a method of a world. 'time-of-contact' is 'auto' on a context whose pairs all move freely until they meet. */
export function createPlaneMethod(method: PlaneMethod, context: PlaneContext): PlaneStepMethod {
  if (method === 'penalty') return new PlanePenaltyMethod(context);
  if (method === 'backtracking') return new PlaneBacktrackingMethod(context);
  return new PlaneAutoMethod(context);
}
