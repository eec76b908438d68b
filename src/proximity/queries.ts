// The queries, stateless: nothing is remembered between calls.
import type { Part } from '../core/derived-parts.js';
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from './arguments.js';
import { PROXIMITY_DEFAULTS } from './defaults.js';
import type { ImpactOptions, ImpactResult, MotionOptions, MotionResult } from './impact/impact-result.js';
import type { Motion } from './impact/motion.js';
import type { ContactOptions, DistanceOptions, VolumeChoice } from './options.js';
import { Pair } from './pair.js';
import type { ProximityModel } from './proximity-model.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from './result.js';

/** Options of a stateless call. */
export interface StatelessOptions {
  /** Default `PROXIMITY_DEFAULTS.statelessVolume`. */
  readonly volume?: VolumeChoice | undefined;
}

/** Whether two models have a point in common; touching counts, and one solid inside the other. */
export function testIntersection(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: StatelessOptions = {},
): IntersectionResult {
  return ask(a, b, options, (pair) => pair.intersects(poseA, poseB));
}

/** Whether the distance between two models is at most the tolerance. */
export function testTolerance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  tolerance: number,
  options: StatelessOptions = {},
): ToleranceResult {
  return ask(a, b, options, (pair) => pair.within(poseA, poseB, tolerance));
}

/** The distance between two models, and the two points that have it. */
export function measureDistance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: StatelessOptions & DistanceOptions = {},
): DistanceResult {
  return ask(a, b, options, (pair) => pair.distance(poseA, poseB, options));
}

/** All local minima of the distance between two models, up to the tolerance. */
export function findContacts(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: StatelessOptions & ContactOptions,
): ContactsResult {
  return ask(a, b, options, (pair) => pair.contacts(poseA, poseB, options));
}

/** When two models first meet along a motion, with a proven bracket of that time. */
export function timeOfImpact(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: StatelessOptions & ImpactOptions = {},
): ImpactResult {
  return ask(a, b, options, (pair) => pair.timeOfImpact(motion, options));
}

/** Either a proof that a motion stays clear, with the least clearance and where it is, or the first impact. */
export function validateMotion(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: StatelessOptions & MotionOptions = {},
): MotionResult {
  return ask(a, b, options, (pair) => pair.validateMotion(motion, options));
}

/** The memory of the last call, for the next call with the same two models and volume. */
interface Workspace {
  readonly volume: VolumeChoice;
  readonly pair: Pair;
}

/**
 * The working memory of a model's last call with another model; it holds no results. The first model keeps it, and with
 * it a reference to its last partner. A call takes it out while it runs, so that no two calls share it.
 */
const WORKSPACE: Part<ProximityModel, { kept: Workspace | null }> = {
  name: 'workspace of stateless calls',
  make: () => ({ kept: null }),
  bytes: ({ kept }) => kept?.pair.bytes ?? 0,
};

function ask<Result>(
  a: ProximityModel,
  b: ProximityModel,
  { volume = PROXIMITY_DEFAULTS.statelessVolume }: StatelessOptions,
  query: (pair: Pair) => Result,
): Result {
  assertModel(a, 'The first model');
  const place = a.parts.get(WORKSPACE);
  const { kept } = place;
  place.kept = null;
  const workspace =
    kept?.volume === volume && kept.pair.b === b
      ? kept
      : { volume, pair: new Pair(a, b, { volume, coherence: false }) };
  const result = query(workspace.pair);
  place.kept = workspace;
  return result;
}
