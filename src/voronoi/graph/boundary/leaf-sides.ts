// The features of two labels in a leaf of the subdivision: which are nearest at a point, and whether the labels tie there.
import { growTo } from '../../../core/grow-array.js';
import {
  closedValue,
  END_A,
  END_B,
  type FeatureArrays,
  featureExcess,
  featureValue,
  nearestOf,
  SCALE,
  STRIDE,
  VERTEX,
} from '../feature-arrays.js';
import type { FeatureGap } from '../feature-gap.js';
import type { SiteFeatures } from '../site-features.js';
import type { CurvePoint } from './curve-point.js';

/** Rounding: a point is on the boundary if its distances to both labels differ by no more than this, in local lengths. */
const BOUNDARY_TIE = 1e-11;

/** The candidates of a leaf, those of the label to the left and to the right of a curve apart. */
export class LeafSides {
  #list: Int32Array = new Int32Array(0);
  #box: Float64Array = new Float64Array(4);
  #lefts = new Int32Array(64);
  #rights = new Int32Array(64);
  #leftCount = 0;
  #rightCount = 0;
  readonly #features: FeatureArrays;
  readonly #gap: FeatureGap;

  constructor(features: FeatureArrays, gap: FeatureGap) {
    this.#features = features;
    this.#gap = gap;
  }

  /** Prepares for a leaf with its candidates and its box, and for the labels on the two sides of a curve through it. */
  enter(list: Int32Array, box: Float64Array, leftLabel: number, rightLabel: number): void {
    this.#list = list;
    this.#box = box;
    this.#lefts = growTo(this.#lefts, list.length);
    this.#rights = growTo(this.#rights, list.length);
    const { label } = this.#features;
    let lefts = 0;
    let rights = 0;
    for (let i = 0; i < list.length; i++) {
      const own = label[list[i]];
      if (own === leftLabel) this.#lefts[lefts++] = list[i];
      else if (own === rightLabel) this.#rights[rights++] = list[i];
    }
    this.#leftCount = lefts;
    this.#rightCount = rights;
  }

  /** The nearest feature of the left label; -1 if the label has none here. */
  leftAt(x: number, y: number): number {
    return nearestOf(this.#features, this.#lefts, 0, this.#leftCount, x, y);
  }

  /** The nearest feature of the right label; -1 if the label has none here. */
  rightAt(x: number, y: number): number {
    return nearestOf(this.#features, this.#rights, 0, this.#rightCount, x, y);
  }

  /** Whether the labels tie at a point of the leaf and nothing is nearer; then `out` gets the point and its features. */
  findTie(x: number, y: number, out: CurvePoint): boolean {
    const box = this.#box;
    if (!(x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3])) return false;
    const features = this.#features;
    const left = this.leftAt(x, y);
    const right = this.rightAt(x, y);
    const toLeft = closedValue(features, left, x, y);
    const toRight = closedValue(features, right, x, y);
    if (Math.abs(toLeft - toRight) > BOUNDARY_TIE) return false;
    const least = Math.min(toLeft, toRight) - BOUNDARY_TIE;
    const list = this.#list;
    for (let i = 0; i < list.length; i++) {
      if (featureExcess(features, list[i], x, y) <= 0 && featureValue(features, list[i], x, y) < least) return false;
    }
    out.x = x;
    out.y = y;
    out.left = left;
    out.right = right;
    return true;
  }

  /**
   * Features that touch in a node tie along the normal there, and so do their slopes. If others that tie share a
   * constraint, the point gets these, since the curve then follows that constraint; returns false otherwise.
   */
  chooseNeighbors(point: CurvePoint): boolean {
    const features = this.#features;
    const { x, y } = point;
    const most = closedValue(features, point.left, x, y) + BOUNDARY_TIE;
    for (let i = 0; i < this.#leftCount; i++) {
      const left = this.#lefts[i];
      if (closedValue(features, left, x, y) > most) continue;
      for (let j = 0; j < this.#rightCount; j++) {
        const right = this.#rights[j];
        if (!this.#gap.sharesConstraint(left, right) || closedValue(features, right, x, y) > most) continue;
        point.left = left;
        point.right = right;
        return true;
      }
    }
    return false;
  }

  /**
   * Whether two features stay the nearest of their labels on a curve along a chord with the middle (x, y), by the
   * Lipschitz bound of distances. Neighbors that share a constraint are left out: the curve is smooth where they take over.
   */
  keepsFeatures(x: number, y: number, left: number, right: number, length: number): boolean {
    return (
      this.#keeps(this.#lefts, this.#leftCount, left, x, y, length) &&
      this.#keeps(this.#rights, this.#rightCount, right, x, y, length)
    );
  }

  #keeps(list: Int32Array, count: number, own: number, x: number, y: number, length: number): boolean {
    const features = this.#features;
    const { neighborA, neighborB, data } = features;
    const value = featureValue(features, own, x, y);
    const scale = data[STRIDE * own + SCALE];
    for (let i = 0; i < count; i++) {
      const other = list[i];
      if (other === own) continue;
      const reach = (length / 2) * (scale + data[STRIDE * other + SCALE]);
      if (featureValue(features, other, x, y) > value + reach) continue;
      if (featureExcess(features, other, x, y) > length / 2) continue;
      if (
        neighborA[other] === own ||
        neighborB[other] === own ||
        neighborA[own] === other ||
        neighborB[own] === other
      ) {
        if (features.kind[other] === VERTEX || features.kind[own] === VERTEX) continue;
      }
      return false;
    }
    return true;
  }

  /**
   * Finds the ends of features inside the leaf through which the curve between the labels passes, with clearance 0.
   * @param out gets their x and y.
   */
  findContacts(sites: SiteFeatures, leftLabel: number, rightLabel: number, out: number[]): void {
    out.length = 0;
    const box = this.#box;
    const { data, kind, neighborA, neighborB } = this.#features;
    for (let i = 0; i < this.#leftCount + this.#rightCount; i++) {
      const feature = i < this.#leftCount ? this.#lefts[i] : this.#rights[i - this.#leftCount];
      if (kind[feature] === VERTEX) continue;
      for (let end = 0; end < 2; end++) {
        const at = STRIDE * feature + (end === 0 ? END_A : END_B);
        const x = data[at];
        const y = data[at + 1];
        if (!(x > box[0] && y > box[1] && x < box[2] && y < box[3])) continue;
        let known = false;
        for (let j = 0; j < out.length; j += 2) if (out[j] === x && out[j + 1] === y) known = true;
        if (known) continue;
        const node = end === 0 ? neighborA[feature] : neighborB[feature];
        if (sites.joint(node) !== null && sites.separates(node, leftLabel, rightLabel)) out.push(x, y);
      }
    }
  }
}
