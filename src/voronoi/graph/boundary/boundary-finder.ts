// Finds points of the curve between two labels in a leaf: by Newton's method along the normal of a chord or along the line
// of a constraint, and by bisection where that does not converge.

import { type FeatureArrays, featureExcess } from '../feature-arrays.js';
import type { FeatureGap } from '../feature-gap.js';
import type { CurvePoint } from './curve-point.js';
import type { LeafSides } from './leaf-sides.js';

/** Rounding: a point this far beyond the line of a constraint, in local lengths, is on it. */
export const ON_CONSTRAINT = 1e-12;

/** Rounding: a difference of distances with a smaller gradient (a number without unit) has no direction. */
const MIN_GRADIENT = 1e-9;

/** Chosen: Newton's method needs a slope of the difference of distances of at least this along its line. */
const MIN_SLOPE = 1e-6;

/** Rounding: Newton's method with fixed features ends when it moves by no more than this, in local lengths. */
const NEWTON_STEP = 1e-13;

/** Rounding: the same where the features may change from step to step. */
const SEARCH_STEP = 1e-14;

/** Chosen: the steps of Newton's method with fixed features; it converges in three or fails. */
const FIXED_STEPS = 8;

/** Chosen: the steps of Newton's method where the features may change; bisection takes over after them. */
const CHANGING_STEPS = 12;

/** Chosen: the halvings of a bracket; 2⁻⁶⁰ of a chord is below rounding. */
const BISECTIONS = 60;

export class BoundaryFinder {
  readonly #features: FeatureArrays;
  readonly #sides: LeafSides;
  readonly #gap: FeatureGap;

  constructor(features: FeatureArrays, sides: LeafSides, gap: FeatureGap) {
    this.#features = features;
    this.#sides = sides;
    this.#gap = gap;
  }

  /** Finds the features and the normal at a point of the curve; false if a label has no feature here. */
  locate(x: number, y: number, out: CurvePoint): boolean {
    out.x = x;
    out.y = y;
    out.left = this.#sides.leftAt(x, y);
    out.right = this.#sides.rightAt(x, y);
    if (out.left < 0 || out.right < 0) return false;
    this.takeNormal(out);
    return true;
  }

  /** Sets the normal of a point from its features; where these have none, its features may become neighbors that tie. */
  takeNormal(point: CurvePoint): void {
    const gap = this.#gap;
    const { x, y } = point;
    gap.take(point.left, point.right, x, y);
    let length = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    if (!(length > MIN_GRADIENT) && this.#sides.chooseNeighbors(point)) {
      gap.take(point.left, point.right, x, y);
      length = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    }
    const scale = length > MIN_GRADIENT ? 1 / length : 1;
    point.nx = scale * gap.gx;
    point.ny = scale * gap.gy;
  }

