// Collects the curves of one shape: takes them in the shape's own frame and keeps them transformed.
import { MAX_COORDINATE } from '../../core/tolerances.js';
import type { SvgCurve, SvgSubpath } from '../drawing/svg-drawing.js';
import type { SvgMatrix } from './svg-matrix.js';
import type { SvgFault } from './svg-scanner.js';

/**
 * Rounding: axes are those of a circle if their lengths and their right angle are off by less than this, relative to
 * their length.
 */
const CIRCLE_TOLERANCE = 1e-12;

/**
 * Proven: the angle of the ellipse that one cubic curve covers, in radians. With the control points at 4/3
 * tan(angle/4) the curve is off by 2/27 sin⁶(angle/4) / cos²(angle/4) of the larger radius (Goldapp 1991): 6.6e-8.
 */
const ARC_PIECE = Math.PI / 8;

type Point = readonly [number, number];

export class ShapeBuilder {
  readonly #matrix: SvgMatrix;
  readonly #fault: SvgFault;
  readonly #subpaths: SvgSubpath[] = [];
  #curves: SvgCurve[] = [];
  #first: Point = [0, 0];
  #last: Point = [0, 0];

  constructor(matrix: SvgMatrix, fault: SvgFault) {
    this.#matrix = matrix;
    this.#fault = fault;
  }

  moveTo(x: number, y: number): void {
    this.#end(false);
    this.#first = this.#last = this.#map(x, y);
  }

  lineTo(x: number, y: number): void {
    this.#curveTo(this.#map(x, y));
  }

  quadraticTo(x1: number, y1: number, x: number, y: number): void {
    this.#curveTo(this.#map(x1, y1), this.#map(x, y));
  }

  cubicTo(x1: number, y1: number, x2: number, y2: number, x: number, y: number): void {
    this.#curveTo(this.#map(x1, y1), this.#map(x2, y2), this.#map(x, y));
  }

  /**
   * Adds center + u cos t + v sin t, where u and v are the half axes, from the angle `from` to `to`; it ends at x, y.
   * Exact if that is a circle after the transform.
   */
  arc(center: Point, u: Point, v: Point, from: number, to: number, x: number, y: number): void {
    const [a, b, c, d] = this.#matrix;
    const middle = this.#map(center[0], center[1]);
    const end = this.#map(x, y);
    const [ux, uy, vx, vy] = [a * u[0] + c * u[1], b * u[0] + d * u[1], a * v[0] + c * v[1], b * v[0] + d * v[1]];
    const radius = Math.hypot(ux, uy);
    const round =
      Math.abs(Math.hypot(vx, vy) - radius) <= CIRCLE_TOLERANCE * radius &&
      Math.abs(ux * vx + uy * vy) <= CIRCLE_TOLERANCE * radius * radius;
    if (round) {
      const start = Math.atan2(uy, ux);
      const sense = ux * vy - uy * vx < 0 ? -1 : 1;
      this.#curves.push({ type: 'arc', center: middle, radius, from: start + sense * from, to: start + sense * to });
    } else {
      const at = (t: number): Point => [
        middle[0] + ux * Math.cos(t) + vx * Math.sin(t),
        middle[1] + uy * Math.cos(t) + vy * Math.sin(t),
      ];
      const along = (t: number): Point => [vx * Math.cos(t) - ux * Math.sin(t), vy * Math.cos(t) - uy * Math.sin(t)];
      const count = Math.max(1, Math.ceil(Math.abs(to - from) / ARC_PIECE - 1e-9));
      const handle = (4 / 3) * Math.tan((to - from) / count / 4);
      for (let i = 0; i < count; i++) {
        const t0 = from + ((to - from) * i) / count;
        const t1 = from + ((to - from) * (i + 1)) / count;
        const [p0, p1] = [at(t0), i + 1 === count ? end : at(t1)];
        const [d0, d1] = [along(t0), along(t1)];
        this.#curveTo(
          [p0[0] + handle * d0[0], p0[1] + handle * d0[1]],
          [p1[0] - handle * d1[0], p1[1] - handle * d1[1]],
          p1,
        );
      }
    }
    this.#last = end;
  }

  close(): void {
    const dot = this.#curves.length === 0;
    if (dot || this.#last[0] !== this.#first[0] || this.#last[1] !== this.#first[1]) this.#curveTo(this.#first);
    this.#end(true);
    this.#last = this.#first;
  }

  /** The subpaths collected. */
  finish(): readonly SvgSubpath[] {
    this.#end(false);
    return this.#subpaths;
  }

  #curveTo(...points: Point[]): void {
    this.#curves.push({ type: 'bezier', points: [this.#last, ...points] });
    this.#last = points[points.length - 1];
  }

  #end(closed: boolean): void {
    if (this.#curves.length > 0) this.#subpaths.push({ curves: this.#curves, closed });
    this.#curves = [];
  }

  #map(x: number, y: number): Point {
    const [a, b, c, d, e, f] = this.#matrix;
    const point: Point = [a * x + c * y + e, b * x + d * y + f];
    if (Math.abs(point[0]) <= MAX_COORDINATE && Math.abs(point[1]) <= MAX_COORDINATE) return point;
    return this.#fault(`has a point at (${point[0]}, ${point[1]}); coordinates go up to ${MAX_COORDINATE}`);
  }
}
