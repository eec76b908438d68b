// The queries, stateless: nothing is remembered between calls. They search over boxes: without memory, hulls
// measured no faster.
import type { Part } from '../core/derived-parts.js';
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from './arguments.js';
import { createContactFinder } from './contact/model-contacts.js';
import { findImpact, validateMotion as validateAlong } from './impact/along-motion.js';
import type { ImpactOptions, ImpactResult, MotionOptions, MotionResult } from './impact/impact-result.js';
import type { Motion } from './impact/motion.js';
import type { ContactOptions, DistanceOptions } from './options.js';
import { PairQueries } from './pair-queries.js';
import type { ProximityModel } from './proximity-model.js';
import type { ContactsResult, DistanceResult, IntersectionResult, ToleranceResult } from './result.js';
import { ForgetfulBoxes } from './search-choice.js';

/** Whether two models have a point in common; touching counts, and one solid inside the other. */
export function testIntersection(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
): IntersectionResult {
  return ask(a, b, (pair) => pair.intersects(poseA, poseB));
}

/** Whether the distance between two models is at most the tolerance. */
export function testTolerance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  tolerance: number,
): ToleranceResult {
  return ask(a, b, (pair) => pair.within(poseA, poseB, tolerance));
}

/** The distance between two models, and the two points that have it. */
export function measureDistance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: DistanceOptions = {},
): DistanceResult {
  return ask(a, b, (pair) => pair.distance(poseA, poseB, options));
}

/** All local minima of the distance between two models, up to the tolerance. */
export function findContacts(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ContactOptions,
): ContactsResult {
  return ask(a, b, (pair) => pair.contacts(poseA, poseB, options, createContactFinder));
}

/** When two models first meet along a motion, with a proven bracket of that time. */
export function timeOfImpact(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: ImpactOptions = {},
): ImpactResult {
  return ask(a, b, (pair) => findImpact(pair, motion, options));
}

/** Either a proof that a motion stays clear, with the least clearance and where it is, or the first impact. */
export function validateMotion(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: MotionOptions = {},
): MotionResult {
  return ask(a, b, (pair) => validateAlong(pair, motion, options));
}

/**
 * The working memory of a model's last call with another model; it holds no results. The first model keeps it, and with
 * it a reference to its last partner. A call takes it out while it runs, so that no two calls share it.
 */
const WORKSPACE: Part<ProximityModel, { kept: PairQueries | null }> = {
  name: 'workspace of stateless calls',
  make: () => ({ kept: null }),
  bytes: ({ kept }) => kept?.bytes ?? 0,
};

function ask<Result>(a: ProximityModel, b: ProximityModel, query: (pair: PairQueries) => Result): Result {
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  const place = a.parts.get(WORKSPACE);
  const { kept } = place;
  place.kept = null;
  const pair = kept?.b === b ? kept : new PairQueries(a, b, new ForgetfulBoxes(a, b), false);
  const result = query(pair);
  place.kept = pair;
  return result;
}
