// Mechanisms and a robot that ship with the library, to sweep.
import { nameValue } from '../../core/check/check-options.js';
import { NearfieldError } from '../../core/errors.js';
import type { SweepSubject } from '../../sweep/sweep-options.js';
import { crankEngine } from './crank-engine.js';
import { landingGear } from './landing-gear.js';
import { smallArm } from './small-arm.js';

/** What can be swept without any file. */
export type MotionSample = 'engine' | 'landing-gear' | 'arm';

const SAMPLES: Readonly<Record<MotionSample, () => SweepSubject>> = {
  engine: () => crankEngine(),
  'landing-gear': () => landingGear(),
  arm: () => smallArm(),
};

/** Names of the samples, for {@link motionSample}. */
export const MOTION_SAMPLES: readonly MotionSample[] = Object.keys(SAMPLES) as MotionSample[];

/**
 * An engine of one cylinder in millimeters, a landing gear that folds, or a robot arm, both in meters.
 * @throws NearfieldError for a name that {@link MOTION_SAMPLES} does not have.
 */
export function motionSample(name: MotionSample): SweepSubject {
  if (!Object.hasOwn(SAMPLES, name)) {
    throw new NearfieldError(
      'bad-argument',
      `The sample is ${nameValue(name)}; give one of ${MOTION_SAMPLES.join(', ')}.`,
    );
  }
  return SAMPLES[name]();
}
