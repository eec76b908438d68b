// How far a point of space is from the obstacles at rest, and in which direction: negative inside of solids. Which side a
// point is on is known without a test where it lies in the ball around a free one that no surface enters.
import * as pose from '../../core/pose.js';
import type { Vec3 } from '../../core/vec3.js';
import type { Obstacle } from '../../kinematics/validity/obstacle.js';
import { POINT_QUERY } from '../../proximity/model-parts.js';

/** Chosen: the count of free balls that are kept, the latest ones: points are mostly asked for near others. */
const BALLS = 8;

/** Rounding: balls count as smaller by this share. */
const RADIUS_ROUNDING = 1e-9;

export class ClearanceMap {
  queries = 0;
  readonly #obstacles: readonly { readonly obstacle: Obstacle; readonly inverse: pose.Pose }[];
  readonly #local: Vec3 = [0, 0, 0];
  readonly #foot: Vec3 = [0, 0, 0];
  /** Centers and squared radii. */
  readonly #balls = new Float64Array(4 * BALLS);
  #nextBall = 0;

  constructor(obstacles: readonly Obstacle[]) {
    this.#obstacles = obstacles.map((obstacle) => ({ obstacle, inverse: pose.invert(obstacle.pose) }));
  }

  /** To be called after an obstacle has been moved. */
  update(index: number): void {
    const { obstacle, inverse } = this.#obstacles[index];
    pose.invert(obstacle.pose, inverse);
    this.#balls.fill(0);
  }

  /**
   * The signed distance; Infinity where there are no obstacles.
   * @param isFree whether the point is known to be in no obstacle.
   */
  at(point: Vec3, isFree = this.#isInBall(point)): number {
    return this.#find(point, isFree, null);
  }

  /** Writes the direction in which the clearance grows, of unit length, and returns the clearance; zero on a surface. */
  slope(point: Vec3, out: Vec3): number {
    return this.#find(point, this.#isInBall(point), out);
  }

  /** The distance to the nearest surface, inside of solids too, and in `foot` its nearest point; Infinity without obstacles. */
  nearest(point: Readonly<Vec3>, foot: Vec3): number {
    let least = Infinity;
    for (const { obstacle, inverse } of this.#obstacles) {
      this.queries++;
      const p = pose.transformPoint(inverse, point, this.#local);
      const distance = obstacle.model.parts.get(POINT_QUERY).nearest(p, least, this.#foot);
      if (!(distance < least)) continue;
      least = distance;
      pose.transformPoint(obstacle.pose, this.#foot, foot);
    }
    return least;
  }

  /** Whether a point is inside of a solid. */
  isInside(point: Readonly<Vec3>): boolean {
    for (const { obstacle, inverse } of this.#obstacles) {
      const { boxMin: min, boxMax: max } = obstacle.model;
      const [x, y, z] = pose.transformPoint(inverse, point, this.#local);
      const isOut = x < min[0] || y < min[1] || z < min[2] || x > max[0] || y > max[1] || z > max[2];
      if (isOut) continue;
      this.queries++;
      if (obstacle.model.isInside(this.#local)) return true;
    }
    return false;
  }

  #find(point: Vec3, isFree: boolean, slope: Vec3 | null): number {
    let least = Infinity;
    for (const { obstacle, inverse } of this.#obstacles) {
      const { center, radius, closed, parts } = obstacle.model;
      const p = pose.transformPoint(inverse, point, this.#local);
      const far = Math.hypot(p[0] - center[0], p[1] - center[1], p[2] - center[2]) - radius;
      if (far > least) continue;
      this.queries++;
      const query = parts.get(POINT_QUERY);
      // What is inside of one solid may be far from the surface of another: only without solids around the least is enough.
      const distance = query.nearest(p, isFree ? least : Infinity, this.#foot);
      const isInside = !isFree && closed && distance > 0 && query.isInside(p);
      const signed = isInside ? -distance : distance;
      if (!(signed < least)) continue;
      least = signed;
      if (slope === null) continue;
      const scale = signed === 0 ? 0 : 1 / signed;
      const [x, y, z] = this.#foot;
      const away: Vec3 = [(p[0] - x) * scale, (p[1] - y) * scale, (p[2] - z) * scale];
      pose.transformVector(obstacle.pose, away, slope);
    }
    if (least > 0 && least < Infinity) this.#keepBall(point, least);
    return least;
  }

  #isInBall(point: Vec3): boolean {
    const balls = this.#balls;
    for (let i = 0; i < 4 * BALLS; i += 4) {
      const [x, y, z] = [point[0] - balls[i], point[1] - balls[i + 1], point[2] - balls[i + 2]];
      if (x * x + y * y + z * z < balls[i + 3]) return true;
    }
    return false;
  }

  #keepBall(point: Vec3, radius: number): void {
    const at = 4 * this.#nextBall;
    this.#nextBall = (this.#nextBall + 1) % BALLS;
    this.#balls.set(point, at);
    this.#balls[at + 3] = ((1 - RADIUS_ROUNDING) * radius) ** 2;
  }
}
