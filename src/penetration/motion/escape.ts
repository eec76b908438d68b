// Moves one body out of a crowd: along each of some directions it hops from exit to exit, past every body that it still
// meets there, and the shortest of these moves is taken. A shorter way may exist in another direction, but the search
// always ends: beyond all bodies there is room. O(directions × hops), each a ray through the sums of two solids.
import type { Pose, ReadonlyPose } from '../../core/pose.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import * as vec3 from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { testIntersection } from '../../proximity/queries.js';
import { beginQuery } from '../penetration-query.js';
import { beginUnion, createSums } from '../union/descent.js';
import { NodeBoxes } from '../union/node-boxes.js';

/** A solid at its pose. */
export interface PlacedSolid {
  readonly model: ProximityModel;
  readonly pose: ReadonlyPose;
}

/** Chosen: a ray is first followed for this share of the sizes, then twice as far each time. */
const FIRST_REACH = 1 / 16;
/** Chosen: doublings of the first reach, up to far beyond both models. */
const MAX_DOUBLINGS = 12;
/** Rounding: balls are enlarged by this share. */
const BALL_ROUNDING = 1e-9;
/** Chosen: hops per other body along one direction. Solids with holes are met more than once. */
const HOPS_A_BODY = 8;

/** The shortest move along one of the unit vectors that takes a solid clear of all others; null if none does. */
export function findEscape(
  { model, pose: from }: PlacedSolid,
  others: readonly PlacedSolid[],
  directions: readonly Vec3[],
): Vec3 | null {
  let shortest = Infinity;
  let best: Vec3 | null = null;
  const at: Pose = [...(from as Pose)];
  for (const direction of directions) {
    let way = 0;
    for (let hop = 0; hop <= HOPS_A_BODY * others.length && way < shortest; hop++) {
      for (let k = 0; k < 3; k++) at[k] = from[k] + way * direction[k];
      const met = others.find((other) => meets(model, at, other));
      if (met === undefined) {
        shortest = way;
        best = vec3.scale(direction, way);
        break;
      }
      way += findExit(model, at, met, direction);
    }
  }
  return best;
}

function meets(model: ProximityModel, at: ReadonlyPose, other: PlacedSolid): boolean {
  const reach = (model.radius + other.model.radius) * (1 + BALL_ROUNDING);
  const away = vec3.distance(
    pose.transformPoint(at, model.center),
    pose.transformPoint(other.pose, other.model.center),
  );
  return away <= reach && testIntersection(model, other.model, at, other.pose).intersects;
}

/** How far a solid must move along a unit vector until it is apart from another; Infinity if no exit is confirmed. */
export function findExit(model: ProximityModel, at: ReadonlyPose, other: PlacedSolid, direction: Vec3): number {
  const { a, b, placement, separation } = beginQuery(model, other.model, at, other.pose, {});
  const boxes = new NodeBoxes(a, b, placement);
  const { leaves, union } = beginUnion(a, b, placement, boxes, separation.size, createSums(a, b));
  const [x, y, z] = pose.transformVector(pose.invert(at), direction);
  let reach = FIRST_REACH * separation.size;
  for (let doubling = 0; doubling < MAX_DOUBLINGS; doubling++) {
    const count = leaves.gather(0, 0, 0, reach * x, reach * y, reach * z);
    const front = union.trace(leaves.list, 0, count, x, y, z, reach);
    if (front < reach) {
      separation.offer(front, [front * x, front * y, front * z], [x, y, z]);
      break;
    }
    reach *= 2;
  }
  return separation.length;
}
