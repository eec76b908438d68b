// Balls around links at some places of an edge: most links stay far from most others and from most obstacles, and need no exact
// query. Between two places the middle of a ball is off the straight way by at most h²/8 times its largest acceleration.

import { addRotated } from '../../core/turns.js';
import type { ProximityModel } from '../../proximity/proximity-model.js';
import { DISTANCE_ROUNDING } from './distance-rounding.js';
import type { Obstacle } from './obstacle.js';

export class LinkBalls {
  readonly #models: readonly ProximityModel[];
  /** By place: the middles of all balls. */
  readonly #middles: readonly Float64Array[];
  /** By link: the largest distance of the middle from the straight way from one place to the next. */
  readonly #off: Float64Array;
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);

  constructor(models: readonly ProximityModel[], places: number) {
    this.#models = models;
    this.#middles = Array.from({ length: places }, () => new Float64Array(3 * models.length));
    this.#off = new Float64Array(models.length);
  }

  /** Takes the poses of all links at a place, seven numbers each. */
  place(at: number, poses: Float64Array): void {
    const middles = this.#middles[at];
    for (let i = 0; i < this.#models.length; i++) {
      const { center } = this.#models[i];
      const p = 7 * i;
      for (let k = 0; k < 3; k++) middles[3 * i + k] = poses[p + k];
      const [x, y, z, w] = [poses[p + 3], poses[p + 4], poses[p + 5], poses[p + 6]];
      addRotated(x, y, z, w, center[0], center[1], center[2], middles, 3 * i);
    }
  }

  /**
   * @param bend the largest acceleration of a point of a link, in a unit of time for the way from one place to the next.
   * @param radius the largest distance of one of these points from the link's origin.
   */
  setBend(link: number, bend: number, radius: number): void {
    const { center } = this.#models[link];
    // The middle may be farther out than every point.
    const farther = Math.max(1, Math.hypot(center[0], center[1], center[2]) / radius);
    this.#off[link] = (bend * farther) / 8;
  }

  /** Whether two links stay farther apart than a limit from one place to the next; the places may be the same. */
  areApart(i: number, k: number, limit: number, from: number, to: number): boolean {
    const [a, b] = [this.#middles[from], this.#middles[to]];
    const off = from === to ? 0 : this.#off[i] + this.#off[k];
    const wanted = limit + this.#models[i].radius + this.#models[k].radius + off;
    const [p, q] = [3 * i, 3 * k];
    const [x, y, z] = [a[q] - a[p], a[q + 1] - a[p + 1], a[q + 2] - a[p + 2]];
    const [dx, dy, dz] = [b[q] - b[p] - x, b[q + 1] - b[p + 1] - y, b[q + 2] - b[p + 2] - z];
    const squared = dx * dx + dy * dy + dz * dz;
    const t = squared > 0 ? Math.min(1, Math.max(0, -(x * dx + y * dy + z * dz) / squared)) : 0;
    const [gx, gy, gz] = [x + t * dx, y + t * dy, z + t * dz];
    const size = Math.abs(a[p]) + Math.abs(a[p + 1]) + Math.abs(a[p + 2]) + Math.abs(x) + Math.abs(y) + Math.abs(z);
    const least = wanted + DISTANCE_ROUNDING * (size + wanted);
    return gx * gx + gy * gy + gz * gz > least * least;
  }

  /** Whether a link stays farther from the box of an obstacle than a limit from one place to the next. */
  isClear(i: number, obstacle: Obstacle, limit: number, from: number, to: number): boolean {
    const [a, b] = [this.#from, this.#to];
    const { boxMin, boxMax } = obstacle.model;
    const size = this.#toObstacle(i, from, obstacle, a);
    if (from === to) b.set(a);
    else this.#toObstacle(i, to, obstacle, b);
    let squared = 0;
    for (let k = 0; k < 3; k++) {
      const gap = Math.max(0, boxMin[k] - Math.max(a[k], b[k]), Math.min(a[k], b[k]) - boxMax[k]);
      squared += gap * gap;
    }
    const wanted = limit + this.#models[i].radius + (from === to ? 0 : this.#off[i]);
    const least = wanted + DISTANCE_ROUNDING * (size + wanted);
    return squared > least * least;
  }

  /** Writes the middle of a ball in the frame of an obstacle; returns the size of the numbers. */
  #toObstacle(i: number, at: number, { pose: p }: Obstacle, out: Float64Array): number {
    const middles = this.#middles[at];
    const [x, y, z] = [middles[3 * i], middles[3 * i + 1], middles[3 * i + 2]];
    out.fill(0);
    addRotated(-p[3], -p[4], -p[5], p[6], x - p[0], y - p[1], z - p[2], out, 0);
    return Math.abs(x) + Math.abs(y) + Math.abs(z) + Math.abs(p[0]) + Math.abs(p[1]) + Math.abs(p[2]);
  }
}
