// A lower bound on how far a union of convex sums reaches along every ray of a cell: a rectangle of directions on a
// side of the cube around the origin. A chain of sums is followed along the four corner rays. A sum that contains the
// four points where the chain ended so far contains their convex hull, which every ray of the cell crosses; the chain
// goes on to where the corner rays leave it. All rays are covered up to the hull of the last points. Rounded down.
import type { MinkowskiSums } from '../../convex/minkowski/minkowski-sums.js';
import { reportProgress } from '../../core/progress.js';
import { CUBE_AXES } from '../union/cube-views.js';
import type { UnionRays } from '../union/union-rays.js';

/**
 * Rounding: sums are shrunk by this share of the sizes. Their planes are exact to 4e-15 of the coordinates in all
 * tests, and to 2e-13 where a facet's normal comes from the thinnest triangle allowed to give one; the points of a
 * chain are off by a few roundings.
 */
const SHRINK = 1e-12;
/** Rounding: cells narrower than this, on a cube's side of width 2, are not split: their corners coincide. */
export const MIN_CELL_WIDTH = 2 ** -40;
/** Rounding: reaches are reduced by this share. */
const REACH_ROUNDING = 1e-14;
/**
 * Chosen: a ball must advance the chain by this share of the wanted reach. With less gain, splitting the cell does
 * better.
 */
const BALL_GAIN = 1 / 64;

/**
 * Chosen: the work of a search, in planes clipped: some seconds. Only large models of many small pieces nearly on top
 * of each other reach it; their interval is then wider, and the status says so.
 */
export const MAX_WORK = 4e8;

/** Chosen: sums looked at between two looks at the signal: a fraction of a millisecond. */
const SUMS_BETWEEN = 1024;

/** A rectangle on a side of the cube around the origin, whose coordinates go from −1 to 1. */
export interface CubeCell {
  readonly view: number;
  readonly left: number;
  readonly right: number;
  readonly bottom: number;
  readonly top: number;
}

/** A cover of one union at a time, with its memory. */
export class CellCover {
  /** Lists of sums, one after the other. The last call of {@link cover} kept those from `kept` to before `listEnd`. */
  lists = new Int32Array(4096);
  listEnd = 0;
  kept = 0;
  /** Planes that corner rays were clipped by since {@link begin}: the cost. */
  work = 0;
  #union!: UnionRays;
  #distances: Float64Array = new Float64Array(0);
  #shrink = 0;
  /** Four per sum: where each corner ray enters and leaves it. */
  #near = new Float64Array(256);
  #far = new Float64Array(256);
  /** Corner directions of the cell, three numbers each, and how much of each corner ray the chain covers so far. */
  readonly #corners = new Float64Array(12);
  readonly #front = new Float64Array(4);
  readonly #reached = new Float64Array(4);

  /** Starts with a union and lists the sums within the bound. `distances`: lower bounds on those from the origin to each sum. */
  begin(union: UnionRays, distances: Float64Array, bound: number): void {
    this.#union = union;
    this.#distances = distances;
    this.#shrink = SHRINK * union.size;
    this.work = 0;
    this.kept = 0;
    this.listEnd = 0;
    this.#reserve(union.sums.count);
    for (let i = 0; i < union.sums.count; i++) {
      if (distances[i] <= bound && distances[i] < Infinity) this.lists[this.listEnd++] = i;
    }
  }

