// Why a problem has no answer other than its status, in words.
import type { Deadline } from '../../core/deadline.js';
import type { Vec3 } from '../../core/vec3.js';
import { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Body, BodyPair } from '../../kinematics/validity/watched-pairs.js';
import { measurePenetrationSync } from '../../penetration/measure-on-cpu.js';
import { findCrossingCurves } from '../../proximity/crossing-curves.js';
import { measureDistance } from '../../proximity/queries.js';
import type { TimedPart } from '../time/plan-in-time.js';
import type { PlanCollision, PlanResult } from './plan-problem.js';

/** Chosen: the most milliseconds that the depth of a collision is searched for; what is proven by then is the answer. */
const MAX_DEPTH_MILLISECONDS = 300;

/** Chosen: the least of them, however little time is left. */
const MIN_DEPTH_MILLISECONDS = 10;

/** Chosen: the depth of a collision is known well enough when its interval is this share of it wide. */
const DEPTH_GAP = 0.01;

/** Why a configuration is not free: what touches what, or is out of bounds. The scene has just found it so. */
export function explainCollision(
  scene: CollisionScene,
  q: Float64Array,
  deadline: Deadline,
): Pick<PlanResult, 'reason' | 'collision'> {
  const outside = scene.robots.find((robot) => !robot.isAllowed(q));
  if (outside !== undefined) return { reason: `${outside.name} ${outside.fault}`, collision: null };
  const { touching, clearance } = scene;
  if (touching === null) return { reason: 'something is too near', collision: null };
  const [a, b] = [touching.a, touching.b].map((body) => nameOf(scene, body));
  const reason = clearance > 0 ? `${a} and ${b} are nearer than the clearance of ${clearance}` : `${a} and ${b} touch`;
  return { reason, collision: { a, b, ...measureCollision(scene, touching, q, deadline) } };
}

function measureCollision(
  scene: CollisionScene,
  { a, b }: BodyPair,
  q: Float64Array,
  deadline: Deadline,
): Pick<PlanCollision, 'distance' | 'point' | 'depth'> {
  const poses = scene.posesAt(q);
  const [poseA, poseB] = [a, b].map((body) => scene.poseOf(body, poses).slice());
  const { intersects, distance, witness } = measureDistance(a.model, b.model, poseA, poseB);
  if (!intersects) return { distance: distance ?? 0, point: witness?.pointA ?? null, depth: null };
  const [x, y, z] = findCrossingCurves(a.model, b.model, poseA, poseB, { maxSegments: 1 });
  const point: Vec3 | null = x === undefined ? null : [x, y, z];
  // A flat mesh has no open edge, and no inside.
  if ([a, b].some(({ model }) => !model.closed || !model.outward)) return { distance: 0, point, depth: null };
  const maxMilliseconds = Math.max(MIN_DEPTH_MILLISECONDS, Math.min(MAX_DEPTH_MILLISECONDS, deadline.left));
  const limits = { maxMilliseconds, relativeGap: DEPTH_GAP };
  const { lower, upper } = measurePenetrationSync(a.model, b.model, poseA, poseB, limits);
  return { distance: 0, point, depth: { lower, upper } };
}

/** Why no path can arrive in time: a robot that is too slow for the straight way. Null if none is. */
export function explainHorizon(
  { robots }: CollisionScene,
  { limits, horizon }: TimedPart,
  start: Float64Array,
  goal: Float64Array,
): string | null {
  for (const [r, robot] of robots.entries()) {
    // Where no limit is given, no time is needed.
    const least = new SpeedLimits([robot], [limits[r]], 0).duration(start, goal);
    if (!(least > horizon * (1 + 1e-9))) continue;
    return `${robot.name} needs at least ${least} s at its speed, and the horizon is ${horizon} s`;
  }
  return null;
}

function nameOf({ robots, obstacles }: CollisionScene, { robot, index, link }: Body): string {
  if (robot < 0) return obstacles[index].name;
  const { name, links, isClock } = robots[robot];
  if (isClock) return links[link].name;
  return links.length > 1 ? `${links[link].name} of ${name}` : name;
}
