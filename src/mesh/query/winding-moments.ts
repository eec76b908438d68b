// The far field of each node of a hierarchy: seen from far away, its triangles are a dipole, a quadrupole and an
// octupole at their centroid (Barill et al. 2018, "Fast winding numbers for soups and clouds", second order), here in
// traceless form, 15 numbers instead of the paper's 39. Exact integrals over triangles. O(n log n), 160 bytes per node.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Bvh } from '../../spatial/bvh.js';
import type { TriangleTable } from '../triangle/triangle-table.js';

/**
 * Layout: numbers per node: center 0–2, radius² 3, dipole 4–6, quadrupole 7–11, octupole 12–18, third absolute moment
 * 19.
 */
export const MOMENTS = 20;

/** Chosen: triangles integrated between two checks of the caller's signal, some 10 ms. */
const TRIANGLES_PER_REPORT = 65_536;

/**
 * The moments of every node. With d the offset from the node's center and n the unit normal, integrated over its area:
 * - dipole A = ∫ n
 * - quadrupole B = ∫ sym(n d) without its trace, as Bxx, Byy, 2Bxy, 2Bxz, 2Byz
 * - octupole C = ∫ sym(n d d) without its traces, as Cyyx, Czzx, Cxxy, Czzy, Cxxz, Cyyz, 6Cxyz
 * - an upper bound of ∫ |d|³, which bounds the truncation error of the expansion
 */
export function computeWindingMoments(bvh: Bvh, table: TriangleTable, progress: ProgressOptions = {}): Float64Array {
  const moments = new Float64Array(MOMENTS * bvh.nodeCount);
  let unreported = 0;
  for (let node = 0; node < bvh.nodeCount; node++) {
    unreported += bvh.nodeItems[node];
    if (unreported >= TRIANGLES_PER_REPORT) {
      unreported = 0;
      reportProgress(progress, node / bvh.nodeCount, 'moments');
    }
    const first = bvh.nodeFirst[node];
    const end = first + bvh.nodeItems[node];
    placeCenter(table.corners, first, end, moments, MOMENTS * node);
    integrate(table, first, end, moments, MOMENTS * node);
  }
  return moments;
}

/** Writes the centroid of the area, or the mean of the corners when there is no area. */
function placeCenter(corners: Float64Array, first: number, end: number, out: Float64Array, o: number): void {
  // Sums are taken relative to one corner: far from the origin, absolute ones would lose the small differences.
  const baseX = corners[9 * first];
  const baseY = corners[9 * first + 1];
  const baseZ = corners[9 * first + 2];
  let area = 0;
  let x = 0;
  let y = 0;
  let z = 0;
  let plainX = 0;
  let plainY = 0;
  let plainZ = 0;
  for (let i = 9 * first; i < 9 * end; i += 9) {
    const ax = corners[i];
    const ay = corners[i + 1];
    const az = corners[i + 2];
    const ux = corners[i + 3] - ax;
    const uy = corners[i + 4] - ay;
    const uz = corners[i + 5] - az;
    const vx = corners[i + 6] - ax;
    const vy = corners[i + 7] - ay;
    const vz = corners[i + 8] - az;
    const nx = uy * vz - uz * vy;
    const ny = uz * vx - ux * vz;
    const nz = ux * vy - uy * vx;
    const doubleArea = Math.sqrt(nx * nx + ny * ny + nz * nz);
    const cx = ax - baseX + (ux + vx) / 3;
    const cy = ay - baseY + (uy + vy) / 3;
    const cz = az - baseZ + (uz + vz) / 3;
    area += doubleArea;
    x += doubleArea * cx;
    y += doubleArea * cy;
    z += doubleArea * cz;
    plainX += cx;
    plainY += cy;
    plainZ += cz;
  }
  const weighted = area > 0;
  const weight = weighted ? area : end - first;
  out[o] = baseX + (weighted ? x : plainX) / weight;
  out[o + 1] = baseY + (weighted ? y : plainY) / weight;
  out[o + 2] = baseZ + (weighted ? z : plainZ) / weight;
}

