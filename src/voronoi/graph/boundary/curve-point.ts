// Points on the curve between two labels, one by one and as the result of a trace.
import { growTo } from '../../../core/grow-array.js';

/** A point of the curve between two labels. */
export class CurvePoint {
  x = 0;
  y = 0;
  /** The nearest features of the left and of the right label; -1 for a label without any. */
  left = -1;
  right = -1;
  /** The unit normal of the curve, from left to right; not of unit length where the curve has no direction. */
  nx = 0;
  ny = 0;

  copy(from: CurvePoint): this {
    this.x = from.x;
    this.y = from.y;
    this.left = from.left;
    this.right = from.right;
    this.nx = from.nx;
    this.ny = from.ny;
    return this;
  }

  /** A rate along the curve with the left label on its left, turned to the sense of a direction. */
  toward(rate: number, dx: number, dy: number): number {
    return this.nx * dy - this.ny * dx < 0 ? -rate : rate;
  }
}

/** Points of a curve in order, with their features. */
export class TracedCurve {
  count = 0;
  /** Chords that could not be halved. */
  failures = 0;
  /** x, y of each point. */
  points = new Float64Array(256);
  /** By point: the features to the left and to the right. */
  lefts = new Int32Array(128);
  rights = new Int32Array(128);

  clear(): void {
    this.count = 0;
    this.failures = 0;
  }

  push(x: number, y: number, left: number, right: number): void {
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

  pushPoint(point: CurvePoint): void {
    this.push(point.x, point.y, point.left, point.right);
  }

  /** Copies the place and the features of a point; its normal is not stored. */
  read(index: number, out: CurvePoint): void {
    out.x = this.points[2 * index];
    out.y = this.points[2 * index + 1];
    out.left = this.lefts[index];
    out.right = this.rights[index];
  }
}
