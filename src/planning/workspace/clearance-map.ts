// How far a point of space is from the obstacles at rest, and in which direction: negative inside of solids.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Obstacle } from '../validity/obstacle.js';

export class ClearanceMap {
  queries = 0;
  readonly #obstacles: readonly { readonly obstacle: Obstacle; readonly inverse: pose.Pose }[];
  readonly #local: Vec3 = [0, 0, 0];

  constructor(obstacles: readonly Obstacle[]) {
    this.#obstacles = obstacles.map((obstacle) => ({ obstacle, inverse: pose.invert(obstacle.pose) }));
  }

  /** To be called after an obstacle has been moved. */
  update(index: number): void {
    const { obstacle, inverse } = this.#obstacles[index];
    pose.invert(obstacle.pose, inverse);
  }

  /** The signed distance; Infinity where there are no obstacles. */
  at(point: Vec3): number {
    let least = Infinity;
    for (const { obstacle, inverse } of this.#obstacles) {
      const { center, radius } = obstacle.model;
      const p = pose.transformPoint(inverse, point, this.#local);
      const far = Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]) - radius;
      if (far > least) continue;
      this.queries++;
      least = Math.min(least, obstacle.model.signedDistance(p));
    }
    return least;
  }

  /** Writes the slope of the clearance, by differences over a step. */
  slope(point: Vec3, step: number, out: Vec3): void {
    const at: Vec3 = [...point];
    for (let k = 0; k < 3; k++) {
      at[k] = point[k] + step;
      const above = this.at(at);
      at[k] = point[k] - step;
      out[k] = (above - this.at(at)) / (2 * step);
      at[k] = point[k];
    }
  }
}
