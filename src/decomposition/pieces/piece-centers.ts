// The representative point of each convex piece: its center of mass (Ehmann and Lin 2001, section 5.1). O(triangles).
import type { Decomposition } from '../decomposition.js';

/** Rounding: a piece with less volume than this share of area^(3/2) is flat; the center of its surface is more accurate. */
const FLAT_VOLUME = 1e-12;

/**
 * The centers of mass of the pieces, three numbers per piece: of the solid if the piece has a volume, of its surface if
 * it is flat, which is the center of the polygon. Sums are taken relative to a corner of the piece.
 */
export function findPieceCenters({ mesh, pieces }: Decomposition): Float64Array {
  const { positions } = mesh;
  const { triangleStart, triangles } = pieces;
  const count = triangleStart.length - 1;
  const centers = new Float64Array(3 * count);
  for (let piece = 0; piece < count; piece++) {
    const first = 3 * triangleStart[piece];
    const end = 3 * triangleStart[piece + 1];
    const o = 3 * triangles[first];
    const [x0, y0, z0] = [positions[o], positions[o + 1], positions[o + 2]];
    let [volume, vx, vy, vz] = [0, 0, 0, 0];
    let [area, sx, sy, sz] = [0, 0, 0, 0];
    for (let i = first; i < end; i += 3) {
      const a = 3 * triangles[i];
      const b = 3 * triangles[i + 1];
      const c = 3 * triangles[i + 2];
      const ax = positions[a] - x0;
      const ay = positions[a + 1] - y0;
      const az = positions[a + 2] - z0;
      const bx = positions[b] - x0;
      const by = positions[b + 1] - y0;
      const bz = positions[b + 2] - z0;
      const cx = positions[c] - x0;
      const cy = positions[c + 1] - y0;
      const cz = positions[c + 2] - z0;
      const nx = (by - ay) * (cz - az) - (bz - az) * (cy - ay);
      const ny = (bz - az) * (cx - ax) - (bx - ax) * (cz - az);
      const nz = (bx - ax) * (cy - ay) - (by - ay) * (cx - ax);
      // From a corner every tetrahedron of a convex piece has a volume of at least zero, except for rounding.
      const sixth = Math.max(0, nx * ax + ny * ay + nz * az);
      const double = Math.sqrt(nx * nx + ny * ny + nz * nz);
      const mx = ax + bx + cx;
      const my = ay + by + cy;
      const mz = az + bz + cz;
      volume += sixth;
      vx += sixth * mx;
      vy += sixth * my;
      vz += sixth * mz;
      area += double;
      sx += double * mx;
      sy += double * my;
      sz += double * mz;
    }
    // The first factor distinguishes a volume from the rounding of a flat piece: its edge³ against area^(3/2).
    if (volume > FLAT_VOLUME * area * Math.sqrt(area)) {
      const share = 1 / (4 * volume);
      centers.set([x0 + vx * share, y0 + vy * share, z0 + vz * share], 3 * piece);
    } else {
      const share = area > 0 ? 1 / (3 * area) : 0;
      centers.set([x0 + sx * share, y0 + sy * share, z0 + sz * share], 3 * piece);
    }
  }
  return centers;
}
