/**
 * Clearance in motion, proven: the least gaps of mechanisms, robots and assemblies over their whole motion.
 * @module sweep
 */

export { MOTION_SAMPLES, type MotionSample, motionSample } from '../samples/mechanisms/motion-sample.js';
export { SWEEP_DEFAULTS } from './defaults.js';
export type {
  AllowedPair,
  Mechanism,
  MechanismCoupling,
  MechanismJoint,
  MechanismLoop,
  MechanismPart,
} from './mechanism/mechanism-description.js';
export { type ReadMechanismOptions, readMechanism } from './mechanism/read-mechanism.js';
export { type GapMap, type GapSample, MotionStudy } from './motion-study.js';
export { sweep } from './sweep.js';
export type { MovingAssembly, MovingPart, SweepOptions, SweepSubject } from './sweep-options.js';
export type { SweepPlace, SweepResult, SweepStretch, SweepVerdict, SweptPairResult } from './sweep-result.js';
