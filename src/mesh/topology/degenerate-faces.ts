// When a face counts as having no area.
import { areNearlyCollinear } from '../../core/nearly-collinear.js';
import { DEGENERATE_HEIGHT } from '../../core/tolerances.js';
import type { Mesh } from '../mesh.js';

/**
 * Whether a face is degenerate: it names a vertex twice, or its height is at most 1e-12 of its longest side. The test
 * is relative to the face's own size, so scaling does not change the answer.
 */
export function isDegenerateFace(mesh: Mesh, face: number): boolean {
  const a = mesh.indices[3 * face];
  const b = mesh.indices[3 * face + 1];
  const c = mesh.indices[3 * face + 2];
  return a === b || b === c || c === a || areNearlyCollinear(mesh.positions, a, b, c);
}

/** The number of degenerate faces; see {@link isDegenerateFace}. */
export function countDegenerateFaces(mesh: Mesh): number {
  let count = 0;
  for (let face = 0; face < mesh.indices.length / 3; face++) if (isDegenerateFace(mesh, face)) count++;
  return count;
}

/** The lengths of the sides of a face: first to second vertex, second to third, third to first. */
export function sideLengths(mesh: Mesh, face: number): [number, number, number] {
  const { positions, indices } = mesh;
  const a = 3 * indices[3 * face];
  const b = 3 * indices[3 * face + 1];
  const c = 3 * indices[3 * face + 2];
  return [distance(positions, a, b), distance(positions, b, c), distance(positions, c, a)];
}

/** Sides of a degenerate face that are at most this long count as having zero length. */
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
