// The nearest features along an axis-parallel line: the lower envelope of their distances, walked from one change to the
// next. Squared distances to vertices and segments are quadratic along a line, so changes between them are roots in
// closed form; those at arcs are bracketed by these roots, those between weights by the Lipschitz bound of distances.
import {
  CURVE,
  type FeatureArrays,
  FIRST,
  featureBend,
  featureExcess,
  featureGradient,
  featureValue,
  LINE,
  SCALE,
  SECOND,
  SIZE,
  STRIDE,
} from './feature-arrays.js';
import { GapRoots } from './gap-roots.js';

/** Rounding: distances that differ by less, in local lengths, are equal. */
const DISTANCE_TIE = 1e-14;
/**
 * Rounding: changes this close to each other, in local lengths, are one place; features that tie there are compared
 * just beyond.
 */
const AHEAD = 1e-10;
/** Rounding: constraints that end this close to each other, in local lengths, end in one place. */
const SAME_END = 1e-12;
/** Chosen: a longer list is halved with the line. */
const LONG_LIST = 20;
/** Chosen: an interval this short, as a share of the box, is not searched for two changes that cancel out. */
const MIN_INTERVAL = 1e-5;

/** From (x, y) in the unit direction (dx, dy). */
export interface Segment {
  readonly x: number;
  readonly y: number;
  readonly dx: number;
  readonly dy: number;
  readonly length: number;
}

/** Walks lines. One object has the scratch of all walks of a diagram. */
export class LineEnvelope {
  /** Of the last walk: the distance from the start, the feature before and the feature after of each change. */
  readonly at: number[] = [];
  readonly before: number[] = [];
  readonly after: number[] = [];
  /** Changes of the nearest feature found so far, and walks that were cut off. */
  steps = 0;
  cutOff = 0;
  readonly #features: FeatureArrays;
  #a = new Float64Array(64);
  #b = new Float64Array(64);
  #c = new Float64Array(64);
  #low = new Float64Array(64);
  #high = new Float64Array(64);
  /** Where the walk last left the feature. */
  #left = new Float64Array(64);
  #lower = new Float64Array(64);
  #x = 0;
  #y = 0;
  #dx = 0;
  #dy = 0;
  readonly #gradient = new Float64Array(2);
  readonly #lists: Int32Array[] = [];
  readonly #gapRoots: GapRoots;

  constructor(features: FeatureArrays) {
    this.#features = features;
    this.#gapRoots = new GapRoots(features);
  }

  /** The feature of the list that is nearest to the point; of those at the same distance the one of the lowest site. */
  nearest(list: Int32Array, count: number, x: number, y: number): number {
    const features = this.#features;
    const { site } = features;
    let best = -1;
    let least = Infinity;
    let least0 = Infinity;
    let closest = -1;
    for (let i = 0; i < count; i++) {
      const feature = list[i];
      const excess = featureExcess(features, feature, x, y);
      if (excess > 0) {
        // Rounding may leave a point between two features that share a constraint.
        if (excess > 1e-9) continue;
        const value = featureValue(features, feature, x, y) + excess;
        if (value < least0) {
          least0 = value;
          closest = feature;
        }
        continue;
      }
      const value = featureValue(features, feature, x, y);
      if (value < least - DISTANCE_TIE || (value <= least + DISTANCE_TIE && (best < 0 || site[feature] < site[best]))) {
        best = feature;
        if (value < least) least = value;
      }
    }
    if (best >= 0) return best;
    return closest >= 0 ? closest : list[0];
  }

  /**
   * Finds the changes on the segment, if `start` is the nearest feature at its beginning. Returns the nearest feature at the end.
   */
  walk(list: Int32Array, start: number, { x, y, dx, dy, length }: Segment, simple: boolean): number {
    this.at.length = 0;
    this.before.length = 0;
    this.after.length = 0;
    this.#x = x;
    this.#y = y;
    this.#dx = dx;
    this.#dy = dy;
    return this.#part(list, list.length, start, 0, length, simple, 0);
  }