  /**
   * Finds the point of the curve between the two features of `a` beside a share of the chord from a to b, by Newton's
   * method along the normal of the chord. Returns false where the features end before or the method leaves the chord.
   */
  nearChord(a: CurvePoint, b: CurvePoint, share: number, out: CurvePoint): boolean {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const ux = -dy / length;
    const uy = dx / length;
    const { left, right } = a;
    const gap = this.#gap;
    let x = a.x + share * dx;
    let y = a.y + share * dy;
    let t = 0;
    gap.choose(left, right);
    for (let step = 0; ; step++) {
      gap.takeAt(x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      const change = -gap.value / slope;
      t += change;
      if (step === FIXED_STEPS || !(Math.abs(slope) > MIN_SLOPE) || !(Math.abs(t) < length / 4)) return false;
      x += change * ux;
      y += change * uy;
      if (Math.abs(change) <= NEWTON_STEP) break;
    }
    const features = this.#features;
    if (featureExcess(features, left, x, y) > ON_CONSTRAINT) return false;
    if (featureExcess(features, right, x, y) > ON_CONSTRAINT) return false;
    const size = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    out.x = x;
    out.y = y;
    out.nx = gap.gx / size;
    out.ny = gap.gy / size;
    out.left = left;
    out.right = right;
    return true;
  }

  /**
   * Finds the point where the curve crosses the line of a constraint, by Newton's method along that line.
   * @param at where the constraint between the features `from` and `next` of one label is in the data.
   * @param reach how far the search may go from where it starts.
   * @param out the point to start from; gets the point found.
   */
  crossConstraint(at: number, from: number, next: number, ofLeft: boolean, reach: number, out: CurvePoint): boolean {
    const { data } = this.#features;
    const sides = this.#sides;
    const ux = -data[at + 1];
    const uy = data[at];
    const gap = this.#gap;
    const { x: startX, y: startY } = out;
    let x = startX;
    let y = startY;
    for (let step = 0; ; step++) {
      const left = ofLeft ? from : sides.leftAt(x, y);
      const right = ofLeft ? sides.rightAt(x, y) : from;
      if (left < 0 || right < 0 || step === CHANGING_STEPS) return false;
      gap.take(left, right, x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      if (!(Math.abs(slope) > MIN_SLOPE)) return false;
      const change = -gap.value / slope;
      x += change * ux;
      y += change * uy;
      if (!(Math.abs(x - startX) + Math.abs(y - startY) <= reach)) return false;
      if (Math.abs(change) <= NEWTON_STEP) break;
    }
    if (!sides.findTie(x, y, out)) return false;
    const there = ofLeft ? out.left : out.right;
    if (there !== from && there !== next) return false;
    this.takeNormal(out);
    return true;
  }

  /** Moves from a share of the chord along its normal to the curve, whatever features are nearest on the way. */
  project(a: CurvePoint, b: CurvePoint, share: number, out: CurvePoint): boolean {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    const ux = -dy / length;
    const uy = dx / length;
    const mx = a.x + share * dx;
    const my = a.y + share * dy;
    const gap = this.#gap;
    const sides = this.#sides;
    let t = 0;
    let found = false;
    for (let step = 0; step < CHANGING_STEPS; step++) {
      const x = mx + t * ux;
      const y = my + t * uy;
      const left = sides.leftAt(x, y);
      const right = sides.rightAt(x, y);
      if (left < 0 || right < 0) return false;
      gap.take(left, right, x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      if (Math.abs(slope) < MIN_SLOPE) break;
      const change = -gap.value / slope;
      t += change;
      if (!(Math.abs(t) <= length)) break;
      if (Math.abs(change) > SEARCH_STEP) continue;
      found = sides.findTie(mx + t * ux, my + t * uy, out);
      break;
    }
    if (!found && !this.#bisect(mx, my, ux, uy, length, out)) return false;
    this.takeNormal(out);
    return true;
  }

  /** Brackets the curve on both sides of the chord, then bisects. */
  #bisect(mx: number, my: number, ux: number, uy: number, length: number, out: CurvePoint): boolean {
    const atZero = this.#difference(mx, my);
    for (let reach = length / 16; reach <= length; reach *= 2) {
      for (let end = reach; end >= -reach; end -= 2 * reach) {
        if (this.#difference(mx + end * ux, my + end * uy) * atZero > 0) continue;
        let low = 0;
        let high = end;
        for (let i = 0; i < BISECTIONS; i++) {
          const middle = (low + high) / 2;
          if (this.#difference(mx + middle * ux, my + middle * uy) * atZero > 0) low = middle;
          else high = middle;
        }
        if (this.#sides.findTie(mx + high * ux, my + high * uy, out)) return true;
      }
    }
    return false;
  }

  /** How much farther the left label is than the right one. */
  #difference(x: number, y: number): number {
    this.#gap.take(this.#sides.leftAt(x, y), this.#sides.rightAt(x, y), x, y);
    return this.#gap.value;
  }
}
