// The curve between two regions inside one leaf of the subdivision, as points on it. A chord is halved until the curve is
// within the error: its middle is moved along the normal of the chord to where the two labels tie.
import { growTo } from '../../core/grow-array.js';
import {
  closedValue,
  END_A,
  END_B,
  type FeatureArrays,
  featureExcess,
  featureGradient,
  featureValue,
  LINE,
  nearestOf,
  SCALE,
  STRIDE,
  VERTEX,
} from './feature-arrays.js';
import { FeatureGap } from './feature-gap.js';
import type { SiteFeatures } from './site-features.js';

/** The shortest chord that is halved, as a share of the box. */
const SHORTEST_CHORD = 1e-9;
const MAX_DEPTH = 24;
/** A point this close to the line of a constraint is on it. */
const ON_CONSTRAINT = 1e-12;
/** Points of a boundary have distances to both sides that differ by less. */
const BOUNDARY_TIE = 1e-11;
/** A difference of distances with a smaller gradient has no direction. */
const NO_SLOPE = 1e-9;

/** Traces boundaries. One object has the scratch of all traces of a graph. */
export class BoundaryTracer {
  /** Of the trace so far: x, y of each point. */
  points = new Float64Array(256);
  /** By point: the features to the left and to the right. */
  lefts = new Int32Array(128);
  rights = new Int32Array(128);
  /** The number of points. */
  count = 0;
  /** Chords that could not be halved. */
  failures = 0;
  /** After {@link locate}: the nearest features of the two labels, and the normal of the curve from left to right. */
  left = -1;
  right = -1;
  nx = 0;
  ny = 0;
  /** After {@link relocate}: the clearance. */
  located = 0;
  /** After {@link between}: the point. */
  x = 0;
  y = 0;
  readonly #features: FeatureArrays;
  readonly #gap: FeatureGap;
  readonly #gradient = new Float64Array(2);
  #list: Int32Array = new Int32Array(0);
  #box: Float64Array = new Float64Array(4);
  #error = 0;
  #leftList = new Int32Array(64);
  #rightList = new Int32Array(64);
  #leftCount = 0;
  #rightCount = 0;
  #x = 0;
  #y = 0;

  constructor(features: FeatureArrays) {
    this.#features = features;
    this.#gap = new FeatureGap(features);
  }

  /** Prepares for a leaf with its candidates and its box, and the labels on the two sides of a curve through it. */
  enter(list: Int32Array, box: Float64Array, leftLabel: number, rightLabel: number, error: number): void {
    this.#list = list;
    this.#box = box;
    this.#error = error;
    const { label } = this.#features;
    if (this.#leftList.length < list.length) {
      this.#leftList = new Int32Array(2 * list.length);
      this.#rightList = new Int32Array(2 * list.length);
    }
    let lefts = 0;
    let rights = 0;
    for (let i = 0; i < list.length; i++) {
      const own = label[list[i]];
      if (own === leftLabel) this.#leftList[lefts++] = list[i];
      else if (own === rightLabel) this.#rightList[rights++] = list[i];
    }
    this.#leftCount = lefts;
    this.#rightCount = rights;
  }

  /** Collects points of the curve from one of its points to another. {@link failures} counts chords not halved. */
  trace(ax: number, ay: number, bx: number, by: number): void {
    this.count = 0;
    const known = this.locate(ax, ay);
    const { left: al, right: ar, nx: anx, ny: any } = this;
    this.#push(ax, ay, al, ar);
    if (this.locate(bx, by) && known) {
      const { left, right, nx, ny } = this;
      this.#refine(ax, ay, al, ar, anx, any, bx, by, left, right, nx, ny, 0);
      this.#push(bx, by, left, right);
    } else this.#push(bx, by, al, ar);
  }

