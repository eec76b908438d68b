// The pixel of the six cube views whose ray leaves a union of convex sums soonest, without looking at most pixels: a block of
// pixels is left out when a chain of sums, each holding the four corners where the one before ended, reaches as far as
// the best exit known, because convex sums then hold everything between the corners too. Blocks that are not are halved
// both ways, breadth first, down to pixels. Each better exit is walked down to the boundary's nearest point around it.
import type { MinkowskiSums } from '../convex/minkowski-sums.js';
import { BoundaryWalk, type SegmentSums } from './boundary-walk.js';
import { CUBE_AXES, pixelCenter } from './cube-views.js';
import { offerExit } from './probe-rays.js';
import type { Separation } from './separation.js';
import { JOIN_TOLERANCE, type UnionRays } from './union-rays.js';

/** Exits that are nearer by less than this share of the best are not looked for. */
const WORTH = 1e-7;

/** Blocks up to so many pixels wide are followed down at once; larger ones wait until all of their size are done. */
const DEPTH_FIRST = 16;
/** An exit within so many pixels' widths of the best may lead to a better one; so many such walks are worth while. */
const NEAR_MISS = 4;
const MAX_NEAR_MISSES = 64;
/** A ball must bring the front on by this share of the best. */
const BALL_GAIN = 1 / 64;

/** A block in the queue: view, first column, end column, first row, end row, where its list of sums begins and ends. */
const BLOCK = 7;

/** A query with its memory. */
export class BlockQuery implements SegmentSums {
  /** Blocks looked at. */
  blocks = 0;
  readonly #walk = new BoundaryWalk();
  #queue = new Int32Array(BLOCK * 256);
  #queueEnd = 0;
  /** Lists of sums, one after the other; those of small blocks are taken off again. */
  #lists = new Int32Array(4096);
  #listEnd = 0;
  /** Four a sum: where each corner's ray enters and leaves it. */
  #near = new Float64Array(256);
  #far = new Float64Array(256);
  /** Corner directions of a block, three numbers each. */
  readonly #corners = new Float64Array(12);
  /** How much of each corner's ray the chain so far covers. */
  readonly #front = new Float64Array(4);
  readonly #reached = new Float64Array(4);
  #separation!: Separation;
  #union!: UnionRays;
  #distances: Float64Array = new Float64Array(0);
  #resolution = 0;
  #nearMisses = 0;
  /** All sums within the bound. */
  list = new Int32Array(0);
  #all = 0;

  /**
   * Looks for exits nearer than the best and offers them. `distances` holds each sum's least distance from the origin; sums
   * farther than the best play no part.
   */
  run(union: UnionRays, distances: Float64Array, separation: Separation, resolution: number): void {
    const { sums } = union;
    this.blocks = 0;
    if (this.list.length < sums.count) this.list = new Int32Array(2 * sums.count);
    let all = 0;
    for (let i = 0; i < sums.count; i++)
      if (distances[i] <= separation.distance && distances[i] < Infinity) this.list[all++] = i;
    this.#separation = separation;
    this.#all = all;
    this.#union = union;
    this.#distances = distances;
    this.#resolution = resolution;
    this.#nearMisses = 0;
    this.#lists = ensure(this.#lists, all);
    this.#lists.set(this.list.subarray(0, all));
    this.#listEnd = all;
    this.#queueEnd = 0;
    for (let view = 0; view < 6; view++) this.#enqueue(view, 0, resolution, 0, resolution, 0, all);
    for (let i = 0; i < this.#queueEnd; i += BLOCK) {
      const queue = this.#queue;
      this.#visit(queue[i], queue[i + 1], queue[i + 2], queue[i + 3], queue[i + 4], queue[i + 5], queue[i + 6]);
    }
  }

  /** All sums within the bound: the walk looks at their balls itself. */
  gather(): number {
    return this.#all;
  }

