// The direction between the nearest points of two triangles. Their difference has an error of rounding over distance.
// The features perpendicular to it give an error of rounding over their size, however near the triangles are.

import type { TriangleDistance } from '../../mesh/triangle/triangle-distance.js';
import { FACE_REGION } from '../../mesh/triangle/triangle-region.js';

/**
 * Chosen: edges with a smaller squared sine between them are too nearly parallel for their cross product to give a
 * direction.
 */
const CROSSING_SINE_SQUARED = 1e-6;

/** The corners of a region as bits: corner k is bit k. */
export function cornersOfRegion(region: number): number {
  if (region === FACE_REGION) return 7;
  return region < 3 ? 1 << region : (1 << (region - 3)) | (1 << ((region - 2) % 3));
}

/**
 * The corners, as bits, of the triangle of nine numbers that are as high along (nx, ny, nz) as the point, which lies on
 * the highest region of the triangle.
 * Takes scalars, for inner loops.
 * @param slope heights up to this share of the distance from the point count as zero, and so do those up to `slack`.
 */
export function findLevelCorners(
  corners: Float64Array,
  region: number,
  point: Float64Array,
  nx: number,
  ny: number,
  nz: number,
  slope: number,
  slack: number,
): number {
  let level = cornersOfRegion(region);
  for (let k = 0; k < 3; k++) {
    const x = corners[3 * k] - point[0];
    const y = corners[3 * k + 1] - point[1];
    const z = corners[3 * k + 2] - point[2];
    const height = Math.abs(x * nx + y * ny + z * nz);
    if (height <= slack || height * height <= slope * slope * (x * x + y * y + z * z)) level |= 1 << k;
  }
  return level;
}

/** The unit normal of a contact, from A to B. Overwritten by each call. */
export class ContactNormal {
  x = 0;
  y = 0;
  z = 0;
  /** Whether it comes from the features, not from the difference of the points. */
  exact = false;
  readonly #edges = new EdgePair();
  readonly #candidate = new Float64Array(3);

  /** Takes the difference of the points, which are `distance` apart. */
  take({ pointA, pointB }: TriangleDistance, distance: number): void {
    this.x = (pointB[0] - pointA[0]) / distance;
    this.y = (pointB[1] - pointA[1]) / distance;
    this.z = (pointB[2] - pointA[2]) / distance;
    this.exact = false;
  }

  /** Whether exactly one edge of each triangle is level, and the two cross at an angle: they then share one point. */
  crosses({ p, q }: TriangleDistance, levelA: number, levelB: number): boolean {
    return this.#edges.set(p, levelA, q, levelB) && this.#edges.crossing;
  }

  /** Refines the difference using what is level with it: a face of either triangle, two crossing edges, or one edge. */
  refine({ p, q, regionA, regionB }: TriangleDistance, levelA: number, levelB: number): void {
    const edges = this.#edges;
    const candidate = this.#candidate;
    if (levelA === 7 || levelB === 7) {
      let heightA = levelA === 7 ? crossEdges(p, candidate) : 0;
      // The face that a point lies on decides; if both points are on rims, the triangle that is less thin.
      if (regionA === FACE_REGION) heightA = Infinity;
      if (levelB === 7 && !(heightA === Infinity)) {
        const heightB = crossEdges(q, edges.u);
        if (regionB === FACE_REGION || heightB > heightA) {
          candidate.set(edges.u);
          heightA = heightB;
        }
      }
      if (heightA > 0) {
        this.#turnTo(candidate[0], candidate[1], candidate[2]);
        this.exact = regionA === FACE_REGION || regionB === FACE_REGION;
        return;
      }
    }
    if (!edges.set(p, levelA, q, levelB)) return;
    const { u, v } = edges;
    if (edges.crossing) {
      this.#turnTo(u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]);
      this.exact = true;
      return;
    }
    const uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    if (!(uu > 0)) return;
    const along = (u[0] * this.x + u[1] * this.y + u[2] * this.z) / uu;
    this.#turnTo(this.x - along * u[0], this.y - along * u[1], this.z - along * u[2]);
  }

