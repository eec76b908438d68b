// Whether a triangle of the mesh meets a patch's hull only in the corners it shares with it: the third criterion of
// Ehmann and Lin 2001, section 4. Exact where corners are shared; where none is, a gap that rounding could close counts
// as a meeting. "No" may be a false alarm, "yes" never is.
import { exactSideOf } from '../../core/exact/points.js';
import { nextHalfEdge, previousHalfEdge } from '../../mesh/topology/adjacency.js';
import type { PatchHull } from './patch-hull.js';

/** Whether the triangle, which shares only the corner `s`, meets the hull nowhere else. */
export function isClearAtVertex(patch: PatchHull, s: number, q: number, r: number): boolean {
  let outsideQ = false;
  let outsideR = false;
  let weakQ = false;
  let weakR = false;
  const parted = patch.someFaceAround(s, (face) => {
    const sideQ = patch.sideOf(face, q);
    const sideR = patch.sideOf(face, r);
    if (sideQ > 0) outsideQ = true;
    if (sideR > 0) outsideR = true;
    if (sideQ > 0 && sideR > 0) return true;
    // The plane separates them except for one corner in it, which must be clear of the hull by another plane.
    if (sideQ > 0 && sideR === 0) weakR = true;
    if (sideR > 0 && sideQ === 0) weakQ = true;
    return false;
  });
  if (parted || (weakR && outsideR) || (weakQ && outsideQ)) return true;
  if (patch.isFlat) return isClearOfPolygonAtVertex(patch, s, q, r);
  // A corner within the hull's cone at s lies in the hull near s.
  if (!outsideQ || !outsideR) return false;
  return isPartedThrough(patch, s, q, r) || isPartedThrough(patch, s, r, q);
}

/** The triangle w, s, t shares the edge from s to t with the patch, whose face has it from t to s. */
export function isClearAtEdge(patch: PatchHull, s: number, t: number, w: number): boolean {
  const parted = patch.someFaceAround(s, (face) => patch.sideOf(face, t) === 0 && patch.sideOf(face, w) > 0);
  if (parted) return true;
  if (!patch.isFlat) return false;
  const side = patch.sideOf(0, w);
  if (side !== 0) return true;
  if (patch.hull.sideInPlane(t, s, w) >= 0) return false;
  return patch.vertices.every((vertex) => patch.hull.sideInPlane(t, s, vertex) >= 0);
}

/** Looks for a plane through s, q and a neighbor p of s on the hull, with the hull on one side and r on the other. */
function isPartedThrough(patch: PatchHull, s: number, q: number, r: number): boolean {
  const neighbors: number[] = [];
  patch.someFaceAround(s, (_, h) => {
    neighbors.push(patch.hull.corners[nextHalfEdge(h)]);
    return false;
  });
  return neighbors.some((p) => {
    const sideR = exactSideOf(patch.hull.points, s, p, q, r);
    if (sideR === 0) return false;
    return neighbors.every((other) => other === p || exactSideOf(patch.hull.points, s, p, q, other) * sideR <= 0);
  });
}

/** The hull is a polygon, and the triangle meets its plane at s and elsewhere. */
function isClearOfPolygonAtVertex(patch: PatchHull, s: number, q: number, r: number): boolean {
  const sideQ = patch.sideOf(0, q);
  const sideR = patch.sideOf(0, r);
  if ((sideQ > 0 && sideR > 0) || (sideQ < 0 && sideR < 0)) return true;
  const [before, after] = findRimNeighbors(patch, s);
  if (before < 0) return false; // s lies within the polygon
  const side = (a: number, b: number, p: number): number => patch.hull.sideInPlane(a, b, p);
  const isOutside = (p: number): boolean => side(before, s, p) < 0 || side(s, after, p) < 0;
  if (sideQ !== 0 && sideR !== 0) {
    return isPartedThrough(patch, s, q, r) || isPartedThrough(patch, s, r, q);
  }
  if (sideQ !== 0) return isOutside(r);
  if (sideR !== 0) return isOutside(q);
  if (!isOutside(q) || !isOutside(r)) return false;
  // All in one plane: a line along the rim at s separates them, or one along an edge of the triangle.
  if (side(before, s, q) <= 0 && side(before, s, r) <= 0) return true;
  if (side(s, after, q) <= 0 && side(s, after, r) <= 0) return true;
  const turn = side(s, q, r);
  return (
    (side(s, q, before) * turn < 0 && side(s, q, after) * turn < 0) ||
    (side(s, r, before) * turn > 0 && side(s, r, after) * turn > 0)
  );
}

/** The vertices before and after s on the rim of a flat hull's front; −1 when s lies within it. */
function findRimNeighbors(patch: PatchHull, s: number): [number, number] {
  const { corners, twins } = patch.hull;
  const isFront = (h: number): boolean => (((h / 3) | 0) & 1) === 0;
  let before = -1;
  let after = -1;
  patch.someFaceAround(s, (_, h) => {
    if (!isFront(h)) return false;
    if (!isFront(twins[h])) after = corners[nextHalfEdge(h)];
    const p = previousHalfEdge(h);
    if (!isFront(twins[p])) before = corners[p];
    return false;
  });
  return [before, after];
}
