// Where two features of equal weight may be equally far on a line. Distances along a line are roots of quadratics, or
// absolute values of linear functions; a sign for each of the two absolute values leaves at most a quadratic.
import { type FeatureArrays, LINE, OFFSET, SCALE, SIZE, STRIDE, VERTEX } from './feature-arrays.js';

/** Rounding: sums of radii and offsets below this, in local lengths, are zero. */
const ZERO_SUM = 1e-13;
/** The signs of the two absolute values. */
const SIGNS = [1, -1];

/** Finds parameters of a line between which the difference of two distances keeps its sign. */
export class GapRoots {
  /** Of the last search, in increasing order. */
  readonly roots = new Float64Array(16);
  count = 0;
  readonly #features: FeatureArrays;
  #from = 0;
  #to = 0;

  constructor(features: FeatureArrays) {
    this.#features = features;
  }

  /**
   * Collects the zeros, and perhaps other places, between two parameters of the line from (x, y) in the unit direction
   * (dx, dy). Returns false, without any, for features of different weights.
   * Takes scalars, for inner loops.
   */
  find(f: number, g: number, x: number, y: number, dx: number, dy: number, from: number, to: number): boolean {
    const { data, kind } = this.#features;
    const scale = data[STRIDE * f + SCALE];
    if (scale !== data[STRIDE * g + SCALE]) return false;
    this.count = 0;
    this.#from = from;
    this.#to = to;
    const offset = (data[STRIDE * f + OFFSET] - data[STRIDE * g + OFFSET]) / scale;
    const isLine = kind[f] === LINE;
    if (isLine && kind[g] === LINE) this.#ofLines(STRIDE * f, STRIDE * g, x, y, dx, dy, offset);
    else if (isLine) this.#ofLineAndCircle(STRIDE * f, g, x, y, dx, dy, -offset);
    else if (kind[g] === LINE) this.#ofLineAndCircle(STRIDE * g, f, x, y, dx, dy, offset);
    else this.#ofCircles(f, g, x, y, dx, dy, offset);
    return true;
  }

  #radius(feature: number): number {
    return this.#features.kind[feature] === VERTEX ? 0 : this.#features.data[STRIDE * feature + SIZE];
  }

  /** s L₁ − L₂ = ±offset. */
  #ofLines(f: number, g: number, x: number, y: number, dx: number, dy: number, offset: number): void {
    const { data } = this.#features;
    const slopeF = data[f] * dx + data[f + 1] * dy;
    const slopeG = data[g] * dx + data[g + 1] * dy;
    const valueF = data[f] * x + data[f + 1] * y - data[f + SIZE];
    const valueG = data[g] * x + data[g + 1] * y - data[g + SIZE];
    for (const s of SIGNS) {
      for (const t of SIGNS) {
        this.#add((t * offset + valueG - s * valueF) / (s * slopeF - slopeG));
        if (offset === 0) break;
      }
    }
  }

  /** s (d − r) − offset = |L|, whose square has d² = (r + s offset ± L)². */
  #ofLineAndCircle(line: number, circle: number, x: number, y: number, dx: number, dy: number, offset: number): void {
    const { data } = this.#features;
    const at = STRIDE * circle;
    const slope = data[line] * dx + data[line + 1] * dy;
    const value = data[line] * x + data[line + 1] * y - data[line + SIZE];
    const px = x - data[at];
    const py = y - data[at + 1];
    const b = 2 * (px * dx + py * dy);
    const c = px * px + py * py;
    for (const s of SIGNS) {
      const radius = this.#radius(circle) + s * offset;
      for (const t of SIGNS) {
        const sum = radius + t * value;
        this.#addQuadratic(1 - slope * slope, b - 2 * t * slope * sum, c - sum * sum);
      }
      if (offset === 0) break;
    }
  }

  /** s (d₁ − r₁) − t (d₂ − r₂) = offset: squared twice, with e = s r₁ − t r₂ + offset, (d₁² − d₂² − e²)² = 4 e² d₂². */
  #ofCircles(f: number, g: number, x: number, y: number, dx: number, dy: number, offset: number): void {
    const { data } = this.#features;
    const px = x - data[STRIDE * f];
    const py = y - data[STRIDE * f + 1];
    const qx = x - data[STRIDE * g];
    const qy = y - data[STRIDE * g + 1];
    const b = 2 * (qx * dx + qy * dy);
    const c = qx * qx + qy * qy;
    const slope = 2 * (px * dx + py * dy) - b;
    const value = px * px + py * py - c;
    for (const s of SIGNS) {
      for (const t of SIGNS) {
        const e = s * this.#radius(f) - t * this.#radius(g) + offset;
        if (Math.abs(e) < ZERO_SUM) {
          this.#add(-value / slope);
          continue;
        }
        const rest = value - e * e;
        const four = 4 * e * e;
        this.#addQuadratic(slope * slope - four, 2 * slope * rest - four * b, rest * rest - four * c);
      }
      if (offset === 0) break;
    }
  }

  #addQuadratic(a: number, b: number, c: number): void {
    // Rounding may hide a double root.
    const s = Math.sqrt(Math.max(0, b * b - 4 * a * c));
    const q = b > 0 ? -b - s : s - b;
    this.#add(q / (2 * a));
    this.#add((2 * c) / q);
  }

  #add(root: number): void {
    if (!(root > this.#from && root < this.#to)) return;
    const { roots } = this;
    let at = this.count++;
    for (; at > 0 && roots[at - 1] > root; at--) roots[at] = roots[at - 1];
    roots[at] = root;
  }
}
