// Rays from the origin through a union of convex sums: where each leaves it for good. A sum is an intersection of
// half-spaces, so a ray meets it in one interval; the front starts at 0 and moves to the end of any interval that holds
// it, until none does. If it leaves into a void, with one solid inside the other, it moves on to the next interval.

import type { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { InnerBalls } from './inner-balls.js';
import type { VoidTest } from './void-test.js';

/**
 * Rounding: intervals that meet within this share of the sizes are joined, because adjacent sums share facets up to
 * rounding.
 */
export const JOIN_TOLERANCE = 1e-12;
/**
 * Chosen: voids are tested this share of the sizes beyond the exit, where surfaces no longer touch; in narrower voids
 * halfway.
 */
const VOID_STEP = 1e-9;

/** Chosen: sums traced between two looks at the signal: a fraction of a millisecond. */
const SUMS_BETWEEN = 2048;

/** The union of sums, with working memory for its rays. */
export class UnionRays {
  /** The facet (an index into the planes) through which the last traced ray left; −1 if it left nothing. */
  lastFacet = -1;
  /** A point beyond that exit that is outside the union. */
  readonly free = new Float64Array(3);
  /** Rays traced. */
  rays = 0;
  #near = new Float64Array(64);
  #far = new Float64Array(64);
  #facets = new Int32Array(64);
  /** The facet that ended the last interval. */
  #facet = -1;
  #nearEnd = 0;

  /**
   * @param voids the test for voids, or null where none is possible.
   * @param balls fills voids for cells of rays, or null.
   * @param size the unit of relative lengths.
   */
  constructor(
    readonly sums: MinkowskiSums,
    readonly voids: VoidTest | null,
    readonly balls: InnerBalls | null,
    readonly size: number,
    /** Its signal is asked while many sums are searched. */
    readonly progress?: ProgressOptions,
  ) {}

  /**
   * How many times the direction the ray reaches before it leaves the union: Infinity if no sum in the list ends it,
   * and not exact beyond `bound`. The list holds every sum that the ray meets up to the bound.
   */
  trace(list: Int32Array, start: number, end: number, dx: number, dy: number, dz: number, bound: number): number {
    this.rays++;
    const count = this.#collect(list, start, end, dx, dy, dz, bound);
    const near = this.#near;
    const far = this.#far;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const join = (JOIN_TOLERANCE * this.size) / length;
    let front = 0;
    let last = -1;
    // Each round moves the front beyond the end of an interval, so there are no more rounds than intervals.
    for (;;) {
      let moved = true;
      while (moved) {
        moved = false;
        for (let i = 0; i < count; i++) {
          if (far[i] > front && near[i] <= front + join) {
            front = far[i];
            last = i;
            moved = true;
          }
        }
        if (front >= bound) break;
      }
      this.lastFacet = last < 0 ? -1 : this.#facets[last];
      if (front >= bound) return front;
      let next = Infinity;
      for (let i = 0; i < count; i++) if (far[i] > front && near[i] < next) next = near[i];
      // Halfway to the next sum, if that is nearer than another bound away.
      const between = Math.min(0.5 * (front + next), front + 0.1 * bound, front + this.size);
      this.free[0] = between * dx;
      this.free[1] = between * dy;
      this.free[2] = between * dz;
      if (this.voids === null) return front;
      const step = Math.min(front + (VOID_STEP * this.size) / length, 0.5 * (front + next));
      // The class CONTAINED is not enough: the facet may lie in the plane of a face of the surface.
      if (!this.voids.isVoid(step * dx, step * dy, step * dz)) return front;
      if (next === Infinity) return Infinity;
      front = Math.max(front, next);
      last = -1;
    }
  }

  #collect(list: Int32Array, start: number, end: number, dx: number, dy: number, dz: number, bound: number): number {
    if (this.#near.length < end - start) this.#grow(end - start);
    const { spheres } = this.sums;
    const squared = dx * dx + dy * dy + dz * dz;
    let count = 0;
    for (let i = start; i < end; i++) {
      const sum = list[i];
      if ((i - start) % SUMS_BETWEEN === SUMS_BETWEEN - 1) reportProgress(this.progress, 0, 'rays');
      const s = 4 * sum;
      const along = spheres[s] * dx + spheres[s + 1] * dy + spheres[s + 2] * dz;
      const reach = spheres[s + 3];
      const away =
        spheres[s] * spheres[s] + spheres[s + 1] * spheres[s + 1] + spheres[s + 2] * spheres[s + 2] - reach * reach;
      // The ray misses the ball around the sum.
      if (away > 0 && (along < 0 || along * along < away * squared)) continue;
      const far = this.#clip(sum, dx, dy, dz);
      if (far < 0 || this.#nearEnd > bound) continue;
      this.#near[count] = this.#nearEnd;
      this.#far[count] = far;
      this.#facets[count++] = this.#facet;
    }
    return count;
  }

  /** Where the ray leaves a sum, −1 if it misses it; sets where it enters and the facet it leaves through. */
  #clip(sum: number, dx: number, dy: number, dz: number): number {
    const { planes, planeStart } = this.sums;
    let near = 0;
    let far = Infinity;
    let facet = -1;
    for (let p = planeStart[sum], end = planeStart[sum + 1]; p < end; p++) {
      const slope = planes[4 * p] * dx + planes[4 * p + 1] * dy + planes[4 * p + 2] * dz;
      const offset = planes[4 * p + 3];
      if (slope > 0) {
        if (offset < far * slope) {
          far = offset / slope;
          if (far < near) return -1;
          facet = p;
        }
      } else if (offset < near * slope) {
        if (slope === 0) return -1;
        near = offset / slope;
        if (near > far) return -1;
      }
    }
    this.#nearEnd = near;
    this.#facet = facet;
    return far;
  }

  #grow(size: number): void {
    const length = Math.max(size, 2 * this.#near.length);
    this.#near = new Float64Array(length);
    this.#far = new Float64Array(length);
    this.#facets = new Int32Array(length);
  }
}
