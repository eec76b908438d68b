// The answer for two stand-ins made one for the models. It holds for all solids A′ and B′ between the stand-ins shrunk and
// grown by their error: a translation that separates two sets separates their subsets, so the depth of the shrunk pair is a
// lower bound, and a translation that leaves room for both errors an upper one. Adding the errors to the depth itself would
// be wrong: a peg that fits a hole by a hair is deep if it is a hair thicker.
import * as pose from '../core/pose.js';
import * as vec3 from '../core/vec3.js';
import type { ProximityModel } from '../proximity/proximity-model.js';
import { measureDistance } from '../proximity/queries.js';
import type { Budget } from './budget.js';
import type { PenetrationResult } from './result.js';
import type { StandIn } from './stand-in.js';

/** Two stand-ins with the poses of what they stand for. */
export interface StandInPair {
  readonly a: StandIn;
  readonly b: StandIn;
  readonly poseA: pose.ReadonlyPose;
  readonly poseB: pose.ReadonlyPose;
  readonly budget: Budget;
}

/** Chosen: steps along a direction in search of room. Without room after the last, A moves beyond B. */
const MAX_STEPS = 64;

/** Chosen: the least step, as a share of the room, so that steps toward a slanted surface do not shrink without end. */
const MIN_STEP = 1e-3;

/** Rounding: a step is longer by this share, so that what it should reach is not missed by rounding. */
const STEP_ROUNDING = 1e-9;

/** Directions that are tried for models that touch, which have no normal. */
const AXES: readonly vec3.Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/**
 * The answer for two stand-ins, widened by their errors. `lower` is that of the inner solids. `vector` becomes long enough
 * to leave room for both errors.
 */
export function widenAnswer(pair: StandInPair, result: PenetrationResult, lower: number): PenetrationResult {
  const { a, b, poseA, poseB } = pair;
  const room = a.error + b.error;
  const solidified = { errorA: a.error, errorB: b.error };
  if (room === 0) return { ...result, solidified };
  const unitA = pose.parse(poseA);
  const distanceAt = (way: vec3.Vec3): ReturnType<typeof measureDistance> =>
    measureDistance(a.model, b.model, moveBy(unitA, way), poseB);
  let { direction } = result;
  if (direction === null) {
    const { distance, witness } = distanceAt([0, 0, 0]);
    const normal = witness?.normal ?? null;
    if (distance !== null && distance >= room) return { ...result, solidified };
    direction = bestDirection(
      normal === null ? AXES : [vec3.scale(normal, -1)],
      (way) => distanceAt(way).distance ?? 0,
      room,
    );
  }
  const length = lengthWithRoom(pair, unitA, direction, result.depth);
  const vector = vec3.scale(direction, length);
  return {
    ...result,
    depth: length,
    lower: Math.min(lower, length),
    upper: length,
    vector,
    direction,
    status: result.status === 'upper-estimate' ? 'upper-estimate' : 'budget',
    solidified,
  };
}

/** A length from `start` on after which moving along the direction leaves room for both errors. */
function lengthWithRoom(
  { a, b, poseB, budget }: StandInPair,
  unitA: pose.Pose,
  direction: vec3.Vec3,
  start: number,
): number {
  const room = a.error + b.error;
  let length = start;
  for (let step = 0; step < MAX_STEPS; step++) {
    const moved = moveBy(unitA, vec3.scale(direction, length));
    const { distance, intersects } = measureDistance(a.model, b.model, moved, poseB);
    const missing = intersects || distance === null ? room : room - distance;
    if (missing <= 0) return length;
    if (budget.overdrawn) break;
    // Moving by less than what is missing can never be enough, so no step goes too far.
    length += Math.max(missing, MIN_STEP * room) * (1 + STEP_ROUNDING);
  }
  return lengthBeyond(a.model, b.model, unitA, poseB, direction) + room;
}

/** The direction in which the models are farthest apart after a way of this length. */
function bestDirection(
  directions: readonly vec3.Vec3[],
  distanceAt: (way: vec3.Vec3) => number,
  length: number,
): vec3.Vec3 {
  const distances = directions.map((direction) => distanceAt(vec3.scale(direction, length)));
  return directions[distances.indexOf(Math.max(...distances))];
}

/** A way along a direction after which balls around the two models are apart. */
function lengthBeyond(
  a: ProximityModel,
  b: ProximityModel,
  poseA: pose.ReadonlyPose,
  poseB: pose.ReadonlyPose,
  direction: vec3.Vec3,
): number {
  const apart = vec3.subtract(pose.transformPoint(poseB, b.center), pose.transformPoint(poseA, a.center));
  return Math.max(0, vec3.dot(apart, direction)) + a.radius + b.radius;
}

function moveBy(placed: pose.Pose, way: vec3.Vec3): pose.Pose {
  const moved: pose.Pose = [...placed];
  for (let axis = 0; axis < 3; axis++) moved[axis] += way[axis];
  return moved;
}
