// The least distance of a surface from another one, as a proven lower bound: pieces of its triangles are halved until a
// ball around each is farther than the nearest point found, less a tolerance. A distance is 1-Lipschitz.
import { type ProgressOptions, reportProgress } from '../../core/progress.js';
import type { Mesh } from '../../mesh/mesh.js';
import { DISTANCE_ROUNDING } from '../field-error.js';
import { writeHalf } from './bisect-triangle.js';
import type { SurfaceSearch } from './surface-search.js';
import { TriangleList } from './triangle-list.js';

/** Chosen: the pieces examined, about five seconds; those left over count with their lower bound. */
const MAX_PIECES = 1_000_000;

/** No point of `mesh` is nearer to the surface of `target` than this; at most `tolerance` below the least distance. */
export function boundLeastDistance(
  mesh: Mesh,
  target: SurfaceSearch,
  tolerance: number,
  progress: ProgressOptions = {},
): number {
  const { positions, indices } = mesh;
  const waiting = new TriangleList();
  const t = new Float64Array(9);
  const half = new Float64Array(9);
  let nearest = Infinity;
  let guess = -1;
  for (const vertex of new Set(indices)) {
    const v = 3 * vertex;
    nearest = Math.min(nearest, target.distance(positions[v], positions[v + 1], positions[v + 2], guess));
    guess = target.closest.slot;
  }
  let least = Infinity;
  let pieces = 0;
  for (let face = 0; face < indices.length / 3; face++) {
    if (face % 1024 === 0) reportProgress(progress, (3 * face) / indices.length, 'distances');
    for (let c = 0; c < 9; c++) t[c] = positions[3 * indices[3 * face + Math.floor(c / 3)] + (c % 3)];
    waiting.push(t);
    while (waiting.pop(t)) {
      const x = (t[0] + t[3] + t[6]) / 3;
      const y = (t[1] + t[4] + t[7]) / 3;
      const z = (t[2] + t[5] + t[8]) / 3;
      let radiusSquared = 0;
      for (let c = 0; c < 9; c += 3) {
        radiusSquared = Math.max(radiusSquared, (t[c] - x) ** 2 + (t[c + 1] - y) ** 2 + (t[c + 2] - z) ** 2);
      }
      const distance = target.distance(x, y, z, guess);
      guess = target.closest.slot;
      nearest = Math.min(nearest, distance);
      const lower = distance - Math.sqrt(radiusSquared);
      if (lower >= nearest - tolerance || ++pieces > MAX_PIECES) {
        least = Math.min(least, lower);
        continue;
      }
      writeHalf(t, 0, half);
      waiting.push(half);
      writeHalf(t, 1, half);
      waiting.push(half);
    }
  }
  const largest = positions.reduce((most, value) => Math.max(most, Math.abs(value)), target.extent);
  return Math.max(0, least - DISTANCE_ROUNDING * largest);
}
