// Whether a triangle of the mesh meets a convex hull only in their shared corners: the third criterion of Ehmann and
// Lin 2001, section 4, for hulls of any faces. Uses only signs of exact predicates. O(faces of the hull).
import { areExactlyCollinearAt, exactSideOf } from '../../core/exact/points.js';
import { trianglesCross } from '../../mesh/triangle/triangle-intersection.js';

/** Triangles of a hull, as in `IncrementalHull`: in a flat hull the even faces are its front, the odd ones its back. */
export interface HullTriangles {
  readonly points: Float64Array;
  readonly dimension: number;
  readonly faces: Int32Array;
  readonly faceCount: number;
  readonly corners: Int32Array;
}

/**
 * Whether the triangle a, b, c meets the hull only in its first `shared` corners (0 to 2), which both have; two only
 * along an edge of a face that lies on the hull. "No" may be a false alarm if hull corners are collinear.
 */
export function isClearOfHull(hull: HullTriangles, shared: number, a: number, b: number, c: number): boolean {
  const { points, faces, faceCount, corners } = hull;
  let insideB = true;
  let insideC = true;
  for (let i = 0; i < faceCount; i++) {
    const h = 3 * faces[i];
    const [p, q, r] = [corners[h], corners[h + 1], corners[h + 2]];
    const sideC = exactSideOf(points, p, q, r, c);
    if (sideC > 0) insideC = false;
    else if (shared === 2) continue;
    const sideB = exactSideOf(points, p, q, r, b);
    if (sideB > 0) insideB = false;
    if (sideC <= 0) continue;
    // A plane of the hull through the shared corners, with the others beyond it.
    const sideA = exactSideOf(points, p, q, r, a);
    if (shared === 0 ? sideA > 0 && sideB > 0 : shared === 1 ? sideA === 0 && sideB > 0 : sideA === 0 && sideB === 0) {
      return true;
    }
  }
  const isFlat = hull.dimension === 2;
  if (shared === 2 && !isFlat) return false;
  if (!isFlat && ((shared < 2 && insideB) || insideC)) return false;
  for (let i = 0; i < faceCount; i++) {
    if (isFlat && faces[i] % 2 === 1) continue;
    const h = 3 * faces[i];
    const [p, q, r] = [3 * corners[h], 3 * corners[h + 1], 3 * corners[h + 2]];
    if (!isFlat && areExactlyCollinearAt(points, p, q, r)) continue;
    if (trianglesCross(points, 3 * a, 3 * b, 3 * c, points, p, q, r)) return false;
  }
  return true;
}

/**
 * Whether a point strictly within the triangle a, b, c certainly lies in the solid hull. "No" is inconclusive: corners
 * and edges of the two may touch.
 */
export function isPierced(hull: HullTriangles, a: number, b: number, c: number): boolean {
  const { points, faces, faceCount, corners } = hull;
  if (hull.dimension < 3) return false;
  let insideA = true;
  let insideB = true;
  let insideC = true;
  for (let i = 0; i < faceCount; i++) {
    const h = 3 * faces[i];
    const [p, q, r] = [corners[h], corners[h + 1], corners[h + 2]];
    const sideA = exactSideOf(points, p, q, r, a);
    const sideB = exactSideOf(points, p, q, r, b);
    const sideC = exactSideOf(points, p, q, r, c);
    // Nothing of the triangle lies within the hull's interior.
    if (sideA >= 0 && sideB >= 0 && sideC >= 0) return false;
    if (sideA >= 0) insideA = false;
    if (sideB >= 0) insideB = false;
    if (sideC >= 0) insideC = false;
  }
  if (insideA || insideB || insideC) return true;
  for (let i = 0; i < faceCount; i++) {
    const h = 3 * faces[i];
    const [p, q, r] = [corners[h], corners[h + 1], corners[h + 2]];
    if (
      (p < q && crossesWithin(points, p, q, a, b, c)) ||
      (q < r && crossesWithin(points, q, r, a, b, c)) ||
      (r < p && crossesWithin(points, r, p, a, b, c)) ||
      crossesWithin(points, a, b, p, q, r) ||
      crossesWithin(points, b, c, p, q, r) ||
      crossesWithin(points, c, a, p, q, r)
    ) {
      return true;
    }
  }
  return false;
}

/** Whether the segment from u to v passes from one side of the triangle to the other strictly within it. */
function crossesWithin(p: Float64Array, u: number, v: number, a: number, b: number, c: number): boolean {
  const sideU = exactSideOf(p, a, b, c, u);
  if (sideU === 0 || exactSideOf(p, a, b, c, v) * sideU >= 0) return false;
  const first = exactSideOf(p, a, b, u, v);
  return first !== 0 && exactSideOf(p, b, c, u, v) * first > 0 && exactSideOf(p, c, a, u, v) * first > 0;
}