  #part(
    list: Int32Array,
    count: number,
    start: number,
    from: number,
    to: number,
    simple: boolean,
    depth: number,
  ): number {
    if (count <= LONG_LIST || depth > 24) return this.#walkPart(list, count, start, from, to, simple);
    const middle = (from + to) / 2;
    let kept = this.#lists[depth];
    if (kept === undefined || kept.length < count) {
      kept = new Int32Array(2 * count);
      this.#lists[depth] = kept;
    }
    let some = this.#filter(list, count, from, middle, kept);
    if (some > 0.9 * count && depth > 4) return this.#walkPart(list, count, start, from, to, simple);
    const half = this.#part(kept, some, start, from, middle, simple, depth + 1);
    some = this.#filter(list, count, middle, to, kept);
    return this.#part(kept, some, half, middle, to, simple, depth + 1);
  }

  /** Keeps what may be nearest somewhere between the two parameters. */
  #filter(list: Int32Array, count: number, from: number, to: number, kept: Int32Array): number {
    const features = this.#features;
    const { data } = features;
    const half = (to - from) / 2;
    const x = this.#x + ((from + to) / 2) * this.#dx;
    const y = this.#y + ((from + to) / 2) * this.#dy;
    if (this.#lower.length < count) this.#lower = new Float64Array(2 * count);
    const lower = this.#lower;
    let least = Infinity;
    for (let i = 0; i < count; i++) {
      const feature = list[i];
      const excess = featureExcess(features, feature, x, y);
      if (excess > half + 1e-12) {
        lower[i] = Infinity;
        continue;
      }
      const value = featureValue(features, feature, x, y);
      const reach = half * data[STRIDE * feature + SCALE];
      lower[i] = value - reach;
      if (excess <= 0 && value + reach < least) least = value + reach;
    }
    least += 1e-12;
    let some = 0;
    for (let i = 0; i < count; i++) if (lower[i] <= least) kept[some++] = list[i];
    return some;
  }

  /** Sets up the squared distances and the ranges of the features, as functions of the distance along the line. */
  #prepare(list: Int32Array, count: number): void {
    if (this.#a.length < count) {
      const length = 2 * count;
      this.#a = new Float64Array(length);
      this.#b = new Float64Array(length);
      this.#c = new Float64Array(length);
      this.#low = new Float64Array(length);
      this.#high = new Float64Array(length);
      this.#left = new Float64Array(length);
    }
    const { data, kind } = this.#features;
    const x = this.#x;
    const y = this.#y;
    const dx = this.#dx;
    const dy = this.#dy;
    for (let i = 0; i < count; i++) {
      const at = STRIDE * list[i];
      if (kind[list[i]] === LINE) {
        const slope = data[at] * dx + data[at + 1] * dy;
        const value = data[at] * x + data[at + 1] * y - data[at + SIZE];
        this.#a[i] = slope * slope;
        this.#b[i] = 2 * slope * value;
        this.#c[i] = value * value;
      } else {
        const px = x - data[at];
        const py = y - data[at + 1];
        this.#a[i] = 1;
        this.#b[i] = 2 * (px * dx + py * dy);
        this.#c[i] = px * px + py * py;
      }
      let low = -Infinity;
      let high = Infinity;
      for (let constraint = FIRST; constraint <= SECOND; constraint += SECOND - FIRST) {
        const slope = data[at + constraint] * dx + data[at + constraint + 1] * dy;
        const missing = data[at + constraint + 2] - data[at + constraint] * x - data[at + constraint + 1] * y;
        if (slope > 0) {
          const bound = missing / slope;
          if (bound > low) low = bound;
        } else if (slope < 0) {
          const bound = missing / slope;
          if (bound < high) high = bound;
        } else if (missing > 0) high = -Infinity;
      }
      this.#low[i] = low;
      this.#high[i] = high;
      this.#left[i] = -Infinity;
    }
  }

  /**
   * Walks a part of the line from change to change. Each step shares the terms of the feature, so that all of them are
   * locals of one function.
   */
  #walkPart(list: Int32Array, count: number, start: number, from: number, to: number, simple: boolean): number {
    this.#prepare(list, count);
    const features = this.#features;
    const a = this.#a;
    const b = this.#b;
    const c = this.#c;
    const lows = this.#low;
    const highs = this.#high;
    const left = this.#left;
    let current = list.indexOf(start);
    let t = from;
    if (current < 0 || current >= count) {
      const x = this.#x + t * this.#dx;
      const y = this.#y + t * this.#dy;
      const feature = this.nearest(list, count, x, y);
      if (feature !== start && count > 0) this.#push(t, start, feature);
      current = list.indexOf(feature);
      if (current < 0) return start;
    }
    const limit = 4 * count + 32;
    for (let step = 0; step < limit; step++) {
      this.steps++;
      let best = -1;
      let bestSlope = 0;
      const last = t;
      const end = highs[current] < to ? Math.max(highs[current], t) : to;
      let soonest = end;
      const allSquares = simple && features.kind[list[current]] !== CURVE;
      const ca = a[current];
      const cb = b[current];
      const cc = c[current];
      for (let j = 0; j < count; j++) {
        if (j === current) continue;
        const begin = Math.max(lows[j], t);
        if (begin > soonest || highs[j] <= begin) continue;
        let root: number;
        let slope = 0;
        if (allSquares && features.kind[list[j]] !== CURVE) {
          const qa = a[j] - ca;
          const qb = b[j] - cb;
          const qc = c[j] - cc;
          const value = (qa * begin + qb) * begin + qc;
          // The tolerance is that of distances, doubled and times the distance as squares are compared.
          const tolerance = 2 * DISTANCE_TIE * Math.sqrt((ca * begin + cb) * begin + cc) + DISTANCE_TIE * DISTANCE_TIE;
          if (value < -tolerance) {
            root = begin;
            slope = value;
          } else {
            const discriminant = qb * qb - 4 * qa * qc;
            if (discriminant <= 0 || (qa > 0 && discriminant < 8 * qa * tolerance)) continue;
            const s = Math.sqrt(discriminant);
            root = qb > 0 ? (-qb - s) / (2 * qa) : (2 * qc) / (s - qb);
            slope = -s;
            if (!(root >= begin)) {
              // Two features that tie where the walk is: the other one is nearer at once if its distance falls.
              if (!(root >= begin - 1e-13 && 2 * qa * begin + qb < 0) || root < begin - 1e-13) continue;
              root = begin;
            }
          }
        } else {
          root = this.#firstDrop(list[current], list[j], begin, Math.min(soonest, highs[j]));
          if (!(root >= 0)) continue;
          slope = -1;
        }
        if (root >= highs[j] || root > soonest) continue;
        // Rounding could let features that tie take turns without end: the walk goes back only to what is nearer ahead.
        if (left[j] >= t - AHEAD && root <= t + AHEAD) {
          if (this.#endsAt(j, t) || !(this.#gap(list[current], list[j], t + 2 * AHEAD) < 0)) continue;
        }
        if (root === soonest && best >= 0 && slope >= bestSlope) continue;
        if (root === soonest && best < 0 && root === to) continue;
        best = j;
        soonest = root;
        bestSlope = slope;
      }
      if (best < 0) {
        if (end >= to) return list[current];
        t = end;
        best = this.#nearestAfter(list, count, current, t, SAME_END);
        if (best < 0) best = this.#nearestAfter(list, count, current, t, 0);
        if (best < 0) return list[current];
      } else t = soonest;
      if (features.label[list[current]] !== features.label[list[best]])
        t = this.#polish(list[current], list[best], t, last, to);
      this.#push(t, list[current], list[best]);
      left[current] = t;
      current = best;
    }
    this.cutOff++;
    return list[current];
  }

  /** Whether the constraints of a feature end at the parameter or just ahead. */
  #endsAt(index: number, t: number): boolean {
    return this.#high[index] < t + 2 * AHEAD;
  }

  #push(t: number, before: number, after: number): void {
    this.at.push(t);
    this.before.push(before);
    this.after.push(after);
  }

  /**
   * The feature that is nearest just after the parameter, where the constraints of the current one end; of those whose
   * own constraints reach farther than `ahead`.
   */
  #nearestAfter(list: Int32Array, count: number, current: number, t: number, ahead: number): number {
    const features = this.#features;
    const x = this.#x + t * this.#dx;
    const y = this.#y + t * this.#dy;
    const gradient = this.#gradient;
    let best = -1;
    let least = Infinity;
    let slope = Infinity;
    let bend = Infinity;
    for (let j = 0; j < count; j++) {
      if (j === current || this.#low[j] > t + SAME_END || this.#high[j] <= t + ahead) continue;
      if (this.#left[j] >= t - AHEAD && this.#endsAt(j, t)) continue;
      const value = featureValue(features, list[j], x, y);
      if (value > least + 1e-12) continue;
      featureGradient(features, list[j], x, y, gradient);
      const rise = gradient[0] * this.#dx + gradient[1] * this.#dy;
      // Features that touch where they are nearest tie in value and slope.
      const turn = featureBend(features, list[j], x, y, rise);
      const lower = best < 0 || features.site[list[j]] < features.site[list[best]];
      const even = rise < slope + 1e-9 && (turn < bend - 1e-6 || (turn < bend + 1e-6 && lower));
      if (value < least - 1e-12 || rise < slope - 1e-9 || even) {
        best = j;
        slope = rise;
        bend = turn;
        if (value < least) least = value;
      }
    }
    return best;
  }

  /** Newton's steps on the difference of the distances, which loses fewer digits than that of their squares. */
  #polish(f: number, g: number, t: number, from: number, to: number): number {
    const features = this.#features;
    const gradient = this.#gradient;
    let best = t;
    for (let i = 0; i < 3; i++) {
      const x = this.#x + best * this.#dx;
      const y = this.#y + best * this.#dy;
      const gap = featureValue(features, f, x, y) - featureValue(features, g, x, y);
      featureGradient(features, f, x, y, gradient);
      let slope = gradient[0] * this.#dx + gradient[1] * this.#dy;
      featureGradient(features, g, x, y, gradient);
      slope -= gradient[0] * this.#dx + gradient[1] * this.#dy;
      if (Math.abs(slope) < 1e-7 || Math.abs(gap) > 1e-7) return best;
      const next = best - gap / slope;
      if (!(Math.abs(next - t) < 1e-7) || next < from || next > to) return best;
      if (next === best) return best;
      best = next;
    }
    return best;
  }

  /** The first parameter in the range from which g is nearer than f; -1 without one. */
  #firstDrop(f: number, g: number, from: number, to: number): number {
    const { data } = this.#features;
    const bound = data[STRIDE * f + SCALE] + data[STRIDE * g + SCALE];
    let low = from;
    let lowGap = this.#gap(f, g, low);
    if (lowGap < -DISTANCE_TIE) return low;
    const roots = this.#gapRoots;
    if (roots.find(f, g, this.#x, this.#y, this.#dx, this.#dy, from, to)) {
      for (let i = 0; i <= roots.count; i++) {
        const start = i === 0 ? from : roots.roots[i - 1];
        const end = i === roots.count ? to : roots.roots[i];
        const middle = (start + end) / 2;
        if (this.#gap(f, g, middle) < -DISTANCE_TIE) return this.#bisect(f, g, low, middle);
        low = middle;
      }
      return this.#gap(f, g, to) < -DISTANCE_TIE ? this.#bisect(f, g, low, to) : -1;
    }
    const stack = [to];
    const gaps = [this.#gap(f, g, to)];
    let work = 0;
    while (stack.length > 0 && work++ < 4096) {
      const high = stack[stack.length - 1];
      const highGap = gaps[gaps.length - 1];
      const least = (lowGap + highGap - bound * (high - low)) / 2;
      if (least > -DISTANCE_TIE) {
        low = high;
        lowGap = highGap;
        stack.pop();
        gaps.pop();
      } else if (high - low <= MIN_INTERVAL) {
        if (highGap < -DISTANCE_TIE) return this.#bisect(f, g, low, high);
        low = high;
        lowGap = highGap;
        stack.pop();
        gaps.pop();
      } else {
        const middle = (low + high) / 2;
        stack.push(middle);
        gaps.push(this.#gap(f, g, middle));
      }
    }
    return -1;
  }

  #bisect(f: number, g: number, from: number, to: number): number {
    let low = from;
    let high = to;
    for (let i = 0; i < 60 && high - low > 1e-16; i++) {
      const middle = (low + high) / 2;
      if (this.#gap(f, g, middle) < 0) high = middle;
      else low = middle;
    }
    return high;
  }

  /** How much farther g is than f. */
  #gap(f: number, g: number, t: number): number {
    const x = this.#x + t * this.#dx;
    const y = this.#y + t * this.#dy;
    return featureValue(this.#features, g, x, y) - featureValue(this.#features, f, x, y);
  }
}
