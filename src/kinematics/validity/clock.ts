// Time as one more robot: its configuration is the time, its links are the obstacles that move through keyframes. So a
// configuration of robots and clock is a place in space and time, and an edge is proven with both sides moving.
import type { Random } from '../../core/random.js';
import { slerp } from '../../core/turns.js';
import type { Robot, RobotLink } from '../robot/robot.js';
import type { SpeedLimits } from '../robot/speed-limits.js';
import type { MovingObstacle } from './obstacle.js';

export class Clock implements Robot {
  readonly name = 'clock';
  readonly offset: number;
  readonly size = 1;
  readonly freedoms = 0;
  readonly links: readonly RobotLink[];
  readonly linkPairs: readonly (readonly [number, number])[] = [];
  readonly speeds = null;
  readonly body = null;
  readonly chain = null;
  readonly fault = 'is past the horizon';
  readonly isClock = true;
  readonly limits: readonly (readonly [number, number])[] = [];
  readonly extent = { length: 0, turning: 0 };
  /** The first and the last time allowed. */
  readonly start: number;
  readonly horizon: number;
  readonly #limits: SpeedLimits;
  /** The times at which some obstacle changes its motion, ascending. */
  readonly #cuts: readonly number[];
  /** Of each obstacle: the times of its keys, and seven numbers for each. */
  readonly #times: readonly Float64Array[];
  readonly #poses: readonly Float64Array[];

  /** @param offset the numbers of the robots' configurations, which come first. */
  constructor(offset: number, obstacles: readonly MovingObstacle[], horizon: number, limits: SpeedLimits, start = 0) {
    this.offset = offset;
    this.start = start;
    this.horizon = horizon;
    this.#limits = limits;
    this.links = obstacles.map(({ name, model }) => ({ name, model, isTested: false }));
    this.#times = obstacles.map(({ keys }) => Float64Array.from(keys, ({ time }) => time));
    this.#poses = obstacles.map(({ keys }) => Float64Array.from(keys.flatMap(({ pose }) => pose)));
    this.#cuts = [...new Set(this.#times.flatMap((times) => [...times]))].sort((a, b) => a - b);
  }

  /** The times from the first to the last at which obstacles change their motion, within the horizon. */
  get cutTimes(): readonly number[] {
    return this.#cuts;
  }

  read(description: ArrayLike<number>, out: Float64Array): void {
    out[this.offset] = description[0];
  }

  describe(q: Float64Array): number[] {
    return [q[this.offset]];
  }

  place(q: Float64Array, poses: Float64Array): void {
    const time = q[this.offset];
    for (let i = 0; i < this.links.length; i++) {
      const times = this.#times[i];
      const keys = this.#poses[i];
      const last = times.length - 1;
      let k = 0;
      while (k < last && times[k + 1] <= time) k++;
      const at = 7 * k;
      if (k === last || time <= times[k]) {
        for (let c = 0; c < 7; c++) poses[7 * i + c] = keys[at + c];
        continue;
      }
      const t = (time - times[k]) / (times[k + 1] - times[k]);
      for (let c = 0; c < 3; c++) poses[7 * i + c] = keys[at + c] + t * (keys[at + 7 + c] - keys[at + c]);
      slerp(keys, at + 3, keys, at + 10, t, poses, 7 * i + 3);
    }
  }

  interpolate(a: Float64Array, b: Float64Array, t: number, out: Float64Array): void {
    out[this.offset] = a[this.offset] + t * (b[this.offset] - a[this.offset]);
  }

  /** Obstacles move whatever the robots do: time is no part of how far configurations are apart. */
  distance(): number {
    return 0;
  }

  sample(random: Random, out: Float64Array): void {
    out[this.offset] = random.range(this.start, this.horizon);
  }

  isAllowed(q: Float64Array): boolean {
    return q[this.offset] >= this.start && q[this.offset] <= this.horizon;
  }

  measure(): { readonly length: number; readonly turning: number } {
    return { length: 0, turning: 0 };
  }

  largestChanges(): { readonly sliding: number; readonly turning: number } {
    return { sliding: 0, turning: 0 };
  }

  pushRow(): void {}

  moveBy(q: Float64Array, _motion: Float64Array, out: Float64Array): void {
    out[this.offset] = q[this.offset];
  }

  wayTo(): void {}

  /** Whether the robots are fast enough. Edges may be followed backwards in time. */
  hasWay(a: Float64Array, b: Float64Array): boolean {
    return this.#limits.allow(a, b, Math.abs(b[this.offset] - a[this.offset]));
  }

  cuts(a: Float64Array, b: Float64Array, out: number[]): void {
    const from = a[this.offset];
    const to = b[this.offset];
    const [low, high] = from < to ? [from, to] : [to, from];
    const shares: number[] = [];
    for (const time of this.#cuts) if (time > low && time < high) shares.push((time - from) / (to - from));
    if (to < from) shares.reverse();
    // Shares of a very short edge may be rounded to its ends, or to each other.
    for (const share of shares) if (share > (out[out.length - 1] ?? 0) && share < 1) out.push(share);
  }
}