  /**
   * A lower bound on how far every ray of a cell is covered; the search ends at `wanted`. The list from `start` to
   * `end` holds all sums that the cell meets within `bound`. Unless `wanted` is reached, the sums still relevant are
   * appended to the lists, those of the chain first. Sums share the terms of the cell, so that all of them are locals
   * of one function.
   */
  cover(cell: CubeCell, start: number, end: number, bound: number, wanted: number): number {
    const { view, left, right, bottom, top } = cell;
    const { sums } = this.#union;
    const distances = this.#distances;
    this.#setCorners(cell);
    this.#reserve(end - start);
    this.kept = this.listEnd;
    const { lists } = this;
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    // Sides of the cell's pyramid, for balls around sums.
    const sideLeft = 1 / Math.sqrt(1 + left * left);
    const sideRight = 1 / Math.sqrt(1 + right * right);
    const sideTop = 1 / Math.sqrt(1 + top * top);
    const sideBottom = 1 / Math.sqrt(1 + bottom * bottom);
    const { spheres } = sums;
    this.#front.fill(0);
    let reach = 0;
    let whole = 0;
    let linked = 0;
    for (let i = start; i < end; i++) {
      const sum = lists[i];
      if ((i - start) % SUMS_BETWEEN === SUMS_BETWEEN - 1) reportProgress(this.#union.progress, 0, 'cells');
      if (distances[sum] > bound) continue;
      const s = 4 * sum;
      const mx = spheres[s];
      const my = spheres[s + 1];
      const mz = spheres[s + 2];
      const r = spheres[s + 3];
      const forward = fx * mx + fy * my + fz * mz;
      const across = rx * mx + ry * my + rz * mz;
      const up = ux * mx + uy * my + uz * mz;
      if ((left * forward - across) * sideLeft > r || (across - right * forward) * sideRight > r) continue;
      if ((bottom * forward - up) * sideBottom > r || (up - top * forward) * sideTop > r) continue;
      this.work += sums.planeStart[sum + 1] - sums.planeStart[sum];
      const hits = this.#clipCorners(sums, sum, whole);
      if (hits < 0) continue;
      lists[this.listEnd++] = sum;
      if (hits < 4) continue;
      // The list begins with the chain that covered most of the parent cell: it often covers this one.
      if (this.#link(4 * whole)) {
        reach = Math.max(reach, this.#span());
        if (reach >= wanted) {
          this.listEnd = this.kept;
          return reach;
        }
        lists[this.listEnd - 1] = lists[this.kept + linked];
        lists[this.kept + linked++] = sum;
      }
      whole++;
    }
    reach = Math.max(reach, this.#followChain(whole, wanted));
    if (reach >= wanted) this.listEnd = this.kept;
    return reach;
  }

  /** Appends a list kept elsewhere. */
  appendList(list: Int32Array): void {
    this.#reserve(list.length);
    this.lists.set(list, this.listEnd);
    this.listEnd += list.length;
  }

  /** Removes the lists that were appended after a place. */
  dropLists(end: number): void {
    this.listEnd = end;
  }

  #reserve(more: number): void {
    if (this.listEnd + more > this.lists.length) {
      const larger = new Int32Array(2 * (this.listEnd + more));
      larger.set(this.lists);
      this.lists = larger;
    }
    if (4 * more > this.#near.length) {
      this.#near = new Float64Array(8 * more);
      this.#far = new Float64Array(8 * more);
    }
  }

  #setCorners({ view, left, right, bottom, top }: CubeCell): void {
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    const d = this.#corners;
    for (let corner = 0; corner < 4; corner++) {
      const x = corner & 1 ? right : left;
      const y = corner & 2 ? top : bottom;
      d[3 * corner] = fx + x * rx + y * ux;
      d[3 * corner + 1] = fy + x * ry + y * uy;
      d[3 * corner + 2] = fz + x * rz + y * uz;
    }
  }

  /** Clips the corner rays by a sum. Returns −1 if the cell is outside it, else the count of corner rays that meet it. */
  #clipCorners(sums: MinkowskiSums, sum: number, slot: number): number {
    const { planes, planeStart } = sums;
    const d = this.#corners;
    const shrink = this.#shrink;
    let n0 = 0;
    let n1 = 0;
    let n2 = 0;
    let n3 = 0;
    let f0 = Infinity;
    let f1 = Infinity;
    let f2 = Infinity;
    let f3 = Infinity;
    for (let p = 4 * planeStart[sum], end = 4 * planeStart[sum + 1]; p < end; p += 4) {
      const nx = planes[p];
      const ny = planes[p + 1];
      const nz = planes[p + 2];
      const offset = planes[p + 3] - shrink;
      const s0 = nx * d[0] + ny * d[1] + nz * d[2];
      const s1 = nx * d[3] + ny * d[4] + nz * d[5];
      const s2 = nx * d[6] + ny * d[7] + nz * d[8];
      const s3 = nx * d[9] + ny * d[10] + nz * d[11];
      if (offset < 0) {
        // The whole cell is outside even without shrinking: the sum is irrelevant to all parts of the cell too.
        if (s0 >= 0 && s1 >= 0 && s2 >= 0 && s3 >= 0 && offset < -2 * shrink) return -1;
        if (s0 < 0) {
          if (offset < n0 * s0) n0 = offset / s0;
        } else f0 = -1;
        if (s1 < 0) {
          if (offset < n1 * s1) n1 = offset / s1;
        } else f1 = -1;
        if (s2 < 0) {
          if (offset < n2 * s2) n2 = offset / s2;
        } else f2 = -1;
        if (s3 < 0) {
          if (offset < n3 * s3) n3 = offset / s3;
        } else f3 = -1;
      } else {
        if (s0 > 0 && offset < f0 * s0) f0 = offset / s0;
        if (s1 > 0 && offset < f1 * s1) f1 = offset / s1;
        if (s2 > 0 && offset < f2 * s2) f2 = offset / s2;
        if (s3 > 0 && offset < f3 * s3) f3 = offset / s3;
      }
    }
    const at = 4 * slot;
    this.#near[at] = n0;
    this.#near[at + 1] = n1;
    this.#near[at + 2] = n2;
    this.#near[at + 3] = n3;
    this.#far[at] = f0;
    this.#far[at + 1] = f1;
    this.#far[at + 2] = f2;
    this.#far[at + 3] = f3;
    return (n0 <= f0 ? 1 : 0) + (n1 <= f1 ? 1 : 0) + (n2 <= f2 ? 1 : 0) + (n3 <= f3 ? 1 : 0);
  }

