// Boxes around obstacles, and how far boxes are apart.
import type { Box } from '../../core/box.js';
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Obstacle } from './obstacle.js';

/** The box around the box of an obstacle where it is. */
export function boxOfObstacle({ model, pose: placed }: Obstacle): Box {
  const { boxMin, boxMax } = model;
  const min: Vec3 = [Infinity, Infinity, Infinity];
  const max: Vec3 = [-Infinity, -Infinity, -Infinity];
  const corner: Vec3 = [0, 0, 0];
  for (let i = 0; i < 8; i++) {
    for (let k = 0; k < 3; k++) corner[k] = (i >> k) & 1 ? boxMax[k] : boxMin[k];
    const p = pose.transformPoint(placed, corner);
    for (let k = 0; k < 3; k++) {
      min[k] = Math.min(min[k], p[k]);
      max[k] = Math.max(max[k], p[k]);
    }
  }
  return { min, max };
}

/** A lower bound on the distance of two boxes; 0 if they overlap. */
export function gapBetween(a: Readonly<Box>, b: Readonly<Box>): number {
  let squared = 0;
  for (let k = 0; k < 3; k++) squared += Math.max(0, a.min[k] - b.max[k], b.min[k] - a.max[k]) ** 2;
  return Math.sqrt(squared);
}
