// From a point on the boundary of a union of convex sums down to the nearest one around it, exactly. The point slides to
// the point of least length among the half-spaces outside the facets met so far; each sum that it runs into on the way
// adds the facet that stopped it. It ends on a face, or on the crease of two or three sums. O(steps × planes).

import type { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import { doubled } from '../../core/grow-array.js';
import { findLeastPoint } from './least-point.js';

/** Rounding: sums are shrunk by this share of the sizes, so that sliding along a facet does not enter the sum. */
const SKIN = 1e-12;
/** Chosen: steps of a walk. A longer walk stops where it is, which is still a point of the boundary. */
const MAX_STEPS = 60;
/** Chosen: facets that may meet around a sliding point. With more the walk stops where it is. */
const MAX_FACETS = 16;

/** Rounding: two facets face each other if the product of their unit normals is below this. */
const OPPOSITE = -1 + 1e-9;
/** Chosen: the slope of a direction against a facet from which on it clearly leaves it. */
const CLEARLY_OUT = 0.05;
/**
 * Chosen: corrections of a direction that should leave all facets. A direction that leaves them clearly is found in
 * fewer.
 */
const MAX_TURNS = 200;

/** Supplies a walk with the sums that a segment may run into. */
export interface SegmentSums {
  readonly list: Int32Array;
  /** Fills the list with every sum that the segment from p to q may meet; returns their count. */
  gather(px: number, py: number, pz: number, qx: number, qy: number, qz: number): number;
}

/** Where a walk starts. */
export interface WalkStart {
  readonly point: ArrayLike<number>;
  /** The facet that the point is on; −1 for a point outside the union. */
  readonly facet: number;
  /** A point outside the union from which the start can be reached. */
  readonly free: Float64Array;
}

/** A walk with its memory. */
export class BoundaryWalk {
  /** Where the walk ended. */
  readonly point = new Float64Array(3);
  /** A unit direction that leads from there out of all sums. */
  readonly out = new Float64Array(3);
  steps = 0;
  /** Four numbers per facet met so far, as in the sums. */
  readonly #planes = new Float64Array(4 * MAX_FACETS);
  readonly #ids = new Int32Array(MAX_FACETS);
  #count = 0;
  readonly #target = new Float64Array(3);
  readonly #candidate = new Float64Array(3);
  #entry = -1;
  #facet = -1;
  #leaving = new Int32Array(64);

  /**
   * Walks from a point. Returns how far from the origin it ends, or Infinity as soon as it cannot end nearer than `bound`.
   */
  run(sums: MinkowskiSums, source: SegmentSums, start: WalkStart, size: number, bound = Infinity): number {
    const { facet, free } = start;
    const { point } = this;
    const skin = SKIN * size;
    for (let axis = 0; axis < 3; axis++) point[axis] = start.point[axis];
    this.#count = 0;
    this.steps = 0;
    if (facet >= 0) this.#hold(sums, facet);
    for (; this.steps < MAX_STEPS; this.steps++) {
      this.#findTarget(skin);
      const target = this.#target;
      if (target[0] * target[0] + target[1] * target[1] + target[2] * target[2] >= bound * bound) return Infinity;
      const dx = target[0] - point[0];
      const dy = target[1] - point[1];
      const dz = target[2] - point[2];
      if (dx * dx + dy * dy + dz * dz <= skin * skin) break;
      const count = source.gather(point[0], point[1], point[2], target[0], target[1], target[2]);
      const way = this.#findEntry(sums, source.list, count, dx, dy, dz, skin);
      point[0] += way * dx;
      point[1] += way * dy;
      point[2] += way * dz;
      if (this.#entry < 0 || this.#holds(this.#entry) || this.#count === MAX_FACETS) break;
      this.#hold(sums, this.#entry);
    }
    this.#findWayOut(sums, source, free, 4 * skin);
    return Math.sqrt(point[0] * point[0] + point[1] * point[1] + point[2] * point[2]);
  }

  /**
   * The end is on the boundary of some sums. The way out must leave one facet of each: the one that the free point is
   * farthest in front of. A perceptron finds a direction that leaves them all, starting with that of the free point.
   */
  #findWayOut(sums: MinkowskiSums, source: SegmentSums, free: Float64Array, tolerance: number): void {
    const { planes, planeStart } = sums;
    const { point, out } = this;
    const [x, y, z] = point;
    let [fx, fy, fz] = [free[0] - x, free[1] - y, free[2] - z];
    const length = Math.sqrt(fx * fx + fy * fy + fz * fz) || 1;
    fx /= length;
    fy /= length;
    fz /= length;
    const count = source.gather(x, y, z, x, y, z);
    const { list } = source;
    let leaves = 0;
    for (let i = 0; i < count; i++) {
      let facet = -1;
      let steepest = -Infinity;
      let outside = false;
      for (let p = planeStart[list[i]], end = planeStart[list[i] + 1]; p < end && !outside; p++) {
        const room = planes[4 * p + 3] - (planes[4 * p] * x + planes[4 * p + 1] * y + planes[4 * p + 2] * z);
        if (room > tolerance) continue;
        outside = room < -tolerance;
        const slope = planes[4 * p] * fx + planes[4 * p + 1] * fy + planes[4 * p + 2] * fz;
        if (slope <= steepest) continue;
        steepest = slope;
        facet = p;
      }
      if (outside || facet < 0) continue;
      if (leaves === this.#leaving.length) this.#leaving = doubled(this.#leaving);
      this.#leaving[leaves++] = facet;
    }
    for (let round = 0; round < MAX_TURNS; round++) {
      let lowest = CLEARLY_OUT;
      let facet = -1;
      for (let i = 0; i < leaves; i++) {
        const p = 4 * this.#leaving[i];
        const slope = planes[p] * fx + planes[p + 1] * fy + planes[p + 2] * fz;
        if (slope >= lowest) continue;
        lowest = slope;
        facet = p;
      }
      if (facet < 0) break;
      fx += planes[facet];
      fy += planes[facet + 1];
      fz += planes[facet + 2];
      const norm = Math.sqrt(fx * fx + fy * fy + fz * fz);
      // Two facets that face each other: nothing leads out of both.
      if (!(norm > 1e-9)) break;
      fx /= norm;
      fy /= norm;
      fz /= norm;
    }
    out[0] = fx;
    out[1] = fy;
    out[2] = fz;
  }

  #hold(sums: MinkowskiSums, facet: number): void {
    const i = this.#count++;
    this.#ids[i] = facet;
    for (let k = 0; k < 4; k++) this.#planes[4 * i + k] = sums.planes[4 * facet + k];
  }

  #holds(facet: number): boolean {
    for (let i = 0; i < this.#count; i++) if (this.#ids[i] === facet) return true;
    return false;
  }

  /** The share of the way before a sum is entered, 1 for all; sets the facet it is entered through. */
  #findEntry(
    sums: MinkowskiSums,
    list: Int32Array,
    end: number,
    dx: number,
    dy: number,
    dz: number,
    skin: number,
  ): number {
    const { spheres } = sums;
    const [x, y, z] = this.point;
    const squared = dx * dx + dy * dy + dz * dz;
    let first = 1;
    this.#entry = -1;
    for (let i = 0; i < end; i++) {
      const sum = list[i];
      const s = 4 * sum;
      const mx = spheres[s] - x;
      const my = spheres[s + 1] - y;
      const mz = spheres[s + 2] - z;
      const along = Math.min(1, Math.max(0, (mx * dx + my * dy + mz * dz) / squared));
      const ex = mx - along * dx;
      const ey = my - along * dy;
      const ez = mz - along * dz;
      if (ex * ex + ey * ey + ez * ez > spheres[s + 3] * spheres[s + 3]) continue;
      const near = this.#clip(sums, sum, dx, dy, dz, -skin, first);
      if (near < first) {
        first = Math.max(0, near);
        this.#entry = this.#facet;
        continue;
      }
      // Sums that are only touched are passed, unless they close a gap against a facet already met.
      const touch = this.#clip(sums, sum, dx, dy, dz, skin, first);
      if (touch < first && this.#faces(sums, sum, dx, dy, dz, skin)) {
        first = Math.max(0, touch);
        this.#entry = this.#facet;
      }
    }
    return first;
  }

  /** Where the way enters a sum with its facets moved outward by `shift`, Infinity if not before `end`; sets the facet. */
  #clip(
    { planes, planeStart }: MinkowskiSums,
    sum: number,
    dx: number,
    dy: number,
    dz: number,
    shift: number,
    end: number,
  ): number {
    const [x, y, z] = this.point;
    let near = -Infinity;
    let far = end;
    for (let p = planeStart[sum], last = planeStart[sum + 1]; p < last; p++) {
      const slope = planes[4 * p] * dx + planes[4 * p + 1] * dy + planes[4 * p + 2] * dz;
      const room = planes[4 * p + 3] + shift - (planes[4 * p] * x + planes[4 * p + 1] * y + planes[4 * p + 2] * z);
      if (slope > 0) {
        if (room < far * slope) far = room / slope;
      } else if (slope < 0) {
        const at = room / slope;
        if (at > near) {
          near = at;
          this.#facet = p;
        }
      } else if (room < 0) {
        return Infinity;
      }
      if (near >= far || far <= 0) return Infinity;
    }
    return near > -Infinity ? near : Infinity;
  }

  /** Whether the facet that keeps the way out of a touched sum faces one of the facets met. */
  #faces(
    { planes, planeStart }: MinkowskiSums,
    sum: number,
    dx: number,
    dy: number,
    dz: number,
    skin: number,
  ): boolean {
    const [x, y, z] = this.point;
    for (let p = planeStart[sum], last = planeStart[sum + 1]; p < last; p++) {
      const [nx, ny, nz] = [planes[4 * p], planes[4 * p + 1], planes[4 * p + 2]];
      const height = nx * x + ny * y + nz * z - planes[4 * p + 3];
      if (Math.min(height, height + nx * dx + ny * dy + nz * dz) < -skin) continue;
      for (let i = 0; i < 4 * this.#count; i += 4) {
        if (nx * this.#planes[i] + ny * this.#planes[i + 1] + nz * this.#planes[i + 2] < OPPOSITE) return true;
      }
    }
    return false;
  }

  /** The point of least length outside all facets met: on one, two or three of them. */
  #findTarget(skin: number): void {
    const n = this.#count;
    if (n === 0) {
      this.#target.fill(0);
      return;
    }
    let best = Infinity;
    for (let i = 0; i < n; i++) {
      for (let j = i; j < n; j++) {
        for (let k = j; k < n; k++) {
          if (j === i && k > j) continue;
          if (!findLeastPoint(this.#planes, i, j, k, this.#candidate)) continue;
          const c = this.#candidate;
          const squared = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
          if (squared >= best || !this.#isOutside(skin)) continue;
          best = squared;
          this.#target.set(c);
        }
      }
    }
    if (best === Infinity) this.#target.set(this.point);
  }

  #isOutside(skin: number): boolean {
    const [x, y, z] = this.#candidate;
    const planes = this.#planes;
    for (let i = 0; i < 4 * this.#count; i += 4) {
      if (planes[i] * x + planes[i + 1] * y + planes[i + 2] * z < planes[i + 3] - skin) return false;
    }
    return true;
  }
}