  #holdsFront(at: number): boolean {
    const near = this.#near;
    const far = this.#far;
    const front = this.#front;
    for (let k = 0; k < 4; k++) if (near[at + k] > front[k] || far[at + k] < front[k]) return false;
    return true;
  }

  /** Moves the front to where a clipped sum ends, if the sum contains the whole front and advances its nearest part. */
  #link(at: number): boolean {
    if (!this.#holdsFront(at)) return false;
    const far = this.#far;
    const front = this.#front;
    const least = Math.min(far[at], far[at + 1], far[at + 2], far[at + 3]);
    if (!(least > Math.min(front[0], front[1], front[2], front[3]))) return false;
    for (let k = 0; k < 4; k++) front[k] = far[at + k];
    return true;
  }

  /** Follows the chain from the origin, each time by the sum that reaches farthest; returns how far it gets. */
  #followChain(count: number, wanted: number): number {
    const far = this.#far;
    const front = this.#front;
    let reach = 0;
    front.fill(0);
    // The front's nearest part advances with every link: each sum is used once, and balls gain a share of `wanted`.
    for (;;) {
      let best = -1;
      let farthest = 0;
      for (let i = 0; i < 4 * count; i += 4) {
        const least = Math.min(far[i], far[i + 1], far[i + 2], far[i + 3]);
        if (least > farthest && this.#holdsFront(i)) {
          farthest = least;
          best = i;
        }
      }
      const moved = (best >= 0 && this.#link(best)) || this.#linkBall(wanted);
      if (!moved) return reach;
      reach = Math.max(reach, this.#span());
      if (reach >= wanted) return reach;
    }
  }

  /** As {@link #link}, by a ball around the front's middle in which the solids surely overlap: no sum spans voids. */
  #linkBall(wanted: number): boolean {
    const { balls } = this.#union;
    if (balls === null) return false;
    const d = this.#corners;
    const front = this.#front;
    let [x, y, z] = [0, 0, 0];
    for (let k = 0; k < 4; k++) {
      x += (front[k] * d[3 * k]) / 4;
      y += (front[k] * d[3 * k + 1]) / 4;
      z += (front[k] * d[3 * k + 2]) / 4;
    }
    const radius = balls.radiusAt(x, y, z) - this.#shrink;
    if (!(radius > 0)) return false;
    let least = Infinity;
    for (let k = 0; k < 4; k++) {
      const [dx, dy, dz] = [d[3 * k], d[3 * k + 1], d[3 * k + 2]];
      const [ex, ey, ez] = [front[k] * dx - x, front[k] * dy - y, front[k] * dz - z];
      const room = radius * radius - (ex * ex + ey * ey + ez * ez);
      if (!(room > 0)) return false;
      // Starting at the front: (e + s d)² = radius².
      const half = ex * dx + ey * dy + ez * dz;
      const square = dx * dx + dy * dy + dz * dz;
      const step = (Math.sqrt(half * half + square * room) - half) / square;
      this.#reached[k] = front[k] + step;
      least = Math.min(least, this.#reached[k]);
    }
    if (least < Math.min(front[0], front[1], front[2], front[3]) + BALL_GAIN * wanted) return false;
    front.set(this.#reached);
    return true;
  }

  /** A lower bound on the distance of the hull of the front's four points from the origin. */
  #span(): number {
    const d = this.#corners;
    const [f0, f1, f2, f3] = this.#front;
    // Along the middle of the cell, and along the normal of the quadrilateral: either bounds the distance from below.
    const cx = d[0] + d[3] + d[6] + d[9];
    const cy = d[1] + d[4] + d[7] + d[10];
    const cz = d[2] + d[5] + d[8] + d[11];
    const ax = f3 * d[9] - f0 * d[0];
    const ay = f3 * d[10] - f0 * d[1];
    const az = f3 * d[11] - f0 * d[2];
    const bx = f2 * d[6] - f1 * d[3];
    const by = f2 * d[7] - f1 * d[4];
    const bz = f2 * d[8] - f1 * d[5];
    const nx = ay * bz - az * by;
    const ny = az * bx - ax * bz;
    const nz = ax * by - ay * bx;
    const sign = nx * cx + ny * cy + nz * cz < 0 ? -1 : 1;
    const alongNormal = this.#leastAlong(sign * nx, sign * ny, sign * nz);
    return Math.max(alongNormal, this.#leastAlong(cx, cy, cz)) * (1 - REACH_ROUNDING);
  }

  /** A lower bound on how far the whole front is along a direction of any length. */
  #leastAlong(x: number, y: number, z: number): number {
    const d = this.#corners;
    const front = this.#front;
    // The normal is a product of lengths whose square may round to 0; a quadrilateral without area has none.
    const largest = Math.max(Math.abs(x), Math.abs(y), Math.abs(z));
    if (!(largest > 0)) return 0;
    x /= largest;
    y /= largest;
    z /= largest;
    const least = Math.min(
      front[0] * (x * d[0] + y * d[1] + z * d[2]),
      front[1] * (x * d[3] + y * d[4] + z * d[5]),
      front[2] * (x * d[6] + y * d[7] + z * d[8]),
      front[3] * (x * d[9] + y * d[10] + z * d[11]),
    );
    return least / Math.sqrt(x * x + y * y + z * z);
  }
}
