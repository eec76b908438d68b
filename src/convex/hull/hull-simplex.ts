// The dimension that points span, and the simplex a hull starts from: chosen far apart by floating point, so that it is
// large, and checked exactly. O(n); only flat and nearly flat input is searched exactly.
import { exactSideOf, findShadowAxis } from '../../core/exact/points.js';
import type { PointFrame } from './hull-frame.js';

export interface Simplex {
  /** 0: all points are equal; 1: on a line; 2: in a plane; 3: none of these. */
  dimension: 0 | 1 | 2 | 3;
  /**
   * Affinely independent points, dimension + 1 of them; of equal points the first. In three dimensions the last is inside
   * the plane of the others.
   */
  corners: number[];
  /** An axis that is not parallel to the plane of the first three corners; −1 below two dimensions. */
  axis: number;
}

export function findSimplex(points: Float64Array, frame: PointFrame): Simplex {
  const [a, b] = findWidest(points, frame);
  if (a === b) return { dimension: 0, corners: [a], axis: -1 };
  const { corner: c, axis } = findOffLine(points, a, b);
  if (c < 0) return { dimension: 1, corners: [a, b], axis };
  const d = findOffPlane(points, a, b, c);
  if (d < 0) return { dimension: 2, corners: [a, b, c], axis };
  const corners = exactSideOf(points, a, b, c, d) < 0 ? [a, b, c, d] : [a, c, b, d];
  return { dimension: 3, corners, axis };
}

/** The first point at either end of the longest axis of the points' box; the first point twice if all are equal. */
function findWidest(points: Float64Array, frame: PointFrame): [number, number] {
  const { extentX, extentY, extentZ } = frame;
  const axis = extentX >= extentY && extentX >= extentZ ? 0 : extentY >= extentZ ? 1 : 2;
  let low = axis;
  let high = axis;
  for (let i = axis; i < points.length; i += 3) {
    if (points[i] < points[low]) low = i;
    if (points[i] > points[high]) high = i;
  }
  return [(low - axis) / 3, (high - axis) / 3];
}

function findOffLine(points: Float64Array, a: number, b: number): { corner: number; axis: number } {
  const ax = points[3 * a];
  const ay = points[3 * a + 1];
  const az = points[3 * a + 2];
  const ux = points[3 * b] - ax;
  const uy = points[3 * b + 1] - ay;
  const uz = points[3 * b + 2] - az;
  let furthest = 0;
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const vx = points[i] - ax;
    const vy = points[i + 1] - ay;
    const vz = points[i + 2] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const squared = nx * nx + ny * ny + nz * nz;
    if (squared > most) {
      most = squared;
      furthest = i / 3;
    }
  }
  const axis = findShadowAxis(points, a, b, furthest);
  if (axis >= 0) return { corner: furthest, axis };
  for (let i = 0; i < points.length / 3; i++) {
    const found = findShadowAxis(points, a, b, i);
    if (found >= 0) return { corner: i, axis: found };
  }
  return { corner: -1, axis: -1 };
}

function findOffPlane(points: Float64Array, a: number, b: number, c: number): number {
  const ax = points[3 * a];
  const ay = points[3 * a + 1];
  const az = points[3 * a + 2];
  const ux = points[3 * b] - ax;
  const uy = points[3 * b + 1] - ay;
  const uz = points[3 * b + 2] - az;
  const vx = points[3 * c] - ax;
  const vy = points[3 * c + 1] - ay;
  const vz = points[3 * c + 2] - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  let furthest = 0;
  let most = -1;
  for (let i = 0; i < points.length; i += 3) {
    const distance = Math.abs(nx * (points[i] - ax) + ny * (points[i + 1] - ay) + nz * (points[i + 2] - az));
    if (distance > most) {
      most = distance;
      furthest = i / 3;
    }
  }
  if (exactSideOf(points, a, b, c, furthest) !== 0) return furthest;
  for (let i = 0; i < points.length / 3; i++) {
    if (exactSideOf(points, a, b, c, i) !== 0) return i;
  }
  return -1;
}
