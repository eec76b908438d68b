// The queries, stateless: nothing is remembered between calls. They search over boxes: without memory, hulls
// measured no faster.
import type { Part } from '../core/derived-parts.js';
import type { ReadonlyPose } from '../core/pose.js';
import { assertModel } from './arguments.js';
import { PairContacts } from './contact/pair-contacts.js';
import type { ImpactOptions, ImpactResult, MotionOptions, MotionResult } from './impact/impact-result.js';
import type { Motion } from './impact/motion.js';
import { PairMotions } from './impact/pair-motions.js';
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
  const work = takeWorkspace(a, b);
  const result = work.pair.testIntersection(poseA, poseB);
  return keepWorkspace(work, result);
}

/** Whether the distance between two models is at most the tolerance. */
export function testTolerance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  tolerance: number,
): ToleranceResult {
  const work = takeWorkspace(a, b);
  const result = work.pair.testTolerance(poseA, poseB, tolerance);
  return keepWorkspace(work, result);
}

/** The distance between two models, and the two points that have it. */
export function measureDistance(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: DistanceOptions = {},
): DistanceResult {
  const work = takeWorkspace(a, b);
  const result = work.pair.measureDistance(poseA, poseB, options);
  return keepWorkspace(work, result);
}

/** All local minima of the distance between two models, up to the tolerance. */
export function findContacts(
  a: ProximityModel,
  b: ProximityModel,
  poseA: ReadonlyPose,
  poseB: ReadonlyPose,
  options: ContactOptions,
): ContactsResult {
  const work = takeWorkspace(a, b);
  work.contacts ??= new PairContacts(work.pair);
  const result = work.contacts.findContacts(poseA, poseB, options);
  return keepWorkspace(work, result);
}

/** When two models first meet along a motion, with a proven bracket of that time. */
export function timeOfImpact(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: ImpactOptions = {},
): ImpactResult {
  const work = takeWorkspace(a, b);
  work.motions ??= new PairMotions(work.pair);
  const result = work.motions.timeOfImpact(motion, options);
  return keepWorkspace(work, result);
}

/** Either a proof that a motion stays clear, with the least clearance and where it is, or the first impact. */
export function validateMotion(
  a: ProximityModel,
  b: ProximityModel,
  motion: Motion,
  options: MotionOptions = {},
): MotionResult {
  const work = takeWorkspace(a, b);
  work.motions ??= new PairMotions(work.pair);
  const result = work.motions.validateMotion(motion, options);
  return keepWorkspace(work, result);
}

/** What calls for one pair of models work with; it holds no results. */
interface Workspace {
  readonly pair: PairQueries;
  /** Made by the first call that needs them. */
  contacts?: PairContacts;
  motions?: PairMotions;
}

/**
 * The workspace of a model's last call with another model. The first model keeps it, and with it a reference to its last
 * partner. A call takes it out while it runs, so that no two calls share it.
 */
const WORKSPACE: Part<ProximityModel, { kept: Workspace | null }> = {
  name: 'workspace of stateless calls',
  make: () => ({ kept: null }),
  bytes: ({ kept }) => (kept === null ? 0 : kept.pair.bytes + (kept.contacts?.bytes ?? 0)),
};

function takeWorkspace(a: ProximityModel, b: ProximityModel): Workspace {
  assertModel(a, 'The first model');
  assertModel(b, 'The second model');
  const place = a.parts.get(WORKSPACE);
  const { kept } = place;
  place.kept = null;
  return kept?.pair.b === b ? kept : { pair: new PairQueries(a, b, new ForgetfulBoxes(a, b), false) };
}

/** Gives a workspace back after its call, whose result this returns. After a call that throws it is gone. */
function keepWorkspace<Result>(work: Workspace, result: Result): Result {
  work.pair.a.parts.get(WORKSPACE).kept = work;
  return result;
}
