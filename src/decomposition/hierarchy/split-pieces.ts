// Splits a group of pieces in two by their centers of mass along the axis of greatest spread, by one of four rules
// (Ehmann and Lin 2001, section 5.1). Both parts always have a piece: if the rule leaves one empty, the median decides.
import { directionBetween, findSpreadAxis } from './spread-axis.js';

/**
 * Where the sorted values along the axis are cut: midway between the first and the last ('midpoint'), at the middle of
 * the list ('median'), at their mean ('mean'), or at a well-defined gap ('gap'), or else at the mean.
 */
export type SplitRule = 'midpoint' | 'median' | 'mean' | 'gap';

/** All rules, the default first. */
export const SPLIT_RULES: readonly SplitRule[] = ['midpoint', 'median', 'mean', 'gap'];

/**
 * Published (Ehmann and Lin 2001): a well-defined gap has at least this share of the values on each side, so that it
 * lies in their central 60 %.
 */
const GAP_MARGIN = 0.2;
/** Published (Ehmann and Lin 2001): a well-defined gap is at least this many times as wide as the second widest. */
const GAP_DOMINANCE = 2;
/** Published (Ehmann and Lin 2001): a well-defined gap spans at least this share of the range of values. */
const GAP_SHARE = 0.1;

/** Splits groups of pieces one after another, reusing memory. */
export class PieceSplitter {
  readonly #centers: Float64Array;
  readonly #rule: SplitRule;
  readonly #points: Float64Array;
  readonly #values: Float64Array;
  readonly #moved: Uint32Array;

  /** @param centers x, y, z of each piece's center of mass. */
  constructor(centers: Float64Array, rule: SplitRule) {
    const count = centers.length / 3;
    this.#centers = centers;
    this.#rule = rule;
    this.#points = new Float64Array(centers.length);
    this.#values = new Float64Array(count);
    this.#moved = new Uint32Array(count);
  }

  /**
   * Reorders the pieces from `start` to before `end` (at least two) so that the first part comes first, and returns
   * where the second begins. Pieces with equal values along the axis are in the order of their ids.
   */
  split(pieces: Uint32Array, start: number, end: number): number {
    const group = pieces.subarray(start, end);
    this.#project(group);
    if (this.#rule === 'median') return start + this.#cutSorted(group, group.length >> 1);
    if (this.#rule === 'gap') {
      this.#sort(group);
      const cut = this.#findGap(group);
      if (cut > 0) return start + cut;
    }
    const cut = this.#partition(group, this.#rule === 'midpoint' ? this.#midpoint(group) : this.#mean(group));
    // All on one side: the values are equal, or differ by less than doubles resolve.
    return start + (cut > 0 && cut < group.length ? cut : this.#cutSorted(group, group.length >> 1));
  }

  /** Sets the value along the axis of each piece of the group, relative to the first piece. */
  #project(group: Uint32Array): void {
    const centers = this.#centers;
    const points = this.#points.subarray(0, 3 * group.length);
    const [x0, y0, z0] = centers.subarray(3 * group[0], 3 * group[0] + 3);
    for (let i = 0; i < group.length; i++) {
      points[3 * i] = centers[3 * group[i]] - x0;
      points[3 * i + 1] = centers[3 * group[i] + 1] - y0;
      points[3 * i + 2] = centers[3 * group[i] + 2] - z0;
    }
    const [x, y, z] = group.length === 2 ? directionBetween(points, 0, 1) : findSpreadAxis(points);
    for (let i = 0; i < group.length; i++) {
      this.#values[group[i]] = points[3 * i] * x + points[3 * i + 1] * y + points[3 * i + 2] * z;
    }
  }

  #midpoint(group: Uint32Array): number {
    const values = this.#values;
    let low = Infinity;
    let high = -Infinity;
    for (const piece of group) {
      low = Math.min(low, values[piece]);
      high = Math.max(high, values[piece]);
    }
    return low / 2 + high / 2;
  }

  #mean(group: Uint32Array): number {
    let sum = 0;
    for (const piece of group) sum += this.#values[piece];
    return sum / group.length;
  }

  /** Moves the values up to the limit to the front, keeping the order within each part, and returns their number. */
  #partition(group: Uint32Array, limit: number): number {
    const values = this.#values;
    const moved = this.#moved;
    let below = 0;
    let above = 0;
    for (let i = 0; i < group.length; i++) {
      const piece = group[i];
      if (values[piece] <= limit) group[below++] = piece;
      else moved[above++] = piece;
    }
    group.set(moved.subarray(0, above), below);
    return below;
  }

  #cutSorted(group: Uint32Array, cut: number): number {
    this.#sort(group);
    return cut;
  }

  #sort(group: Uint32Array): void {
    const values = this.#values;
    group.sort((a, b) => values[a] - values[b] || a - b);
  }

  /** The number of sorted values before the well-defined gap; 0 without one. */
  #findGap(group: Uint32Array): number {
    const values = this.#values;
    const count = group.length;
    let cut = 0;
    let largest = 0;
    let second = 0;
    for (let i = 1; i < count; i++) {
      const gap = values[group[i]] - values[group[i - 1]];
      if (gap > largest) {
        second = largest;
        largest = gap;
        cut = i;
      } else if (gap > second) {
        second = gap;
      }
    }
    const range = values[group[count - 1]] - values[group[0]];
    const isCentral = cut >= GAP_MARGIN * count && cut <= (1 - GAP_MARGIN) * count;
    return isCentral && largest >= GAP_DOMINANCE * second && largest >= GAP_SHARE * range ? cut : 0;
  }
}
