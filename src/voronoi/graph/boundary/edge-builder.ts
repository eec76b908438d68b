// Collects the points of one edge of the graph from the curves in its leaves, with their clearances, and finds the
// narrowest place on them.
import { growTo } from '../../../core/grow-array.js';
import { featureFoot } from '../feature-arrays.js';
import type { LocalFrame } from '../local-frame.js';
import type { SiteFeatures } from '../site-features.js';
import type { NarrowestPlace } from '../voronoi-graph.js';
import type { BoundaryTracer } from './boundary-tracer.js';
import { CurvePoint, type TracedCurve } from './curve-point.js';

/** Rounding: points nearer than this to the line of their neighbors, in local lengths, with even clearance, are left out. */
const STRAIGHT = 1e-13;

/** Rounding: the search for the narrowest place ends with an interval this short, in local lengths. */
const NARROWEST_STEP = 1e-13;

/** Rounding: or where the clearance changes by no more than this per length. */
const NARROWEST_RATE = 1e-10;

/** Chosen: steps of regula falsi; a clearance with a kink, which it approaches slowly, is bisected after them. */
const FALSE_POSITION_STEPS = 12;

/** Chosen: the steps of the search in all. */
const NARROWEST_STEPS = 60;

export class EdgeBuilder {
  /** x, y of each point, in local lengths. */
  #points = new Float64Array(512);
  #clearances = new Float64Array(256);
  #count = 0;
  /** The narrowest place so far and its clearance. */
  readonly #narrowest = new CurvePoint();
  #least = Infinity;
  /** The point of the curve at hand, and one between two points of it. */
  readonly #point = new CurvePoint();
  readonly #between = new CurvePoint();
  readonly #foot = new Float64Array(2);
  readonly #sites: SiteFeatures;
  readonly #frame: LocalFrame;
  readonly #tracer: BoundaryTracer;

  constructor(sites: SiteFeatures, frame: LocalFrame, tracer: BoundaryTracer) {
    this.#sites = sites;
    this.#frame = frame;
    this.#tracer = tracer;
  }

  /** Begins another edge. */
  begin(): void {
    this.#count = 0;
    this.#least = Infinity;
  }

  /** The features to the left and to the right at the narrowest place. */
  narrowestFeatures(): readonly [number, number] {
    return [this.#narrowest.left, this.#narrowest.right];
  }

  /** The narrowest place in the caller's coordinates. */
  narrowestPlace(): NarrowestPlace {
    const frame = this.#frame;
    const { x, y, left, right } = this.#narrowest;
    return {
      point: [frame.worldX(x), frame.worldY(y)],
      clearance: this.#least * frame.scale,
      left: this.#footOn(left),
      right: this.#footOn(right),
    };
  }

  #footOn(feature: number): [number, number] {
    const { x, y } = this.#narrowest;
    featureFoot(this.#sites.arrays, feature, x, y, this.#foot);
    return [this.#frame.worldX(this.#foot[0]), this.#frame.worldY(this.#foot[1])];
  }

  /** Adds the points of a curve, and lowers the least clearance to theirs and that of the curve between them. */
  append(curve: TracedCurve): void {
    const tracer = this.#tracer;
    const point = this.#point;
    const { points, count } = curve;
    this.#points = growTo(this.#points, 2 * (this.#count + count));
    this.#clearances = growTo(this.#clearances, this.#count + count);
    let lastValue = 0;
    let lastGrowth = 0;
    for (let i = 0; i < count; i++) {
      tracer.read(curve, i, point);
      const { x, y } = point;
      const rate = tracer.clearanceRate(point);
      const value = tracer.clearance(point);
      // The first point of a piece is the last one of the piece before.
      if (i > 0 || this.#count === 0) {
        const at = this.#count++;
        this.#points[2 * at] = x;
        this.#points[2 * at + 1] = y;
        this.#clearances[at] = value;
      }
      this.#offer(point, value);
      if (i > 0) {
        const dx = x - points[2 * i - 2];
        const dy = y - points[2 * i - 1];
        const growth = point.toward(rate, dx, dy);
        const length = Math.sqrt(dx * dx + dy * dy);
        if (lastGrowth < 0 && growth > 0 && (value + lastValue - 1.5 * length) / 2 < this.#least) {
          this.#searchLeast(curve, i - 1, lastGrowth, growth);
        }
      }
      if (i + 1 < count) lastGrowth = point.toward(rate, points[2 * i + 2] - x, points[2 * i + 3] - y);
      lastValue = value;
    }
  }

  #offer(point: CurvePoint, value: number): void {
    if (value >= this.#least) return;
    this.#least = value;
    this.#narrowest.copy(point);
  }

  /** Finds the share of a chord at which the clearance stops falling: regula falsi with the Illinois rule. */
  #searchLeast(curve: TracedCurve, index: number, startGrowth: number, endGrowth: number): void {
    const tracer = this.#tracer;
    const point = this.#between;
    const dx = curve.points[2 * index + 2] - curve.points[2 * index];
    const dy = curve.points[2 * index + 3] - curve.points[2 * index + 1];
    const length = Math.abs(dx) + Math.abs(dy);
    let low = 0;
    let high = 1;
    let atLow = startGrowth;
    let atHigh = endGrowth;
    let side = 0;
    for (let i = 0; i < NARROWEST_STEPS && (high - low) * length > NARROWEST_STEP; i++) {
      // A clearance with a kink has a jump of its rate there.
      const share = i < FALSE_POSITION_STEPS ? (low * atHigh - high * atLow) / (atHigh - atLow) : (low + high) / 2;
      if (!tracer.between(curve, index, share, point)) return;
      this.#offer(point, tracer.clearance(point));
      const growth = point.toward(tracer.clearanceRate(point), dx, dy);
      if (Math.abs(growth) < NARROWEST_RATE) return;
      if (growth < 0) {
        low = share;
        atLow = growth;
        if (side < 0) atHigh /= 2;
        side = -1;
      } else {
        high = share;
        atHigh = growth;
        if (side > 0) atLow /= 2;
        side = 1;
      }
    }
  }

  /** The points and their clearances in the caller's coordinates, without those on the line of their neighbors. */
  line(): { points: number[]; clearances: number[] } {
    const frame = this.#frame;
    const points = this.#points;
    const value = this.#clearances;
    const count = this.#count;
    const kept = [frame.worldX(points[0]), frame.worldY(points[1])];
    const clearances = [value[0] * frame.scale];
    let last = 0;
    for (let i = 1; i < count; i++) {
      if (i < count - 1) {
        const ax = points[2 * last];
        const ay = points[2 * last + 1];
        const dx = points[2 * i + 2] - ax;
        const dy = points[2 * i + 3] - ay;
        const px = points[2 * i] - ax;
        const py = points[2 * i + 1] - ay;
        const length = Math.sqrt(dx * dx + dy * dy);
        const along = px * dx + py * dy;
        const bend = value[i] - value[last] - (along / (length * length)) * (value[i + 1] - value[last]);
        const straight = Math.abs(px * dy - py * dx) <= STRAIGHT * length && Math.abs(bend) <= 10 * STRAIGHT;
        if (straight && along > 0 && along < length * length) continue;
      }
      kept.push(frame.worldX(points[2 * i]), frame.worldY(points[2 * i + 1]));
      clearances.push(value[i] * frame.scale);
      last = i;
    }
    return { points: kept, clearances };
  }
}
