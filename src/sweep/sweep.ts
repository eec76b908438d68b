// The sweep of a mechanism, a robot or an assembly in one call.
import { MotionStudy } from './motion-study.js';
import type { SweepOptions, SweepSubject } from './sweep-options.js';
import type { SweepResult } from './sweep-result.js';

/**
 * Sweeps parts through their whole motion: the least gap of every pair, proven, and where a wanted clearance fails.
 * @throws NearfieldError for subjects and options that are not valid, and for loops that cannot be closed.
 */
export function sweep(subject: SweepSubject, options: SweepOptions = {}): SweepResult {
  return new MotionStudy(subject, options).sweep();
}
