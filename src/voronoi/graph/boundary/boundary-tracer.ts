// The curve between two regions inside one leaf of the subdivision, as points on it. A chord is halved until the curve is
// within the error: its middle is moved along the normal of the chord to where the two labels tie.

import { closedValue, type FeatureArrays, featureGradient, LINE, SCALE, STRIDE, VERTEX } from '../feature-arrays.js';
import { FeatureGap } from '../feature-gap.js';
import { BoundaryFinder, ON_CONSTRAINT } from './boundary-finder.js';
import { CurvePoint, TracedCurve } from './curve-point.js';
import { LeafSides } from './leaf-sides.js';

/** Rounding: shorter chords, in local lengths (shares of the box), are not halved. */
const SHORTEST_CHORD = 1e-9;

/** Chosen: the most halvings one inside the other. A leaf halved 24 times is as short as {@link SHORTEST_CHORD}. */
const MAX_DEPTH = 24;

/** Proven: a parabola passes the middle of the triangle of its chord and tangents: 1/4 of the deviation over the cosine. */
const PARABOLA_BOW = 0.26;

/** Proven: any conic is in that triangle: 1/2 of the deviation over the cosine, which is 0.968 or more. */
const CONIC_BOW = 0.52;

/**
 * Traces boundaries. One object has the scratch of all traces of a graph: what {@link BoundaryTracer.trace} returns is
 * overwritten by the next trace.
 */
export class BoundaryTracer {
  /** The candidates of the leaf entered last. */
  readonly sides: LeafSides;
  readonly #features: FeatureArrays;
  readonly #gap: FeatureGap;
  readonly #finder: BoundaryFinder;
  /** The largest distance of chords from the curve, in local lengths. */
  readonly #error: number;
  readonly #curve = new TracedCurve();
  readonly #gradient = new Float64Array(2);
  /** Ends of the chord that is refined. */
  readonly #start = new CurvePoint();
  readonly #end = new CurvePoint();
  /** By depth: two points that a chord of this depth adds. Chords of the same depth follow one another. */
  readonly #added = Array.from({ length: MAX_DEPTH + 1 }, () => [new CurvePoint(), new CurvePoint()] as const);

