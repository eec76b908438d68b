// From an exit that the GPU found in single precision to the nearest boundary point around it in double precision: only
// the sums around the exit are made, the facet that the ray leaves through is found again, and the walk starts there.

import type { Separation } from '../separation.js';
import { BoundaryWalk } from '../union/boundary-walk.js';
import { writeDirection } from '../union/cube-views.js';
import { offerExit } from '../union/probe-rays.js';
import type { UnionRays } from '../union/union-rays.js';
import type { CloseSums } from './close-sums-gpu.js';

/**
 * Chosen: the ray is followed from this much before the exit, as a share of the two models' radii.
 */
const BEFORE = 1e-4;
/**
 * Chosen: the ray is followed up to this share of the best beyond the exit. How much room is there tells which way
 * leads out.
 */
const BEYOND = 0.1;
/** Rounding: intervals that meet within this share of their ends are joined, as on the GPU: see ray-exits.wgsl. */
const JOIN = 4e-6;

/** What exits of one pair of solids are offered to. */
export interface ExitOffers {
  readonly close: CloseSums;
  readonly union: UnionRays;
  readonly separation: Separation;
  /** The unit of the GPU's distances. */
  readonly unit: number;
}

/** A finish with its memory. */
export class ExitFinish {
  readonly #walk = new BoundaryWalk();
  readonly #direction = new Float64Array(3);
  #near = new Float64Array(64);
  #far = new Float64Array(64);
  #facets = new Int32Array(64);

  /**
   * Offers the boundary around an exit, `exit` along the ray through a point of a view's screen.
   * @returns Whether there was a boundary there.
   */
  offer({ close, union, separation, unit }: ExitOffers, view: number, x: number, y: number, exit: number): boolean {
    const d = this.#direction;
    writeDirection(d, view, x, y);
    const length = Math.hypot(d[0], d[1], d[2]);
    for (let axis = 0; axis < 3; axis++) d[axis] /= length;
    const begin = Math.max(0, exit - BEFORE * unit);
    const end = exit + BEFORE * unit + BEYOND * separation.distance;
    close.limit = Infinity;
    const count = this.#clip(close, begin, end);
    const join = JOIN * unit;
    let front = begin;
    let last = -1;
    for (let moved = true; moved; ) {
      moved = false;
      for (let i = 0; i < count; i++) {
        if (!(this.#far[i] > front && this.#near[i] <= front + join)) continue;
        front = this.#far[i];
        last = i;
        moved = true;
      }
    }
    if (last < 0 || front >= end) return false;
    let next = Infinity;
    for (let i = 0; i < count; i++) if (this.#far[i] > front) next = Math.min(next, this.#near[i]);
    const between = Math.min(0.5 * (front + next), end);
    union.lastFacet = this.#facets[last];
    for (let axis = 0; axis < 3; axis++) union.free[axis] = between * d[axis];
    close.limit = Math.min(front, separation.distance);
    offerExit(union, close, this.#walk, separation, front, [d[0], d[1], d[2]]);
    return true;
  }

  /** The intervals in which the ray is inside the sums that it meets from begin to end. */
  #clip(close: CloseSums, begin: number, end: number): number {
    const [x, y, z] = this.#direction;
    const met = close.gather(begin * x, begin * y, begin * z, end * x, end * y, end * z);
    const { planes, planeStart } = close.leaves.sums;
    if (met > this.#near.length) {
      this.#near = new Float64Array(2 * met);
      this.#far = new Float64Array(2 * met);
      this.#facets = new Int32Array(2 * met);
    }
    let count = 0;
    for (let i = 0; i < met; i++) {
      const sum = close.list[i];
      let near = -Infinity;
      let far = Infinity;
      let facet = -1;
      for (let p = planeStart[sum]; p < planeStart[sum + 1] && near <= far; p++) {
        const slope = planes[4 * p] * x + planes[4 * p + 1] * y + planes[4 * p + 2] * z;
        const offset = planes[4 * p + 3];
        if (slope > 0) {
          if (offset < far * slope) {
            far = offset / slope;
            facet = p;
          }
        } else if (slope < 0) {
          if (offset < near * slope) near = offset / slope;
        } else if (offset < 0) {
          near = Infinity;
        }
      }
      if (near > far || facet < 0) continue;
      this.#near[count] = near;
      this.#far[count] = far;
      this.#facets[count++] = facet;
    }
    return count;
  }
}
