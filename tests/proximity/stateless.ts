// The five queries without memory, over either bounding volume: the stateless calls for boxes, and for hulls, which those
// do not offer, a new pair without coherence.
import type { ReadonlyPose } from '../../src/core/pose.js';
import type { ContactOptions, DistanceOptions, VolumeChoice } from '../../src/proximity/options.js';
import { Pair } from '../../src/proximity/pair.js';
import type { ProximityModel } from '../../src/proximity/proximity-model.js';
import * as queries from '../../src/proximity/queries.js';
import type {
  ContactsResult,
  DistanceResult,
  IntersectionResult,
  ToleranceResult,
} from '../../src/proximity/result.js';

interface Volume {
  readonly volume?: VolumeChoice;
}

function newPair(a: ProximityModel, b: ProximityModel): Pair {
  return new Pair(a, b, { volume: 'hulls', coherence: false });
}

export function testIntersection(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  { volume }: Volume = {},
): IntersectionResult {
  if (volume === 'hulls') return newPair(a, b).intersects(poseA, poseB);
  return queries.testIntersection(a, b, poseA, poseB);
}

export function testTolerance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  tolerance: number,
  { volume }: Volume = {},
): ToleranceResult {
  if (volume === 'hulls') return newPair(a, b).within(poseA, poseB, tolerance);
  return queries.testTolerance(a, b, poseA, poseB, tolerance);
}

export function measureDistance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  { volume, ...options }: Volume & DistanceOptions = {},
): DistanceResult {
  if (volume === 'hulls') return newPair(a, b).distance(poseA, poseB, options);
  return queries.measureDistance(a, b, poseA, poseB, options);
}

export function findContacts(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  { volume, ...options }: Volume & ContactOptions,
): ContactsResult {
  if (volume === 'hulls') return newPair(a, b).contacts(poseA, poseB, options);
  return queries.findContacts(a, b, poseA, poseB, options);
}
