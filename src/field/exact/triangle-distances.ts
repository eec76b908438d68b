// Distances from points to the triangles of one set, with all per-triangle values precomputed. Corners are sorted by
// coordinates: triangles that share a side get the same bits from it, so that ties are exact. Differs only by rounding
// from `nearestOnTriangle`, which is called for needles and triangles without area.
import { nearestOnTriangle, TrianglePoint } from '../../mesh/triangle/closest-point.js';
import { setNormal, sortCorners } from '../source/sorted-corners.js';

/**
 * Layout: numbers per triangle: corners 0–8, normal 9–11, its square 12 (0 for a needle), directions of the weights of
 * b 13–15 and of c 16–18, squares of the sides 19–21.
 */
const STRIDE = 22;

export class TriangleDistances {
  readonly count: number;
  /** A ball around each triangle: its center and radius, four numbers. */
  readonly balls: Float64Array;
  /** Points to measure from: x, y, z and the squared distance beyond which the result does not matter. */
  readonly points: Float64Array;
  /** By point: the squared distance to the triangle measured last. */
  readonly squares: Float64Array;
  /** By point: the offset from the nearest point of that triangle; three numbers. */
  readonly offsets: Float64Array;
  /** Distances computed so far. */
  computed = 0;
  readonly #table: Float64Array;
  readonly #point = new TrianglePoint();

  /** @param points the number of points that can be measured at once. */
  constructor(triangles: Float64Array, count: number, points: number) {
    this.count = count;
    this.points = new Float64Array(4 * points);
    this.squares = new Float64Array(points);
    this.offsets = new Float64Array(3 * points);
    const table = new Float64Array(STRIDE * count);
    const balls = new Float64Array(4 * count);
    this.#table = table;
    this.balls = balls;
    const t = new Float64Array(13);
    for (let triangle = 0; triangle < count; triangle++) {
      const o = STRIDE * triangle;
      sortCorners(triangles, 9 * triangle, t);
      setNormal(t);
      table.set(t, o);
      const ux = t[3] - t[0];
      const uy = t[4] - t[1];
      const uz = t[5] - t[2];
      const vx = t[6] - t[0];
      const vy = t[7] - t[1];
      const vz = t[8] - t[2];
      const nx = t[9];
      const ny = t[10];
      const nz = t[11];
      table[o + 13] = vy * nz - vz * ny;
      table[o + 14] = vz * nx - vx * nz;
      table[o + 15] = vx * ny - vy * nx;
      table[o + 16] = ny * uz - nz * uy;
      table[o + 17] = nz * ux - nx * uz;
      table[o + 18] = nx * uy - ny * ux;
      table[o + 19] = ux * ux + uy * uy + uz * uz;
      table[o + 20] = vx * vx + vy * vy + vz * vz;
      table[o + 21] = (t[6] - t[3]) ** 2 + (t[7] - t[4]) ** 2 + (t[8] - t[5]) ** 2;
      const mx = (t[0] + t[6]) / 2;
      const my = (Math.min(t[1], t[4], t[7]) + Math.max(t[1], t[4], t[7])) / 2;
      const mz = (Math.min(t[2], t[5], t[8]) + Math.max(t[2], t[5], t[8])) / 2;
      balls[4 * triangle] = mx;
      balls[4 * triangle + 1] = my;
      balls[4 * triangle + 2] = mz;
      balls[4 * triangle + 3] = Math.sqrt(
        Math.max(
          (t[0] - mx) ** 2 + (t[1] - my) ** 2 + (t[2] - mz) ** 2,
          (t[3] - mx) ** 2 + (t[4] - my) ** 2 + (t[5] - mz) ** 2,
          (t[6] - mx) ** 2 + (t[7] - my) ** 2 + (t[8] - mz) ** 2,
        ),
      );
    }
  }

