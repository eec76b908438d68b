// When a face counts as having no area.
import { DEGENERATE_HEIGHT } from '../../core/tolerances.js';
import type { Mesh } from '../mesh.js';

/**
 * Whether a face has no area: it names a vertex twice, or its height is at most `DEGENERATE_HEIGHT` of its longest
 * side. The test is relative to the face's own size and its error is some 1e-16 of it, so it is the same at any scale.
 */
export function isDegenerateFace(mesh: Mesh, face: number): boolean {
  const a = mesh.indices[3 * face];
  const b = mesh.indices[3 * face + 1];
  const c = mesh.indices[3 * face + 2];
  return a === b || b === c || c === a || areCollinear(mesh.positions, a, b, c);
}

/** The number of degenerate faces; see {@link isDegenerateFace}. */
export function countDegenerateFaces(mesh: Mesh): number {
  let count = 0;
  for (let face = 0; face < mesh.indices.length / 3; face++) if (isDegenerateFace(mesh, face)) count++;
  return count;
}

/** Whether three points lie on a line, within the tolerance of {@link isDegenerateFace}. */
export function areCollinear(positions: Float64Array, a: number, b: number, c: number): boolean {
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

/** The lengths of the sides of a face: first to second vertex, second to third, third to first. */
export function sideLengths(mesh: Mesh, face: number): [number, number, number] {
  const { positions, indices } = mesh;
  const a = 3 * indices[3 * face];
  const b = 3 * indices[3 * face + 1];
  const c = 3 * indices[3 * face + 2];
  return [distance(positions, a, b), distance(positions, b, c), distance(positions, c, a)];
}

/** Sides at most this long are, against the longest side of a degenerate face, of no length. */
export function shortSideLimit(sides: readonly [number, number, number]): number {
  return DEGENERATE_HEIGHT * Math.max(...sides);
}

function distance(positions: Float64Array, a: number, b: number): number {
  return Math.hypot(
    positions[a] - positions[b],
    positions[a + 1] - positions[b + 1],
    positions[a + 2] - positions[b + 2],
  );
}
