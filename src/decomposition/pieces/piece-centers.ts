// The representative point of each convex piece: its center of mass (Ehmann and Lin 2001, section 5.1). O(triangles).
import { ConvexSums } from '../../convex/hull/convex-sums.js';
import type { Decomposition } from '../decomposition.js';

/** Rounding: a piece with less volume than this share of area^(3/2) counts as flat: its surface's center is more accurate. */
const FLAT_VOLUME = 1e-12;

/**
 * The centers of mass of the pieces, three numbers per piece: of the solid if the piece has a volume, of its surface if
 * it is flat, which is the center of the polygon.
 */
export function findPieceCenters({ mesh, pieces }: Decomposition): Float64Array {
  const { positions } = mesh;
  const { triangleStart, triangles } = pieces;
  const count = triangleStart.length - 1;
  const centers = new Float64Array(3 * count);
  const sums = new ConvexSums();
  for (let piece = 0; piece < count; piece++) {
    const first = 3 * triangleStart[piece];
    const origin = 3 * triangles[first];
    sums.sum(positions, triangles, first, 3 * triangleStart[piece + 1], origin);
    const { sixVolume, twiceArea, solid, shell } = sums;
    const isSolid = sixVolume > FLAT_VOLUME * twiceArea * Math.sqrt(twiceArea);
    const moment = isSolid ? solid : shell;
    const share = isSolid ? 1 / (4 * sixVolume) : twiceArea > 0 ? 1 / (3 * twiceArea) : 0;
    for (let axis = 0; axis < 3; axis++) centers[3 * piece + axis] = positions[origin + axis] + moment[axis] * share;
  }
  return centers;
}
