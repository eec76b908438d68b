/**
 * Intersection, tolerance, distance and contact queries between polyhedra, coherent in time; scenes of many bodies.
 * @module proximity
 */

export { type AssemblyOptions, type AssemblyPart, buildAssembly, type PartCleaning } from '../clash/assembly.js';
export type { Clash, ClashOptions } from '../clash/clash.js';
export { ClashCheck } from '../clash/clash-check.js';
export { type ClashRule, PairRules, type RuleOfPair } from '../clash/clash-rules.js';
export { type ClashReport, findClashes } from '../clash/find-clashes.js';
export {
  type ClashGroup,
  groupClashes,
  groupClashesByPlace,
  groupClashesByType,
  type PlaceGroup,
  type TypeGroup,
} from '../clash/group-clashes.js';
export type { IgnoredPair, PartPattern } from '../clash/ignored-pairs.js';
export {
  type AssemblyMotion,
  findMovingClashes,
  type MovingOptions,
  type MovingPair,
  type MovingReport,
} from '../clash/moving-clashes.js';
export { type ClashBlock, type StreamOptions, streamClashes } from '../clash/stream-clashes.js';
export type { PoolWorker as BatchWorker, Port as BatchPort } from '../pool/port.js';
export type { PoolOptions as BatchPoolOptions } from '../pool/worker-pool.js';
export { buildGearbox } from '../samples/demo/gearbox.js';
export { SweepAndPrune, type SweepAndPruneOptions, type SweepCounters } from '../spatial/sweep-and-prune.js';
export { type BatchAnswers, type BatchOptions, type BatchQueries, QueryBatch, runBatch } from './batch/batch.js';
export { BatchPool } from './batch/batch-pool.js';
export { type ClashAnswer, type ClashJob, runClashJob } from './batch/clash-job.js';
export type { TaskPool, WorkerTask, WorkerTasks } from './batch/model-pool.js';
export { findContactsInPool, findContactsOfPairsInPool, prepareInPool } from './batch/pool-queries.js';
export type { PosedPair } from './batch/posed-pairs.js';
export { serveBatches } from './batch/serve-batches.js';
export { type CrossingOptions, findCrossingCurves } from './crossing-curves.js';
export { hasHulls, hullsOf, prepareModel } from './hulls/model-hulls.js';
export type {
  ImpactCounters,
  ImpactOptions,
  ImpactResult,
  LeastClearance,
  MotionOptions,
  MotionResult,
} from './impact/impact-result.js';
export type { BodyMotion, Keyframe, Motion } from './impact/motion.js';
export {
  type BoundingVolume,
  type CoherenceOptions,
  type ContactOptions,
  type DistanceOptions,
  type PairOptions,
  PROXIMITY_DEFAULTS,
  VOLUMES,
  type VolumeChoice,
} from './options.js';
export { Pair } from './pair.js';
export { type ModelOptions, ProximityModel } from './proximity-model.js';
export {
  findContacts,
  measureDistance,
  testIntersection,
  testTolerance,
  timeOfImpact,
  validateMotion,
} from './queries.js';
export type {
  Contact,
  ContactsResult,
  DistanceResult,
  IntersectionResult,
  QueryCounters,
  ToleranceResult,
  Witness,
} from './result.js';
export { type BodyOptions, Scene, type SceneOptions } from './scene/scene.js';
export type { NearestResult, SceneCounters, ScenePair, SceneResult } from './scene/scene-result.js';
export type { PairRule } from './scene/scene-rules.js';
