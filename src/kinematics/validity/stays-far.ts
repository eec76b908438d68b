// A quick test by balls: most links are far from most obstacles, and need no exact query.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DISTANCE_ROUNDING } from './distance-rounding.js';
import type { Obstacle } from './obstacle.js';

/**
 * Whether a link whose origin goes straight from pose i of one array to that of another stays farther than a limit from an
 * obstacle at rest, whichever way it turns. False if balls do not tell.
 */
export function staysFar(
  link: ProximityModel,
  from: Float64Array,
  to: Float64Array,
  i: number,
  { model, pose: placed }: Obstacle,
  limit: number,
): boolean {
  const at = 7 * i;
  const middle: Vec3 = pose.transformPoint(placed, model.center);
  const reach = Math.hypot(link.center[0], link.center[1], link.center[2]) + link.radius;
  const [dx, dy, dz] = [to[at] - from[at], to[at + 1] - from[at + 1], to[at + 2] - from[at + 2]];
  const [x, y, z] = [middle[0] - from[at], middle[1] - from[at + 1], middle[2] - from[at + 2]];
  const squared = dx * dx + dy * dy + dz * dz;
  const t = squared > 0 ? Math.min(1, Math.max(0, (x * dx + y * dy + z * dz) / squared)) : 0;
  const gap = Math.hypot(x - t * dx, y - t * dy, z - t * dz) - reach - model.radius;
  const slack =
    DISTANCE_ROUNDING * (Math.abs(middle[0]) + Math.abs(middle[1]) + Math.abs(middle[2]) + reach + model.radius);
  return gap - slack > limit;
}