  #enqueue(view: number, x0: number, x1: number, y0: number, y1: number, start: number, end: number): void {
    this.#queue = ensure(this.#queue, this.#queueEnd + BLOCK);
    this.#queue.set([view, x0, x1, y0, y1, start, end], this.#queueEnd);
    this.#queueEnd += BLOCK;
  }

  /** Looks at a block, and at its quarters: later if it is large, so that the best is known when many small ones come. */
  #visit(view: number, x0: number, x1: number, y0: number, y1: number, start: number, end: number): void {
    this.blocks++;
    const kept = this.#listEnd;
    if (this.#isCovered(view, x0, x1, y0, y1, start, end)) return;
    const keptEnd = this.#listEnd;
    const isPixel = x1 - x0 === 1 && y1 - y0 === 1;
    this.#probe(view, (x0 + x1 - 1) >> 1, (y0 + y1 - 1) >> 1, kept, keptEnd, isPixel);
    const later = Math.max(x1 - x0, y1 - y0) > DEPTH_FIRST;
    if (!isPixel) {
      const middleX = x1 - x0 > 1 ? (x0 + x1) >> 1 : x1;
      const middleY = y1 - y0 > 1 ? (y0 + y1) >> 1 : y1;
      for (let quarter = 0; quarter < 4; quarter++) {
        const left = quarter & 1 ? middleX : x0;
        const right = quarter & 1 ? x1 : middleX;
        const top = quarter & 2 ? middleY : y0;
        const bottom = quarter & 2 ? y1 : middleY;
        if (left === right || top === bottom) continue;
        if (later) this.#enqueue(view, left, right, top, bottom, kept, keptEnd);
        else this.#visit(view, left, right, top, bottom, kept, keptEnd);
      }
    }
    if (!later) this.#listEnd = kept;
  }

  /** Traces the ray of a pixel, and walks down from its exit if that is nearer than the best, or could lead there. */
  #probe(view: number, column: number, row: number, start: number, end: number, isPixel: boolean): void {
    const union = this.#union;
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    const x = pixelCenter(column, this.#resolution);
    const y = -pixelCenter(row, this.#resolution);
    const dx = fx + x * rx + y * ux;
    const dy = fy + x * ry + y * uy;
    const dz = fz + x * rz + y * uz;
    const length = Math.sqrt(dx * dx + dy * dy + dz * dz);
    const near = isPixel && this.#nearMisses < MAX_NEAR_MISSES ? 1 + NEAR_MISS / this.#resolution : 1;
    const best = this.#separation.distance;
    const limit = best * near;
    const reach = union.trace(this.#lists, start, end, dx, dy, dz, limit / length);
    if (!(reach * length < limit * (1 - WORTH))) return;
    if (reach * length >= best) this.#nearMisses++;
    offerExit(union, this, this.#walk, this.#separation, reach, dx, dy, dz);
  }

  /** Whether no ray of the block leaves the union before the bound. Writes the sums that play a part to the next lists. */
  #isCovered(view: number, x0: number, x1: number, y0: number, y1: number, start: number, end: number): boolean {
    const { sums, size } = this.#union;
    const distances = this.#distances;
    const resolution = this.#resolution;
    const bound = this.#separation.distance;
    const left = (2 * x0) / resolution - 1;
    const right = (2 * x1) / resolution - 1;
    const top = 1 - (2 * y0) / resolution;
    const bottom = 1 - (2 * y1) / resolution;
    const [fx, fy, fz, rx, ry, rz, ux, uy, uz] = CUBE_AXES[view];
    const d = this.#corners;
    for (let corner = 0; corner < 4; corner++) {
      const x = corner & 1 ? right : left;
      const y = corner & 2 ? top : bottom;
      d[3 * corner] = fx + x * rx + y * ux;
      d[3 * corner + 1] = fy + x * ry + y * uy;
      d[3 * corner + 2] = fz + x * rz + y * uz;
    }
    if (4 * (end - start) > this.#near.length) {
      this.#near = new Float64Array(8 * (end - start));
      this.#far = new Float64Array(8 * (end - start));
    }
    this.#lists = ensure(this.#lists, this.#listEnd + end - start);
    const lists = this.#lists;
    // Sides of the block's pyramid, for balls around sums.
    const sideLeft = 1 / Math.sqrt(1 + left * left);
    const sideRight = 1 / Math.sqrt(1 + right * right);
    const sideTop = 1 / Math.sqrt(1 + top * top);
    const sideBottom = 1 / Math.sqrt(1 + bottom * bottom);
    const { spheres } = sums;
    const join = (JOIN_TOLERANCE * size) / 2;
    const kept = this.#listEnd;
    let whole = 0;
    this.#front.fill(0);
    let linked = 0;
    for (let i = start; i < end; i++) {
      const sum = lists[i];
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
      const hits = this.#clipCorners(sums, sum, whole);
      if (hits < 0) continue;
      lists[this.#listEnd++] = sum;
      if (hits < 4) continue;
      // The list begins with the chain that covered most of the block around: it often covers this one.
      if (this.#link(4 * whole, join)) {
        if (this.#spansBeyond(bound)) {
          this.#listEnd = kept;
          return true;
        }
        lists[this.#listEnd - 1] = lists[kept + linked];
        lists[kept + linked++] = sum;
      }
      whole++;
    }
    if (!this.#findChain(whole, bound, join)) return false;
    this.#listEnd = kept;
    return true;
  }

  /** Clips the corners' rays by a sum. −1: the block is outside it; else how many corners' rays meet it. */
  #clipCorners(sums: MinkowskiSums, sum: number, slot: number): number {
    const { planes, planeStart } = sums;
    const d = this.#corners;
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
      const offset = planes[p + 3];
      const s0 = nx * d[0] + ny * d[1] + nz * d[2];
      const s1 = nx * d[3] + ny * d[4] + nz * d[5];
      const s2 = nx * d[6] + ny * d[7] + nz * d[8];
      const s3 = nx * d[9] + ny * d[10] + nz * d[11];
      if (offset < 0) {
        if (s0 >= 0 && s1 >= 0 && s2 >= 0 && s3 >= 0) return -1;
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

  /** Moves the front to where a clipped sum ends, if the sum holds all of the front and brings its nearest part on. */
  #link(at: number, join: number): boolean {
    if (!this.#holdsFront(at, join)) return false;
    const far = this.#far;
    const front = this.#front;
    const least = Math.min(far[at], far[at + 1], far[at + 2], far[at + 3]);
    if (!(least > Math.min(front[0], front[1], front[2], front[3]))) return false;
    for (let k = 0; k < 4; k++) front[k] = far[at + k];
    return true;
  }

  /** The same with a ball around the front's middle in which the solids surely overlap: through voids no sum leads. */
  #linkBall(): boolean {
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
    const radius = balls.radiusAt(x, y, z);
    let least = Infinity;
    for (let k = 0; k < 4; k++) {
      const [dx, dy, dz] = [d[3 * k], d[3 * k + 1], d[3 * k + 2]];
      const [ex, ey, ez] = [front[k] * dx - x, front[k] * dy - y, front[k] * dz - z];
      const room = radius * radius - (ex * ex + ey * ey + ez * ez);
      if (!(room > 0)) return false;
      // From the front on: (e + s d)² = radius².
      const half = ex * dx + ey * dy + ez * dz;
      const square = dx * dx + dy * dy + dz * dz;
      const step = (Math.sqrt(half * half + square * room) - half) / square;
      this.#reached[k] = front[k] + step;
      least = Math.min(least, this.#reached[k]);
    }
    // Balls that bring little are those at the end of a void, or none: smaller blocks do better.
    if (least < Math.min(front[0], front[1], front[2], front[3]) + BALL_GAIN * this.#separation.distance) return false;
    front.set(this.#reached);
    return true;
  }

  #holdsFront(at: number, join: number): boolean {
    const near = this.#near;
    const far = this.#far;
    const front = this.#front;
    for (let k = 0; k < 4; k++) {
      if (near[at + k] > front[k] + join || far[at + k] < front[k] - join) return false;
    }
    return true;
  }

  /** Whether a chain of the sums that all four corners meet reaches the bound: the farthest next, from the origin on. */
  #findChain(count: number, bound: number, join: number): boolean {
    const far = this.#far;
    const front = this.#front;
    front.fill(0);
    for (;;) {
      let best = -1;
      let farthest = 0;
      for (let i = 0; i < 4 * count; i += 4) {
        const least = Math.min(far[i], far[i + 1], far[i + 2], far[i + 3]);
        if (least > farthest && this.#holdsFront(i, join)) {
          farthest = least;
          best = i;
        }
      }
      const linked = best >= 0 ? this.#link(best, join) : this.#linkBall();
      if (!linked) return false;
      if (this.#spansBeyond(bound)) return true;
    }
  }

  /** Whether the four points of the front span a surface farther than the bound. */
  #spansBeyond(bound: number): boolean {
    const d = this.#corners;
    const [f0, f1, f2, f3] = this.#front;
    const needed = bound * (1 - WORTH);
    // Along the middle of the block, and along the normal of the quadrilateral: either bounds its distance from below.
    const cx = d[0] + d[3] + d[6] + d[9];
    const cy = d[1] + d[4] + d[7] + d[10];
    const cz = d[2] + d[5] + d[8] + d[11];
    if (this.#leastAlong(cx, cy, cz) >= needed) return true;
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
    return this.#leastAlong(sign * nx, sign * ny, sign * nz) >= needed;
  }

  #leastAlong(x: number, y: number, z: number): number {
    const d = this.#corners;
    const front = this.#front;
    const least = Math.min(
      front[0] * (x * d[0] + y * d[1] + z * d[2]),
      front[1] * (x * d[3] + y * d[4] + z * d[5]),
      front[2] * (x * d[6] + y * d[7] + z * d[8]),
      front[3] * (x * d[9] + y * d[10] + z * d[11]),
    );
    return least / Math.sqrt(x * x + y * y + z * z);
  }
}

function ensure(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  if (length <= array.length) return array;
  const larger = new Int32Array(2 * length);
  larger.set(array);
  return larger;
}
