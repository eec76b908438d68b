// The parts of a mesh that a surface misses: its triangles are cut into pieces of about one spacing, and those whose
// center is farther than a given distance from the surface, and not inside it, are kept. O(area / spacing² · log n).
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { longestSquared, writeHalf } from './bisect-triangle.js';
import type { SurfaceSearch } from './surface-search.js';
import { TriangleList } from './triangle-list.js';

export interface LostParts {
  /** The lost pieces, three vertices each; `null` if nothing is lost. */
  readonly mesh: Mesh | null;
  /** Their area as a share of the area of all pieces. */
  readonly share: number;
}

/**
 * The pieces of `mesh` farther than `reach` from `surface` whose centers are not inside it; all of them if it is `null`.
 * Pieces are at most `size` long.
 */
export function findLostParts(
  mesh: Mesh,
  surface: SurfaceSearch | null,
  size: number,
  reach: number,
  progress: ProgressOptions,
): LostParts {
  const { positions, indices } = mesh;
  const lost = new TriangleList();
  const waiting = new TriangleList();
  const t = new Float64Array(9);
  const half = new Float64Array(9);
  let area = 0;
  let lostArea = 0;
  let guess = -1;
  let pieces = 0;
  for (let face = 0; face < indices.length / 3; face++) {
    for (let c = 0; c < 9; c++) t[c] = positions[3 * indices[3 * face + Math.floor(c / 3)] + (c % 3)];
    waiting.push(t);
    while (waiting.pop(t)) {
      if (pieces++ % 512 === 0) reportProgress(progress, (3 * face) / indices.length, 'lost parts');
      if (surface !== null && split(t, size, half, waiting)) continue;
      const own = areaOf(t);
      area += own;
      if (surface !== null) {
        const cx = (t[0] + t[3] + t[6]) / 3;
        const cy = (t[1] + t[4] + t[7]) / 3;
        const cz = (t[2] + t[5] + t[8]) / 3;
        const distance = surface.distance(cx, cy, cz, guess);
        guess = surface.closest.slot;
        if (distance <= reach || surface.windings.isInside(cx, cy, cz)) continue;
      }
      lostArea += own;
      lost.push(t);
    }
  }
  return { mesh: lost.mesh(), share: area > 0 ? lostArea / area : 1 };
}

/** Halves a triangle with a side longer than `size`; the halves wait. */
function split(t: Float64Array, size: number, half: Float64Array, waiting: TriangleList): boolean {
  if (longestSquared(t) <= size * size) return false;
  writeHalf(t, 0, half);
  waiting.push(half);
  writeHalf(t, 1, half);
  waiting.push(half);
  return true;
}

function areaOf(t: Float64Array): number {
  const [ux, uy, uz] = [t[3] - t[0], t[4] - t[1], t[5] - t[2]];
  const [vx, vy, vz] = [t[6] - t[0], t[7] - t[1], t[8] - t[2]];
  return 0.5 * Math.hypot(uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx);
}
