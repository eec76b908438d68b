// The distance and nearest points of two triangles: nine pairs of edges, then the corner of each triangle that is
// lowest over the other (Larsen et al. 1999). Ends at the first pair of points whose normal planes have the triangles
// on opposite sides. Near zero, exact predicates decide whether they meet. Triangles without area count as edges.

import { findCommonPoint } from './common-point.js';
import { FACE_REGION, regionOnEdge } from './triangle-region.js';
import { trianglesMeet } from './triangles-meet.js';

/**
 * Rounding: squares of distances below this share of the squared extent are decided exactly; rounding is about 1e-32 of
 * it.
 */
const NEAR_ZERO = 1e-24;

/**
 * Rounding: a corner's height over a plane, squared, is noise below this share of the product of lengths it comes from.
 */
const HEIGHT_ROUNDING = 1e-29;

/**
 * Rounding: the nearest points of two edges are found by cross products if the squared sine of their angle is below
 * this: solving for them would lose half of the digits.
 */
const NEARLY_PARALLEL = 1e-8;

/** Rounding: a gap between triangles along a direction counts from this share of their distance along it. */
const BETWEEN_ROUNDING = 1e-9;

/** Measures pairs of triangles; each instance has its own memory, so that two may run at once. */
export class TriangleDistance {
  /** The nearest points of the last measurement. */
  readonly pointA = new Float64Array(3);
  readonly pointB = new Float64Array(3);
  /** What the points lie on: a corner (0 to 2), an edge (3 to 5) or {@link FACE_REGION}. */
  regionA = FACE_REGION;
  regionB = FACE_REGION;
  /** The corners measured, and below the edges from each corner to the next. */
  readonly p = new Float64Array(9);
  readonly q = new Float64Array(9);
  /** Triangles farther apart than this need not be measured to the end: some distance of two points of theirs will do. */
  beyond = Infinity;
  readonly #u = new Float64Array(9);
  readonly #v = new Float64Array(9);
  readonly #foot = new Float64Array(3);
  #footSquared = Infinity;
  #lowest = 0;
  /** No plane of the two triangles shows that they are apart. */
  #straddling = false;

