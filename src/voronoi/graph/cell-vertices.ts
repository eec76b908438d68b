// The point in a cell where several runs of its border tie. Newton's method on the differences of distances finds it;
// only a point where the runs tie and nothing is nearer is a vertex.
import { growTo } from '../../core/grow-array.js';
import { closedValue, type FeatureArrays, featureExcess, featureValue, nearestOf } from './feature-arrays.js';
import { FeatureGap } from './feature-gap.js';

/** Rounding: distances at a vertex that differ by less, in local lengths, are equal; vertices this close are one. */
export const VERTEX_TIE = 1e-11;
/** Rounding: a point this far outside a cell, in local lengths, is in it. */
const BORDER = 1e-12;
/** Rounding: a point of a feature's region may break the feature's constraints by this, in local lengths. */
const CONSTRAINT_ROUNDING = 1e-9;

/** Finds where runs meet. A run is a set of features of one label; runs are added for one cell at a time. */
export class CellVertices {
  /** The last point found. */
  x = 0;
  y = 0;
  /** Set by {@link measure}: the distance to the nearest feature, and its label. */
  value = 0;
  nearestLabel = -1;
  newtonSteps = 0;
  /** Runs so far. */
  runs = 0;
  readonly #features: FeatureArrays;
  readonly #gap: FeatureGap;
  readonly #runEnds: number[] = [];
  #members = new Int32Array(256);
  #memberEnd = 0;
  #list: Int32Array = new Int32Array(0);
  #x0 = 0;
  #y0 = 0;
  #x1 = 0;
  #y1 = 0;
  /** Half-planes a · x + b · y ≥ c that a point must be in. */
  readonly #planes: number[] = [];

  constructor(features: FeatureArrays) {
    this.#features = features;
    this.#gap = new FeatureGap(features);
  }

  /** Begins a cell without runs, with its candidates and its box. */
  begin(list: Int32Array, x0: number, y0: number, x1: number, y1: number): void {
    this.#list = list;
    this.#x0 = x0;
    this.#y0 = y0;
    this.#x1 = x1;
    this.#y1 = y1;
    this.#planes.length = 0;
    this.clearRuns();
  }

  clearRuns(): void {
    this.runs = 0;
    this.#memberEnd = 0;
  }

  /** Keeps points on the right of the line from a to b, until it is released. */
  keepRightOf(ax: number, ay: number, bx: number, by: number): void {
    const length = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    const nx = (by - ay) / length;
    const ny = (ax - bx) / length;
    this.#planes.push(nx, ny, nx * ax + ny * ay);
  }

  /** Releases the last line. */
  release(): void {
    this.#planes.length -= 3;
  }

  /** Adds the run of all candidates with the label. */
  addLabel(own: number): void {
    const { label } = this.#features;
    const list = this.#list;
    for (let i = 0; i < list.length; i++) if (label[list[i]] === own) this.addMember(list[i]);
    this.endRun();
  }

