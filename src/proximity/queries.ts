// The five queries without memory between calls.
import type { ReadonlyPose } from '../core/pose.js';
import { PROXIMITY_DEFAULTS } from './defaults.js';
import type { ContactOptions, DistanceOptions, VolumeChoice } from './options.js';
import { Pair } from './pair.js';
import type { ProximityModel } from './proximity-model.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from './result.js';

/** What a call without memory can be told. */
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
  return takePair(a, b, options).intersects(poseA, poseB);
}

/** Whether the distance of two models is at most the tolerance. */
export function testTolerance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  tolerance: number,
  options: StatelessOptions = {},
): ToleranceResult {
  return takePair(a, b, options).within(poseA, poseB, tolerance);
}

/** The distance of two models, and where it is taken. */
export function measureDistance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: StatelessOptions & DistanceOptions = {},
): DistanceResult {
  return takePair(a, b, options).distance(poseA, poseB, options);
}

/** All local minima of the distance of two models up to the tolerance. */
export function findContacts(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: StatelessOptions & ContactOptions,
): ContactsResult {
  return takePair(a, b, options).contacts(poseA, poseB, options);
}

/**
 * The memory that the last call of a model with another one worked in, for the next such call; nothing is remembered in
 * it. Goes when either model does. No query calls back, so that no two are in it at once.
 */
const workspaces = new WeakMap<ProximityModel, WeakMap<ProximityModel, { volume: VolumeChoice; pair: Pair }>>();

function takePair(
  a: ProximityModel,
  b: ProximityModel,
  { volume = PROXIMITY_DEFAULTS.statelessVolume }: StatelessOptions,
): Pair {
  const kept = workspaces.get(a)?.get(b);
  if (kept?.volume === volume) return kept.pair;
  const pair = new Pair(a, b, { volume, coherence: false });
  workspaces.set(a, new WeakMap([[b, { volume, pair }]]));
  return pair;
}