  /**
   * The squared distance of two triangles, 0 exactly when they have a point in common.
   * Takes scalars, for inner loops.
   * @param p coordinates; the corners of the first triangle begin at `p[a0]`, `p[a1]` and `p[a2]`.
   * @param q coordinates in the same frame; the corners of the second begin at `q[b0]`, `q[b1]` and `q[b2]`.
   */
  measure(
    p: Float64Array,
    a0: number,
    a1: number,
    a2: number,
    q: Float64Array,
    b0: number,
    b1: number,
    b2: number,
  ): number {
    const squared = this.#measureApart(p, a0, a1, a2, q, b0, b1, b2);
    const u = this.#u;
    const v = this.#v;
    const dx = this.q[0] - this.p[0];
    const dy = this.q[1] - this.p[1];
    const dz = this.q[2] - this.p[2];
    const extent =
      dx * dx + dy * dy + dz * dz + u[0] * u[0] + u[1] * u[1] + u[2] * u[2] + u[6] * u[6] + u[7] * u[7] + u[8] * u[8];
    const extentB = v[0] * v[0] + v[1] * v[1] + v[2] * v[2] + v[6] * v[6] + v[7] * v[7] + v[8] * v[8];
    if (!this.#straddling && squared > NEAR_ZERO * (extent + extentB)) return squared;
    if (!trianglesMeet(p, a0, a1, a2, q, b0, b1, b2)) {
      // Apart, but maybe by less than can be measured: a corner may seem to be on the wrong side of the nearest face.
      const nearest = this.#straddling ? this.#measureCorners(squared) : squared;
      return nearest > 0 ? nearest : Number.MIN_VALUE;
    }
    if (this.#straddling) findCommonPoint(this);
    else this.pointB.set(this.pointA);
    return 0;
  }

  /**
   * The squared distance if the triangles are apart; `straddling` if none of their planes shows that they are. The innermost
   * loop of distances: all its values are locals of one function.
   * Takes scalars, for inner loops.
   */
  #measureApart(
    pIn: Float64Array,
    a0: number,
    a1: number,
    a2: number,
    qIn: Float64Array,
    b0: number,
    b1: number,
    b2: number,
  ): number {
    const { p, q } = this;
    const u = this.#u;
    const v = this.#v;
    for (let k = 0; k < 3; k++) {
      p[k] = pIn[a0 + k];
      p[3 + k] = pIn[a1 + k];
      p[6 + k] = pIn[a2 + k];
      q[k] = qIn[b0 + k];
      q[3 + k] = qIn[b1 + k];
      q[6 + k] = qIn[b2 + k];
    }
    for (let k = 0; k < 3; k++) {
      u[k] = p[3 + k] - p[k];
      u[3 + k] = p[6 + k] - p[3 + k];
      u[6 + k] = p[k] - p[6 + k];
      v[k] = q[3 + k] - q[k];
      v[3 + k] = q[6 + k] - q[3 + k];
      v[6 + k] = q[k] - q[6 + k];
    }
    this.#straddling = false;
    const { beyond } = this;
    let best = Infinity;
    for (let i = 0; i < 9; i += 3) {
      const px = p[i];
      const py = p[i + 1];
      const pz = p[i + 2];
      const ux = u[i];
      const uy = u[i + 1];
      const uz = u[i + 2];
      const uu = ux * ux + uy * uy + uz * uz;
      for (let j = 0; j < 9; j += 3) {
        const wx = q[j] - px;
        const wy = q[j + 1] - py;
        const wz = q[j + 2] - pz;
        const vx = v[j];
        const vy = v[j + 1];
        const vz = v[j + 2];
        const vv = vx * vx + vy * vy + vz * vz;
        const uv = ux * vx + uy * vy + uz * vz;
        const uw = ux * wx + uy * wy + uz * wz;
        const vw = vx * wx + vy * wy + vz * wz;
        // The first edge's point at s, the second's at r, both from 0 to 1.
        let s = 0;
        let r = 0;
        const determinant = uu * vv - uv * uv;
        if (determinant > NEARLY_PARALLEL * uu * vv) {
          s = (uw * vv - uv * vw) / determinant;
        } else if (uu > 0 && vv > 0) {
          // The difference above has lost its digits; the cross product has not.
          const nx = uy * vz - uz * vy;
          const ny = uz * vx - ux * vz;
          const nz = ux * vy - uy * vx;
          const nn = nx * nx + ny * ny + nz * nz;
          if (nn > 0) {
            s = (nx * (wy * vz - wz * vy) + ny * (wz * vx - wx * vz) + nz * (wx * vy - wy * vx)) / nn;
          }
        }
        if (!(s > 0)) s = 0;
        else if (s > 1) s = 1;
        if (vv > 0) r = (uv * s - vw) / vv;
        if (!(r > 0)) {
          r = 0;
          s = uu > 0 ? uw / uu : 0;
          if (!(s > 0)) s = 0;
          else if (s > 1) s = 1;
        } else if (r > 1) {
          r = 1;
          s = uu > 0 ? (uv + uw) / uu : 0;
          if (!(s > 0)) s = 0;
          else if (s > 1) s = 1;
        }
        const dx = wx + r * vx - s * ux;
        const dy = wy + r * vy - s * uy;
        const dz = wz + r * vz - s * uz;
        const squared = dx * dx + dy * dy + dz * dz;
        if (squared >= best) continue;
        best = squared;
        this.pointA[0] = px + s * ux;
        this.pointA[1] = py + s * uy;
        this.pointA[2] = pz + s * uz;
        this.pointB[0] = q[j] + r * vx;
        this.pointB[1] = q[j + 1] + r * vy;
        this.pointB[2] = q[j + 2] + r * vz;
        this.regionA = regionOnEdge(i / 3, s);
        this.regionB = regionOnEdge(j / 3, r);
        // With the third corners behind the two planes through the points, nothing of the triangles is between them.
        const k = i === 0 ? 6 : i - 3;
        const l = j === 0 ? 6 : j - 3;
        const apartA = (p[k] - px - s * ux) * dx + (p[k + 1] - py - s * uy) * dy + (p[k + 2] - pz - s * uz) * dz;
        const apartB =
          (q[l] - q[j] - r * vx) * dx + (q[l + 1] - q[j + 1] - r * vy) * dy + (q[l + 2] - q[j + 2] - r * vz) * dz;
        if (apartA <= 0 && apartB >= 0) return best;
        // What is between the triangles along this direction, times its length.
        const between = squared - Math.max(0, apartA) + Math.min(0, apartB);
        if (between > BETWEEN_ROUNDING * squared && between * between > beyond * beyond * squared) return best;
      }
    }
    let apart = false;
    if (this.#findLowest(p, u, q)) apart = true;
    if (this.#footSquared < best) {
      best = this.#footSquared;
      for (let k = 0; k < 3; k++) {
        this.pointA[k] = this.#foot[k];
        this.pointB[k] = q[3 * this.#lowest + k];
      }
      this.regionA = FACE_REGION;
      this.regionB = this.#lowest;
    }
    if (this.#findLowest(q, v, p)) apart = true;
    if (this.#footSquared < best) {
      best = this.#footSquared;
      for (let k = 0; k < 3; k++) {
        this.pointA[k] = p[3 * this.#lowest + k];
        this.pointB[k] = this.#foot[k];
      }
      this.regionA = this.#lowest;
      this.regionB = FACE_REGION;
    }
    this.#straddling = !apart;
    return best;
  }

  /** Tests every corner over the other triangle's face, on either side, for points nearer than `best`. */
  #measureCorners(best: number): number {
    const { p, q } = this;
    const u = this.#u;
    const v = this.#v;
    const foot = this.#foot;
    for (let corner = 0; corner < 3; corner++) {
      const onA = findFoot(p, u, q, corner, foot);
      if (onA < best) {
        best = onA;
        this.pointA.set(foot);
        for (let k = 0; k < 3; k++) this.pointB[k] = q[3 * corner + k];
        this.regionA = FACE_REGION;
        this.regionB = corner;
      }
      const onB = findFoot(q, v, p, corner, foot);
      if (onB < best) {
        best = onB;
        this.pointB.set(foot);
        for (let k = 0; k < 3; k++) this.pointA[k] = p[3 * corner + k];
        this.regionA = corner;
        this.regionB = FACE_REGION;
      }
    }
    return best;
  }

  /**
   * Whether the corners of triangle q are certainly all on one side of the plane of triangle p. If they seem to be,
   * and the `lowest` is above the triangle itself, `foot` is the point below it; otherwise `footSquared` is infinite.
   * The foot is a point of the triangle even if a needle's normal is mostly rounding: the distance
   * to it may then be too large, never too small.
   */
  #findLowest(p: Float64Array, u: Float64Array, q: Float64Array): boolean {
    this.#footSquared = Infinity;
    const nx = u[1] * u[5] - u[2] * u[4];
    const ny = u[2] * u[3] - u[0] * u[5];
    const nz = u[0] * u[4] - u[1] * u[3];
    if (nx === 0 && ny === 0 && nz === 0) return false;
    const x0 = q[0] - p[0];
    const y0 = q[1] - p[1];
    const z0 = q[2] - p[2];
    const x1 = q[3] - p[0];
    const y1 = q[4] - p[1];
    const z1 = q[5] - p[2];
    const x2 = q[6] - p[0];
    const y2 = q[7] - p[1];
    const z2 = q[8] - p[2];
    const h0 = nx * x0 + ny * y0 + nz * z0;
    const h1 = nx * x1 + ny * y1 + nz * z1;
    const h2 = nx * x2 + ny * y2 + nz * z2;
    const sign = h0 > 0 ? 1 : -1;
    if (sign * h0 <= 0 || sign * h1 <= 0 || sign * h2 <= 0) return false;
    let corner = 0;
    let height = Math.abs(h0);
    if (Math.abs(h1) < height) {
      corner = 1;
      height = Math.abs(h1);
    }
    if (Math.abs(h2) < height) {
      corner = 2;
      height = Math.abs(h2);
    }
    this.#lowest = corner;
    this.#footSquared = findFoot(p, u, q, corner, this.#foot);
    const uu = u[0] * u[0] + u[1] * u[1] + u[2] * u[2];
    const vv = u[3] * u[3] + u[4] * u[4] + u[5] * u[5];
    const reach = Math.max(x0 * x0 + y0 * y0 + z0 * z0, x1 * x1 + y1 * y1 + z1 * z1, x2 * x2 + y2 * y2 + z2 * z2);
    return height * height > HEIGHT_ROUNDING * uu * vv * reach;
  }
}

/** The point of triangle p, with edges u, below a corner of q; returns the squared distance, or Infinity. */
function findFoot(p: Float64Array, u: Float64Array, q: Float64Array, corner: number, foot: Float64Array): number {
  const nx = u[1] * u[5] - u[2] * u[4];
  const ny = u[2] * u[3] - u[0] * u[5];
  const nz = u[0] * u[4] - u[1] * u[3];
  const x = q[3 * corner];
  const y = q[3 * corner + 1];
  const z = q[3 * corner + 2];
  // Twice the areas, times |n|, of the triangles of the foot and the edges from corners 0, 1 and 2.
  const area0 = crossAlong(nx, ny, nz, u, 0, x - p[0], y - p[1], z - p[2]);
  const area1 = crossAlong(nx, ny, nz, u, 3, x - p[3], y - p[4], z - p[5]);
  const area2 = crossAlong(nx, ny, nz, u, 6, x - p[6], y - p[7], z - p[8]);
  if (!(area0 > 0 && area1 > 0 && area2 > 0)) return Infinity;
  const share = 1 / (area0 + area1 + area2);
  let squared = 0;
  for (let k = 0; k < 3; k++) {
    foot[k] = (area1 * p[k] + area2 * p[3 + k] + area0 * p[6 + k]) * share;
    squared += (q[3 * corner + k] - foot[k]) ** 2;
  }
  return squared;
}

/** n · (edge × d), with the edge of three numbers at `u[k]`. Takes scalars, for inner loops. */
function crossAlong(
  nx: number,
  ny: number,
  nz: number,
  u: Float64Array,
  k: number,
  dx: number,
  dy: number,
  dz: number,
): number {
  return nx * (u[k + 1] * dz - u[k + 2] * dy) + ny * (u[k + 2] * dx - u[k] * dz) + nz * (u[k] * dy - u[k + 1] * dx);
}