  constructor(features: FeatureArrays, error: number) {
    this.#features = features;
    this.#error = error;
    this.#gap = new FeatureGap(features);
    this.sides = new LeafSides(features, this.#gap);
    this.#finder = new BoundaryFinder(features, this.sides, this.#gap);
  }

  /** Finds the features and the normal at a point of the curve; false if a label has no feature in the leaf. */
  locate(x: number, y: number, out: CurvePoint): boolean {
    return this.#finder.locate(x, y, out);
  }

  /** Collects points of the curve from one of its points to another. */
  trace(ax: number, ay: number, bx: number, by: number): TracedCurve {
    const curve = this.#curve;
    curve.clear();
    const a = this.#start;
    const b = this.#end;
    const known = this.#finder.locate(ax, ay, a);
    curve.pushPoint(a);
    if (this.#finder.locate(bx, by, b) && known) {
      this.#refine(a, b, 0);
      curve.pushPoint(b);
    } else curve.push(bx, by, a.left, a.right);
    return curve;
  }

  /** Reads a point of a traced curve, with its normal. */
  read(curve: TracedCurve, index: number, out: CurvePoint): void {
    curve.read(index, out);
    this.#finder.takeNormal(out);
  }

  /** The distance from a point of the curve to the nearest site. */
  clearance(point: CurvePoint): number {
    const { x, y } = point;
    return Math.min(closedValue(this.#features, point.left, x, y), closedValue(this.#features, point.right, x, y));
  }

  /** How fast the clearance grows at a point, along the curve with the left label on its left. */
  clearanceRate(point: CurvePoint): number {
    const gradient = this.#gradient;
    featureGradient(this.#features, point.left, point.x, point.y, gradient);
    return gradient[1] * point.nx - gradient[0] * point.ny;
  }

  /** Finds the point of the curve beside a share of the chord from the point of this index to the next; false without one. */
  between(curve: TracedCurve, index: number, share: number, out: CurvePoint): boolean {
    const a = this.#start;
    const b = this.#end;
    curve.read(index, a);
    curve.read(index + 1, b);
    const same = a.left === b.left && a.right === b.right;
    if (same && this.#finder.nearChord(a, b, share, out)) return true;
    return this.#finder.project(a, b, share, out);
  }

  /** Adds the points between a and b to the curve. */
  #refine(a: CurvePoint, b: CurvePoint, depth: number): void {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length < SHORTEST_CHORD || depth > MAX_DEPTH) return;
    if (a.left !== b.left && this.#refineChange(true, a, b, depth)) return;
    if (a.right !== b.right && this.#refineChange(false, a, b, depth)) return;
    const deviation = Math.max(Math.abs(dx * a.nx + dy * a.ny), Math.abs(dx * b.nx + dy * b.ny));
    const normals = a.nx * a.nx + a.ny * a.ny > 0.5 && b.nx * b.nx + b.ny * b.ny > 0.5;
    // A curve that turns back may go far beyond a short chord.
    const turns = a.nx * b.nx + a.ny * b.ny < 0;
    const same = a.left === b.left && a.right === b.right;
    const even = normals && !turns && this.#clearanceBend(a, b) <= this.#error;
    const flat = even && deviation <= this.#error;
    if (flat && length <= this.#error) return;
    if (same && normals && this.sides.keepsFeatures(a.x + dx / 2, a.y + dy / 2, a.left, a.right, length)) {
      if (even && this.#bow(deviation, length, a.left, a.right) <= this.#error) return;
      if (this.#refineConic(a, b, depth)) return;
    }
    const middle = this.#added[depth][0];
    if (!this.#finder.project(a, b, 0.5, middle)) {
      this.#curve.failures++;
      return;
    }
    const bend = Math.abs((middle.x - a.x) * dy - (middle.y - a.y) * dx) / length;
    // A curve of several features that is flat at three places is taken as flat.
    if (!(length <= this.#error && bend <= this.#error) && !(flat && bend <= this.#error / 4)) {
      this.#refine(a, middle, depth + 1);
      this.#curve.pushPoint(middle);
      this.#refine(middle, b, depth + 1);
    } else this.#curve.pushPoint(middle);
  }

  /**
   * Refines a chord whose ends have different features of the left or the right label, with a point where the curve
   * crosses the constraint between them. Returns false, without points, if they share none.
   */
  #refineChange(ofLeft: boolean, a: CurvePoint, b: CurvePoint, depth: number): boolean {
    const side = ofLeft ? 'left' : 'right';
    const from = a[side];
    const next = this.#nextFeature(from, b[side]);
    if (next < 0) return false;
    const at = this.#gap.constraint(from, next);
    const { data } = this.#features;
    const start = data[at] * a.x + data[at + 1] * a.y - data[at + 2];
    const end = data[at] * b.x + data[at + 1] * b.y - data[at + 2];
    const [before, after] = this.#added[depth];
    if (Math.abs(start) <= ON_CONSTRAINT) {
      // Both features are nearest at the first point.
      after.copy(a)[side] = next;
      this.#refine(after, b, depth + 1);
      return true;
    }
    if (Math.abs(end) <= ON_CONSTRAINT && next === b[side]) {
      before.copy(b)[side] = from;
      this.#refine(a, before, depth + 1);
      return true;
    }
    if (!(start * end < 0)) return false;
    const share = start / (start - end);
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const square = dx * dx + dy * dy;
    before.x = a.x + share * dx;
    before.y = a.y + share * dy;
    if (!this.#finder.crossConstraint(at, from, next, ofLeft, Math.sqrt(square) / 4, before)) return false;
    const along = (before.x - a.x) * dx + (before.y - a.y) * dy;
    if (!(along > 0 && along < square)) return false;
    after.copy(before)[side] = next;
    before[side] = from;
    this.#refine(a, before, depth + 1);
    this.#curve.pushPoint(after);
    this.#refine(after, b, depth + 1);
    return true;
  }

  /** The first feature on the way from one to another that shares a constraint with it: the other, or one between them. */
  #nextFeature(from: number, to: number): number {
    const { kind, neighborA, neighborB } = this.#features;
    if (kind[from] === VERTEX && kind[to] === VERTEX) {
      const a = neighborA[from];
      const b = neighborB[from];
      if (a >= 0 && (a === neighborA[to] || a === neighborB[to])) return a;
      return b >= 0 && (b === neighborA[to] || b === neighborB[to]) ? b : -1;
    }
    return this.#gap.constraint(from, to) > 0 ? to : -1;
  }

  /**
   * Refines a chord on which the nearest features stay the same. Returns false, without points, if Newton's method leaves
   * the neighborhood of the chord.
   */
  #refineConic(a: CurvePoint, b: CurvePoint, depth: number): boolean {
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length < SHORTEST_CHORD || depth > MAX_DEPTH) return true;
    const deviation = Math.max(Math.abs(dx * a.nx + dy * a.ny), Math.abs(dx * b.nx + dy * b.ny));
    if (
      a.nx * b.nx + a.ny * b.ny >= 0 &&
      this.#bow(deviation, length, a.left, a.right) <= this.#error &&
      this.#clearanceBend(a, b) <= this.#error
    ) {
      return true;
    }
    const middle = this.#added[depth][0];
    if (!this.#finder.nearChord(a, b, 0.5, middle)) return false;
    const curve = this.#curve;
    const start = curve.count;
    if (this.#refineConic(a, middle, depth + 1)) {
      curve.pushPoint(middle);
      if (this.#refineConic(middle, b, depth + 1)) return true;
    }
    curve.count = start;
    return false;
  }

  /**
   * How far the curve between two features is from a chord, if its tangents at the ends leave the chord by `deviation` at
   * its other end. A conic is in the triangle of the chord and these tangents, whose height is at most half of that over
   * the cosine.
   */
  #bow(deviation: number, length: number, left: number, right: number): number {
    if (deviation > length / 4) return deviation;
    const { kind, data } = this.#features;
    const parabola =
      (kind[left] === LINE || kind[right] === LINE) && data[STRIDE * left + SCALE] === data[STRIDE * right + SCALE];
    return (parabola ? PARABOLA_BOW : CONIC_BOW) * deviation;
  }

  /** About how far the clearance between two points is from its linear interpolation. */
  #clearanceBend(a: CurvePoint, b: CurvePoint): number {
    const gradient = this.#gradient;
    const dx = b.x - a.x;
    const dy = b.y - a.y;
    featureGradient(this.#features, a.left, a.x, a.y, gradient);
    const start = gradient[0] * dx + gradient[1] * dy;
    featureGradient(this.#features, b.left, b.x, b.y, gradient);
    return Math.abs(gradient[0] * dx + gradient[1] * dy - start) / 8;
  }
}
