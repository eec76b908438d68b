/**
 * Global penetration depth of two solids: the shortest translation that separates them.
 * @module penetration
 */

export type { GradeOptions } from '../clash/clash-grader.js';
export type { ClashKind } from '../clash/clash-kind.js';
export { gradeClashes } from '../clash/grade-clashes.js';
export { gradeClashesInPool } from '../clash/grade-clashes-in-pool.js';
export type { ClashGrade, GradedClash } from '../clash/graded-clash.js';
export type { VolumeInterval } from '../clash/measures/overlap-volume.js';
export type { TouchCause, TouchFloors } from '../clash/touch-floors.js';
export type { OpenCell } from './certificate/certifier.js';
export {
  type GradientReason,
  type PenetrationGradient,
  type PenetrationGradientOptions,
  penetrationGradient,
} from './gradient/penetration-gradient.js';
export { measurePenetrationSync } from './measure-on-cpu.js';
export { measurePenetration } from './measure-penetration.js';
export { PenetrationPair } from './motion/penetration-pair.js';
export {
  ScenePenetration,
  type ScenePenetrationOptions,
  type ScenePenetrationResult,
} from './motion/scene-penetration.js';
export {
  type SeparatedPair,
  type SeparateOptions,
  type SeparateResult,
  type SeparateRound,
  separateBodies,
  type TangledBody,
} from './motion/separate-bodies.js';
export {
  type CertificateState,
  MAX_PENETRATION_RESOLUTION,
  PENETRATION_DEFAULTS,
  PENETRATION_DESCENTS,
  PENETRATION_IMAGE_QUERIES,
  PENETRATION_METHODS,
  type PenetrationDescent,
  type PenetrationImageQuery,
  type PenetrationMethod,
  type PenetrationOptions,
} from './options.js';
export { measurePenetrationInPool, measurePenetrationOfPairsInPool, PENETRATION_TASKS } from './penetration-in-pool.js';
export { preparePenetration } from './prepare-penetration.js';
export type { PenetrationLevel, PenetrationResult, PenetrationStatus } from './result.js';
export type { PenetrationTrace } from './trace.js';
export {
  type GeneralizedPenetration,
  type GeneralizedPenetrationOptions,
  type GeneralizedStatus,
  measureGeneralizedPenetration,
} from './turning/generalized-penetration.js';
export { CUBE_AXES, pixelCenter, writeDirection, writeViewMatrix } from './union/cube-views.js';
export { classifyFeatures } from './union/facet-class.js';
