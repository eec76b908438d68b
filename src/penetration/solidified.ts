// Depth of models that bound no solid, by way of solids near them. The answer holds for all solids A′ and B′ between the
// solidified ones shrunk and grown by their error: a translation that separates two sets separates their subsets, so the
// depth of the shrunk pair is a lower bound, and a translation that leaves room for both errors an upper one. Adding the
// errors to the depth itself would be wrong: a peg that fits a hole by a hair is deep if it is a hair thicker.
import type { Part } from '../core/derived-parts.js';
import { NearfieldError } from '../core/errors.js';
import * as pose from '../core/pose.js';
import type { ProgressOptions } from '../core/progress.js';
import * as vec3 from '../core/vec3.js';
import { shrinkSolid } from '../field/solid/shrink-solid.js';
import { type SolidifiedMesh, type SolidifyOptions, solidify } from '../field/solid/solidify.js';
import { ProximityModel } from '../proximity/proximity-model.js';
import { measureDistance } from '../proximity/queries.js';
import type { Budget } from './budget.js';
import type { PenetrationResult } from './result.js';
import { prepareSolidWithin } from './solid.js';

/** A model that stands for another one in penetration queries. */
export interface StandIn {
  /** The solid; the model itself if it is one. */
  readonly model: ProximityModel;
  /** How far its surface and the model are from each other at most; 0 for the model itself. */
  readonly error: number;
  /** What `solidify` returned; `null` for the model itself. */
  readonly solid: SolidifiedMesh | null;
  /** A solid inside all solids within the error; `null` if there is none. Made when first asked for. */
  inner(progress: ProgressOptions): ProximityModel | null;
}

/** The stand-in made last, and the options it was made with. */
const STAND_IN: Part<ProximityModel, { key: string; value: StandIn | null }> = {
  name: 'solidified model',
  make: () => ({ key: '', value: null }),
  bytes: ({ value }) => (value === null || value.solid === null ? 0 : value.model.mesh.positions.byteLength),
};

/** Errors about the model that a solid can heal; others are passed on. */
const HEALED = new Set(['open-mesh', 'not-oriented', 'non-manifold', 'self-intersecting', 'degenerate']);

/** The most steps along a direction until there is room; then one beyond both models is taken. */
const MAX_STEPS = 64;

/** Directions tried for models that touch, which have no normal. */
const AXES: readonly vec3.Vec3[] = [
  [1, 0, 0],
  [-1, 0, 0],
  [0, 1, 0],
  [0, -1, 0],
  [0, 0, 1],
  [0, 0, -1],
];

/**
 * The model itself if it bounds a solid, else a solid near it; kept with the model. `null` if the budget does not allow
 * it: an unfinished solid is lost, hulls of a model that is one are continued by the next call.
 */
export function standInFor(model: ProximityModel, options: SolidifyOptions, budget: Budget): StandIn | null {
  const { resolution, maxError, thickness, rule, features, maxCells } = options;
  const key = JSON.stringify([resolution, maxError, thickness, rule, features, maxCells]);
  const kept = model.parts.get(STAND_IN);
  if (kept.value !== null && kept.key === key) return kept.value;
  const made = makeStandIn(model, options, budget);
  if (made !== null) {
    kept.value = made;
    kept.key = key;
  }
  return made;
}

function makeStandIn(model: ProximityModel, options: SolidifyOptions, budget: Budget): StandIn | null {
  try {
    if (prepareSolidWithin(model, budget) === null) return null;
    return { model, error: 0, solid: null, inner: () => model };
  } catch (error) {
    if (!(error instanceof NearfieldError) || !HEALED.has(error.code)) throw error;
  }
  const solid = solidifyWithin(model, options, budget);
  if (solid === null) return null;
  const error = Math.max(solid.distance.toInput, solid.outside);
  // The query prepares it, within what is left of the budget; then it can go on where it stopped.
  const healed = new ProximityModel(solid.mesh);
  let inner: ProximityModel | null | undefined;
  return {
    model: healed,
    error,
    solid,
    inner(progress) {
      if (inner === undefined) {
        const mesh = shrinkSolid(solid.mesh, error, solid.spacing, progress);
        inner = mesh && new ProximityModel(mesh);
      }
      return inner;
    },
  };
}

function solidifyWithin(model: ProximityModel, options: SolidifyOptions, budget: Budget): SolidifiedMesh | null {
  try {
    return solidify(model.mesh, { ...options, ...budget.progress });
  } catch (error) {
    budget.absorb(error);
    return null;
  }
}

/**
 * The interval of a pair of stand-ins widened by their errors. `lower` is that of the inner solids. `vector` becomes long
 * enough to leave room for both errors.
 */
export function widen(
  a: StandIn,
  b: StandIn,
  poseA: pose.ReadonlyPose,
  poseB: pose.ReadonlyPose,
  result: PenetrationResult,
  lower: number,
  budget: Budget,
): PenetrationResult {
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
  // Moving by less than what is missing can never be enough, so no step goes too far.
  let length = result.depth;
  let missing = room;
  for (let step = 0; step < MAX_STEPS; step++) {
    const { distance, intersects } = distanceAt(vec3.scale(direction, length));
    missing = intersects || distance === null ? room : room - distance;
    if (missing <= 0 || budget.overdrawn) break;
    length += Math.max(missing, 1e-3 * room) * (1 + 1e-9);
  }
  if (missing > 0) length = lengthBeyond(a.model, b.model, unitA, poseB, direction) + room;
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
