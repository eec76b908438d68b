// A polyline of joint values in time, smoothed: its velocity is constant along each edge and 0 in rests between them, and two
// box filters after each other make accelerations finite, then jerks (Biagiotti and Melchiorri 2012). A mean of velocities
// exceeds none of them; an acceleration is at most the largest change of velocity over the width of the first filter, a jerk
// at most the change of acceleration over that of the second. Between breakpoints, values are cubic in time.

/** What a joint may do, by joint. */
export interface JointLimits {
  readonly velocities: readonly number[];
  readonly accelerations: readonly number[];
  readonly jerks: readonly number[];
}

/** Values and their first two derivatives. */
export interface JointState {
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly accelerations: Float64Array;
}

/** Rounding: filters are wider by this share, so that limits hold after rounding. */
const ROUNDING = 1e-9;

/** Rounding: breakpoints nearer to each other than this share of the whole time are one. */
const SAME = 1e-12;

export class FilteredPolyline {
  /** The widths of the two filters, in seconds. */
  readonly widths: readonly [number, number];
  readonly duration: number;
  readonly #path: readonly Float64Array[];
  /** By edge: when it begins and ends before the filters, and its velocity. */
  readonly #starts: Float64Array;
  readonly #ends: Float64Array;
  readonly #velocities: readonly Float64Array[];
  /** The least and the largest of each value: means stay between them, up to rounding. */
  readonly #low: Float64Array;
  readonly #high: Float64Array;

  /**
   * @param path two waypoints or more, no two equal ones after each other.
   * @param rests by waypoint between edges: the share of the filters' widths that is rested there; from 1 on it stops.
   */
  constructor(path: readonly Float64Array[], limits: JointLimits, rests: readonly number[]) {
    this.#path = path;
    const edges = path.length - 1;
    const size = path[0].length;
    this.#low = path[0].map((_, k) => Math.min(...path.map((q) => q[k])));
    this.#high = path[0].map((_, k) => Math.max(...path.map((q) => q[k])));
    const durations = new Float64Array(edges);
    this.#velocities = Array.from({ length: edges }, () => new Float64Array(size));
    for (let i = 0; i < edges; i++) {
      for (let k = 0; k < size; k++) {
        const way = Math.abs(path[i + 1][k] - path[i][k]);
        durations[i] = Math.max(durations[i], (way / limits.velocities[k]) * (1 + ROUNDING));
      }
      for (let k = 0; k < size; k++) this.#velocities[i][k] = (path[i + 1][k] - path[i][k]) / durations[i];
    }
    this.widths = this.#widthsFor(limits);
    const width = this.widths[0] + this.widths[1];
    this.#starts = new Float64Array(edges);
    this.#ends = new Float64Array(edges);
    for (let i = 0, at = 0; i < edges; i++) {
      this.#starts[i] = at;
      this.#ends[i] = at + durations[i];
      at = this.#ends[i] + (i < edges - 1 ? rests[i] * width : 0);
    }
    this.duration = this.#ends[edges - 1] + width;
  }

  #widthsFor({ accelerations, jerks }: JointLimits): [number, number] {
    let [first, second] = [0, 0];
    // The velocities of an edge, or of a rest, may follow each other at the two ends of the filter.
    const ranges = accelerations.map((_, k) => {
      let [low, high] = [0, 0];
      for (const velocity of this.#velocities) {
        low = Math.min(low, velocity[k]);
        high = Math.max(high, velocity[k]);
      }
      return high - low;
    });
    for (const [k, range] of ranges.entries()) first = Math.max(first, range / accelerations[k]);
    for (const [k, range] of ranges.entries()) {
      // Accelerations are between −range and range over the first width.
      second = Math.max(second, (2 * range) / first / jerks[k]);
    }
    return [first * (1 + ROUNDING), second * (1 + ROUNDING)];
  }

  /** The times at which the third derivative changes, from 0 to the duration. */
  breakpoints(): number[] {
    const [a, b] = this.widths;
    const times = [...this.#starts, ...this.#ends].flatMap((time) => [time, time + a, time + b, time + a + b]);
    times.sort((p, q) => p - q);
    const least = SAME * this.duration;
    const kept = times.filter((time, i) => i === 0 || time - times[i - 1] > least);
    kept[kept.length - 1] = this.duration;
    return kept;
  }

  /** The edges that move somewhere between two times, the first and the last one; last < first where none does. */
  edgesWithin(from: number, to: number): { readonly first: number; readonly last: number } {
    const width = this.widths[0] + this.widths[1];
    const least = SAME * this.duration;
    let first = 0;
    while (first < this.#ends.length && this.#ends[first] + width <= from + least) first++;
    let last = this.#starts.length - 1;
    while (last >= 0 && this.#starts[last] >= to - least) last--;
    return { first, last };
  }

  at(time: number): JointState {
    const [start, goal] = [this.#path[0], this.#path[this.#path.length - 1]];
    const positions = (time >= this.duration ? goal : start).slice();
    const velocities = new Float64Array(positions.length);
    const accelerations = new Float64Array(positions.length);
    if (time <= 0 || time >= this.duration) return { positions, velocities, accelerations };
    const width = this.widths[0] + this.widths[1];
    for (const [i, velocity] of this.#velocities.entries()) {
      const [since, after] = [time - this.#starts[i], time - this.#ends[i]];
      if (since <= 0) break;
      if (after >= width) {
        positions.set(this.#path[i + 1]);
        continue;
      }
      const way = this.#ramp(since, 0) - this.#ramp(after, 0);
      const rate = this.#ramp(since, 1) - this.#ramp(after, 1);
      const push = this.#ramp(since, 2) - this.#ramp(after, 2);
      for (let k = 0; k < velocity.length; k++) {
        positions[k] += velocity[k] * way;
        velocities[k] += velocity[k] * rate;
        accelerations[k] += velocity[k] * push;
      }
    }
    for (let k = 0; k < positions.length; k++) {
      positions[k] = Math.min(this.#high[k], Math.max(this.#low[k], positions[k]));
    }
    return { positions, velocities, accelerations };
  }

  /** A derivative of max(0, t) after both filters. */
  #ramp(t: number, derivative: 0 | 1 | 2): number {
    const [a, b] = this.widths;
    if (t <= 0) return 0;
    if (t >= a + b) return derivative === 0 ? t - (a + b) / 2 : derivative === 1 ? 1 : 0;
    const part = (shift: number, power: number): number => Math.max(0, t - shift) ** power;
    const power = 3 - derivative;
    const sum = part(0, power) - part(a, power) - part(b, power) + part(a + b, power);
    return sum / ([6, 2, 1][derivative] * a * b);
  }
}
