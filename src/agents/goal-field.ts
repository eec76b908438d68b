// The potential of a goal: the time of the fastest way there, marched over a grid whose speeds come from the distances to the
// obstacles, so that ways with room are faster. It has no other minimum than the goal for a point; bodies may find some.

import { nodeIndex } from '../field/grid.js';
import { FastMarching } from '../field/march/fast-marching.js';
import type { ClearanceGrid } from './clearance-grid.js';

/** Chosen: the speed where an agent hardly fits, as a share of its speed in the open. */
const SLOWEST = 0.15;

/** Chosen: a node with a time is looked for within this count of nodes around a place without one. */
const SEARCH = 3;

export class GoalField {
  readonly grid: ClearanceGrid;
  /** The middle of the agent at its goal, on the grid. */
  readonly #goal = new Float64Array(3);
  /** Room that an agent needs to fit at all, and to turn. */
  readonly #narrow: number;
  readonly #wide: number;
  readonly #at = new Float64Array(3);
  readonly #times: Float64Array;
  #version = -1;

  constructor(grid: ClearanceGrid, goal: ArrayLike<number>, narrow: number, wide: number) {
    this.grid = grid;
    this.#narrow = narrow;
    this.#wide = wide;
    grid.project(goal, this.#goal);
    this.#times = new Float64Array(grid.values.length).fill(Infinity);
  }

  /** Whether the obstacles have changed since the times were marched. */
  get isStale(): boolean {
    return this.#version !== this.grid.version;
  }

  march(): void {
    const { frame, values, version } = this.grid;
    const { size, spacing, origin } = frame;
    this.#version = version;
    // A passage may lie between nodes.
    const least = this.#narrow - 0.7 * spacing;
    const wide = Math.max(this.#wide, least + spacing);
    const speed = new Float64Array(values.length);
    for (let n = 0; n < speed.length; n++) {
      if (values[n] < least) continue;
      speed[n] = Math.min(1, SLOWEST + ((1 - SLOWEST) * (values[n] - least)) / (wide - least));
    }
    const cell = this.#cellOf(this.#goal);
    const corners = this.#corners(cell);
    for (const [i, j, k] of corners) speed[nodeIndex(frame, i, j, k)] ||= SLOWEST;
    const marching = new FastMarching(frame, { order: 1, speed });
    for (const [i, j, k] of corners) {
      const distance = Math.hypot(
        origin[0] + i * spacing - this.#goal[0],
        origin[1] + j * spacing - this.#goal[1],
        size[2] > 1 ? origin[2] + k * spacing - this.#goal[2] : 0,
      );
      marching.offer(marching.node(i, j, k), distance);
    }
    marching.march(Infinity);
    for (let k = 0, n = 0; k < size[2]; k++) {
      for (let j = 0; j < size[1]; j++) {
        for (let i = 0; i < size[0]; i++, n++) this.#times[n] = marching.times[marching.node(i, j, k)];
      }
    }
  }

  /**
   * Writes the direction of the fastest way, in the coordinates of the grid, or zeros where the goal is out of
   * reach. Returns the time there, in meters at full speed, or Infinity.
   */
  direction(point: ArrayLike<number>, out: Float64Array): number {
    const { frame } = this.grid;
    const { origin, spacing, size } = frame;
    const at = this.#at;
    this.grid.project(point, at);
    const [i, j, k] = this.#cellOf(at);
    const isSpace = size[2] > 1;
    const x = (at[0] - origin[0]) / spacing - i;
    const y = (at[1] - origin[1]) / spacing - j;
    const z = isSpace ? (at[2] - origin[2]) / spacing - k : 0;
    out.fill(0);
    let [time, latest] = [0, -1];
    for (let c = 0; c < (isSpace ? 8 : 4); c++) {
      const value = this.#times[nodeIndex(frame, i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2))];
      if (value < Infinity) latest = Math.max(latest, value);
    }
    if (latest < 0) {
      time = this.#towardsKnown(at, i, j, k, out);
      normalize(out);
      return time;
    }
    // Nodes without a time beside others are in obstacles: the way leads away from them.
    const blocked = latest + spacing;
    for (let c = 0; c < (isSpace ? 8 : 4); c++) {
      const [a, b, d] = [c & 1, (c >> 1) & 1, c >> 2];
      const value = Math.min(blocked, this.#times[nodeIndex(frame, i + a, j + b, k + d)]);
      const [fx, fy, fz] = [a ? x : 1 - x, b ? y : 1 - y, isSpace ? (d ? z : 1 - z) : 1];
      time += value * fx * fy * fz;
      out[0] -= (a ? 1 : -1) * value * fy * fz;
      out[1] -= (b ? 1 : -1) * value * fx * fz;
      if (isSpace) out[2] -= (d ? 1 : -1) * value * fx * fy;
    }
    normalize(out);
    return time;
  }

  /** Where no node around has a time: towards the best node around that has one. */
  #towardsKnown(at: Float64Array, i: number, j: number, k: number, out: Float64Array): number {
    const { origin, spacing, size } = this.grid.frame;
    out.fill(0);
    let least = Infinity;
    const depth = size[2] > 1 ? SEARCH : 0;
    for (let c = Math.max(0, k - depth); c <= Math.min(size[2] - 1, k + depth); c++) {
      for (let b = Math.max(0, j - SEARCH); b <= Math.min(size[1] - 1, j + SEARCH); b++) {
        for (let a = Math.max(0, i - SEARCH); a <= Math.min(size[0] - 1, i + SEARCH); a++) {
          const value = this.#times[nodeIndex(this.grid.frame, a, b, c)];
          if (!(value < Infinity)) continue;
          const [x, y, z] = [origin[0] + a * spacing - at[0], origin[1] + b * spacing - at[1], 0];
          const up = depth > 0 ? origin[2] + c * spacing - at[2] : z;
          // The way to the node is beside an obstacle, and slow.
          const whole = value + Math.hypot(x, y, up) / SLOWEST;
          if (!(whole < least)) continue;
          least = whole;
          out[0] = x;
          out[1] = y;
          out[2] = up;
        }
      }
    }
    return least;
  }

  #cellOf(at: Float64Array): [number, number, number] {
    const { origin, spacing, size } = this.grid.frame;
    return [0, 1, 2].map((k) => {
      const last = Math.max(0, size[k] - 2);
      return Math.min(last, Math.max(0, Math.floor((at[k] - origin[k]) / spacing)));
    }) as [number, number, number];
  }

  #corners([i, j, k]: readonly [number, number, number]): [number, number, number][] {
    const corners: [number, number, number][] = [];
    for (let c = 0; c < (this.grid.frame.size[2] > 1 ? 8 : 4); c++)
      corners.push([i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)]);
    return corners;
  }
}

function normalize(values: Float64Array): void {
  const length = Math.hypot(values[0], values[1], values[2]);
  if (length > 0) for (let k = 0; k < 3; k++) values[k] /= length;
}