/** The moments of triangles about a center. Triangles share its terms, so that all of them are locals of one function. */
function integrate(table: TriangleTable, first: number, end: number, out: Float64Array, o: number): void {
  const { corners, turns } = table;
  const centerX = out[o];
  const centerY = out[o + 1];
  const centerZ = out[o + 2];
  let radiusSquared = 0;
  let third = 0;
  let dipoleX = 0;
  let dipoleY = 0;
  let dipoleZ = 0;
  // Symmetric sums, twice the tensor off the diagonal for the quadrupole, three times the tensor for the octupole.
  let qxx = 0;
  let qyy = 0;
  let qzz = 0;
  let qxy = 0;
  let qxz = 0;
  let qyz = 0;
  let oxxx = 0;
  let oyyy = 0;
  let ozzz = 0;
  let oxxy = 0;
  let oxxz = 0;
  let oyyx = 0;
  let oyyz = 0;
  let ozzx = 0;
  let ozzy = 0;
  let oxyz = 0;
  for (let slot = first; slot < end; slot++) {
    const i = 9 * slot;
    const ax = corners[i] - centerX;
    const ay = corners[i + 1] - centerY;
    const az = corners[i + 2] - centerZ;
    const bx = corners[i + 3] - centerX;
    const by = corners[i + 4] - centerY;
    const bz = corners[i + 5] - centerZ;
    const cx = corners[i + 6] - centerX;
    const cy = corners[i + 7] - centerY;
    const cz = corners[i + 8] - centerZ;
    const ux = bx - ax;
    const uy = by - ay;
    const uz = bz - az;
    const vx = cx - ax;
    const vy = cy - ay;
    const vz = cz - az;
    const half = turns[slot] / 2;
    const nx = half * (uy * vz - uz * vy);
    const ny = half * (uz * vx - ux * vz);
    const nz = half * (ux * vy - uy * vx);

    // |d|³ is convex, so its mean over a triangle is at most the mean of its corners.
    const aa = ax * ax + ay * ay + az * az;
    const bb = bx * bx + by * by + bz * bz;
    const cc = cx * cx + cy * cy + cz * cz;
    const cubes = aa * Math.sqrt(aa) + bb * Math.sqrt(bb) + cc * Math.sqrt(cc);
    third += (Math.sqrt(nx * nx + ny * ny + nz * nz) * cubes) / 3;
    radiusSquared = Math.max(radiusSquared, aa, bb, cc);

    // Means over the triangle of d, and of the products of its components.
    const mx = (ax + bx + cx) / 3;
    const my = (ay + by + cy) / 3;
    const mz = (az + bz + cz) / 3;
    const mxx = (ax * ax + bx * bx + cx * cx + 9 * mx * mx) / 12;
    const myy = (ay * ay + by * by + cy * cy + 9 * my * my) / 12;
    const mzz = (az * az + bz * bz + cz * cz + 9 * mz * mz) / 12;
    const mxy = (ax * ay + bx * by + cx * cy + 9 * mx * my) / 12;
    const mxz = (ax * az + bx * bz + cx * cz + 9 * mx * mz) / 12;
    const myz = (ay * az + by * bz + cy * cz + 9 * my * mz) / 12;

    dipoleX += nx;
    dipoleY += ny;
    dipoleZ += nz;
    qxx += nx * mx;
    qyy += ny * my;
    qzz += nz * mz;
    qxy += nx * my + ny * mx;
    qxz += nx * mz + nz * mx;
    qyz += ny * mz + nz * my;
    oxxx += 3 * nx * mxx;
    oyyy += 3 * ny * myy;
    ozzz += 3 * nz * mzz;
    oxxy += ny * mxx + 2 * nx * mxy;
    oxxz += nz * mxx + 2 * nx * mxz;
    oyyx += nx * myy + 2 * ny * mxy;
    oyyz += nz * myy + 2 * ny * myz;
    ozzx += nx * mzz + 2 * nz * mxz;
    ozzy += ny * mzz + 2 * nz * myz;
    oxyz += nx * myz + ny * mxz + nz * mxy;
  }
  const quadrupoleTrace = (qxx + qyy + qzz) / 3;
  const traceX = (oxxx + oyyx + ozzx) / 5;
  const traceY = (oxxy + oyyy + ozzy) / 5;
  const traceZ = (oxxz + oyyz + ozzz) / 5;
  out[o + 3] = radiusSquared;
  out[o + 4] = dipoleX;
  out[o + 5] = dipoleY;
  out[o + 6] = dipoleZ;
  out[o + 7] = qxx - quadrupoleTrace;
  out[o + 8] = qyy - quadrupoleTrace;
  out[o + 9] = qxy;
  out[o + 10] = qxz;
  out[o + 11] = qyz;
  out[o + 12] = (oyyx - traceX) / 3;
  out[o + 13] = (ozzx - traceX) / 3;
  out[o + 14] = (oxxy - traceY) / 3;
  out[o + 15] = (ozzy - traceY) / 3;
  out[o + 16] = (oxxz - traceZ) / 3;
  out[o + 17] = (oyyz - traceZ) / 3;
  out[o + 18] = 2 * oxyz;
  out[o + 19] = third;
}
