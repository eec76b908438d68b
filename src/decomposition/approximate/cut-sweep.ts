// Rates parallel planes through a part in one pass: as a plane moves along its normal, the hull of what lies below only
// grows, so that one incremental hull gives its volume at all planes, and one more from the other end that above. The
// volumes of the part follow from its triangles, without caps. O(vertices × faces of the hull) for all planes together.
import { DisjointSets } from '../../core/disjoint-sets.js';
import type { Part } from '../cut/part.js';
import { RoughHull } from './rough-hull.js';

/** The rating of a plane that cuts a part. */
export interface CutRating {
  /** The sum of what {@link countExcess} gives for the parts that the plane leaves. */
  readonly cost: number;
  /** The volumes of the hulls below and above. */
  readonly below: number;
  readonly above: number;
}

/**
 * What an excess of volume counts: more than in proportion where it is divided among parts. A cut is then better if it
 * leaves a convex part than if it halves the excess.
 */
export function countExcess(excess: number): number {
  return Math.max(0, excess) ** (2 / 3);
}

/** Rates the cuts of one part. Holds scratch memory. */
export class CutSweep {
  readonly #part: Part;
  readonly #isClosed: boolean;
  readonly #heights: Float64Array;
  readonly #order: Uint32Array;
  readonly #hull = new RoughHull();
  #points: Float64Array;
  /** Where the crossing points of each plane begin, as points. */
  #crossStart: number[] = [];
  /** The vertices that the edges of each crossing point come from, below and above; −1 for none. */
  #crossEnds: number[] = [];
  #slack = 0;

  constructor(part: Part, isClosed: boolean) {
    this.#part = part;
    this.#isClosed = isClosed;
    const count = part.positions.length / 3;
    this.#heights = new Float64Array(count);
    this.#order = new Uint32Array(count);
    this.#points = part.positions;
  }

  /** The lowest and highest vertex along a direction. */
  range(nx: number, ny: number, nz: number): [low: number, high: number] {
    const { positions } = this.#part;
    let low = Infinity;
    let high = -Infinity;
    for (let i = 0; i < positions.length; i += 3) {
      const height = nx * positions[i] + ny * positions[i + 1] + nz * positions[i + 2];
      if (height < low) low = height;
      if (height > high) high = height;
    }
    return [low, high];
  }

  /** Ratings of the planes with this unit normal at these offsets, which ascend. */
  rate(nx: number, ny: number, nz: number, offsets: readonly number[]): CutRating[] {
    const { positions } = this.#part;
    const heights = this.#heights;
    for (let v = 0; v < heights.length; v++) {
      heights[v] = nx * positions[3 * v] + ny * positions[3 * v + 1] + nz * positions[3 * v + 2];
      this.#order[v] = v;
    }
    this.#order.sort((a, b) => heights[a] - heights[b] || a - b);
    this.#slack = ON_RATED_PLANE * (heights[this.#order[heights.length - 1]] - heights[this.#order[0]]);
    this.#findCrossings(offsets);
    const below = new Float64Array(offsets.length);
    const above = new Float64Array(offsets.length);
    this.#sweep(offsets, below, 1);
    this.#sweep(offsets, above, -1);
    if (!this.#isClosed) {
      return offsets.map((_, k) => ({
        cost: countExcess(below[k]) + countExcess(above[k]),
        below: below[k],
        above: above[k],
      }));
    }
    const solid = new Float64Array(offsets.length);
    const total = this.#measureBelow(nx, ny, nz, offsets, solid);
    const lower = this.#countParts(offsets, 1);
    const upper = this.#countParts(offsets, -1);
    return offsets.map((offset, k) => {
      // A thin wall may have lost its volume to simplification.
      const low = lower[k] > 1 ? this.#costOfParts(offset, k, 1) : countExcess(below[k] - Math.max(0, solid[k]));
      const high =
        upper[k] > 1 ? this.#costOfParts(offset, k, -1) : countExcess(above[k] - Math.max(0, total - solid[k]));
      return { cost: low + high, below: below[k], above: above[k] };
    });
  }