  #push(x: number, y: number, left: number, right: number): void {
    const index = this.count++;
    if (index === this.lefts.length) {
      this.points = growTo(this.points, 2 * index + 2);
      this.lefts = growTo(this.lefts, index + 1);
      this.rights = growTo(this.rights, index + 1);
    }
    this.points[2 * index] = x;
    this.points[2 * index + 1] = y;
    this.lefts[index] = left;
    this.rights[index] = right;
  }

  /** Finds the features on both sides at a point of the curve; false if a label has none. */
  locate(x: number, y: number): boolean {
    this.left = this.#leftAt(x, y);
    this.right = this.#rightAt(x, y);
    if (this.left < 0 || this.right < 0) return false;
    this.#takeNormal(x, y);
    return true;
  }

  #takeNormal(x: number, y: number): void {
    const gap = this.#gap;
    gap.take(this.left, this.right, x, y);
    let length = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    if (!(length > NO_SLOPE) && this.#chooseNeighbors(x, y)) {
      gap.take(this.left, this.right, x, y);
      length = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    }
    const scale = length > NO_SLOPE ? 1 / length : 1;
    this.nx = scale * gap.gx;
    this.ny = scale * gap.gy;
  }

  /**
   * Features that touch in a node tie along the normal there, and so do their slopes. If others that tie share a
   * constraint, makes them the located ones, since the curve then follows that; false without such.
   */
  #chooseNeighbors(x: number, y: number): boolean {
    const features = this.#features;
    const most = closedValue(features, this.left, x, y) + BOUNDARY_TIE;
    for (let i = 0; i < this.#leftCount; i++) {
      const left = this.#leftList[i];
      if (closedValue(features, left, x, y) > most) continue;
      for (let j = 0; j < this.#rightCount; j++) {
        const right = this.#rightList[j];
        if (!this.#gap.sharesConstraint(left, right) || closedValue(features, right, x, y) > most) continue;
        this.left = left;
        this.right = right;
        return true;
      }
    }
    return false;
  }

  /** Makes a point of the last trace the located one, and takes its clearance as {@link located}. */
  relocate(index: number): void {
    const x = this.points[2 * index];
    const y = this.points[2 * index + 1];
    this.left = this.lefts[index];
    this.right = this.rights[index];
    this.#takeNormal(x, y);
    featureGradient(this.#features, this.left, x, y, this.#gradient);
    this.located = this.clearance(x, y);
  }

  /** The distance to the nearest site at the point located last. */
  clearance(x: number, y: number): number {
    return Math.min(closedValue(this.#features, this.left, x, y), closedValue(this.#features, this.right, x, y));
  }

  /**
   * Finds the ends of features inside of the leaf through which the curve between the labels passes, with clearance 0.
   * @param out gets their x and y.
   */
  findContacts(sites: SiteFeatures, leftLabel: number, rightLabel: number, out: number[]): void {
    out.length = 0;
    const box = this.#box;
    const { data, kind, neighborA, neighborB } = this.#features;
    for (let i = 0; i < this.#leftCount + this.#rightCount; i++) {
      const feature = i < this.#leftCount ? this.#leftList[i] : this.#rightList[i - this.#leftCount];
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

  /** How fast the clearance grows at the relocated point of the curve in the direction, along the curve. */
  growth(dx: number, dy: number): number {
    const along = this.#gradient[1] * this.nx - this.#gradient[0] * this.ny;
    return this.nx * dy - this.ny * dx < 0 ? -along : along;
  }

  /** The same at the located point. */
  growthAt(x: number, y: number, dx: number, dy: number): number {
    featureGradient(this.#features, this.left, x, y, this.#gradient);
    return this.growth(dx, dy);
  }

  /**
   * Finds the point of the curve beside a share of a chord of the last trace, from point index to the next, and locates
   * it as {@link x}, {@link y}. False if none is found.
   */
  between(index: number, share: number): boolean {
    const { points, lefts, rights } = this;
    const ax = points[2 * index];
    const ay = points[2 * index + 1];
    const bx = points[2 * index + 2];
    const by = points[2 * index + 3];
    const left = lefts[index];
    const right = rights[index];
    if (
      left === lefts[index + 1] &&
      right === rights[index + 1] &&
      this.#nearChord(ax, ay, bx, by, share, left, right)
    ) {
      return true;
    }
    if (!this.#project(ax, ay, bx, by, share)) return false;
    this.x = this.#x;
    this.y = this.#y;
    this.#takeNormal(this.x, this.y);
    return true;
  }

  /** Newton's method along the normal of a chord whose ends have the same features; false where these end before. */
  #nearChord(ax: number, ay: number, bx: number, by: number, share: number, left: number, right: number): boolean {
    const dx = bx - ax;
    const dy = by - ay;
    const length = Math.sqrt(dx * dx + dy * dy);
    const ux = -dy / length;
    const uy = dx / length;
    const gap = this.#gap;
    let x = ax + share * dx;
    let y = ay + share * dy;
    let t = 0;
    gap.choose(left, right);
    for (let step = 0; ; step++) {
      gap.takeAt(x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      const change = -gap.value / slope;
      t += change;
      if (step === 8 || !(Math.abs(slope) > 1e-6) || !(Math.abs(t) < length / 4)) return false;
      x += change * ux;
      y += change * uy;
      if (Math.abs(change) <= 1e-13) break;
    }
    const features = this.#features;
    if (featureExcess(features, left, x, y) > ON_CONSTRAINT) return false;
    if (featureExcess(features, right, x, y) > ON_CONSTRAINT) return false;
    const size = Math.sqrt(gap.gx * gap.gx + gap.gy * gap.gy);
    this.x = x;
    this.y = y;
    this.nx = gap.gx / size;
    this.ny = gap.gy / size;
    this.left = left;
    this.right = right;
    return true;
  }

  #refine(
    ax: number,
    ay: number,
    al: number,
    ar: number,
    anx: number,
    any: number,
    bx: number,
    by: number,
    bl: number,
    br: number,
    bnx: number,
    bny: number,
    depth: number,
  ): void {
    const dx = bx - ax;
    const dy = by - ay;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length < SHORTEST_CHORD || depth > MAX_DEPTH) return;
    if (al !== bl && this.#refineChange(true, ax, ay, al, ar, anx, any, bx, by, bl, br, bnx, bny, depth)) return;
    if (ar !== br && this.#refineChange(false, ax, ay, al, ar, anx, any, bx, by, bl, br, bnx, bny, depth)) return;
    const deviation = Math.max(Math.abs(dx * anx + dy * any), Math.abs(dx * bnx + dy * bny));
    const normals = anx * anx + any * any > 0.5 && bnx * bnx + bny * bny > 0.5;
    // A curve that turns back may go far beyond a short chord.
    const turns = anx * bnx + any * bny < 0;
    const same = al === bl && ar === br;
    const even = normals && !turns && this.#clearanceBend(ax, ay, al, bx, by, bl) <= this.#error;
    const flat = even && deviation <= this.#error;
    if (flat && length <= this.#error) return;
    if (same && normals && this.#keepsFeatures(ax + dx / 2, ay + dy / 2, al, ar, length)) {
      if (even && this.#bow(deviation, length, al, ar) <= this.#error) return;
      if (this.#refineConic(ax, ay, anx, any, bx, by, bnx, bny, al, ar, depth)) return;
    }
    if (!this.#project(ax, ay, bx, by, 0.5)) {
      this.failures++;
      return;
    }
    const x = this.#x;
    const y = this.#y;
    this.#takeNormal(x, y);
    const { left, right, nx, ny } = this;
    const bend = Math.abs((x - ax) * dy - (y - ay) * dx) / length;
    // A curve of several features that is flat at three places is taken as flat.
    if (!(length <= this.#error && bend <= this.#error) && !(flat && bend <= this.#error / 4)) {
      this.#refine(ax, ay, al, ar, anx, any, x, y, left, right, nx, ny, depth + 1);
      this.#push(x, y, left, right);
      this.#refine(x, y, left, right, nx, ny, bx, by, bl, br, bnx, bny, depth + 1);
    } else this.#push(x, y, left, right);
  }

  /**
   * Refines a chord whose ends have different features of the left or the right label, with a point where the curve
   * crosses the constraint between them. Returns false, without points, if they share none.
   */
  #refineChange(
    ofLeft: boolean,
    ax: number,
    ay: number,
    al: number,
    ar: number,
    anx: number,
    any: number,
    bx: number,
    by: number,
    bl: number,
    br: number,
    bnx: number,
    bny: number,
    depth: number,
  ): boolean {
    const from = ofLeft ? al : ar;
    const next = this.#nextFeature(from, ofLeft ? bl : br);
    if (next < 0) return false;
    const at = this.#gap.constraint(from, next);
    const { data } = this.#features;
    const start = data[at] * ax + data[at + 1] * ay - data[at + 2];
    const end = data[at] * bx + data[at + 1] * by - data[at + 2];
    if (Math.abs(start) <= ON_CONSTRAINT) {
      // Both features are nearest at the first point.
      this.#refine(ax, ay, ofLeft ? next : al, ofLeft ? ar : next, anx, any, bx, by, bl, br, bnx, bny, depth + 1);
      return true;
    }
    if (Math.abs(end) <= ON_CONSTRAINT && next === (ofLeft ? bl : br)) {
      this.#refine(ax, ay, al, ar, anx, any, bx, by, ofLeft ? al : bl, ofLeft ? br : ar, bnx, bny, depth + 1);
      return true;
    }
    if (!(start * end < 0)) return false;
    const share = start / (start - end);
    const x = ax + share * (bx - ax);
    const y = ay + share * (by - ay);
    const dx = bx - ax;
    const dy = by - ay;
    const square = dx * dx + dy * dy;
    if (!this.#crossConstraint(at, from, next, ofLeft, x, y, Math.sqrt(square) / 4)) return false;
    const { x: px, y: py, nx, ny } = this;
    const along = (px - ax) * dx + (py - ay) * dy;
    if (!(along > 0 && along < square)) return false;
    const left = ofLeft ? next : this.left;
    const right = ofLeft ? this.right : next;
    this.#refine(ax, ay, al, ar, anx, any, px, py, ofLeft ? from : left, ofLeft ? right : from, nx, ny, depth + 1);
    this.#push(px, py, left, right);
    this.#refine(px, py, left, right, nx, ny, bx, by, bl, br, bnx, bny, depth + 1);
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

  /** Locates the point where the curve crosses the line of a constraint, by Newton's method along that line. */
  #crossConstraint(
    at: number,
    from: number,
    next: number,
    ofLeft: boolean,
    startX: number,
    startY: number,
    reach: number,
  ): boolean {
    const { data } = this.#features;
    const ux = -data[at + 1];
    const uy = data[at];
    const gap = this.#gap;
    let x = startX;
    let y = startY;
    for (let step = 0; ; step++) {
      const left = ofLeft ? from : this.#leftAt(x, y);
      const right = ofLeft ? this.#rightAt(x, y) : from;
      if (left < 0 || right < 0 || step === 12) return false;
      gap.take(left, right, x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      if (!(Math.abs(slope) > 1e-6)) return false;
      const change = -gap.value / slope;
      x += change * ux;
      y += change * uy;
      if (!(Math.abs(x - startX) + Math.abs(y - startY) <= reach)) return false;
      if (Math.abs(change) <= 1e-13) break;
    }
    if (!this.#isBoundary(x, y)) return false;
    const there = ofLeft ? this.left : this.right;
    if (there !== from && there !== next) return false;
    this.x = x;
    this.y = y;
    this.#takeNormal(x, y);
    return true;
  }

  /**
   * Refines a chord on which the nearest features stay the same. Returns false, without points, if Newton's method leaves
   * the neighborhood of the chord.
   */
  #refineConic(
    ax: number,
    ay: number,
    anx: number,
    any: number,
    bx: number,
    by: number,
    bnx: number,
    bny: number,
    left: number,
    right: number,
    depth: number,
  ): boolean {
    const dx = bx - ax;
    const dy = by - ay;
    const length = Math.sqrt(dx * dx + dy * dy);
    if (length < SHORTEST_CHORD || depth > MAX_DEPTH) return true;
    const deviation = Math.max(Math.abs(dx * anx + dy * any), Math.abs(dx * bnx + dy * bny));
    if (
      anx * bnx + any * bny >= 0 &&
      this.#bow(deviation, length, left, right) <= this.#error &&
      this.#clearanceBend(ax, ay, left, bx, by, left) <= this.#error
    ) {
      return true;
    }
    if (!this.#nearChord(ax, ay, bx, by, 0.5, left, right)) return false;
    const { x, y, nx, ny } = this;
    const start = this.count;
    if (this.#refineConic(ax, ay, anx, any, x, y, nx, ny, left, right, depth + 1)) {
      this.#push(x, y, left, right);
      if (this.#refineConic(x, y, nx, ny, bx, by, bnx, bny, left, right, depth + 1)) return true;
    }
    this.count = start;
    return false;
  }

  /**
   * How far the curve between two features is from a chord, if its tangents at the ends leave the chord by `deviation` at
   * its other end. A conic is in the triangle of the chord and these tangents, whose height is at most half of that over
   * the cosine, and a parabola passes the middle of that height. The cosine is 0.968 at least.
   */
  #bow(deviation: number, length: number, left: number, right: number): number {
    if (deviation > length / 4) return deviation;
    const { kind, data } = this.#features;
    const parabola =
      (kind[left] === LINE || kind[right] === LINE) && data[STRIDE * left + SCALE] === data[STRIDE * right + SCALE];
    return (parabola ? 0.26 : 0.52) * deviation;
  }

  /** About how far the clearance between two points is from its linear interpolation. */
  #clearanceBend(ax: number, ay: number, al: number, bx: number, by: number, bl: number): number {
    const gradient = this.#gradient;
    featureGradient(this.#features, al, ax, ay, gradient);
    const start = gradient[0] * (bx - ax) + gradient[1] * (by - ay);
    featureGradient(this.#features, bl, bx, by, gradient);
    return Math.abs(gradient[0] * (bx - ax) + gradient[1] * (by - ay) - start) / 8;
  }

  /** Moves from a point of the chord along its normal to the curve. */
  #project(ax: number, ay: number, bx: number, by: number, share: number): boolean {
    const dx = bx - ax;
    const dy = by - ay;
    const length = Math.sqrt(dx * dx + dy * dy);
    const ux = -dy / length;
    const uy = dx / length;
    const mx = ax + share * dx;
    const my = ay + share * dy;
    let t = 0;
    const gap = this.#gap;
    for (let step = 0; step < 12; step++) {
      const x = mx + t * ux;
      const y = my + t * uy;
      const left = this.#leftAt(x, y);
      const right = this.#rightAt(x, y);
      if (left < 0 || right < 0) return false;
      gap.take(left, right, x, y);
      const slope = gap.gx * ux + gap.gy * uy;
      if (Math.abs(slope) < 1e-6) break;
      const change = -gap.value / slope;
      t += change;
      if (!(Math.abs(t) <= length)) break;
      if (Math.abs(change) > 1e-14) continue;
      if (this.#isBoundary(mx + t * ux, my + t * uy)) return true;
      break;
    }
    return this.#search(mx, my, ux, uy, length);
  }

  /** Brackets the curve on both sides of the chord, then bisects. */
  #search(mx: number, my: number, ux: number, uy: number, length: number): boolean {
    const sign = (t: number): number => {
      const x = mx + t * ux;
      const y = my + t * uy;
      const left = this.#leftAt(x, y);
      const right = this.#rightAt(x, y);
      this.#gap.take(left, right, x, y);
      return this.#gap.value;
    };
    const atZero = sign(0);
    for (let reach = length / 16; reach <= length; reach *= 2) {
      for (const end of [reach, -reach]) {
        if (sign(end) * atZero > 0) continue;
        let low = 0;
        let high = end;
        for (let i = 0; i < 60; i++) {
          const middle = (low + high) / 2;
          if (sign(middle) * atZero > 0) low = middle;
          else high = middle;
        }
        if (this.#isBoundary(mx + high * ux, my + high * uy)) return true;
      }
    }
    return false;
  }

  /** Whether the two labels tie at the point and nothing is nearer; then takes the point and the features there. */
  #isBoundary(x: number, y: number): boolean {
    const box = this.#box;
    if (!(x >= box[0] && y >= box[1] && x <= box[2] && y <= box[3])) return false;
    const features = this.#features;
    this.left = this.#leftAt(x, y);
    this.right = this.#rightAt(x, y);
    const left = closedValue(features, this.left, x, y);
    const right = closedValue(features, this.right, x, y);
    if (Math.abs(left - right) > BOUNDARY_TIE) return false;
    const least = Math.min(left, right) - BOUNDARY_TIE;
    const list = this.#list;
    for (let i = 0; i < list.length; i++) {
      if (featureExcess(features, list[i], x, y) <= 0 && featureValue(features, list[i], x, y) < least) return false;
    }
    this.#x = x;
    this.#y = y;
    return true;
  }

  /**
   * Whether no other feature of the two labels can be nearest on a curve along a chord, by the Lipschitz bound of
   * distances. Neighbors that share a constraint are left out: the curve is smooth where they take over.
   */
  #keepsFeatures(x: number, y: number, left: number, right: number, length: number): boolean {
    return (
      this.#keeps(this.#leftList, this.#leftCount, left, x, y, length) &&
      this.#keeps(this.#rightList, this.#rightCount, right, x, y, length)
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

  #leftAt(x: number, y: number): number {
    return nearestOf(this.#features, this.#leftList, 0, this.#leftCount, x, y);
  }

  #rightAt(x: number, y: number): number {
    return nearestOf(this.#features, this.#rightList, 0, this.#rightCount, x, y);
  }
}
