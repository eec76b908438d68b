/**
 * Clearance in motion, proven: the least gaps of mechanisms, robots and assemblies over their whole motion.
 * @module sweep
 */

export { SWEEP_DEFAULTS } from './defaults.js';
export type {
  AllowedPair,
  Mechanism,
  MechanismCoupling,
  MechanismJoint,
  MechanismLoop,
  MechanismPart,
} from './mechanism/mechanism-description.js';
export { sweep } from './sweep.js';
export type { MovingAssembly, MovingPart, SweepOptions, SweepSubject } from './sweep-options.js';
export type { SweepPlace, SweepResult, SweepStretch, SweepVerdict, SweptPairResult } from './sweep-result.js';