  /**
   * Appends the points where edges pass the planes, and those vertices on the planes which belong to what is on a side: a
   * face in the plane belongs to neither.
   */
  #findCrossings(offsets: readonly number[]): void {
    const { positions, indices } = this.#part;
    const heights = this.#heights;
    const points: number[] = [];
    this.#crossStart = [];
    this.#crossEnds = [];
    const count = heights.length;
    const slack = this.#slack;
    for (const offset of offsets) {
      this.#crossStart.push(count + points.length / 3);
      for (let h = 0; h < indices.length; h++) {
        const a = indices[h];
        const b = indices[h % 3 === 2 ? h - 2 : h + 1];
        const da = heights[a] - offset;
        const db = heights[b] - offset;
        // A closed part has every edge once in each direction; only one of them is looked at.
        if (this.#isClosed ? da > db : false) continue;
        if ((da > slack && db > slack) || (da < -slack && db < -slack)) continue;
        const isOnA = Math.abs(da) <= slack;
        const isOnB = Math.abs(db) <= slack;
        if (isOnA && isOnB) continue;
        const share = isOnA ? 0 : isOnB ? 1 : da / (da - db);
        for (let k = 0; k < 3; k++)
          points.push(positions[3 * a + k] + share * (positions[3 * b + k] - positions[3 * a + k]));
        const [low, high] = da < db ? [a, b] : [b, a];
        this.#crossEnds.push(Math.min(da, db) < -slack ? low : -1, Math.max(da, db) > slack ? high : -1);
      }
    }
    this.#crossStart.push(count + points.length / 3);
    this.#points = new Float64Array(positions.length + points.length);
    this.#points.set(positions);
    this.#points.set(points, positions.length);
  }

  /** The volumes of the hulls on one side of each plane: `step` is 1 below, −1 above. */
  #sweep(offsets: readonly number[], volumes: Float64Array, step: 1 | -1): void {
    const order = this.#order;
    const heights = this.#heights;
    const hull = this.#hull;
    hull.reset(this.#points);
    let next = step > 0 ? 0 : order.length - 1;
    for (let i = 0; i < offsets.length; i++) {
      const k = step > 0 ? i : offsets.length - 1 - i;
      while (next >= 0 && next < order.length && step * (offsets[k] - heights[order[next]]) > this.#slack) {
        hull.add(order[next]);
        next += step;
      }
      for (let p = this.#crossStart[k]; p < this.#crossStart[k + 1]; p++) {
        if (this.#endOf(p, step) >= 0) hull.add(p);
      }
      hull.settle();
      volumes[k] = hull.volume;
    }
  }

  /** The vertex on one side of a plane from which an edge comes to a crossing point; −1 if that comes from the other. */
  #endOf(point: number, step: 1 | -1): number {
    return this.#crossEnds[2 * (point - this.#heights.length) + (step > 0 ? 0 : 1)];
  }

