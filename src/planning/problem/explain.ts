// Why a problem has no answer other than its status, in words.
import { SpeedLimits } from '../../kinematics/robot/speed-limits.js';
import type { CollisionScene } from '../../kinematics/validity/collision-scene.js';
import type { Body } from '../../kinematics/validity/watched-pairs.js';
import type { TimedPart } from '../time/plan-in-time.js';

/** Why a configuration is not free: what touches what, or is out of bounds. The scene has just found it so. */
export function explainCollision(scene: CollisionScene, q: Float64Array): string {
  const outside = scene.robots.find((robot) => !robot.isAllowed(q));
  if (outside !== undefined) return `${outside.name} ${outside.fault}`;
  const { touching, clearance } = scene;
  if (touching === null) return 'something is too near';
  const names = [touching.a, touching.b].map((body) => nameOf(scene, body)).join(' and ');
  return clearance > 0 ? `${names} are nearer than the clearance of ${clearance}` : `${names} touch`;
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
