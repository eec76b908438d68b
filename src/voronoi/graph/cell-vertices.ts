// The Voronoi vertices inside a cell of the subdivision, from the sequence of labels around its border. Newton's method
// on the differences of distances finds a point; only points where the labels tie and nothing is nearer are accepted.
import { growTo } from '../../core/grow-array.js';
import {
  closedValue,
  type FeatureArrays,
  FIRST,
  featureExcess,
  featureJet,
  nearestOfLabel,
  SECOND,
  STRIDE,
  VERTEX,
} from './feature-arrays.js';

/** Distances of the local frame at a vertex that differ by less are equal; vertices this close are one. */
export const VERTEX_TIE = 1e-11;
/** Two open features that meet at a smaller angle than this, from straight, are separated by their common constraint. */
const SMOOTH = 1e-7;

/** The border of a cell, counter-clockwise: where the nearest feature changes. */
export class CellBorder {
  count = 0;
  /** Crossings of a change of label, or -1; the features before and after. */
  node = new Int32Array(64);
  before = new Int32Array(64);
  after = new Int32Array(64);
  x = new Float64Array(64);
  y = new Float64Array(64);
  /** The only feature, if nothing changes. */
  only = -1;

  /** Makes room for so many more changes. */
  reserve(more: number): void {
    const length = this.count + more;
    if (length <= this.node.length) return;
    this.node = growTo(this.node, length);
    this.before = growTo(this.before, length);
    this.after = growTo(this.after, length);
    this.x = growTo(this.x, length);
    this.y = growTo(this.y, length);
  }
}

/** The difference of two features' distances and its gradient. Its zeros are their boundary. */
export class FeatureGap {
  value = 0;
  gx = 0;
  gy = 0;
  readonly #features: FeatureArrays;
  readonly #first = new Float64Array(3);
  readonly #second = new Float64Array(3);
  #f = -1;
  #g = -1;
  /** Where the constraint that they share is in the data: positive if it is f's, negative if it is g's, 0 without one. */
  #shared = 0;

  constructor(features: FeatureArrays) {
    this.#features = features;
  }

  /**
   * Takes how much farther f is than g. Features that share a constraint tie beyond it, so their boundary is where it
   * ends, and the difference is that to its line.
   */
  take(f: number, g: number, x: number, y: number): void {
    this.choose(f, g);
    this.takeAt(x, y);
  }

  /** Sets the features of {@link takeAt}. */
  choose(f: number, g: number): void {
    this.#f = f;
    this.#g = g;
    this.#shared = this.#sharedConstraint(f, g);
  }

  takeAt(x: number, y: number): void {
    const shared = this.#shared;
    if (shared !== 0) {
      const { data } = this.#features;
      const at = Math.abs(shared);
      const sign = shared < 0 ? -1 : 1;
      this.value = sign * (data[at + 2] - data[at] * x - data[at + 1] * y);
      this.gx = -sign * data[at];
      this.gy = -sign * data[at + 1];
      return;
    }
    const first = this.#first;
    const second = this.#second;
    featureJet(this.#features, this.#f, x, y, first);
    featureJet(this.#features, this.#g, x, y, second);
    this.value = first[0] - second[0];
    this.gx = first[1] - second[1];
    this.gy = first[2] - second[2];
  }

  /** Whether the boundary of the features is where a constraint ends that they share. */
  sharesConstraint(f: number, g: number): boolean {
    return this.#sharedConstraint(f, g) !== 0;
  }

  #sharedConstraint(f: number, g: number): number {
    const { kind, neighborA, neighborB } = this.#features;
    if (kind[f] === VERTEX) {
      if (kind[g] === VERTEX) return 0;
      if (neighborA[f] === g) return STRIDE * f + FIRST;
      return neighborB[f] === g ? STRIDE * f + SECOND : 0;
    }
    if (kind[g] === VERTEX) {
      if (neighborA[g] === f) return -(STRIDE * g + FIRST);
      return neighborB[g] === f ? -(STRIDE * g + SECOND) : 0;
    }
    const fa = neighborA[f];
    const fb = neighborB[f];
    const ga = neighborA[g];
    const gb = neighborB[g];
    if (fa === ga) return this.#ifSmooth(STRIDE * f + FIRST, STRIDE * g + FIRST);
    if (fa === gb) return this.#ifSmooth(STRIDE * f + FIRST, STRIDE * g + SECOND);
    if (fb === ga) return this.#ifSmooth(STRIDE * f + SECOND, STRIDE * g + FIRST);
    if (fb === gb) return this.#ifSmooth(STRIDE * f + SECOND, STRIDE * g + SECOND);
    return 0;
  }

  #ifSmooth(f: number, g: number): number {
    const { data } = this.#features;
    return Math.abs(data[f] + data[g]) + Math.abs(data[f + 1] + data[g + 1]) < SMOOTH ? f : 0;
  }
}