  #sixVolume(a: number, b: number, c: number, x: number, y: number, z: number): number {
    const points = this.#points;
    const ax = points[3 * a] - x;
    const ay = points[3 * a + 1] - y;
    const az = points[3 * a + 2] - z;
    const bx = points[3 * b] - x;
    const by = points[3 * b + 1] - y;
    const bz = points[3 * b + 2] - z;
    const cx = points[3 * c] - x;
    const cy = points[3 * c + 1] - y;
    const cz = points[3 * c + 2] - z;
    return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
  }

  /** The volume of the part below each plane; returns that of the whole. */
  #measureBelow(nx: number, ny: number, nz: number, offsets: readonly number[], volumes: Float64Array): number {
    const { indices } = this.#part;
    const [x0, y0, z0] = this.#points;
    let total = 0;
    for (let t = 0; t < indices.length; t += 3) {
      const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]];
      total += this.#sixVolume(a, b, c, x0, y0, z0);
    }
    const base = nx * x0 + ny * y0 + nz * z0;
    for (let k = 0; k < offsets.length; k++) {
      // Seen from a point of the plane, the cap of the section has no volume.
      const shift = offsets[k] - base;
      let six = 0;
      for (let t = 0; t < indices.length; t += 3) {
        six += this.#sixBelow(
          indices[t],
          indices[t + 1],
          indices[t + 2],
          offsets[k],
          x0 + shift * nx,
          y0 + shift * ny,
          z0 + shift * nz,
        );
      }
      volumes[k] = six / 6;
    }
    return total / 6;
  }

  /** Six times the volume between a point and what a triangle has below a plane through the point. */
  #sixBelow(a: number, b: number, c: number, offset: number, x: number, y: number, z: number): number {
    const heights = this.#heights;
    const da = offset - heights[a];
    const db = offset - heights[b];
    const dc = offset - heights[c];
    const isA = da >= 0;
    const isB = db >= 0;
    const isC = dc >= 0;
    if (!isA && !isB && !isC) return 0;
    const whole = this.#sixVolume(a, b, c, x, y, z);
    if (isA && isB && isC) return whole;
    // The corner that is alone on its side cuts off a triangle with these shares of its two edges.
    if (isA !== isB && isA !== isC)
      return (isA ? 0 : whole) + ((isA ? 1 : -1) * whole * da * da) / ((da - db) * (da - dc));
    if (isB !== isA && isB !== isC)
      return (isB ? 0 : whole) + ((isB ? 1 : -1) * whole * db * db) / ((db - da) * (db - dc));
    return (isC ? 0 : whole) + ((isC ? 1 : -1) * whole * dc * dc) / ((dc - da) * (dc - db));
  }

  /** How many connected parts lie on one side of each plane. */
  #countParts(offsets: readonly number[], step: 1 | -1): Uint32Array {
    const { indices } = this.#part;
    const heights = this.#heights;
    const slack = this.#slack;
    const planes = offsets.length;
    const counts = new Uint32Array(planes);
    // The first plane, in the order of the sweep, that has a height clearly on its side, or not on the other.
    const firstBeyond = (height: number, margin: number): number => {
      let i = 0;
      while (i < planes && step * (offsets[step > 0 ? i : planes - 1 - i] - height) <= margin) i++;
      return i;
    };
    const clear = new Uint32Array(heights.length);
    const reached = new Uint32Array(heights.length);
    for (let v = 0; v < heights.length; v++) {
      clear[v] = firstBeyond(heights[v], slack);
      reached[v] = firstBeyond(heights[v], -slack);
    }
    const edgesOf = Array.from({ length: planes + 1 }, (): number[] => []);
    for (let h = 0; h < indices.length; h++) {
      const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
      edgesOf[Math.max(Math.min(clear[a], clear[b]), reached[a], reached[b])].push(a, b);
    }
    const verticesOf = Array.from({ length: planes + 1 }, (): number[] => []);
    for (let v = 0; v < heights.length; v++) verticesOf[clear[v]].push(v);
    const sets = new DisjointSets(heights.length);
    const isSeen = new Uint8Array(heights.length);
    let parts = 0;
    for (let i = 0; i < planes; i++) {
      for (const v of [...verticesOf[i], ...edgesOf[i]]) {
        if (isSeen[v] === 0) parts++;
        isSeen[v] = 1;
      }
      const edges = edgesOf[i];
      for (let e = 0; e < edges.length; e += 2) if (sets.unite(edges[e], edges[e + 1])) parts--;
      counts[step > 0 ? i : planes - 1 - i] = parts;
    }
    return counts;
  }

  /** The cost of one side of a plane that falls into several parts. */
  #costOfParts(offset: number, k: number, step: 1 | -1): number {
    const { indices } = this.#part;
    const heights = this.#heights;
    const isOn = (v: number): boolean => step * (offset - heights[v]) > this.#slack;
    const sets = new DisjointSets(heights.length);
    for (let h = 0; h < indices.length; h++) {
      const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
      if (isOn(a) && isOn(b)) sets.unite(a, b);
    }
    // Vertices on the plane join the parts that edges lead from.
    for (let h = 0; h < indices.length; h++) {
      const [a, b] = [indices[h], indices[h % 3 === 2 ? h - 2 : h + 1]];
      if (isOn(a) !== isOn(b) && Math.abs(heights[isOn(a) ? b : a] - offset) <= this.#slack) sets.unite(a, b);
    }
    const groups = new Map<number, { points: number[]; six: number }>();
    const groupOf = (v: number) => {
      const root = sets.find(v);
      let group = groups.get(root);
      if (group === undefined) {
        group = { points: [], six: 0 };
        groups.set(root, group);
      }
      return group;
    };
    for (let v = 0; v < heights.length; v++) if (isOn(v)) groupOf(v).points.push(v);
    for (let p = this.#crossStart[k]; p < this.#crossStart[k + 1]; p++) {
      const end = this.#endOf(p, step);
      if (end >= 0) groupOf(end).points.push(p);
    }
    if (this.#crossStart[k] < this.#crossStart[k + 1]) {
      const at = 3 * this.#crossStart[k];
      const [x, y, z] = [this.#points[at], this.#points[at + 1], this.#points[at + 2]];
      for (let t = 0; t < indices.length; t += 3) {
        const [a, b, c] = [indices[t], indices[t + 1], indices[t + 2]];
        const owner = isOn(a) ? a : isOn(b) ? b : isOn(c) ? c : -1;
        if (owner < 0) continue;
        const below = this.#sixBelow(a, b, c, offset, x, y, z);
        groupOf(owner).six += step > 0 ? below : this.#sixVolume(a, b, c, x, y, z) - below;
      }
    }
    // Parts of negative volume bound cavities of others: of the largest, mostly.
    let cavities = 0;
    let largest: { points: number[]; six: number } | null = null;
    for (const group of groups.values()) {
      if (group.six < 0) cavities += group.six;
      else if (largest === null || group.six > largest.six) largest = group;
    }
    let cost = 0;
    for (const group of groups.values()) {
      if (group.six < 0) continue;
      this.#hull.reset(this.#points);
      for (const point of group.points) this.#hull.add(point);
      this.#hull.settle();
      const six = group.six + (group === largest ? cavities : 0);
      cost += countExcess(this.#hull.volume - Math.max(0, six) / 6);
    }
    return cost;
  }
}

/**
 * Rounding: vertices lie on a plane if they are nearer to it than this share of the part's extent across it. Ratings
 * only need to be consistent, so that it is wider than that of cuts.
 */
const ON_RATED_PLANE = 1e-9;
