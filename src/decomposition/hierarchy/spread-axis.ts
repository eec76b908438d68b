// The direction of greatest spread of points: the first eigenvector of the covariance of their convex hull, taken as a
// solid (Ehmann and Lin 2001, section 5.1), so that it depends on the hull's shape and not on the density of the
// points. O(n log n), nearly all of it for the hull.
import { buildHull, type Hull } from '../../convex/hull/hull.js';
import { symmetricEigen } from '../../core/symmetric-eigen.js';
import type { Vec3 } from '../../core/vec3.js';

/**
 * A unit vector along the greatest spread of the hull of the points: of the solid; of the polygon if they lie in a
 * plane; along the segment if they lie on a line; the x axis if all coincide. Its largest component is positive.
 */
export function findSpreadAxis(points: Float64Array): Vec3 {
  const hull = buildHull(points);
  const { dimension, vertices } = hull;
  if (dimension === 0) return [1, 0, 0];
  const axis = dimension === 1 ? null : findPrincipalAxis(hull);
  return axis ?? directionBetween(points, vertices[0], vertices[vertices.length - 1]);
}

/** The unit vector along the line through two points: its largest component is positive. */
export function directionBetween(points: Float64Array, from: number, to: number): Vec3 {
  const d: Vec3 = [0, 0, 0];
  let lead = 0;
  for (let k = 0; k < 3; k++) {
    d[k] = points[3 * to + k] - points[3 * from + k];
    if (Math.abs(d[k]) > Math.abs(lead)) lead = d[k];
  }
  if (lead === 0) return [1, 0, 0];
  // Scaled by the largest component first: squares of tiny differences would underflow.
  const [x, y, z] = [d[0] / lead, d[1] / lead, d[2] / lead];
  const length = Math.sqrt(x * x + y * y + z * z);
  return [x / length, y / length, z / length];
}

/** Null if the measure is lost to rounding. */
function findPrincipalAxis({ dimension, points, vertices, triangles }: Hull): Vec3 | null {
  const o = 3 * vertices[0];
  const [x0, y0, z0] = [points[o], points[o + 1], points[o + 2]];
  // In units of the size: fifth powers of a small model's lengths would underflow.
  let size = 0;
  for (const vertex of vertices) {
    const v = 3 * vertex;
    size = Math.max(size, Math.abs(points[v] - x0), Math.abs(points[v + 1] - y0), Math.abs(points[v + 2] - z0));
  }
  const unit = 1 / size;
  const solid = new MomentSums();
  const shell = new MomentSums();
  for (let i = 0; i < triangles.length; i += 3) {
    const a = 3 * triangles[i];
    const b = 3 * triangles[i + 1];
    const c = 3 * triangles[i + 2];
    const ax = (points[a] - x0) * unit;
    const ay = (points[a + 1] - y0) * unit;
    const az = (points[a + 2] - z0) * unit;
    const bx = (points[b] - x0) * unit;
    const by = (points[b + 1] - y0) * unit;
    const bz = (points[b + 2] - z0) * unit;
    const cx = (points[c] - x0) * unit;
    const cy = (points[c + 1] - y0) * unit;
    const cz = (points[c + 2] - z0) * unit;
    const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
    const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
    const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
    const volume = dimension === 3 ? Math.max(0, nx * ax + ny * ay + nz * az) : 0;
    solid.add(volume, ax, ay, az, bx, by, bz, cx, cy, cz);
    shell.add(Math.sqrt(nx * nx + ny * ny + nz * nz), ax, ay, az, bx, by, bz, cx, cy, cz);
  }
  if (solid.weight > 0) return solid.principalAxis(4, 20);
  return shell.weight > 0 ? shell.principalAxis(3, 12) : null;
}

/** Sums of first and second moments of triangles, or of the tetrahedra from the origin to them. */
class MomentSums {
  weight = 0;
  #x = 0;
  #y = 0;
  #z = 0;
  #xx = 0;
  #xy = 0;
  #xz = 0;
  #yy = 0;
  #yz = 0;
  #zz = 0;

  /** Takes scalars, for inner loops. */
  add(
    weight: number,
    ax: number,
    ay: number,
    az: number,
    bx: number,
    by: number,
    bz: number,
    cx: number,
    cy: number,
    cz: number,
  ): void {
    const x = ax + bx + cx;
    const y = ay + by + cy;
    const z = az + bz + cz;
    this.weight += weight;
    this.#x += weight * x;
    this.#y += weight * y;
    this.#z += weight * z;
    this.#xx += weight * (x * x + ax * ax + bx * bx + cx * cx);
    this.#xy += weight * (x * y + ax * ay + bx * by + cx * cy);
    this.#xz += weight * (x * z + ax * az + bx * bz + cx * cz);
    this.#yy += weight * (y * y + ay * ay + by * by + cy * cy);
    this.#yz += weight * (y * z + ay * az + by * bz + cy * cz);
    this.#zz += weight * (z * z + az * az + bz * bz + cz * cz);
  }

  /** `corners`: 4 for a tetrahedron, 3 for a triangle; `divisor`: of its second moments, 20 or 12. */
  principalAxis(corners: number, divisor: number): Vec3 {
    const w = this.weight;
    const x = this.#x / (corners * w);
    const y = this.#y / (corners * w);
    const z = this.#z / (corners * w);
    const s = 1 / (divisor * w);
    return symmetricEigen(
      this.#xx * s - x * x,
      this.#xy * s - x * y,
      this.#xz * s - x * z,
      this.#yy * s - y * y,
      this.#yz * s - y * z,
      this.#zz * s - z * z,
    ).vectors[0];
  }
}