  /** Adds a feature to the run that {@link endRun} ends. */
  addMember(feature: number): void {
    if (this.#memberEnd === this.#members.length) this.#members = growTo(this.#members, this.#memberEnd + 1);
    this.#members[this.#memberEnd++] = feature;
  }

  endRun(): void {
    this.#runEnds[this.runs++] = this.#memberEnd;
  }

  /** Whether two runs have a feature in common. */
  share(a: number, b: number): boolean {
    const members = this.#members;
    for (let i = this.#runStart(a); i < this.#runEnds[a]; i++) {
      for (let j = this.#runStart(b); j < this.#runEnds[b]; j++) if (members[i] === members[j]) return true;
    }
    return false;
  }

  #runStart(run: number): number {
    return run === 0 ? 0 : this.#runEnds[run - 1];
  }

  /** The feature of the run that is nearest; where an open one ends, rather its end than itself. -1 for an empty run. */
  #active(run: number, x: number, y: number): number {
    return nearestOf(this.#features, this.#members, this.#runStart(run), this.#runEnds[run], x, y);
  }

  /** The distance from a point to a run. */
  distance(run: number, x: number, y: number): number {
    const feature = this.#active(run, x, y);
    return feature < 0 ? Infinity : closedValue(this.#features, feature, x, y);
  }

  /** Moves to a point; returns whether it is in the cell. */
  moveTo(x: number, y: number): boolean {
    this.x = x;
    this.y = y;
    if (!(x >= this.#x0 - BORDER && x <= this.#x1 + BORDER && y >= this.#y0 - BORDER && y <= this.#y1 + BORDER)) {
      return false;
    }
    const planes = this.#planes;
    for (let i = 0; i < planes.length; i += 3) {
      if (!(planes[i] * x + planes[i + 1] * y >= planes[i + 2] - BORDER)) return false;
    }
    return true;
  }

  /** Takes the distance and the label of the feature nearest to the point. */
  measure(): void {
    const features = this.#features;
    const list = this.#list;
    const { x, y } = this;
    let least = Infinity;
    let best = -1;
    for (let i = 0; i < list.length; i++) {
      const excess = featureExcess(features, list[i], x, y);
      if (excess > CONSTRAINT_ROUNDING) continue;
      const value = excess <= 0 ? featureValue(features, list[i], x, y) : closedValue(features, list[i], x, y);
      if (value < least) {
        least = value;
        best = list[i];
      }
    }
    this.value = least;
    this.nearestLabel = best < 0 ? -1 : features.label[best];
  }

  /** Whether the run has the distance measured last. */
  ties(run: number): boolean {
    return this.distance(run, this.x, this.y) <= this.value + VERTEX_TIE;
  }

  /** Whether the run has the distance measured last, with a feature whose region reaches the point. */
  reaches(run: number): boolean {
    const { x, y } = this;
    const feature = this.#active(run, x, y);
    return (
      feature >= 0 &&
      featureExcess(this.#features, feature, x, y) <= VERTEX_TIE &&
      closedValue(this.#features, feature, x, y) <= this.value + VERTEX_TIE
    );
  }

  /** Moves to the point where three runs tie, by Newton's method from (startX, startY); false if it is not in the cell. */
  meet(a: number, b: number, c: number, startX: number, startY: number): boolean {
    const gap = this.#gap;
    const reach = 2 * (this.#x1 - this.#x0 + this.#y1 - this.#y0);
    let x = startX;
    let y = startY;
    for (let step = 0; step < 24; step++) {
      this.newtonSteps++;
      const fa = this.#active(a, x, y);
      const fb = this.#active(b, x, y);
      const fc = this.#active(c, x, y);
      if (fa < 0 || fb < 0 || fc < 0) return false;
      gap.take(fa, fb, x, y);
      const v1 = gap.value;
      const x1 = gap.gx;
      const y1 = gap.gy;
      gap.take(fb, fc, x, y);
      const v2 = gap.value;
      const x2 = gap.gx;
      const y2 = gap.gy;
      gap.take(fc, fa, x, y);
      const v3 = gap.value;
      const x3 = gap.gx;
      const y3 = gap.gy;
      const d12 = x1 * y2 - x2 * y1;
      const d23 = x2 * y3 - x3 * y2;
      const d31 = x3 * y1 - x1 * y3;
      let dx: number;
      let dy: number;
      if (Math.abs(d12) >= Math.abs(d23) && Math.abs(d12) >= Math.abs(d31)) {
        if (d12 === 0) return false;
        dx = (v2 * y1 - v1 * y2) / d12;
        dy = (v1 * x2 - v2 * x1) / d12;
      } else if (Math.abs(d23) >= Math.abs(d31)) {
        dx = (v3 * y2 - v2 * y3) / d23;
        dy = (v2 * x3 - v3 * x2) / d23;
      } else {
        dx = (v1 * y3 - v3 * y1) / d31;
        dy = (v3 * x1 - v1 * x3) / d31;
      }
      const length = Math.abs(dx) + Math.abs(dy);
      if (!(length < Infinity)) return false;
      if (length > reach) {
        dx *= reach / length;
        dy *= reach / length;
      }
      x += dx;
      y += dy;
      if (length > 1e-14 && !(step > 16 && length < 1e-12)) continue;
      return this.moveTo(x, y);
    }
    return false;
  }
}
