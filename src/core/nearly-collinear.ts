import { DEGENERATE_HEIGHT } from './tolerances.js';

/**
 * Whether three points, by their ids, lie on a line within a tolerance: the height of their triangle is not above
 * `DEGENERATE_HEIGHT` of its longest side. That triangle is called degenerate. The test is relative to the triangle's
 * size with an error of some 1e-16 of it, so it is the same at any scale. The form without tolerance is
 * `areExactlyCollinear`.
 */
export function areNearlyCollinear(positions: Float64Array, a: number, b: number, c: number): boolean {
  const ux = positions[3 * b] - positions[3 * a];
  const uy = positions[3 * b + 1] - positions[3 * a + 1];
  const uz = positions[3 * b + 2] - positions[3 * a + 2];
  const vx = positions[3 * c] - positions[3 * a];
  const vy = positions[3 * c + 1] - positions[3 * a + 1];
  const vz = positions[3 * c + 2] - positions[3 * a + 2];
  const unit = Math.max(Math.abs(ux), Math.abs(uy), Math.abs(uz), Math.abs(vx), Math.abs(vy), Math.abs(vz));
  if (unit === 0) return true;
  // Squares of the sides and of twice the area in units of the longest component: nothing under- or overflows.
  const [px, py, pz] = [ux / unit, uy / unit, uz / unit];
  const [qx, qy, qz] = [vx / unit, vy / unit, vz / unit];
  const nx = py * qz - pz * qy;
  const ny = pz * qx - px * qz;
  const nz = px * qy - py * qx;
  const longest = Math.max(
    px * px + py * py + pz * pz,
    qx * qx + qy * qy + qz * qz,
    (px - qx) ** 2 + (py - qy) ** 2 + (pz - qz) ** 2,
  );
  return Math.sqrt(nx * nx + ny * ny + nz * nz) <= DEGENERATE_HEIGHT * longest;
}
