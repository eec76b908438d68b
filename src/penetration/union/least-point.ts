// The point of least length on one, two or three planes.

/** Rounding: planes whose normals are this close to parallel, or to coplanar, have no well-defined intersection. */
const PARALLEL = 1e-10;

/**
 * Writes the point of least length on planes i, j and k, which may be the same; false if they do not
 * meet well. Four numbers per plane: unit normal, offset.
 */
export function findLeastPoint(planes: Float64Array, i: number, j: number, k: number, out: Float64Array): boolean {
  const [ax, ay, az] = [planes[4 * i], planes[4 * i + 1], planes[4 * i + 2]];
  const a = planes[4 * i + 3];
  if (j === i) {
    out[0] = a * ax;
    out[1] = a * ay;
    out[2] = a * az;
    return true;
  }
  const [bx, by, bz] = [planes[4 * j], planes[4 * j + 1], planes[4 * j + 2]];
  const b = planes[4 * j + 3];
  const ux = ay * bz - az * by;
  const uy = az * bx - ax * bz;
  const uz = ax * by - ay * bx;
  const square = ux * ux + uy * uy + uz * uz;
  if (square < PARALLEL * PARALLEL) return false;
  if (k === j) {
    const cosine = ax * bx + ay * by + az * bz;
    const s = (a - b * cosine) / square;
    const t = (b - a * cosine) / square;
    out[0] = s * ax + t * bx;
    out[1] = s * ay + t * by;
    out[2] = s * az + t * bz;
    return true;
  }
  const [dx, dy, dz] = [planes[4 * k], planes[4 * k + 1], planes[4 * k + 2]];
  const d = planes[4 * k + 3];
  const determinant = ux * dx + uy * dy + uz * dz;
  if (Math.abs(determinant) < PARALLEL) return false;
  // d (a × b) + a (b × d) + b (d × a), over the determinant.
  out[0] = (d * ux + a * (by * dz - bz * dy) + b * (dy * az - dz * ay)) / determinant;
  out[1] = (d * uy + a * (bz * dx - bx * dz) + b * (dz * ax - dx * az)) / determinant;
  out[2] = (d * uz + a * (bx * dy - by * dx) + b * (dx * ay - dy * ax)) / determinant;
  return true;
}
