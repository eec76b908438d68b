// The depth of one overlap, or why it is unknown.
import { NearfieldError } from '../core/errors.js';
import type { PenetrationResult } from '../penetration/result.js';

/** The depth of two models in a relative pose, with a vector in A's frame; or why it is unknown. */
export type Depth = Pick<PenetrationResult, 'lower' | 'upper' | 'vector'> | { readonly unknown: string };

/** The depth of a pair for which no time was left. */
export const TIME_OVER: Depth = { unknown: 'The time for depths was over.' };

/** The depth of a pair, from its measurement or from the error of that. */
export function depthFrom(measured: PenetrationResult | NearfieldError): Depth {
  if (measured instanceof NearfieldError) {
    return measured.code === 'aborted' ? TIME_OVER : { unknown: measured.message };
  }
  const { lower, upper, vector } = measured;
  return { lower, upper, vector };
}
