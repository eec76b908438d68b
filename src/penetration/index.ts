/**
 * Global penetration depth of two solids: the shortest translation that separates them.
 * @module penetration
 */

export type { OpenCell } from './certificate/certifier.js';
export { PENETRATION_DEFAULTS } from './defaults.js';
export {
  type GradientReason,
  type PenetrationGradient,
  type PenetrationGradientOptions,
  penetrationGradient,
} from './gradient/penetration-gradient.js';
export { measurePenetration, measurePenetrationSync } from './measure-penetration.js';
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
  separate,
  type TangledBody,
} from './motion/separate.js';
export {
  type CertificateState,
  DESCENTS,
  type Descent,
  IMAGE_QUERIES,
  type ImageQuery,
  MAX_RESOLUTION,
  PENETRATION_METHODS,
  type PenetrationMethod,
  type PenetrationOptions,
} from './options.js';
export type { PenetrationLevel, PenetrationResult, PenetrationStatus } from './result.js';
export { preparePenetration } from './solid.js';
export type { PenetrationTrace } from './trace.js';
export {
  type GeneralizedPenetration,
  type GeneralizedPenetrationOptions,
  type GeneralizedStatus,
  measureGeneralizedPenetration,
} from './turning/generalized-penetration.js';
export { CUBE_AXES, pixelCenter, writeDirection, writeViewMatrix } from './union/cube-views.js';
export { classifyFeatures } from './union/facet-class.js';