  /**
   * Takes the direction along which two triangles are farthest apart, among the candidates for a separating plane:
   * their normals and the cross products of their edges. For triangles too near for the difference of points.
   */
  separate({ p, q }: TriangleDistance): void {
    const candidate = this.#candidate;
    let best = -Infinity;
    for (let axis = 0; axis < 11; axis++) {
      if (axis === 9) crossEdges(p, candidate);
      else if (axis === 10) crossEdges(q, candidate);
      else crossEdgePair(p, Math.floor(axis / 3), q, axis % 3, candidate);
      const size = Math.hypot(candidate[0], candidate[1], candidate[2]);
      if (!(size > 0)) continue;
      for (const sign of [1 / size, -1 / size]) {
        const x = sign * candidate[0];
        const y = sign * candidate[1];
        const z = sign * candidate[2];
        const gap = -highest(q, -x, -y, -z) - highest(p, x, y, z);
        if (gap <= best) continue;
        best = gap;
        this.x = x;
        this.y = y;
        this.z = z;
      }
    }
    this.exact = true;
  }

  /** Takes the direction of a vector or its opposite, whichever is nearer to the current one. */
  #turnTo(x: number, y: number, z: number): void {
    const size = Math.sqrt(x * x + y * y + z * z);
    if (!(size > 0)) return;
    const share = x * this.x + y * this.y + z * this.z < 0 ? -1 / size : 1 / size;
    this.x = share * x;
    this.y = share * y;
    this.z = share * z;
  }
}

/** The level edge of each triangle; if only one triangle has one, it is used twice. */
class EdgePair {
  readonly u = new Float64Array(3);
  readonly v = new Float64Array(3);
  crossing = false;

  /** False if neither triangle has exactly one level edge. */
  set(p: Float64Array, levelA: number, q: Float64Array, levelB: number): boolean {
    const { u, v } = this;
    const hasA = subtractLevel(p, levelA, u);
    const hasB = subtractLevel(q, levelB, hasA ? v : u);
    this.crossing = false;
    if (hasA && hasB) {
      const uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
      const vv = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
      const x = u[1] * v[2] - u[2] * v[1];
      const y = u[2] * v[0] - u[0] * v[2];
      const z = u[0] * v[1] - u[1] * v[0];
      this.crossing = x * x + y * y + z * z > CROSSING_SINE_SQUARED * uu * vv;
    }
    return hasA || hasB;
  }
}

/** Writes the edge between the two level corners; false unless there are exactly two. */
function subtractLevel(corners: Float64Array, level: number, out: Float64Array): boolean {
  if (level !== 3 && level !== 5 && level !== 6) return false;
  const from = level === 6 ? 3 : 0;
  const to = level === 3 ? 3 : 6;
  for (let k = 0; k < 3; k++) out[k] = corners[to + k] - corners[from + k];
  return true;
}

/** Writes the normal of a triangle, not normalized. Returns its height over the longest edge. */
function crossEdges(c: Float64Array, out: Float64Array): number {
  const ux = c[3] - c[0];
  const uy = c[4] - c[1];
  const uz = c[5] - c[2];
  const vx = c[6] - c[0];
  const vy = c[7] - c[1];
  const vz = c[8] - c[2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
  const longest = Math.max(
    ux * ux + uy * uy + uz * uz,
    vx * vx + vy * vy + vz * vz,
    (vx - ux) * (vx - ux) + (vy - uy) * (vy - uy) + (vz - uz) * (vz - uz),
  );
  return longest > 0 ? Math.sqrt((out[0] * out[0] + out[1] * out[1] + out[2] * out[2]) / longest) : 0;
}

function crossEdgePair(p: Float64Array, i: number, q: Float64Array, j: number, out: Float64Array): void {
  const a = 3 * i;
  const b = 3 * ((i + 1) % 3);
  const c = 3 * j;
  const d = 3 * ((j + 1) % 3);
  const ux = p[b] - p[a];
  const uy = p[b + 1] - p[a + 1];
  const uz = p[b + 2] - p[a + 2];
  const vx = q[d] - q[c];
  const vy = q[d + 1] - q[c + 1];
  const vz = q[d + 2] - q[c + 2];
  out[0] = uy * vz - uz * vy;
  out[1] = uz * vx - ux * vz;
  out[2] = ux * vy - uy * vx;
}

function highest(c: Float64Array, x: number, y: number, z: number): number {
  return Math.max(x * c[0] + y * c[1] + z * c[2], x * c[3] + y * c[4] + z * c[5], x * c[6] + y * c[7] + z * c[8]);
}