  /**
   * Writes the squared distance of each point from `first` to before `end` to `squares`, or Infinity if it is known to
   * exceed the point's limit. Results are passed in arrays: returned numbers would be allocated one by one. One
   * function for all points of a triangle: its numbers are read once.
   */
  measure(triangle: number, first: number, end: number): void {
    const t = this.#table;
    const points = this.points;
    const squares = this.squares;
    const offsets = this.offsets;
    const o = STRIDE * triangle;
    const nn = t[o + 12];
    this.computed += end - first;
    if (nn === 0) {
      for (let n = first; n < end; n++) {
        nearestOnTriangle(t, o, points[4 * n], points[4 * n + 1], points[4 * n + 2], this.#point);
        squares[n] = this.#point.distanceSquared;
        offsets[3 * n] = points[4 * n] - this.#point.x;
        offsets[3 * n + 1] = points[4 * n + 1] - this.#point.y;
        offsets[3 * n + 2] = points[4 * n + 2] - this.#point.z;
      }
      return;
    }
    const ax = t[o];
    const ay = t[o + 1];
    const az = t[o + 2];
    const bx = t[o + 3];
    const by = t[o + 4];
    const bz = t[o + 5];
    const cx = t[o + 6];
    const cy = t[o + 7];
    const cz = t[o + 8];
    for (let n = first; n < end; n++) {
      const x = points[4 * n];
      const y = points[4 * n + 1];
      const z = points[4 * n + 2];
      let px = x - ax;
      let py = y - ay;
      let pz = z - az;
      const plane = t[o + 9] * px + t[o + 10] * py + t[o + 11] * pz;
      if (plane * plane > points[4 * n + 3] * nn) {
        squares[n] = Infinity;
        continue;
      }
      const weightB = t[o + 13] * px + t[o + 14] * py + t[o + 15] * pz;
      const weightC = t[o + 16] * px + t[o + 17] * py + t[o + 18] * pz;
      const weightA = nn - weightB - weightC;
      if (weightA > 0 && weightB > 0 && weightC > 0) {
        const s = weightB / nn;
        const r = weightC / nn;
        px -= s * (bx - ax) + r * (cx - ax);
        py -= s * (by - ay) + r * (cy - ay);
        pz -= s * (bz - az) + r * (cz - az);
        offsets[3 * n] = px;
        offsets[3 * n + 1] = py;
        offsets[3 * n + 2] = pz;
        squares[n] = px * px + py * py + pz * pz;
        continue;
      }
      // Tests the sides that have the point on their outer side. Beyond an end the distance is that of the corner itself:
      // every side that ends there gives the same bits. Written out three times: one method for it costs a tenth of a field.
      let least = Infinity;
      if (weightC <= 0) {
        const ex = bx - ax;
        const ey = by - ay;
        const ez = bz - az;
        const along = ex * px + ey * py + ez * pz;
        const beyond = along >= t[o + 19];
        const share = along > 0 ? along / t[o + 19] : 0;
        const qx = beyond ? x - bx : px - share * ex;
        const qy = beyond ? y - by : py - share * ey;
        const qz = beyond ? z - bz : pz - share * ez;
        least = qx * qx + qy * qy + qz * qz;
        offsets[3 * n] = qx;
        offsets[3 * n + 1] = qy;
        offsets[3 * n + 2] = qz;
      }
      if (weightB <= 0) {
        const ex = cx - ax;
        const ey = cy - ay;
        const ez = cz - az;
        const along = ex * px + ey * py + ez * pz;
        const beyond = along >= t[o + 20];
        const share = along > 0 ? along / t[o + 20] : 0;
        const qx = beyond ? x - cx : px - share * ex;
        const qy = beyond ? y - cy : py - share * ey;
        const qz = beyond ? z - cz : pz - share * ez;
        const square = qx * qx + qy * qy + qz * qz;
        if (square < least) {
          least = square;
          offsets[3 * n] = qx;
          offsets[3 * n + 1] = qy;
          offsets[3 * n + 2] = qz;
        }
      }
      if (weightA <= 0) {
        const ex = cx - bx;
        const ey = cy - by;
        const ez = cz - bz;
        px = x - bx;
        py = y - by;
        pz = z - bz;
        const along = ex * px + ey * py + ez * pz;
        const beyond = along >= t[o + 21];
        const share = along > 0 ? along / t[o + 21] : 0;
        const qx = beyond ? x - cx : px - share * ex;
        const qy = beyond ? y - cy : py - share * ey;
        const qz = beyond ? z - cz : pz - share * ez;
        const square = qx * qx + qy * qy + qz * qz;
        if (square < least) {
          least = square;
          offsets[3 * n] = qx;
          offsets[3 * n + 1] = qy;
          offsets[3 * n + 2] = qz;
        }
      }
      squares[n] = least;
    }
  }
}
