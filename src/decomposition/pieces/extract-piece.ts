// The convex piece of a patch: the triangles of its hull, including every face of the patch. Coplanar triangles that
// are split along other diagonals than the mesh's are rearranged.
import type { IncrementalHull } from '../../convex/hull/hull-incremental.js';
import { exactTurnAlong, findShadowAxis } from '../../core/exact/points.js';
import type { Mesh } from '../../mesh/mesh.js';
import type { PatchHull } from '../patches/patch-hull.js';
import type { WorkLimit } from '../work-limit.js';
import { PieceSurface } from './piece-surface.js';

/** Takes the triangles of a piece; the source is the face of the mesh that a triangle equals, or −1. */
export interface TriangleSink {
  addTriangle(a: number, b: number, c: number, source: number): void;
}

/** Adds the hull of a grown patch as the piece of the patch that the collector closes next. */
export function addPiece(
  collector: TriangleSink,
  mesh: Mesh,
  patch: PatchHull,
  faces: readonly number[],
  limit: WorkLimit,
): void {
  const { indices } = mesh;
  const sources = new Map<number, number>();
  for (const face of faces) {
    const at = patch.findFace(indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]);
    if (at >= 0) sources.set(at, face);
  }
  if (sources.size < faces.length) {
    addRearrangedPiece(collector, mesh, patch.hull, faces, limit);
    return;
  }
  const { corners, faces: standing, faceCount } = patch.hull;
  for (let i = 0; i < faceCount; i++) {
    const face = standing[i];
    collector.addTriangle(corners[3 * face], corners[3 * face + 1], corners[3 * face + 2], sources.get(face) ?? -1);
  }
}

/** The same for any hull of the patch's vertices, for any triangulation of its coplanar parts. */
export function addRearrangedPiece(
  collector: TriangleSink,
  mesh: Mesh,
  hull: IncrementalHull,
  patchFaces: readonly number[],
  limit: WorkLimit,
): void {
  const { indices } = mesh;
  const { corners, faces, faceCount } = hull;
  const isFlat = hull.dimension === 2;
  const standing = Array.from(faces.subarray(0, faceCount));
  // The two sides of a flat piece share edges, so each side is arranged separately.
  const sides = isFlat
    ? [standing.filter((face) => face % 2 === 0), standing.filter((face) => face % 2 === 1)]
    : [standing];
  const facing = isFlat ? 3 * sides[0][0] : -1;
  for (const side of sides) {
    const piece = new PieceSurface(hull.points, corners, side, limit);
    const sources = new Map<string, number>();
    for (const face of patchFaces) {
      const [a, b, c] = [indices[3 * face], indices[3 * face + 1], indices[3 * face + 2]];
      if (isFlat && isSameWay(hull.points, [a, b, c], corners.subarray(facing, facing + 3)) !== (side === sides[0])) {
        continue;
      }
      piece.bringIn(a, b);
      piece.bringIn(b, c);
      piece.bringIn(c, a);
      sources.set(nameTriangle(a, b, c), face);
    }
    for (const [a, b, c] of piece.triangles()) {
      collector.addTriangle(a, b, c, sources.get(nameTriangle(a, b, c)) ?? -1);
    }
  }
}

/** Whether two triangles of one plane face the same way. */
function isSameWay(points: Float64Array, first: ArrayLike<number>, second: ArrayLike<number>): boolean {
  const axis = findShadowAxis(points, first[0], first[1], first[2]);
  const turn = exactTurnAlong(points, axis, first[0], first[1], first[2]);
  return exactTurnAlong(points, axis, second[0], second[1], second[2]) * turn > 0;
}

/** The same for a triangle whichever corner comes first. */
function nameTriangle(a: number, b: number, c: number): string {
  if (a < b && a < c) return `${a} ${b} ${c}`;
  return b < c ? `${b} ${c} ${a}` : `${c} ${a} ${b}`;
}