/** A set of features that stands for one run of a border: those of a label, or those that the run shows. */
type Run = { readonly label: number; readonly features: Int32Array | null };

/** Finds the vertices of cells. */
export class CellVertices {
  /** Of the last accepted cell: x, y, distance of each vertex, and the runs that meet there. */
  readonly points: number[] = [];
  readonly meeting: number[][] = [];
  newtonSteps = 0;
  readonly #features: FeatureArrays;
  readonly #gap: FeatureGap;
  #list: Int32Array = new Int32Array(0);
  #count = 0;
  #x0 = 0;
  #y0 = 0;
  #x1 = 0;
  #y1 = 0;
  #x = 0;
  #y = 0;

  constructor(features: FeatureArrays) {
    this.#features = features;
    this.#gap = new FeatureGap(features);
  }

  /**
   * Finds the vertices of a cell with three or more crossings; returns whether they are certain.
   * @param crossings indices in the border of the changes of label.
   * @param box x0, y0, x1, y1 of the cell.
   */
  find(
    border: CellBorder,
    crossings: readonly number[],
    list: Int32Array,
    count: number,
    box: readonly [number, number, number, number],
    nodePoint: (node: number) => { readonly x: number; readonly y: number } | null,
  ): boolean {
    this.points.length = 0;
    this.meeting.length = 0;
    this.#list = list;
    this.#count = count;
    [this.#x0, this.#y0, this.#x1, this.#y1] = box;
    const runs = this.#runs(border, crossings);
    if (runs === null) return false;
    const k = runs.length;
    let x = 0;
    let y = 0;
    for (const at of crossings) {
      x += border.x[at] / k;
      y += border.y[at] / k;
    }
    const all = crossings.map((_, i) => i);
    if (k > 3 && this.#meetAtNode(runs, nodePoint)) {
      if (this.#allTie(runs)) return this.#accept(all);
    }
    if (k > 8 && runs.some((run) => run.features !== null)) return false;
    if (k > 3) {
      if (this.#meet(runs[0], runs[Math.floor(k / 3)], runs[Math.floor((2 * k) / 3)], x, y) && this.#allTie(runs)) {
        return this.#accept(all);
      }
      return k === 4 && runs.every((run) => run.features === null) && this.#pair(runs, border, crossings);
    }
    return this.#meet(runs[0], runs[1], runs[2], x, y) && this.#accept(all);
  }

  /** Takes the middle of the cell for a vertex of all runs. */
  takeCenter(runs: number, list: Int32Array, count: number, box: readonly [number, number, number, number]): void {
    this.points.length = 0;
    this.meeting.length = 0;
    this.#list = list;
    this.#count = count;
    this.#x = (box[0] + box[2]) / 2;
    this.#y = (box[1] + box[3]) / 2;
    this.#accept(Array.from({ length: runs }, (_, i) => i));
  }

  /** A run for each crossing: what follows it. Labels that come twice are told apart by features, or null if they cannot. */
  #runs(border: CellBorder, crossings: readonly number[]): Run[] | null {
    const { label } = this.#features;
    const runs: Run[] = [];
    const k = crossings.length;
    for (let i = 0; i < k; i++) {
      const own = label[border.after[crossings[i]]];
      let twice = false;
      for (let j = 0; j < k; j++) if (j !== i && label[border.after[crossings[j]]] === own) twice = true;
      if (!twice) {
        runs.push({ label: own, features: null });
        continue;
      }
      const features: number[] = [];
      const length = border.count;
      for (let at = crossings[i]; ; at = (at + 1) % length) {
        features.push(border.after[at]);
        if ((at + 1) % length === crossings[(i + 1) % k]) break;
      }
      for (const other of runs) {
        if (other.features?.some((feature) => features.includes(feature))) return null;
      }
      runs.push({ label: own, features: Int32Array.from(features) });
    }
    return runs;
  }

  /** Two vertices of three runs each, of a cell with four different labels. */
  #pair(runs: readonly Run[], border: CellBorder, crossings: readonly number[]): boolean {
    for (let first = 0; first < 2; first++) {
      const order = [first, first + 1, first + 2, (first + 3) % 4];
      // Crossing i lies between run i − 1 and run i.
      const start = (a: number, b: number): [number, number] => [
        (border.x[crossings[a]] + border.x[crossings[b]]) / 2,
        (border.y[crossings[a]] + border.y[crossings[b]]) / 2,
      ];
      let [x, y] = start(order[1], order[2]);
      if (!this.#meet(runs[order[0]], runs[order[1]], runs[order[2]], x, y)) continue;
      const px = this.#x;
      const py = this.#y;
      [x, y] = start(order[3], order[0]);
      if (!this.#meet(runs[order[2]], runs[order[3]], runs[order[0]], x, y)) continue;
      if (Math.abs(px - this.#x) + Math.abs(py - this.#y) < VERTEX_TIE) return this.#accept([0, 1, 2, 3]);
      this.#accept([order[2], order[3], order[0]]);
      this.#x = px;
      this.#y = py;
      return this.#accept([order[0], order[1], order[2]]);
    }
    return false;
  }

  #accept(runs: number[]): true {
    this.points.push(this.#x, this.#y, this.#nearestValue(this.#x, this.#y));
    this.meeting.push(runs);
    return true;
  }

  /** Moves to a node in the cell where all runs have distance 0 or share the vertex, if there is one. */
  #meetAtNode(runs: readonly Run[], nodePoint: (node: number) => { x: number; y: number } | null): boolean {
    const { kind, neighborA, neighborB } = this.#features;
    for (let i = 0; i < this.#count; i++) {
      const feature = this.#list[i];
      if (kind[feature] === VERTEX) continue;
      for (const end of [neighborA[feature], neighborB[feature]]) {
        const point = nodePoint(end);
        if (point === null || !this.#inside(point.x, point.y)) continue;
        this.#x = point.x;
        this.#y = point.y;
        if (this.#allTie(runs)) return true;
      }
    }
    return false;
  }

  #inside(x: number, y: number): boolean {
    return x >= this.#x0 - 1e-12 && x <= this.#x1 + 1e-12 && y >= this.#y0 - 1e-12 && y <= this.#y1 + 1e-12;
  }

  #nearestValue(x: number, y: number): number {
    let least = Infinity;
    for (let i = 0; i < this.#count; i++) {
      if (featureExcess(this.#features, this.#list[i], x, y) > 1e-9) continue;
      least = Math.min(least, closedValue(this.#features, this.#list[i], x, y));
    }
    return least;
  }

  /** Whether all runs have the least distance at the point. */
  #allTie(runs: readonly Run[]): boolean {
    const least = this.#nearestValue(this.#x, this.#y);
    for (const run of runs) {
      const feature = this.#active(run, this.#x, this.#y);
      if (feature < 0 || closedValue(this.#features, feature, this.#x, this.#y) > least + VERTEX_TIE) return false;
    }
    return true;
  }

  /** The feature of the run that is nearest; where an open one ends, rather its end than itself. */
  #active(run: Run, x: number, y: number): number {
    const list = run.features ?? this.#list;
    return nearestOfLabel(this.#features, list, run.features?.length ?? this.#count, run.label, x, y);
  }

  /** Newton's method for the point where three runs tie, from (x, y). True if it is in the cell and nothing is nearer. */
  #meet(a: Run, b: Run, c: Run, startX: number, startY: number): boolean {
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
      if (!this.#inside(x, y)) return false;
      this.#x = x;
      this.#y = y;
      return this.#allTie([a, b, c]);
    }
    return false;
  }
}
