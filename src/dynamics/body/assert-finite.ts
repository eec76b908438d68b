// The check at the end of a step: nothing but an error leaves a step with a state that is not finite.
import { NearfieldError } from '../../core/errors.js';

/** What the check reads of the bodies of a world. Each array has the same count of numbers for every body. */
export interface StepState {
  readonly count: number;
  /** Negative for a free slot. */
  readonly kind: ArrayLike<number>;
  readonly arrays: readonly Float64Array[];
  nameOf(slot: number): string;
}

/** @throws NearfieldError `non-finite` if a number of a body that is there is infinite or NaN. */
export function assertFiniteStep(
  { count, kind, arrays, nameOf }: StepState,
  widths: readonly number[],
  time: number,
): void {
  for (let a = 0; a < arrays.length; a++) {
    const values = arrays[a];
    const width = widths[a];
    let sum = 0;
    // Zero times a number that is not finite is NaN.
    for (let k = 0; k < width * count; k++) sum += 0 * values[k];
    if (sum === 0) continue;
    for (let i = 0; i < count; i++) {
      if (kind[i] < 0) continue;
      for (let k = width * i; k < width * (i + 1); k++) {
        if (Number.isFinite(values[k])) continue;
        throw new NearfieldError(
          'non-finite',
          `${nameOf(i)} has left the range of numbers in the step to ${time} s; give it slower motion and smaller forces, or a shorter timestep. The world is not usable any more unless it is restored from a snapshot.`,
        );
      }
    }
  }
}
