/**
 * Clearance in motion, proven: the least gaps of mechanisms, robots and assemblies over their whole motion.
 * @module sweep
 */

export { MOTION_SAMPLES, type MotionSample, motionSample } from '../samples/mechanisms/motion-sample.js';
export {
  type ClearanceGradient,
  type ClearanceGradientOptions,
  type ClearanceGradientReason,
  clearanceGradient,
} from './derivative/clearance-gradient.js';
export {
  type LeastClearanceGradient,
  RobotClearance,
  type SmoothClearance,
  type SmoothOptions,
} from './derivative/robot-clearance.js';
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
export { movingAssembly } from './moving-assembly.js';
export { sweep } from './sweep.js';
export { sweepInPool } from './sweep-in-pool.js';
export type { MovingAssembly, MovingPart, SweepOptions, SweepSubject } from './sweep-options.js';
export { SWEEP_DEFAULTS } from './sweep-options.js';
export type { SweepPlace, SweepResult, SweepStretch, SweepVerdict, SweptPairResult } from './sweep-result.js';
export {
  type CertifiedSegment,
  type CertifyOptions,
  type CertifyResult,
  type ClearanceVerdict,
  certifyTrajectory,
} from './trajectory/certify-trajectory.js';
export type { BrokenLimit, LimitKind } from './trajectory/joint-limits.js';
export type { MotionBody, MotionProblem, MotionRobot } from './trajectory/motion-problem.js';
export {
  type BodyTrajectory,
  INTERPOLATIONS,
  type Interpolation,
  type JointTrajectory,
  type JointWaypoint,
  type MotionTrajectory,
  type PathTrajectory,
} from './trajectory/motion-trajectory.js';
export { readTrajectory } from './trajectory/read-trajectory.js';
export {
  type SampledTrajectory,
  type SampleTrajectoryOptions,
  sampleTrajectory,
  type TrajectoryFrame,
} from './trajectory/sample-trajectory.js';
