// The point of a triangle nearest to a point. The face counts when all three barycentric weights, from cross products,
// are positive; otherwise the edges with the point on their outer side. Every candidate is a point of the triangle, so
// a needle or a triangle without area can give a point farther by rounding at worst, never one off the triangle.
import { EDGE_REGION, FACE_REGION } from './triangle-region.js';

/**
 * Rounding: a triangle is a needle if the squared sine of its angle is below this; its weights have lost two digits
 * there.
 */
const NEEDLE_SINE_SQUARED = 1e-4;

/** A point on a triangle, and its distance; written by {@link nearestOnTriangle}. */
export class TrianglePoint {
  x = 0;
  y = 0;
  z = 0;
  distanceSquared = Infinity;
  region = FACE_REGION;
}

/**
 * Writes the point of the triangle of nine numbers at `t[i]` that is nearest to (px, py, pz). The innermost loop of queries of
 * points: all its values are locals of one function.
 */
export function nearestOnTriangle(
  t: Float64Array,
  i: number,
  px: number,
  py: number,
  pz: number,
  out: TrianglePoint,
): void {
  const ax = t[i];
  const ay = t[i + 1];
  const az = t[i + 2];
  const ux = t[i + 3] - ax;
  const uy = t[i + 4] - ay;
  const uz = t[i + 5] - az;
  const vx = t[i + 6] - ax;
  const vy = t[i + 7] - ay;
  const vz = t[i + 8] - az;
  const wx = px - ax;
  const wy = py - ay;
  const wz = pz - az;
  const nx = uy * vz - uz * vy;
  const ny = uz * vx - ux * vz;
  const nz = ux * vy - uy * vx;
  const nn = nx * nx + ny * ny + nz * nz;
  const weightB = nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx);
  const weightC = nx * (uy * wz - uz * wy) + ny * (uz * wx - ux * wz) + nz * (ux * wy - uy * wx);
  const weightA = nn - weightB - weightC;
  const needle = nn <= NEEDLE_SINE_SQUARED * (ux * ux + uy * uy + uz * uz) * (vx * vx + vy * vy + vz * vz);
  out.distanceSquared = Infinity;
  if ((weightA > 0 && weightB > 0 && weightC > 0) || (needle && nn > 0)) {
    let s = weightB / nn;
    let r = weightC / nn;
    let dx = wx - s * ux - r * vx;
    let dy = wy - s * uy - r * vy;
    let dz = wz - s * uz - r * vz;
    // In a needle a small error of the weights is a large error of the point. The weights of the remainder are small,
    // and so are their errors: two rounds of correction leave only rounding.
    for (let round = 0; needle && round < 2; round++) {
      s += (nx * (dy * vz - dz * vy) + ny * (dz * vx - dx * vz) + nz * (dx * vy - dy * vx)) / nn;
      r += (nx * (uy * dz - uz * dy) + ny * (uz * dx - ux * dz) + nz * (ux * dy - uy * dx)) / nn;
      dx = wx - s * ux - r * vx;
      dy = wy - s * uy - r * vy;
      dz = wz - s * uz - r * vz;
    }
    if (!needle || (s >= 0 && r >= 0 && s + r <= 1)) {
      out.x = ax + s * ux + r * vx;
      out.y = ay + s * uy + r * vy;
      out.z = az + s * uz + r * vz;
      out.distanceSquared = dx * dx + dy * dy + dz * dz;
      out.region = FACE_REGION;
    }
  }
  // Off the face, the nearest point is on an edge that has the point on its outer side; for a needle, on any.
  if (needle || weightC <= 0) {
    nearestOnEdge(t, i, i + 3, px, py, pz, 0, 1, EDGE_REGION, out);
  }
  if (needle || weightB <= 0) {
    nearestOnEdge(t, i, i + 6, px, py, pz, 0, 2, EDGE_REGION + 2, out);
  }
  if (needle || weightA <= 0) {
    nearestOnEdge(t, i + 3, i + 6, px, py, pz, 1, 2, EDGE_REGION + 1, out);
  }
}

/**
 * Lowers `out` to the nearest point of the segment from corner `i` to corner `j`, if that is nearer.
 * Takes scalars, for inner loops.
 */
function nearestOnEdge(
  t: Float64Array,
  i: number,
  j: number,
  px: number,
  py: number,
  pz: number,
  regionI: number,
  regionJ: number,
  regionEdge: number,
  out: TrianglePoint,
): void {
  const ex = t[j] - t[i];
  const ey = t[j + 1] - t[i + 1];
  const ez = t[j + 2] - t[i + 2];
  let dx = px - t[i];
  let dy = py - t[i + 1];
  let dz = pz - t[i + 2];
  const along = ex * dx + ey * dy + ez * dz;
  const length = ex * ex + ey * ey + ez * ez;
  let corner = i;
  let share = 0;
  let region = regionI;
  if (along >= length) {
    // Measured from that corner itself: every edge that ends there gives the same bits.
    corner = j;
    region = regionJ;
    dx = px - t[j];
    dy = py - t[j + 1];
    dz = pz - t[j + 2];
  } else if (along > 0) {
    share = along / length;
    region = regionEdge;
    dx -= share * ex;
    dy -= share * ey;
    dz -= share * ez;
  }
  const distanceSquared = dx * dx + dy * dy + dz * dz;
  if (!(distanceSquared < out.distanceSquared)) return;
  out.distanceSquared = distanceSquared;
  out.region = region;
  out.x = t[corner] + share * ex;
  out.y = t[corner + 1] + share * ey;
  out.z = t[corner + 2] + share * ez;
}
